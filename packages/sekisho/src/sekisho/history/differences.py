"""Two kept runs beside each other: their metrics, and the cases whose status or recall differs, worst first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sekisho.core.history import CaseChange, MetricChange, RunComparison, RunDetail, SuiteChange, SuiteDetail

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sekisho.core.history import Direction, KeptCase

_SEVERITY = {"ok": 0, "fixed": 0, "measured": 0, "known": 1, "ng": 2, "error": 2, "leak": 3}
_ORDER: dict[Direction, int] = {"worse": 0, "removed": 1, "new": 2, "changed": 3, "better": 4}
"""Removed cases come early: to take a case out is one way of passing."""


def compare_runs(before: RunDetail, after: RunDetail) -> RunComparison:
    """Return what differs between two runs, suite by suite, those of the second run first."""
    first = {suite.name: suite for suite in before.suites}
    second = {suite.name: suite for suite in after.suites}
    names = dict.fromkeys([*second, *first])
    return RunComparison(
        before=before.run,
        after=after.run,
        suites=tuple(_suite_change(name, first.get(name), second.get(name)) for name in names),
    )


def _suite_change(name: str, before: SuiteDetail | None, after: SuiteDetail | None) -> SuiteChange:
    there = after or before
    assert there is not None  # noqa: S101  the name comes from one of them
    if before is None or after is None:
        metrics = _metric_changes(before.metrics if before else {}, after.metrics if after else {})
        cases: list[CaseChange] = []
        ruler: tuple[str, ...] = ()
        unchanged = 0
    else:
        metrics = _metric_changes(before.metrics, after.metrics)
        ruler = _differing(before.fingerprints, after.fingerprints)
        cases, unchanged = _case_changes(before.cases, after.cases)
    return SuiteChange(
        name=name,
        kind=there.kind,
        before=before.verdict if before else None,
        after=after.verdict if after else None,
        ruler_changed=ruler,
        metrics=metrics,
        cases=tuple(cases),
        unchanged=unchanged,
    )


def _metric_changes(before: Mapping[str, float | None], after: Mapping[str, float | None]) -> tuple[MetricChange, ...]:
    names = dict.fromkeys([*before, *after])
    return tuple(MetricChange(name=name, before=before.get(name), after=after.get(name)) for name in names)


def _differing(before: Mapping[str, str], after: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(name for name in dict.fromkeys([*before, *after]) if before.get(name) != after.get(name))


def _case_changes(before: Iterable[KeptCase], after: Iterable[KeptCase]) -> tuple[list[CaseChange], int]:
    """Return the cases that differ, worst first, and how many do not."""
    first, second = {case.id: case for case in before}, {case.id: case for case in after}
    changes, unchanged = [], 0
    for id_ in dict.fromkeys([*first, *second]):
        direction = direction_of(first.get(id_), second.get(id_))
        if direction is None:
            unchanged += 1
        else:
            changes.append(CaseChange(direction=direction, before=first.get(id_), after=second.get(id_)))
    return sorted(changes, key=_badness), unchanged


def direction_of(before: KeptCase | None, after: KeptCase | None) -> Direction | None:
    """Return how a case moved between two runs, or None where its status and its recall are what they were."""
    if before is None:
        return "new"
    if after is None:
        return "removed"
    worse = _severity(after) - _severity(before) or _drop(before, after)
    if worse:
        return "worse" if worse > 0 else "better"
    return "changed" if before.status != after.status or before.issue != after.issue else None


def _severity(case: KeptCase) -> int:
    return _SEVERITY.get(case.status, 2)


def _drop(before: KeptCase, after: KeptCase) -> float:
    """Return by how much recall fell; 0 where the two are at different depths and say nothing about each other."""
    if before.recall is None or after.recall is None or before.recall[0] != after.recall[0]:
        return 0.0
    return before.recall[1] - after.recall[1]


def _badness(change: CaseChange) -> tuple[int, int, float, str]:
    case = change.after or change.before
    assert case is not None  # noqa: S101  a change has at least one side
    if change.before is None or change.after is None:
        return _ORDER[change.direction], -_severity(case), 0.0, case.id
    fell = _severity(change.after) - _severity(change.before)
    return _ORDER[change.direction], -fell, -_drop(change.before, change.after), case.id
