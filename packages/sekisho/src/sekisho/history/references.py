"""How a run is named on the command line: by its number, ``last``, ``last-1``, or the beginning of its commit."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sekisho.core.errors import ConfigurationError
from sekisho.core.text import did_you_mean

if TYPE_CHECKING:
    import sqlite3

_NUMBER = re.compile(r"[0-9]{1,15}", re.ASCII)
_LAST = re.compile(r"last(?:-([0-9]{1,15}))?", re.ASCII)
_COMMIT = re.compile(r"[0-9a-f]{4,64}", re.ASCII)
_COMMITS_COMPARED = 1000
"""How many of the newest commits a misspelt word is compared with."""
_COMMITS_SHOWN = 5


def find_run(connection: sqlite3.Connection, word: str) -> int:
    """Return the number of the run that a word names; of several runs of one commit the newest.

    Raises:
        ConfigurationError: No run, or runs of several commits, with what was probably meant.
    """
    if last := _LAST.fullmatch(word):
        back = int(last[1] or 0)
        row = connection.execute("SELECT number FROM runs ORDER BY number DESC LIMIT 1 OFFSET ?", (back,)).fetchone()
        if row:
            return int(row[0])
        count = connection.execute("SELECT count(*) FROM runs").fetchone()[0]
        raise ConfigurationError("history.not_so_many_runs", word=word, count=count)
    if _NUMBER.fullmatch(word) and connection.execute("SELECT 1 FROM runs WHERE number = ?", (int(word),)).fetchone():
        return int(word)
    if _COMMIT.fullmatch(word.lower()):
        found = _of_commit(connection, word.lower())
        if found is not None:
            return found
    raise _unknown(connection, word)


def _of_commit(connection: sqlite3.Connection, prefix: str) -> int | None:
    rows = connection.execute(
        "SELECT git_commit, max(number) FROM runs WHERE substr(git_commit, 1, ?) = ?"
        " GROUP BY git_commit ORDER BY 2 DESC",
        (len(prefix), prefix),
    ).fetchall()
    if len(rows) > 1:
        commits = ", ".join(commit[: len(prefix) + 8] for commit, _ in rows[:_COMMITS_SHOWN])
        raise ConfigurationError("history.several_commits", word=prefix, count=len(rows), commits=commits)
    return int(rows[0][1]) if rows else None


def _unknown(connection: sqlite3.Connection, word: str) -> ConfigurationError:
    first, last = connection.execute("SELECT min(number), max(number) FROM runs").fetchone()
    if _NUMBER.fullmatch(word):
        return ConfigurationError("history.unknown_number", word=word, first=first, last=last)
    rows = connection.execute(
        "SELECT git_commit FROM runs WHERE git_commit IS NOT NULL"
        " GROUP BY git_commit ORDER BY max(number) DESC LIMIT ?",
        (_COMMITS_COMPARED,),
    )
    meant = did_you_mean(word, ["last", "last-1", *(row[0][: max(len(word), 7)] for row in rows)])
    code = "history.unknown_run_meant" if meant else "history.unknown_run"
    return ConfigurationError(code, word=word, meant=meant, first=first, last=last)
