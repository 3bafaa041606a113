"""What a history file is asked: its runs in a list, and one run whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from sekisho.core.errors import InputFileError
from sekisho.core.history import KeptRun, KeptSuite, RunDetail, RunList
from sekisho.history.details import detail_of
from sekisho.history.documents import put_together, unpacked
from sekisho.history.known_names import refuse_unknown_branch, refuse_unknown_suite

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping, Sequence

_RUN = "SELECT number, time, git_commit, branch, verdict, exit_code, duration_ms FROM runs"
_SUITE = "SELECT run, name, kind, verdict, headline, value, total, partial FROM suites"


class Filter(NamedTuple):
    """Which runs; None does not filter.

    Attributes:
        suite: Ran this suite.
        branch: On this branch.
        verdict: Ended with this verdict.
        since: Not before this day or time, ISO 8601 in UTC.
        before: Before this day or time.
    """

    suite: str | None = None
    branch: str | None = None
    verdict: str | None = None
    since: str | None = None
    before: str | None = None

    @property
    def condition(self) -> tuple[str, list[str]]:
        """The condition in SQL, of fixed words, and its values."""
        conditions = {
            "EXISTS (SELECT 1 FROM suites WHERE suites.run = runs.number AND suites.name = ?)": self.suite,
            "branch = ?": self.branch,
            "verdict = ?": self.verdict,
            "time >= ?": self.since,
            "time < ?": self.before,
        }
        given = {condition: value for condition, value in conditions.items() if value is not None}
        return " AND ".join(["1", *given]), list(given.values())


def list_runs(connection: sqlite3.Connection, wanted: Filter, *, limit: int) -> RunList:
    """Return the newest runs that the filter lets through.

    Raises:
        ConfigurationError: A suite or branch that no run has, with the one that was probably meant.
    """
    if wanted.suite is not None:
        refuse_unknown_suite(connection, wanted.suite)
    if wanted.branch is not None:
        refuse_unknown_branch(connection, wanted.branch)
    condition, values = wanted.condition
    matching = connection.execute(f"SELECT count(*) FROM runs WHERE {condition}", values).fetchone()[0]  # noqa: S608  fixed words, values apart
    chosen = f"WHERE {condition} ORDER BY number DESC LIMIT ?"
    rows = connection.execute(f"{_RUN} {chosen}", [*values, limit]).fetchall()
    numbers = f"WHERE run IN (SELECT number FROM runs {chosen})"  # noqa: S608  as above
    suites = _suites(connection, numbers, [*values, limit])
    return RunList(runs=tuple(_run(row, suites) for row in rows), matching=matching)


def show_run(connection: sqlite3.Connection, number: int) -> RunDetail:
    """Return one run whole; it must be there.

    Raises:
        InputFileError: What was kept of it is damaged.
    """
    row = connection.execute(f"{_RUN} WHERE number = ?", (number,)).fetchone()
    rest = connection.execute("SELECT content FROM remainders WHERE run = ?", (number,)).fetchone()
    parts = connection.execute(
        "SELECT contents.content FROM suites LEFT JOIN contents ON contents.id = suites.content"
        " WHERE suites.run = ? ORDER BY place",
        (number,),
    ).fetchall()
    if rest is None or any(content is None for (content,) in parts):
        raise InputFileError("history.broken_run", run=number)
    run = _run(row, _suites(connection, "WHERE run = ?", [number]))
    contents = [unpacked(content, run=number) for (content,) in parts]
    return detail_of(run, put_together(unpacked(rest[0], run=number), contents))


def _run(row: Sequence[Any], suites: Mapping[int, Sequence[KeptSuite]]) -> KeptRun:
    number, time, commit, branch, verdict, code, duration = row
    return KeptRun(number, time, commit, branch, verdict, code, duration, tuple(suites.get(number, ())))


def _suites(connection: sqlite3.Connection, which: str, values: Sequence[object]) -> dict[int, list[KeptSuite]]:
    """Return the lines of the suites of some runs, by run."""
    found: dict[int, list[KeptSuite]] = {}
    for row in connection.execute(f"{_SUITE} {which} ORDER BY run, place", values):
        run, name, kind, verdict, headline, value, total, partial = row
        found.setdefault(run, []).append(KeptSuite(name, kind, verdict, headline, value, total, bool(partial)))
    return found
