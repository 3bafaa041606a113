"""One run put into a history file, whole or not at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from sekisho.core.history import KeptRun, KeptSuite
from sekisho.history.documents import (
    compressed,
    digest_of,
    headline_of,
    is_partial,
    packed,
    plain,
    remainder_of,
    ruler_of,
)
from sekisho.history.opening import PATIENCE_S, opened

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path


class _Part(NamedTuple):
    """One suite, ready to be put into the tables."""

    suite: KeptSuite
    ruler: bytes | None
    digest: bytes
    text: bytes
    metrics: Mapping[str, float | None]


def keep(
    path: Path,
    document: Mapping[str, Any],
    *,
    time: str,
    branch: str | None,
    duration_ms: float,
    patience_s: float = PATIENCE_S,
) -> KeptRun:
    """Put a run into a history file, which is made where it is not there, and return its line in the list.

    Args:
        path: The file; its folder is there.
        document: The report, ``sekisho.report/1``.
        time: When the run began, ISO 8601 in UTC.
        branch: The branch that was checked out.
        duration_ms: From start to report.
        patience_s: How long to wait while other processes write.

    Raises:
        InputFileError: As :func:`sekisho.history.opening.opened`.
    """
    parts = [_part(suite) for suite in document["suites"]]
    rest = packed(remainder_of(document))
    commit = (document.get("run") or {}).get("commit")
    line = (time, commit, branch, document["verdict"], document["exit_code"], duration_ms)
    with opened(path, writing=True, patience_s=patience_s) as connection:
        contents = _new_contents(connection, parts)  # the work is done before other processes have to wait
        connection.execute("BEGIN IMMEDIATE")
        try:
            number = _insert_run(connection, line, rest)
            connection.executemany("INSERT OR IGNORE INTO contents (digest, content) VALUES (?, ?)", contents)
            for place, part in enumerate(parts):
                _insert_suite(connection, number, place, part)
            connection.execute("COMMIT")
        except BaseException:
            connection.rollback()
            raise
    return KeptRun(number, *line, tuple(part.suite for part in parts))


def _part(suite: Mapping[str, Any]) -> _Part:
    headline, value, total = headline_of(suite)
    partial = is_partial(suite)
    line = KeptSuite(suite["name"], suite["kind"], suite["verdict"], headline, value, total, partial)
    text = plain(suite)
    return _Part(line, ruler_of(suite), digest_of(text), text, suite.get("metrics") or {})


def _new_contents(connection: sqlite3.Connection, parts: Sequence[_Part]) -> list[tuple[bytes, bytes]]:
    """Return the contents that the history does not have, compressed; none is ever taken out of it."""
    known = "SELECT 1 FROM contents WHERE digest = ?"
    return [
        (part.digest, compressed(part.text))
        for part in parts
        if connection.execute(known, (part.digest,)).fetchone() is None
    ]


def _insert_run(connection: sqlite3.Connection, line: tuple[object, ...], rest: bytes) -> int:
    insert = "INSERT INTO runs (time, git_commit, branch, verdict, exit_code, duration_ms) VALUES (?, ?, ?, ?, ?, ?)"
    number = connection.execute(insert, line).lastrowid
    assert number is not None  # noqa: S101  the row was inserted just now
    connection.execute("INSERT INTO remainders (run, content) VALUES (?, ?)", (number, rest))
    return number


def _insert_suite(connection: sqlite3.Connection, run: int, place: int, part: _Part) -> None:
    line = part.suite
    connection.execute(
        "INSERT INTO suites (run, place, name, kind, verdict, headline, value, total, partial, ruler, content)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT id FROM contents WHERE digest = ?))",
        (
            run,
            place,
            line.name,
            line.kind,
            line.verdict,
            line.headline,
            line.value,
            line.total,
            line.partial,
            part.ruler,
            part.digest,
        ),
    )
    names = [(line.name, metric) for metric in part.metrics]
    connection.executemany("INSERT OR IGNORE INTO series (suite, metric) VALUES (?, ?)", names)
    connection.executemany(
        "INSERT OR REPLACE INTO measurements (series, run, value)"
        " VALUES ((SELECT id FROM series WHERE suite = ? AND metric = ?), ?, ?)",
        [(line.name, metric, run, value) for metric, value in part.metrics.items()],
    )
