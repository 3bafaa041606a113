"""The three questions that a list of cases answers, from the keys that the cases use."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sekisho.answers.records import Viewpoint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sekisho.answers.records import CaseResult
    from sekisho.core.answers import AnswerCase

_FAILURES: dict[Viewpoint, frozenset[str]] = {
    "answers": frozenset({"not_found", "missing_source", "missing_text", "error"}),
    "refuses": frozenset({"found_unexpectedly", "error"}),
    "conceals": frozenset({"forbidden_text", "error"}),
}


class ViewpointCount(NamedTuple):
    """How many of the cases that ask a question have it answered well."""

    viewpoint: Viewpoint
    held: int
    asked: int


def viewpoint_counts(results: Sequence[CaseResult]) -> list[ViewpointCount]:
    """Return the three counts; a case that uses several keys counts in each of them."""
    counts = []
    for viewpoint, failing in _FAILURES.items():
        asking = [result for result in results if _asks(result.case, viewpoint)]
        held = sum(not any(failure.code in failing for failure in result.failures) for result in asking)
        counts.append(ViewpointCount(viewpoint, held, len(asking)))
    return counts


def _asks(case: AnswerCase, viewpoint: Viewpoint) -> bool:
    if viewpoint == "answers":
        return bool(case.expect_source or case.expect_text)
    return case.expect_not_found if viewpoint == "refuses" else bool(case.forbid)
