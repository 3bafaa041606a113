"""The history for programs: lists, comparisons and trends as documents; a run itself is its report as it was kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from sekisho.core.history import RunComparison, RunList, Trend

LIST_SCHEMA = "sekisho.history/1"
COMPARISON_SCHEMA = "sekisho.history.comparison/1"
TREND_SCHEMA = "sekisho.history.trend/1"


def list_document(listed: RunList | None) -> dict[str, Any]:
    """Return runs, newest first; none where there is no history yet."""
    runs = [] if listed is None else msgspec.to_builtins(listed.runs)
    return {"schema": LIST_SCHEMA, "matching": 0 if listed is None else listed.matching, "runs": runs}


def comparison_document(comparison: RunComparison) -> dict[str, Any]:
    """Return two runs beside each other."""
    return {"schema": COMPARISON_SCHEMA, **msgspec.to_builtins(comparison)}


def trend_document(trend: Trend) -> dict[str, Any]:
    """Return one metric over runs; the step names its run instead of a place."""
    points = [
        {"run": point.run, "time": point.time, "commit": point.commit, "value": point.value} for point in trend.points
    ]
    step = None
    if trend.step is not None:
        run = trend.measured[trend.step.place].run
        step = {"run": run, "before": trend.step.before, "after": trend.step.after, "p": trend.step.p}
    return {
        "schema": TREND_SCHEMA,
        "suite": trend.suite,
        "metric": trend.metric,
        "points": points,
        "step": step,
        "rulers_changed": trend.rulers_changed,
        "left_out": trend.left_out,
    }
