"""One metric over runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sekisho.core.history import Trend, TrendPoint
from sekisho.history.known_names import refuse_unknown_branch, series_of
from sekisho.history.steps import find_step

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

_SOURCE = """
    FROM measurements
    JOIN runs ON runs.number = measurements.run
    JOIN suites ON suites.run = measurements.run AND suites.name = :suite
    WHERE series = :series AND (:branch IS NULL OR branch = :branch)
"""
_POINTS = f"""
    SELECT measurements.run, time, git_commit, measurements.value, ruler {_SOURCE}
    AND NOT partial ORDER BY measurements.run DESC LIMIT :limit
"""
_LEFT_OUT = f"SELECT count(*) {_SOURCE} AND partial"


def trend_of(connection: sqlite3.Connection, suite: str, metric: str, *, branch: str | None, limit: int) -> Trend:
    """Return one metric of the newest runs of a suite, and where its level changes.

    Raises:
        ConfigurationError: A suite, metric or branch that no run has, with the one that was probably meant.
    """
    series = series_of(connection, suite, metric)
    if branch is not None:
        refuse_unknown_branch(connection, branch)
    values = {"suite": suite, "series": series, "branch": branch, "limit": limit}
    newest_first = connection.execute(_POINTS, values).fetchall()
    left_out = connection.execute(_LEFT_OUT, values).fetchone()[0]
    points = tuple(TrendPoint(*row) for row in reversed(newest_first))
    return Trend(
        suite=suite,
        metric=metric,
        points=points,
        step=find_step([point.value for point in points if point.value is not None]),
        rulers_changed=_rulers_changed(points),
        left_out=left_out,
    )


def _rulers_changed(points: Sequence[TrendPoint]) -> tuple[int, ...]:
    changed, last = [], None
    for point in points:
        if point.ruler is None:
            continue
        if last is not None and point.ruler != last:
            changed.append(point.run)
        last = point.ruler
    return tuple(changed)
