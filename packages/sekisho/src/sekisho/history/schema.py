"""The tables of a history file.

A report is the same from run to run but for what changed: that is what determinism means. So each suite's part is
stored once for each content that it ever had, under its digest, and a run refers to it; what is listed or drawn stands
in columns, and no document is opened for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3

APPLICATION_ID = 0x53454B49
"""The letters SEKI, in the header of the file; tells it from the database of another program."""
VERSION = 1
"""Of the tables, in the header of the file."""

_TABLES = (
    """CREATE TABLE runs (
        number INTEGER PRIMARY KEY AUTOINCREMENT,  -- the order of keeping; clocks may go backwards
        time TEXT NOT NULL,
        git_commit TEXT,
        branch TEXT,
        verdict TEXT NOT NULL,
        exit_code INTEGER NOT NULL,
        duration_ms REAL NOT NULL
    )""",
    "CREATE TABLE contents (id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, content BLOB NOT NULL)",
    """CREATE TABLE suites (
        run INTEGER NOT NULL REFERENCES runs,
        place INTEGER NOT NULL,
        name TEXT NOT NULL,
        kind TEXT NOT NULL,
        verdict TEXT NOT NULL,
        headline TEXT,
        value REAL,
        total INTEGER,
        partial INTEGER NOT NULL,
        ruler BLOB,
        content INTEGER NOT NULL REFERENCES contents,
        PRIMARY KEY (run, place)
    ) WITHOUT ROWID""",
    "CREATE TABLE remainders (run INTEGER PRIMARY KEY REFERENCES runs, content BLOB NOT NULL)",
    "CREATE TABLE series (id INTEGER PRIMARY KEY, suite TEXT NOT NULL, metric TEXT NOT NULL, UNIQUE (suite, metric))",
    """CREATE TABLE measurements (
        series INTEGER NOT NULL REFERENCES series,
        run INTEGER NOT NULL REFERENCES runs,
        value REAL,
        PRIMARY KEY (series, run)
    ) WITHOUT ROWID""",
)


def state_of(connection: sqlite3.Connection) -> tuple[int, int, int]:
    """Return the application id, the version, and how many tables, views, indices and triggers there are."""
    identity = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    return identity, version, connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]


def create(connection: sqlite3.Connection) -> None:
    """Make the tables, all or none, unless another process made them in the meantime."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        if state_of(connection) == (0, 0, 0):
            for table in _TABLES:
                connection.execute(table)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        connection.rollback()
        raise
