"""What a reviewer reads of a suite beside its baseline."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import pytest

from sekisho.compare.baseline import Accepted
from sekisho.compare.records import CaseChange, Difference, GoldFinding, RulerComparison, SuiteComparison
from sekisho.compare.statistics import SIGNIFICANCE, least_differing, paired
from sekisho.core.messages import note
from sekisho.core.text import display_width
from sekisho.gate import RuleOutcome, RunResult
from sekisho.gate.drops import DropRule, judge_comparisons
from sekisho.reports.baseline_json import comparison_part
from sekisho.reports.baseline_report import direction, write_baseline
from sekisho.reports.check_report import write_run
from sekisho.reports.json_report import encode
from sekisho.reports.terminal import Terminal
from sekisho.reports.verdict import verdict_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sekisho.core.messages import Language
    from sekisho.gate import RetrievalSuiteResult

ACCEPTED = Accepted(reason="first baseline", time="2000-01-01T00:00:00+00:00", commit="0123456789abcdef")
LANGUAGES: tuple[Language, ...] = ("en", "ja")
NAMES = ("recall@10", "ndcg@10", "overlap@10")


def rulers(*gains: Sequence[float], of: int = 120) -> tuple[RulerComparison, ...]:
    """Return rulers of which some cases gained or lost so much, from 0.5 each."""
    made = []
    for name, found in zip(NAMES, gains, strict=False):
        after = [0.5 + gain for gain in found] + [0.5] * (of - len(found))
        made.append(RulerComparison(name=name, comparison=paired([0.5] * of, after)))
    return tuple(made)


def comparison(**fields: Any) -> SuiteComparison:  # noqa: ANN401  of a comparison
    """Return a comparison of 120 cases."""
    return SuiteComparison(**{"accepted": ACCEPTED, "common": 120, **fields})


def judged(max_drop: float | None, *gains: Sequence[float], of: int = 120) -> SuiteComparison:
    """Return a comparison after the rule."""
    found = comparison(rulers=rulers(*gains, of=of))
    return judge_comparisons([(found, DropRule(max_drop))])[0].comparison


def page(found: SuiteComparison, language: Language = "en", name: str = "search", width: int = 80) -> str:
    """Return what is written, in lines of one width."""
    stream = io.StringIO()
    write_baseline(name, found, Terminal(stream, language=language, environment={"COLUMNS": str(width)}))
    return stream.getvalue()


def text(found: SuiteComparison, name: str = "search") -> str:
    """Return the English page without its line breaks."""
    return " ".join(page(found, name=name).split())


CHANGES = tuple(
    CaseChange(id=f"case-{number}", kind="worse", weight=0.5, details=(note("compare.ranks_moved", moves="d1 @1 → -"),),
               reason=note("compare.metric_lost", name="recall@10", before="1.0000", now="0.5000"))
    for number in range(12)
)  # fmt: skip
EVERYTHING = {
    "ruler": comparison(
        common=0, new=("n",), removed=tuple(f"r{n}" for n in range(9)),
        ruler_changes=tuple(
            Difference(name=name, before=before, now=now)
            for name, before, now in (("k", "10", "5"), ("case.c\x1b1", "a", "b"), ("cases", "120", "3"),
                                      ("manual", "", "true"))
        ),
        made_of_changes=(Difference(name="target", before="app:old", now="app:new"),),
    ),
    "drop": judged(0.02, [-0.5] * 30, [-0.1] * 30, [0.1]),
    "gold": comparison(rulers=rulers([]), gold=(GoldFinding(id="d1", kind="missing", cases=("c1", "c2")),
                                                GoldFinding(id="d2", kind="changed", cases=("c1",)))),
    "changes": comparison(changes=CHANGES, still_known=("k1",), known_more=-1),
    "level": judged(0.02, [], []),
}  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("kind", EVERYTHING)
def test_no_line_is_wider_than_the_page(kind: str, language: Language, width: int) -> None:
    """And nothing in it steers the terminal."""
    lines = page(EVERYTHING[kind], language, width=width).splitlines()

    assert max(map(display_width, lines)) <= width
    assert "\x1b1" not in "".join(lines)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_three_metrics_stand_in_a_table_of_80_columns(language: Language) -> None:
    """One below the other, so that they can be compared."""
    starts = tuple(f"  {name}" for name in NAMES)
    rows = [line for line in page(EVERYTHING["drop"], language).splitlines() if line.startswith(starts)]

    assert [row.split()[0] for row in rows[:3]] == list(NAMES)
    assert rows[0].split()[-1] == "0/90/30"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_head_names_time_commit_and_reason(language: Language) -> None:
    """So that a reader knows what stands for before."""
    head = page(EVERYTHING["level"], language, width=120).splitlines()[0]

    assert all(part in head for part in ("2000-01-01T00:00:00+00:00", "0123456789", "first baseline"))


@pytest.mark.parametrize(
    ("gains", "code"),
    [
        (([-0.5] * 3, []), "recall_down"),
        (([0.5] * 3, [-0.5] * 9), "recall_up"),
        (([], [-0.2] * 9), "ndcg_down"),
        (([], [0.2] * 9), "ndcg_up"),
        (([], [], [-0.2] * 9), "overlap_down"),
        (([], [], [0.2] * 9), "overlap_up"),
        (([0.5, -0.5], [0.5, -0.5]), "swapped"),
        (([-0.1], []), "slight"),
        (([], [], []), "level"),
    ],
)
def test_one_sentence_names_the_direction(gains: tuple[list[float], ...], code: str) -> None:
    """What was found before its order, its order before its neighbours."""
    found = direction(comparison(rulers=rulers(*gains)))

    assert found is not None
    assert found.code == f"compare.direction_{code}"


@pytest.mark.parametrize(
    ("kinds", "code"),
    [
        (("newly_failing", "newly_failing", "fixed"), "down"),
        (("worse", "fixed", "better"), "up"),
        (("worse", "fixed"), "swapped"),
        (("newly_failing", "fixed", "better"), "mixed"),
        (("issue_new", "text_changed", "fails_otherwise"), "level"),
        ((), "level"),
    ],
)
def test_answers_have_a_direction_by_their_cases(kinds: tuple[Any, ...], code: str) -> None:
    """They have no means."""
    reason = note("compare.text_changed")
    changes = tuple(CaseChange(id="c", kind=kind, reason=reason) for kind in kinds)

    found = direction(comparison(changes=changes))

    assert found is not None
    assert found.code == f"compare.direction_cases_{code}"


def test_a_changed_ruler_is_told_with_before_and_now_and_no_direction() -> None:
    """And with the command that accepts it, in which the name of the suite is one word."""
    shown = text(EVERYTHING["ruler"], name="my suite")

    for part in ("k: 10 before, 5 now", "case c\\x1b1: its question", "of 120 in the baseline 3 are left",
                 "manual: - before, true now", "sekisho accept 'my suite' --reason TEXT", "9 case(s)",
                 "target is another than in the baseline: app:old before, app:new now"):  # fmt: skip
        assert part in shown
    assert direction(EVERYTHING["ruler"]) is None
    assert "No metric of any case changed" not in shown


def test_gold_rot_names_documents_cases_and_cure() -> None:
    """Each kind its own."""
    shown = text(EVERYTHING["gold"])

    assert "no longer in the corpus: d1. Compared without them, before and now: c1, c2." in shown
    assert "another text: d2. Compared without them, before and now: c1. Check that they still answer" in shown


def test_a_drop_is_told_by_the_rule_that_it_breaks() -> None:
    """Too large, beyond chance, or not to be ruled out."""
    large, certain = text(judged(0.02, [-0.3] * 30)), text(judged(0.02, [-0.06] * 12))
    unresolved, alone = text(judged(0.02, [-0.45] * 3)), text(judged(None, [-0.3] * 30))

    assert "recall@10 fell by 0.0750, more than max_drop 0.02." in large
    assert "recall@10 fell by 0.0060, not more than max_drop 0.02, but beyond chance (p 0.0002 after Holm" in certain
    assert "more than 0.02 cannot be ruled out with 120 cases; about" in unresolved
    assert "beyond chance (p <0.0001 after Holm, below 0.01). Nothing judges it" in alone
    assert all("the difference is exact" in shown for shown in (large, certain, unresolved, alone))


def test_no_difference_is_told_with_what_could_have_been_seen() -> None:
    """Of cases that differ by their spread, of cases that do not by how many would have had to lose."""
    assert "120 cases of this spread would show a difference from about" in text(judged(0.9, [0.5, -0.5]))
    least = least_differing(SIGNIFICANCE / len(EVERYTHING["level"].rulers))
    assert f"only where at least {least} cases lose; none did." in text(EVERYTHING["level"])


def test_a_drop_just_above_the_limit_is_shown_as_above_it() -> None:
    """Four decimals would make them equal."""
    found = judged(0.02, [-0.0200001] * 120)

    assert "fell by 0.0200001, more than max_drop 0.02" in text(found)


def test_the_worst_ten_changes_are_shown_and_the_rest_counted() -> None:
    """All of them are in the document."""
    shown, document = text(EVERYTHING["changes"]), comparison_part(EVERYTHING["changes"], "en")

    assert ("case-9: recall@10 fell" in shown, "case-10" in shown, "and 2 more" in shown) == (True, False, True)
    assert len(document["changes"]) == 12
    assert document["changes"][0]["details"] == ["ranks: d1 @1 → -"]
    assert document["direction"].startswith("Worse than before: 12")


def test_nobody_has_a_name() -> None:
    """The principal without a department."""
    change = CaseChange(id="", kind="newly_failing", reason=note("compare.leaks_more", before=0, now=1))

    assert "- nobody: leaks: 1, more than the 0" in text(comparison(changes=(change,)))


@pytest.mark.parametrize("kind", EVERYTHING)
def test_every_comparison_fits_a_document(kind: str) -> None:
    """Numbers unrounded, sentences in the language asked for."""
    for language in LANGUAGES:
        assert encode(comparison_part(EVERYTHING[kind], language))


def suite_of(
    make_suite: Callable[..., RetrievalSuiteResult], rule: RuleOutcome, found: SuiteComparison
) -> RetrievalSuiteResult:
    """Return a suite that fails by one rule."""
    answers = {"出張の上限は？": ["d0"], "Who approves a trip?": ["d2"], "退職金の計算": ["d4"]}
    return make_suite(answers, verdict="failed", gate=(rule,), comparison=found)


def test_the_verdict_names_the_drop_and_the_case_that_lost(
    make_suite: Callable[..., RetrievalSuiteResult], make_run: Callable[..., RunResult]
) -> None:
    """Not the one that was bad before."""
    rule = RuleOutcome(rule="drop.recall@10", value=0.0200001, threshold=0.02, holds=False)
    run = make_run(suite_of(make_suite, rule, comparison(changes=CHANGES[3:])))

    found = verdict_text(run, "en")

    assert "drop.recall@10 0.0200001 (max_drop 0.02)" in found
    assert "worse than the baseline" in found
    assert found.endswith("sekisho check policies --case case-3")


def test_the_verdict_on_a_changed_ruler_offers_no_case(
    make_suite: Callable[..., RetrievalSuiteResult], make_run: Callable[..., RunResult]
) -> None:
    """Running one again would change nothing."""
    rule = RuleOutcome(rule="baseline.ruler", value=1.0, threshold=0.0, holds=False)

    found = verdict_text(make_run(suite_of(make_suite, rule, EVERYTHING["ruler"])), "en")

    assert "not what was accepted" in found
    assert "again" not in found


@pytest.mark.parametrize("language", LANGUAGES)
def test_suites_that_no_run_meets_any_more_are_named(language: Language) -> None:
    """In the page and in the verdict."""
    run = RunResult(verdict="failed", exit_code=1, suites=(), not_run=(), facts={}, gone=("old", "older"))
    stream = io.StringIO()

    write_run(run, Terminal(stream, language=language, environment={"COLUMNS": "80"}))

    assert stream.getvalue().count("old, older") == 2
    assert "sekisho accept --reason" in verdict_text(run, language)
