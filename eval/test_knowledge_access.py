"""The permission matrix of this repository's own knowledge search: no leak while healthy, leaks with each fault."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from eval.faults import answering
from eval.knowledge import with_locks
from eval.serving import over_http
from knowledge_search.store.visible import Locks
from sekisho import load_cases
from sekisho.access import evaluate_access

if TYPE_CHECKING:
    from eval.knowledge import Knowledge
    from sekisho.access import AccessReport

CASES = Path(__file__).resolve().parent / "cases.json"
HIDDEN = {(): {"salary-grade.md", "discount-policy.md", "quotation.md"},
          ("hr",): {"discount-policy.md", "quotation.md"}, ("sales",): {"salary-grade.md"}}  # fmt: skip


def matrix(target: object) -> AccessReport:
    """Return every principal and every document of a target, measured."""
    return evaluate_access(target, principals=[["hr", "sales"]], cases=load_cases(CASES))


def shown(report: AccessReport) -> dict[tuple[str, ...], set[str]]:
    """Return the names of the hidden documents that showed, by principal."""
    return {
        one.departments: {leak.document_name for leak in one.leaks if leak.document_name}
        for one in report.principals
        if one.leak_count
    }


@pytest.mark.parametrize(
    "locks", [Locks(), Locks(row_security=False), Locks(predicate=False)], ids=["both", "predicate", "row security"]
)
def test_nobody_is_shown_what_is_hidden(locks: Locks, healthy: Knowledge) -> None:
    """With both locks and with either alone: no leak at any stage, and the same bytes where the hidden is gone."""
    with with_locks(healthy, locks) as target:
        report = matrix(target)

    assert (report.leak_count, report.error_count, report.cache) == (0, 0, ())
    assert [one.departments for one in report.principals] == [(), ("hr",), ("sales",), ("hr", "sales")]
    assert report.stages == ("retrieved", "given", "cited", "answered")
    assert all(one.probes and one.interference is False for one in report.principals if one.hidden)
    assert all(one.recall == 1.0 and not one.starved for one in report.principals)
    assert (report.documents, report.warnings) == (11, ())


@pytest.mark.parametrize(
    "fault", [answering.predicate_dropped, answering.policies_dropped], ids=["predicate", "policy"]
)
def test_without_a_lock_every_hidden_document_leaks(fault: answering.Fault, healthy: Knowledge) -> None:
    """Each of them, to each principal that may not see it, at every stage."""
    with fault.inject(healthy) as broken:
        report = matrix(broken)

    assert shown(report) == HIDDEN
    assert {leak.stage for leak in report.leaks} == {"retrieved", "given", "cited", "answered"}


def test_a_cache_that_forgets_who_asked_leaks(healthy: Knowledge) -> None:
    """Nobody is shown what those were shown who asked the same before."""
    with answering.answers_remembered.inject(healthy) as broken:
        report = matrix(broken)

    assert shown(report) == HIDDEN


def test_texts_under_other_documents_leak(healthy: Knowledge) -> None:
    """The ids are those that may be seen and the locks hold; the passages are what shows it."""
    with answering.texts_shifted.inject(healthy) as broken:
        report = matrix(broken)

    assert shown(report)
    assert {leak.kind for leak in report.leaks} <= {"passage", "quantity", "title", "interference"}


def test_over_http_nobody_is_shown_what_is_hidden(healthy: Knowledge) -> None:
    """Through routes and keys, as the service's users ask."""
    with over_http(healthy) as target:
        report = matrix(target)

    assert (report.leak_count, report.error_count) == (0, 0)
