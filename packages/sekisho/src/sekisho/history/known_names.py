"""Names that a history has, and the refusal of others with the one that was probably meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sekisho.core.errors import ConfigurationError
from sekisho.core.text import did_you_mean

if TYPE_CHECKING:
    import sqlite3


def refuse_unknown_suite(connection: sqlite3.Connection, name: str) -> None:
    """Raise where no run has a suite of this name.

    Raises:
        ConfigurationError: With the one that was probably meant.
    """
    if connection.execute("SELECT 1 FROM suites WHERE name = ? LIMIT 1", (name,)).fetchone():
        return
    known = [row[0] for row in connection.execute("SELECT DISTINCT name FROM suites ORDER BY name")]
    meant = did_you_mean(name, known)
    code = "history.unknown_suite_meant" if meant else "history.unknown_suite"
    raise ConfigurationError(code, name=name, meant=meant, known=", ".join(known))


def refuse_unknown_branch(connection: sqlite3.Connection, name: str) -> None:
    """Raise where no run was on this branch.

    Raises:
        ConfigurationError: With the one that was probably meant.
    """
    rows = connection.execute("SELECT DISTINCT branch FROM runs WHERE branch IS NOT NULL ORDER BY branch")
    known = [row[0] for row in rows]
    if name in known:
        return
    meant = did_you_mean(name, known)
    code = "history.unknown_branch_meant" if meant else "history.unknown_branch"
    raise ConfigurationError(code, name=name, meant=meant, known=", ".join(known) or "-")


def series_of(connection: sqlite3.Connection, suite: str, metric: str) -> int:
    """Return the key under which the values of a metric stand.

    Raises:
        ConfigurationError: No run has the suite, or none of its runs the metric.
    """
    refuse_unknown_suite(connection, suite)
    known = dict(connection.execute("SELECT metric, id FROM series WHERE suite = ? ORDER BY id", (suite,)))
    if metric not in known:
        meant = did_you_mean(metric, known)
        code = "history.unknown_metric_meant" if meant else "history.unknown_metric"
        raise ConfigurationError(code, suite=suite, name=metric, meant=meant, known=", ".join(known) or "-")
    return int(known[metric])
