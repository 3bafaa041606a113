"""How large a drop the cases of a suite can show: figures, cases without room, refusals."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from sekisho.answers.sampling import wilson_interval
from sekisho.app.comparing import compare_targets
from sekisho.app.power import run_power
from sekisho.app.power_figures import ASSUMED_SPREADS, spread_figures
from sekisho.compare.statistics import cases_for_drop, detectable_drop, paired, power_figures
from sekisho.core.errors import ConfigurationError, SekishoError
from sekisho.reports.power_records import AnswersPower, RetrievalPower

if TYPE_CHECKING:
    from sekisho.app.configuration import Configuration

RULE = 0.01 / 3
"""Of three metrics."""


def retrieval(configuration: Configuration, name: str, **options: object) -> RetrievalPower:
    """Return the figures of a retrieval suite."""
    suite = run_power(configuration, name, **options).suite  # type: ignore[arg-type]  # options of any type
    assert isinstance(suite, RetrievalPower)
    return suite


def answers(configuration: Configuration, **options: float) -> AnswersPower:
    """Return the figures of the suite of answer cases."""
    suite = run_power(configuration, "policies", **options).suite  # type: ignore[arg-type]  # numbers only
    assert isinstance(suite, AnswersPower)
    return suite


def test_without_another_target_the_spread_is_an_assumption(configuration: Configuration) -> None:
    """Each figure for the lower and for the upper spread, by the statistics of a comparison."""
    suite = retrieval(configuration, "synthetic")

    assert [ruler.name for ruler in suite.rulers] == ["recall@10", "ndcg@10", "overlap@10"]
    assert (suite.against, suite.drop, suite.power) == (None, 0.02, 0.8)
    for ruler in suite.rulers:
        assert ruler.is_assumed
        assert tuple(each.spread for each in ruler.figures) == ASSUMED_SPREADS
        for each in ruler.figures:
            assert each.drop_at_5_percent == power_figures(120, each.spread).drop_at_5_percent
            assert each.drop_by_rule == detectable_drop(120, each.spread, alpha=RULE)
            assert each.cases_at_5_percent == cases_for_drop(0.02, each.spread)
            assert each.cases_by_rule == cases_for_drop(0.02, each.spread, alpha=RULE)


def test_another_target_measures_the_spread(configuration: Configuration) -> None:
    """It is that of the paired comparison of both on the same cases."""
    suite = retrieval(configuration, "synthetic", against="exact", drop=0.03, power=0.9)
    first, second = compare_targets(["two_stage", "exact"], root=Path()).retrieval

    for ruler, metric in zip(suite.rulers, ("recall", "ndcg", "overlap"), strict=True):
        sides = [[getattr(case, metric) for case in run.report.cases] for run in (first, second)]
        compared = paired(*sides)
        [figures] = ruler.figures
        assert figures.spread == compared.spread
        assert (ruler.mean, ruler.mean_against) == (compared.mean_before, compared.mean_after)
        assert ruler.differing == compared.wins + compared.losses
        assert figures.drop_by_rule == detectable_drop(120, figures.spread, alpha=RULE, power=0.9)
        assert figures.cases_by_rule == max(9, cases_for_drop(0.03, figures.spread, alpha=RULE, power=0.9))


def test_options_of_the_other_target_follow_a_question_mark(configuration: Configuration) -> None:
    """As for a comparison; and a suite's name stands for its target."""
    with_options = retrieval(configuration, "synthetic", against="two_stage?candidates=20")
    by_suite = retrieval(configuration, "secret", against="hand")

    assert with_options.against == "two_stage?candidates=20"
    assert not with_options.rulers[0].is_assumed
    assert by_suite.against == "hand"


def test_so_many_cases_must_get_worse(configuration: Configuration) -> None:
    """Of one, two or three metrics the strictest step differs."""
    synthetic, hand = retrieval(configuration, "synthetic"), retrieval(configuration, "hand")

    assert (synthetic.differing_at_5_percent, synthetic.differing_by_rule) == (5, 9)
    assert [ruler.name for ruler in hand.rulers] == ["recall@2", "ndcg@2"]
    assert (hand.rule_alpha, hand.differing_by_rule) == (0.005, 8)


def test_the_figures_hold_in_a_simulation() -> None:
    """Of drops as large as the visible one the sign-flip test finds four in five at the rule's strictest step."""
    figures = spread_figures(60, 0.12, mean=0.9, drop=0.02, power=0.8, rule_alpha=RULE)
    random = np.random.default_rng(5)
    rounds = 600
    assert figures.drop_by_rule is not None

    found = sum(
        paired([0.0] * 60, random.normal(-figures.drop_by_rule, 0.12, 60).tolist()).p_drop < RULE for _ in range(rounds)
    )

    assert found / rounds == pytest.approx(0.8, abs=0.05)


def test_a_drop_larger_than_the_mean_is_none(configuration: Configuration) -> None:
    """Four cases cannot show anything by any test; saying 1.7 would be nonsense."""
    suite = retrieval(configuration, "hand")

    assert [each.drop_by_rule for ruler in suite.rulers for each in ruler.figures] == [None] * 4
    assert spread_figures(120, 0.15, mean=0.03, drop=0.02, power=0.8, rule_alpha=RULE).drop_at_5_percent is None


def test_no_number_of_cases_below_those_that_must_differ_is_promised() -> None:
    """A huge drop of a tiny spread would take two cases by the t distribution."""
    figures = spread_figures(120, 0.01, mean=0.9, drop=0.5, power=0.8, rule_alpha=RULE)

    assert (figures.cases_at_5_percent, figures.cases_by_rule) == (5, 9)


def test_cases_without_room_are_named(configuration: Configuration) -> None:
    """At the ceiling is what no ranking could do better, two of four relevant with two places among them."""
    suite = retrieval(configuration, "hand")
    recall = suite.rulers[0]

    assert suite.extremes.ceiling == ("perfect", "crowded")
    assert suite.extremes.floor == ("lost",)
    assert recall.mean == pytest.approx((1 + 0.5 + 0 + 0.5) / 4)


def test_cases_without_room_have_none_in_both_runs(configuration: Configuration) -> None:
    """What fell from the ceiling did show something."""
    suite = retrieval(configuration, "hand", against="power_targets:worse")
    recall = suite.rulers[0]

    assert suite.extremes.ceiling == ("crowded",)
    assert suite.extremes.floor == ("lost",)
    assert recall.differing == 2
    assert recall.mean_against == pytest.approx((0.5 + 0 + 0 + 0.5) / 4)


def test_a_target_that_never_differs_leaves_the_assumption(configuration: Configuration) -> None:
    """No spread is no measurement of it."""
    suite = retrieval(configuration, "hand", against="power_targets:same")

    assert all(ruler.is_assumed and ruler.differing == 0 for ruler in suite.rulers)
    assert [each.spread for each in suite.rulers[0].figures] == list(ASSUMED_SPREADS)


def test_a_case_that_crashes_is_left_out_and_said(configuration: Configuration) -> None:
    """Exit code 3; the others still give figures."""
    run = run_power(configuration, "hand", against="power_targets:crashing")

    assert run.exit_code == 3
    assert (run.suite.cases, run.suite.measured) == (4, 3)
    assert [(each.target, each.id) for each in run.suite.unmeasured] == [("power_targets:crashing", "half")]


@pytest.mark.parametrize(("name", "against"), [("down", None), ("down", "hand"), ("hand", "down")])
def test_a_target_that_cannot_be_made_gives_no_figures(
    configuration: Configuration, name: str, against: str | None
) -> None:
    """Exit code 3 in either place."""
    run = run_power(configuration, name, against=against)

    assert run.exit_code == 3
    assert isinstance(run.suite, RetrievalPower)
    assert run.suite.rulers == ()


def test_a_gate_has_no_part_in_it(configuration: Configuration) -> None:
    """Cases that fail answer the question as well as others."""
    assert run_power(configuration, "hand").exit_code == 0
    assert run_power(configuration, "policies").exit_code == 0


def test_the_resolution_that_a_suite_wants_is_its_own(configuration: Configuration) -> None:
    """``max_drop``, unless the command line says another; no baseline is needed."""
    assert retrieval(configuration, "strict").drop == 0.04
    assert retrieval(configuration, "strict", drop=0.1).drop == 0.1
    assert retrieval(configuration, "hand").drop == 0.02


def test_each_answer_case_that_passes_is_a_gate(configuration: Configuration) -> None:
    """At least one of n cases fails with the probability 1 - (1 - s)^n."""
    suite = answers(configuration, drop=0.1)

    assert len(suite.passing) == 8
    assert suite.failing == ("case-0",)
    assert suite.interval == wilson_interval(8, 9)
    assert suite.visible is not None
    assert 1 - (1 - suite.visible) ** 8 == pytest.approx(0.8)
    assert suite.needed == math.ceil(math.log(0.2) / math.log(0.9)) == 16
    assert 1 - 0.9**suite.needed >= 0.8 > 1 - 0.9 ** (suite.needed - 1)


def test_a_default_resolution_needs_eighty_answer_cases(configuration: Configuration) -> None:
    """A change that breaks one question in fifty."""
    assert answers(configuration).needed == 80


@pytest.mark.parametrize(
    ("name", "options", "code"),
    [
        ("matrix", {}, "power.access"),
        ("policies", {"against": "exact"}, "power.against_answers"),
        ("one", {}, "power.one_case"),
        ("hand", {"against": "hand"}, "power.against_itself"),
        ("synthetic", {"against": "two_stage"}, "power.against_itself"),
        ("hand", {"against": "policies"}, "power.against_kind"),
        ("hand", {"against": "exakt"}, "power.no_such_target_meant"),
        ("hand", {"against": "sythetic"}, "power.no_such_target_meant"),
        ("hand", {"against": "zzzzzz"}, "power.no_such_target"),
        ("hand", {"against": "no_such_module:make"}, "app.target_no_module"),
        ("hand", {"against": "power_targets:fund"}, "app.target_name_meant"),
        ("hand", {"against": "exact?k=1&k=2"}, "app.compare_option_twice"),
        ("hnad", {}, "app.unknown_suite_meant"),
        ("hand", {"drop": 0.0}, "app.out_of_range"),
        ("hand", {"drop": 0.9}, "app.out_of_range"),
        ("hand", {"power": 1.0}, "app.out_of_range"),
        ("hand", {"power": 0.1}, "app.out_of_range"),
        ("policies", {"power": float("nan")}, "app.out_of_range"),
    ],
)
def test_what_has_no_answer_is_refused(
    configuration: Configuration, name: str, options: dict[str, object], code: str
) -> None:
    """Before anything runs, by a sentence that says what to do."""
    with pytest.raises(SekishoError) as caught:
        run_power(configuration, name, **options)  # type: ignore[arg-type]  # options of any type

    assert caught.value.code == code
    assert caught.value.render("ja") != caught.value.render("en")


def test_a_wrong_target_on_the_command_line_has_no_place_in_the_file(configuration: Configuration) -> None:
    """The line of the suite's own target would mislead."""
    with pytest.raises(SekishoError) as caught:
        run_power(configuration, "hand", against="no_such_module:make")

    assert caught.value.where is None


def test_both_names_are_offered(configuration: Configuration) -> None:
    """Suites of retrieval and reference retrievers."""
    with pytest.raises(ConfigurationError, match="Known: hand, strict, secret, one, down, synthetic, exact"):
        run_power(configuration, "hand", against="zzzzzz")
