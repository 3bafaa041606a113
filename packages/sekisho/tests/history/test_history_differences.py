"""Two kept runs beside each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from sekisho.core.errors import InputFileError
from sekisho.core.history import KeptRun
from sekisho.history.details import detail_of
from sekisho.history.differences import compare_runs

if TYPE_CHECKING:
    from types import SimpleNamespace

    from sekisho.core.history import RunComparison


def compared(before: dict[str, Any], after: dict[str, Any]) -> RunComparison:
    """Return the comparison of two documents."""
    first, second = (
        detail_of(KeptRun(number, "", None, None, document["verdict"], 0, 1.0), document)
        for number, document in enumerate((before, after), start=1)
    )
    return compare_runs(first, second)


def moves(comparison: RunComparison) -> list[tuple[str, str]]:
    """Return how each case of the only suite moved."""
    return [(change.direction, (change.after or change.before).id) for change in comparison.suites[0].cases]


def test_the_worst_stands_first(made: SimpleNamespace) -> None:
    """What cannot be measured any more, then by how far recall fell; removed, new, better behind."""
    before = {"same": 1.0, "a": 0.9, "b": 0.9, "c": 0.9, "gone": 0.5, "up": 0.1}
    after = {"same": 1.0, "a": 0.8, "b": 0.2, "c": None, "up": 0.9, "fresh": 0.3}

    comparison = compared(made.document(made.retrieval(before)), made.document(made.retrieval(after)))

    assert moves(comparison) == [
        ("worse", "c"),
        ("worse", "b"),
        ("worse", "a"),
        ("removed", "gone"),
        ("new", "fresh"),
        ("better", "up"),
    ]
    assert comparison.suites[0].unchanged == 1


def test_answers_move_between_their_statuses(made: SimpleNamespace) -> None:
    """A known issue that is fixed is better; one that is new is worse than a pass."""
    before = {"a": "ok", "b": "known", "c": "known", "d": "ng", "e": "ok"}
    after = {"a": "ng", "b": "fixed", "c": "ng", "d": "ok", "e": "known"}

    comparison = compared(made.document(made.answers(before)), made.document(made.answers(after)))

    assert moves(comparison) == [("worse", "a"), ("worse", "c"), ("worse", "e"), ("better", "b"), ("better", "d")]


def test_a_leak_is_the_worst_that_can_happen(made: SimpleNamespace) -> None:
    """A principal is compared as a case."""
    comparison = compared(made.document(made.access(0)), made.document(made.access(2)))

    change = comparison.suites[0].cases[0]
    assert (change.direction, change.before.status, change.after.status) == ("worse", "ok", "leak")
    assert change.after.sentences == ("hr.md was cited",) * 2


def test_metrics_stand_beside_each_other(made: SimpleNamespace) -> None:
    """A metric of one run only has no partner."""
    before, after = made.retrieval({"a": 0.5}), made.retrieval({"a": 0.75})
    del before["metrics"]["mrr"]

    comparison = compared(made.document(before), made.document(after))

    found = [(metric.name, metric.before, metric.after) for metric in comparison.suites[0].metrics]
    assert found == [("recall@10", 0.5, 0.75), ("mrr", None, 0.75)]


def test_another_ruler_is_said(made: SimpleNamespace) -> None:
    """A number may differ because what is measured does."""
    comparison = compared(
        made.document(made.retrieval({"a": 0.5})), made.document(made.retrieval({"a": 0.5}, corpus="c2"))
    )

    assert comparison.suites[0].ruler_changed == ("corpus",)
    assert comparison.suites[0].cases == ()


def test_recalls_at_other_depths_are_not_compared(made: SimpleNamespace) -> None:
    """They say nothing about each other."""
    before, after = made.retrieval({"a": 0.5}), made.retrieval({"a": 0.9})
    after["cases"][0]["metrics"] = {"recall@5": 0.1}

    assert compared(made.document(before), made.document(after)).suites[0].cases == ()


def test_a_suite_of_one_run_only_is_named(made: SimpleNamespace) -> None:
    """Its cases are neither new nor removed: they were not asked."""
    comparison = compared(
        made.document(made.retrieval({"a": 0.5}, name="old")), made.document(made.retrieval({"a": 0.5}, name="new"))
    )

    assert [(suite.name, suite.before, suite.after) for suite in comparison.suites] == [
        ("new", None, "failed"),
        ("old", "failed", None),
    ]
    assert [suite.cases for suite in comparison.suites] == [(), ()]


def test_a_run_beside_itself_differs_in_nothing(made: SimpleNamespace) -> None:
    """Not one case, not one metric."""
    document = made.document(made.retrieval({"a": 0.5, "b": None}), made.answers({"c": "known"}), made.access(1))

    for suite in compared(document, document).suites:
        assert suite.cases == ()
        assert all(metric.before == metric.after for metric in suite.metrics)


def test_documents_of_other_versions_are_read() -> None:
    """A kind, a status and keys that this version does not know are no damage; missing ones neither."""
    suite = {"name": "s", "kind": "speed", "verdict": "splendid", "cases": [{"id": "a", "status": "glowing"}], "x": [1]}

    detail = detail_of(KeptRun(1, "", None, None, "splendid", 0, 1.0), {"suites": [suite]})

    assert [(case.id, case.status) for case in detail.suites[0].cases] == [("a", "glowing")]


@pytest.mark.parametrize("document", [{}, {"suites": 3}, {"suites": [3]}, {"suites": [{"name": "a"}]}])
def test_what_is_no_document_is_refused(document: dict[str, Any]) -> None:
    """By the number of its run."""
    with pytest.raises(InputFileError) as caught:
        detail_of(KeptRun(5, "", None, None, "passed", 0, 1.0), document)

    assert caught.value.values == {"run": 5}
