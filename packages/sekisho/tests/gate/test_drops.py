"""The regression rule over the suites of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sekisho.compare.baseline import Accepted
from sekisho.compare.records import Difference, RulerComparison, SuiteComparison
from sekisho.compare.statistics import holm, paired
from sekisho.gate.drops import Compared, DropRule, judge_comparisons

if TYPE_CHECKING:
    from collections.abc import Sequence

ACCEPTED = Accepted(reason="first", time="2000-01-01T00:00:00+00:00")
STRICT = DropRule(max_drop=0.02)


def suite(*lost: Sequence[float], of: int = 120) -> SuiteComparison:
    """Return a suite in which some cases of each ruler lost so much, out of a perfect state."""
    rulers = []
    for name, losses in zip(("recall@10", "ndcg@10", "overlap@10"), lost, strict=False):
        after = [1.0 - each for each in losses] + [1.0] * (of - len(losses))
        rulers.append(RulerComparison(name=name, comparison=paired([1.0] * of, after)))
    return SuiteComparison(accepted=ACCEPTED, rulers=tuple(rulers), common=of)


def judged(comparison: SuiteComparison, rule: DropRule = STRICT) -> Compared:
    """Return one suite, judged by itself."""
    return judge_comparisons([(comparison, rule)])[0]


def failing(compared: Compared) -> list[str]:
    """Return the rules that do not hold."""
    return [outcome.rule for outcome in compared.outcomes if outcome.holds is False]


@pytest.mark.parametrize(
    ("cases", "by", "fails"),
    [
        (3, 0.9, True),  # 0.0225, which three cases may lose by chance
        (4, 0.6, False),  # 0.02 to the last digit
        (2, 0.3, False),  # 0.005
        (0, 0.0, False),
    ],
)
def test_an_observed_drop_above_max_drop_fails(cases: int, by: float, fails: bool) -> None:  # noqa: FBT001  a parameter
    """Whether chance could have made it or not."""
    compared = judged(suite([by] * cases, []))

    assert failing(compared) == (["drop.recall@10"] if fails else [])
    assert compared.outcomes[1].threshold == 0.02


@pytest.mark.parametrize(("cases", "by"), [(120, 0.06), (1200, 0.6)])
def test_a_drop_of_0_006_beyond_chance_fails(cases: int, by: float) -> None:
    """Twelve cases that all lost, where max_drop alone would let it pass."""
    assert failing(judged(suite([by] * 12, [], [], of=cases))) == ["drop.recall@10"]


@pytest.mark.parametrize(("cases", "by"), [(120, 0.04), (1200, 0.4)])
def test_a_drop_of_0_004_never_fails(cases: int, by: float) -> None:
    """However certain."""
    compared = judged(suite([by] * 12, [], [], of=cases))

    assert failing(compared) == []
    finding = compared.comparison.rulers[0].finding
    assert finding is not None
    assert (finding.p_adjusted < 0.01, finding.significant) == (True, False)


def test_without_max_drop_a_drop_is_shown_and_nothing_fails() -> None:
    """However large."""
    compared = judged(suite([1.0] * 60), DropRule())

    assert [outcome.rule for outcome in compared.outcomes] == ["baseline.ruler"]
    assert failing(compared) == []
    finding = compared.comparison.rulers[0].finding
    assert finding is not None
    assert (finding.drop, finding.fails) == (0.5, False)


def test_each_of_the_three_rulers_can_fail() -> None:
    """By its own drop."""
    for place, name in enumerate(("recall@10", "ndcg@10", "overlap@10")):
        losses: list[Sequence[float]] = [[], [], []]
        losses[place] = [0.9] * 6

        assert failing(judged(suite(*losses))) == [f"drop.{name}"]


def test_what_is_unresolved_fails_only_with_non_inferiority() -> None:
    """A mean of 0.01 below, with room for more than 0.02."""
    few = suite([0.6, 0.6])

    assert failing(judged(few)) == []
    assert failing(judged(few, DropRule(max_drop=0.02, non_inferiority=True))) == ["drop.recall@10"]
    finding = judged(few).comparison.rulers[0].finding
    assert finding is not None
    assert finding.unresolved
    assert finding.cases_to_resolve is not None
    assert finding.cases_to_resolve > 120


def test_non_inferiority_of_one_suite_does_not_judge_another() -> None:
    """Each suite has its own rule."""
    few = suite([0.6, 0.6])

    strict, lenient = judge_comparisons([(few, DropRule(0.02, non_inferiority=True)), (few, STRICT)])

    assert (failing(strict), failing(lenient)) == (["drop.recall@10"], [])


def test_holm_counts_the_rulers_of_every_suite() -> None:
    """Also of those without a max_drop: every look at the data counts."""
    losing, level = suite([0.1] * 9), suite([], [], [])

    alone = judged(losing)
    together = judge_comparisons([(losing, STRICT), (level, DropRule()), (level, STRICT)])

    assert failing(alone) == ["drop.recall@10"]
    assert failing(together[0]) == []
    found = [ruler.finding.p_adjusted for each in together for ruler in each.comparison.rulers if ruler.finding]
    assert found == list(holm([2.0**-9] + [1.0] * 6))


@pytest.mark.parametrize("rule", [STRICT, DropRule()])
def test_another_ruler_fails_whatever_the_gate_says(rule: DropRule) -> None:
    """Until somebody accepts it with a reason."""
    changed = SuiteComparison(accepted=ACCEPTED, ruler_changes=(Difference(name="k", before="10", now="5"),))

    compared = judged(changed, rule)

    assert failing(compared) == ["baseline.ruler"]
    assert [outcome.value for outcome in compared.outcomes] == [1.0]


def test_suites_keep_their_order_and_their_findings() -> None:
    """One that has no rulers, such as answers, takes none of another's."""
    answers = SuiteComparison(accepted=ACCEPTED, common=1)

    first, second, third = judge_comparisons([(suite([0.9] * 6), STRICT), (answers, DropRule()), (suite([]), STRICT)])

    assert (failing(first), failing(second), failing(third)) == (["drop.recall@10"], [], [])
    assert second.comparison == answers


def test_nothing_to_compare_is_nothing_to_judge() -> None:
    """A run without a baseline."""
    assert judge_comparisons([]) == []
