"""Answer cases and permission matrices beside their baseline."""

from __future__ import annotations

import datetime as dt
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sekisho.compare.baseline import Accepted, AccessBaseline, AccessEntry, AnswerEntry, AnswersBaseline
from sekisho.compare.comparison import compare_suites
from sekisho.compare.records import CHANGE_KINDS, ChangeKind, Difference, SuiteComparison
from sekisho.core.answers import KnownIssue

ACCEPTED = Accepted(reason="first", time="2000-01-01T00:00:00+00:00")
ISSUE = KnownIssue(reason="the document is old")
OTHER = KnownIssue(reason="the document is old", until=dt.date(2030, 1, 1))


def entry(id_: str = "c1", status: str = "ok", *failures: str, **changes: Any) -> AnswerEntry:  # noqa: ANN401  of an entry
    """Return the entry of a case."""
    fields: dict[str, Any] = {"asked": "q", "failures": failures, "found": True, "text": "x"}
    return AnswerEntry(**{"id": id_, "status": status, **fields, **changes})


def suite(*cases: AnswerEntry, **changes: Any) -> AnswersBaseline:  # noqa: ANN401  of a suite
    """Return a suite."""
    return AnswersBaseline(**{"accepted": ACCEPTED, "made_of": {}, "ruler": {}, "cases": cases, **changes})


def compared(before: AnswerEntry, now: AnswerEntry, **changes: Any) -> SuiteComparison:  # noqa: ANN401  of both suites
    """Return one case beside itself."""
    return compare_suites(suite(before, **changes), suite(now, **changes))


def kinds(found: SuiteComparison) -> list[str]:
    """Return the kind of each change, in their order."""
    return [change.kind for change in found.changes]


PASSING = entry()
FAILING = entry("c1", "ng", "missing_text")
KNOWN = entry("c1", "known", "missing_text", issue=ISSUE)


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        (PASSING, PASSING, []),
        (PASSING, FAILING, ["newly_failing"]),
        (FAILING, PASSING, ["fixed"]),
        (FAILING, KNOWN, ["issue_new", "better"]),
        (KNOWN, FAILING, ["issue_gone", "newly_failing"]),
        (KNOWN, entry("c1", "ng", "missing_text", issue=ISSUE), ["newly_failing"]),
        (KNOWN, PASSING, ["issue_gone", "fixed"]),
        (KNOWN, entry("c1", "fixed", issue=ISSUE), ["fixed"]),
        (PASSING, KNOWN, ["issue_new", "newly_failing"]),
        (KNOWN, entry("c1", "known", "missing_text", issue=OTHER), ["issue_changed"]),
        (FAILING, entry("c1", "ng", "missing_source"), ["fails_otherwise"]),
        (FAILING, entry("c1", "ng", "missing_source", "missing_text"), ["worse"]),
        (entry("c1", "ng", "missing_source", "missing_text"), FAILING, ["better"]),
        (PASSING, entry(sources=("b.pdf",), text="y"), ["source_changed"]),
        (PASSING, entry(text="y"), ["text_changed"]),
        (PASSING, entry(found=False), ["text_changed"]),
    ],
    ids=["same", "fails", "fixed", "excused", "excuse gone", "excuse expired", "fixed and excuse gone",
         "fixed, excuse left", "fails, excused", "excuse changed", "fails otherwise", "fails more", "fails less",
         "sources", "text", "found"],
)  # fmt: skip
def test_a_case_changes_in_one_way_and_its_excuse_in_another(
    before: AnswerEntry, now: AnswerEntry, expected: list[str]
) -> None:
    """What the list of excuses did comes first."""
    assert kinds(compared(before, now)) == expected


def test_details_tell_sources_words_and_what_was_found() -> None:
    """A Japanese text is compared word by word."""
    before = entry(text="上限は20万円です。", sources=("a.pdf",))
    now = entry(text="上限は18万円です。", sources=("b.pdf",), found=False)

    details = compared(before, now).changes[0].details

    assert [detail.code for detail in details] == ["compare.sources_were", "compare.not_found_now", "compare.words"]
    assert "[-20万円-]{+18万円+}" in details[2].render("ja")


def test_the_excuse_of_a_new_case_is_told() -> None:
    """It would otherwise enter unseen."""
    found = compare_suites(suite(PASSING), suite(PASSING, entry("c2", "known", "missing_text", issue=ISSUE)))

    assert [(change.kind, change.id) for change in found.changes] == [("issue_new", "c2")]
    assert (found.new, found.known_more) == (("c2",), 1)


def test_still_known_cases_are_counted_over_what_ran() -> None:
    """A part of the suite has not lost the known issues of the rest."""
    before = suite(KNOWN, entry("c2", "known", "missing_text", issue=ISSUE), entry("c3"))

    found = compare_suites(before, suite(KNOWN, entry("c3")), left_out={"c2"})

    assert (found.still_known, found.known_more) == (("c1",), 0)


def test_a_changed_case_is_another_ruler_and_nothing_is_compared_but_excuses() -> None:
    """An excuse is no measurement: a new one cannot hide behind an edited question."""
    before = suite(PASSING, entry("c2"), entry("c3"))
    excused = entry("c3", "known", "missing_text", issue=ISSUE)
    now = suite(entry(asked="r", text="y"), entry("c2", "ng", "missing_text"), excused)

    found = compare_suites(before, now)

    assert found.ruler_changes == (Difference(name="case.c1", before="q", now="r"),)
    assert [(change.kind, change.id) for change in found.changes] == [("issue_new", "c3")]
    assert (found.common, found.still_known) == (0, ())


@pytest.mark.parametrize("name", ["match", "known_issues", "everyone", "gate", "max_known"])
def test_other_rules_are_another_ruler(name: str) -> None:
    """Folding texts, or no gate at all, measures something else."""
    found = compare_suites(suite(PASSING, ruler={name: "a"}), suite(FAILING, ruler={name: "b"}))

    assert found.ruler_changes == (Difference(name=name, before="a", now="b"),)
    assert found.changes == ()


def test_nothing_in_common_is_another_ruler() -> None:
    """Renamed ids compare with nothing."""
    found = compare_suites(suite(PASSING, entry("c2")), suite(entry("d1"), entry("d2")))

    assert found.ruler_changes == (Difference(name="cases", before="2", now="0"),)


def test_a_suite_that_is_redacted_from_now_on_is_accepted_anew_and_shows_no_text() -> None:
    """Until then the baseline holds the texts."""
    before = suite(entry(text="secret", issue=KnownIssue(reason="secret")))

    found = compare_suites(before, suite(entry(text="0123"), redacted=True))

    assert found.ruler_changes == (Difference(name="redact", before="false", now="true"),)
    assert found.changes == ()


def test_changes_of_a_redacted_suite_show_no_text() -> None:
    """Neither words nor sources nor reasons, of which there are fingerprints."""
    before = entry(text="0123", sources=("4567",))
    now = entry(text="89ab", sources=("cdef",), issue=KnownIssue(reason="fedc"))

    found = compared(before, now, redacted=True)

    assert kinds(found) == ["issue_new", "source_changed"]
    assert not [sign for sign in ("0123", "4567", "89ab", "cdef", "fedc") if sign in repr(found.changes)]


STATES = st.builds(
    lambda status, failures, text: entry(
        "c", status, *(sorted(failures) if status in {"ng", "known"} else ()), text=text,
        issue=ISSUE if status in {"known", "fixed"} else None,
    ),
    st.sampled_from(["ok", "ng", "known", "fixed"]),
    st.sets(st.sampled_from(["missing_text", "missing_source", "not_found"]), min_size=1),
    st.sampled_from(["x", "y"]),
)  # fmt: skip
MIRRORED = {
    "newly_failing": {"fixed", "better"}, "fixed": {"newly_failing"}, "better": {"worse", "newly_failing"},
    "worse": {"better"}, "issue_new": {"issue_gone"}, "issue_gone": {"issue_new"},
}  # fmt: skip


@given(STATES, STATES)
def test_exchanging_the_sides_mirrors_every_change(before: AnswerEntry, now: AnswerEntry) -> None:
    """What fails newly one way is fixed the other way, and by as much."""
    there, back = compared(before, now).changes, compared(now, before).changes

    assert len(there) == len(back)
    unmatched = list(back)
    for change in there:
        wanted = MIRRORED.get(change.kind, {change.kind})
        match = next(each for each in unmatched if each.kind in wanted and each.weight == -change.weight)
        unmatched.remove(match)


def test_the_order_of_kinds_is_whole() -> None:
    """Each kind has its place."""
    assert set(CHANGE_KINDS) == set(get_args(ChangeKind))


def matrix(*cases: AccessEntry, **changes: Any) -> AccessBaseline:  # noqa: ANN401  of a suite
    """Return a permission matrix."""
    return AccessBaseline(**{"accepted": ACCEPTED, "made_of": {}, "ruler": {}, "cases": cases, **changes})


def test_more_leaks_are_newly_failing_and_fewer_are_fixed() -> None:
    """The worst first."""
    before = matrix(AccessEntry(id="", leaks=0, visible=1), AccessEntry(id="a", leaks=3, visible=2),
                    AccessEntry(id="b", leaks=0, visible=2))  # fmt: skip
    now = matrix(AccessEntry(id="", leaks=1, visible=1), AccessEntry(id="a", leaks=1, visible=2),
                 AccessEntry(id="b", leaks=5, visible=2))  # fmt: skip

    found = compare_suites(before, now)

    assert [(change.kind, change.id, change.weight) for change in found.changes] == [
        ("newly_failing", "b", 5), ("newly_failing", "", 1), ("fixed", "a", -2),
    ]  # fmt: skip


def test_documents_that_starve_and_that_come_back_are_told_apart() -> None:
    """Also where both happen to one principal."""
    before = matrix(AccessEntry(id="a", leaks=0, visible=9, starved=("d1", "d2")))
    now = matrix(AccessEntry(id="a", leaks=0, visible=9, starved=("d2", *(f"e{n}" for n in range(8)))))

    found = compare_suites(before, now)

    assert kinds(found) == ["worse", "better"]
    assert found.changes[0].reason.values["ids"] == "e0, e1, e2, e3, e4, e5, … (+2)"
    assert found.changes[1].reason.values["ids"] == "d1"


def test_a_matrix_on_another_ruler_is_not_compared() -> None:
    """Fewer results, fewer leaks."""
    case = AccessEntry(id="a", leaks=0, visible=1)

    found = compare_suites(matrix(case, ruler={"k": "10"}), matrix(case, ruler={"k": "1"}))

    assert [each.name for each in found.ruler_changes] == ["k"]
    assert found.common == 0


def test_a_matrix_of_other_principals_is_another_ruler() -> None:
    """Departments renamed all at once."""
    names = [[AccessEntry(id=f"{sign}{number}", leaks=0, visible=1) for number in range(3)] for sign in "ab"]

    found = compare_suites(matrix(*names[0]), matrix(*names[1]))

    assert found.ruler_changes == (Difference(name="cases", before="3", now="0"),)
