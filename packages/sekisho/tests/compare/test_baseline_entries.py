"""What a baseline keeps of a suite: enough for every metric, and nothing that it should not hold."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sekisho.access.records import AccessReport, PrincipalResult
from sekisho.answers import evaluate_answers
from sekisho.calling import Outcome
from sekisho.calling.records import CaseError
from sekisho.compare.entries import access_entries, answer_entries, fingerprint, retrieval_entries
from sekisho.compare.measures import Measures
from sekisho.core.answers import Answer, AnswerCase, KnownIssue
from sekisho.core.messages import note
from sekisho.core.records import EvalCase, Neighbours
from sekisho.retrieval.measure import report_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sekisho.answers.records import AnswersReport
    from sekisho.compare.baseline import RetrievalEntry
    from sekisho.retrieval.records import EvalReport

TODAY = dt.date(2000, 1, 1)
IDS = ["a", "a:b", "a\nb", "規程", "규정", "\0", "@1", "d0", "d1", "d2", "d3", "e\u0301", "\u00e9", "\u202ex"]


def report(cases: Sequence[EvalCase], rankings: Sequence[Sequence[str] | None], k: int, threshold: float) -> EvalReport:
    """Return the report on rankings; None stands for a case that could not be measured."""
    error = CaseError(kind="raised", reason=note("calling.raised", text="ValueError"))
    outcomes = [
        Outcome(None, error, 1.0) if ids is None else Outcome((tuple(ids), None), None, 1.0) for ids in rankings
    ]
    return report_of(cases, outcomes, k=k, relevance_threshold=threshold, documents=None)


def entries(case: EvalCase, ranking: Sequence[str], k: int = 2, threshold: float = 1) -> RetrievalEntry:
    """Return the entry of one case."""
    return retrieval_entries(report([case], [ranking], k, threshold), [case])[0]


@given(
    st.dictionaries(st.sampled_from(IDS), st.sampled_from([-1, 0, 1, 1.0, 1.5, 2, 3]), min_size=1),
    st.lists(st.sampled_from(IDS), max_size=20),
    st.lists(st.sampled_from(IDS), min_size=1, max_size=8, unique=True),
    st.integers(min_value=1, max_value=12),
    st.sampled_from([1, 0.5, 2]),
)
def test_metrics_of_an_entry_are_those_of_the_report(
    grades: dict[str, float], ranking: list[str], neighbours: list[str], k: int, threshold: float
) -> None:
    """To the last bit: with repeated ids, fewer results than k, grades, a threshold that parts recall from nDCG."""
    grades = {**grades, "d0": 2}
    case = EvalCase("c", "q", grades, Neighbours(k=k, ids=tuple(neighbours)))
    measured = report([case], [ranking], k, threshold)

    found = Measures(k, relevance_threshold=threshold).of(retrieval_entries(measured, [case])[0])

    result = measured.cases[0]
    assert (found.recall, found.ndcg, found.overlap) == (result.recall, result.ndcg, result.overlap)


def test_plain_ids_and_grades_of_one_are_the_same_judgments() -> None:
    """So that a file in another format is no other ruler."""
    plain, graded = EvalCase("c", "q", ("a", "b")), EvalCase("c", "q", {"a": 1, "b": 1.0, "z": 0})

    assert entries(plain, ["b"]) == entries(graded, ["b"])


def test_an_id_below_the_threshold_has_a_rank_of_its_own() -> None:
    """It counts for nDCG, and is no hit."""
    found = entries(EvalCase("c", "q", {"a": 2, "b": 1}), ["b", "a", "b"], threshold=2)

    assert (found.hits, found.ranks, found.grades) == (1, {"a": 2, "b": 1}, {"a": 2.0})


def test_only_measured_cases_are_kept_and_their_order_is_that_of_ids() -> None:
    """A crash is not a score."""
    cases = [EvalCase(id_, "q", ("a",)) for id_ in ("z", "é", "b")]

    kept = retrieval_entries(report(cases, [["a"], None, ["x", "a"]], 2, 1), cases)

    assert [(entry.id, entry.hits) for entry in kept] == [("b", 1), ("z", 1)]


def test_lists_that_only_read_alike_differ() -> None:
    """Whatever signs stand in ids."""
    case = EvalCase("c", "q", ("x",))
    rankings = (["a\nb"], ["a", "b"], ["ab"], ["", "ab"], ["1:a"], ["a\0b"], ["\ud800"])

    assert len({entries(case, ranking).top for ranking in rankings}) == len(rankings)


def test_another_query_is_another_fingerprint() -> None:
    """Texts, arrays and whatever else a target takes."""
    queries = ("q", "q ", "\ud800", np.zeros(2), np.ones(2), {"text": "q"}, ["q"])

    asked = [entries(EvalCase("c", query, ("a",)), []).asked for query in queries]

    assert len(set(asked)) == len(queries)
    assert asked[3] == entries(EvalCase("c", np.zeros(2), ("a",)), []).asked


ISSUE = KnownIssue(reason="the secret reason", link="https://example.org/secret")
CASE = AnswerCase(id="a1", question="the secret question", expect_text=("secret",), known_issue=ISSUE)


def answered(
    case: AnswerCase = CASE, text: str = "a secret text", sources: tuple[str, ...] = ("secret.pdf",)
) -> AnswersReport:
    """Return the report on one case."""

    class System:
        def answer(self, question: str, departments: object) -> Answer:  # noqa: ARG002  as targets are called
            return Answer(text=text, sources=sources, found=True)

    return evaluate_answers([case], System(), today=TODAY)


def test_an_answer_is_kept_with_its_words_and_sources() -> None:
    """For the word diff of whoever reviews the next change."""
    entry = answer_entries(answered(), redact=False)[0]

    assert (entry.id, entry.status, entry.found) == ("a1", "fixed", True)
    assert (entry.text, entry.sources, entry.issue) == ("a secret text", ("secret.pdf",), ISSUE)


def test_a_redacted_answer_is_kept_as_fingerprints() -> None:
    """Of its words, its sources and the reason of its known issue, so that a change of any shows."""
    entry = answer_entries(answered(), redact=True)[0]

    assert "secret" not in repr(entry)
    assert entry.text == fingerprint("a secret text")
    assert entry.sources != answer_entries(answered(sources=("other.pdf",)), redact=True)[0].sources
    assert answer_entries(answered(sources=()), redact=True)[0].sources == ()


@pytest.mark.parametrize(
    "change",
    [{"question": "another"}, {"departments": ("x",)}, {"expect_text": ("a",)}, {"expect_source": ("secret",)},
     {"forbid": ("other",)}, {"expect_text": (), "expect_source": (), "expect_not_found": True}],
)  # fmt: skip
def test_whatever_a_case_expects_is_in_its_fingerprint(change: dict[str, object]) -> None:
    """A softened expectation is another ruler."""
    other = msgspec.structs.replace(CASE, **change)

    assert answer_entries(answered(other), redact=False)[0].asked != answer_entries(answered(), redact=False)[0].asked


def test_tags_and_known_issues_are_no_part_of_what_a_case_expects() -> None:
    """They are told as changes of their own, or change nothing."""
    other = AnswerCase(id="a1", question=CASE.question, expect_text=CASE.expect_text, tags=("x",))

    assert answer_entries(answered(other), redact=False)[0].asked == answer_entries(answered(), redact=False)[0].asked


def test_half_a_surrogate_pair_is_kept_as_its_escape() -> None:
    """A file in UTF-8 cannot hold it."""
    entry = answer_entries(answered(text="secret \ud800", sources=("\udc80",)), redact=False)[0]

    assert (entry.text, entry.sources) == ("secret \\ud800", ("\\udc80",))


def test_principals_with_a_plus_in_a_department_stay_apart() -> None:
    """Else two of them would be one entry."""
    principals = [
        PrincipalResult(departments=names, unrestricted=False, visible=1, hidden=1, probes=1, leak_count=count)
        for count, names in enumerate([("a+b",), ("a", "b"), (), ("a\\", "b"), ("a\\+b",)])
    ]
    measured = AccessReport(k=1, everyone="all", documents=2, departments=(), principals=tuple(principals), stages=())

    ids = [entry.id for entry in access_entries(measured)]

    assert len(set(ids)) == len(principals)
    assert ids == sorted(ids)
    assert {"", "a+b"} <= set(ids)
