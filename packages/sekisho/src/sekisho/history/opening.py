"""A history file, opened, and what can be wrong with it as an error with its own sentence."""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING
from urllib.parse import quote

from sekisho.core.errors import InputFileError
from sekisho.history.schema import APPLICATION_ID, VERSION, create, state_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PATIENCE_S = 5.0
"""How long another process that writes is waited for; it writes for some thousandths of a second."""
_PRIMARY = 0xFF
"""The part of an error code of SQLite that names its kind; the rest names the occasion."""
_BROKEN = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_TABLES_DAMAGED = ("no such table", "no such column", "no column named")
"""Parts of SQLite's messages, which have no code of their own."""
_LOCKED = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_MAGIC = b"SQLite format 3\x00"
_PLACE_OF_IDENTITY = 68
"""Byte of the header at which the application id stands, four bytes, the highest first (SQLite file format, 1.3)."""


class BrokenHistoryError(InputFileError):
    """What should be a history file is damaged.

    Attributes:
        ours: Whether it says of itself that it is a history of this package.
    """

    def __init__(self, path: Path, *, reason: str) -> None:
        super().__init__("history.broken", path=str(path), reason=reason)
        self.ours = _says_that_it_is_ours(path)


class ForeignHistoryError(InputFileError):
    """What should be a history file is the database of another program."""


class EmptyHistoryError(InputFileError):
    """The file is there and holds nothing yet: a process was killed while making it."""


@contextmanager
def opened(path: Path, *, writing: bool, patience_s: float = PATIENCE_S) -> Iterator[sqlite3.Connection]:
    """Give a connection to a history file, which is made where it is to be written and is not there.

    Args:
        path: The file.
        writing: Otherwise it must be there.
        patience_s: How long to wait while other processes write.

    Raises:
        BrokenHistoryError: It is damaged, or no database at all.
        EmptyHistoryError: It is to be read and holds nothing.
        ForeignHistoryError: It belongs to another program.
        InputFileError: It is from a newer version, locked for too long, or cannot be read or written.
    """
    if not _may_be_database(path):
        raise BrokenHistoryError(path, reason="file is not a database")
    name = f"file:{quote(str(path.absolute()))}?mode={'rwc' if writing else 'rw'}"  # rw reads where nothing can write
    with (
        _translated(path, writing=writing),
        closing(sqlite3.connect(name, uri=True, timeout=patience_s, isolation_level=None)) as connection,
    ):
        connection.execute("PRAGMA trusted_schema = OFF")  # a file may come from anywhere
        _check(connection, path, writing=writing)
        yield connection


def _check(connection: sqlite3.Connection, path: Path, *, writing: bool) -> None:
    state = state_of(connection)
    if state == (0, 0, 0):  # new, or as empty as a process left it that was killed while making it
        if not writing:
            raise EmptyHistoryError("history.empty", path=str(path))
        create(connection)
        state = state_of(connection)
    identity, version, _ = state
    if identity != APPLICATION_ID:
        raise ForeignHistoryError("history.foreign", path=str(path))
    if version > VERSION:
        raise InputFileError("history.newer", path=str(path), version=version, known=VERSION)


@contextmanager
def _translated(path: Path, *, writing: bool) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        kind = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & _PRIMARY
        if kind in _LOCKED:
            raise InputFileError("history.locked", path=str(path)) from error
        if kind in _BROKEN or any(words in str(error) for words in _TABLES_DAMAGED):
            raise BrokenHistoryError(path, reason=str(error)) from error
        if writing:
            raise InputFileError("history.not_written", path=str(path), reason=str(error)) from error
        raise InputFileError("history.not_read", path=str(path), reason=str(error)) from error


def _may_be_database(path: Path) -> bool:
    """Tell whether SQLite may open a file; beside one that is no database it would delete what looks like a journal."""
    header = _header(path)
    return not header or header.startswith(_MAGIC)


def _says_that_it_is_ours(path: Path) -> bool:
    header = _header(path)
    return header.startswith(_MAGIC) and int.from_bytes(header[_PLACE_OF_IDENTITY:]) == APPLICATION_ID


def _header(path: Path) -> bytes:
    """Return the first bytes of a file; none where it cannot be read, about which SQLite has its own error."""
    try:
        with path.open("rb") as file:
            return file.read(_PLACE_OF_IDENTITY + 4)
    except OSError:
        return b""
