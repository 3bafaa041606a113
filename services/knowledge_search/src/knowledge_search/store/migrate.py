"""Numbered migrations: applied in order, once, by one process at a time; a database newer than the code is refused."""

from __future__ import annotations

import hashlib
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

import psycopg
from psycopg import sql

from knowledge_search.domain import StoreError
from knowledge_search.store.connections import connect
from knowledge_search.store.roles import ensure_reader
from knowledge_search.store.visible import READER, SCHEMA

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LOCK: Final = 0x6B6E_6F77_6C65_6467
"""Key of the advisory lock around a migration: ``knowledg`` in ASCII."""
_POSTGRES: Final = 150000
_PGVECTOR: Final = (0, 8, 5)
"""0.8.5 mended IVFFlat on empty tables and, before it, HNSW after VACUUM."""


@dataclass(frozen=True, kw_only=True)
class Migration:
    """One numbered file.

    Attributes:
        checksum: SHA-256 of its text with LF line ends, in hex.
    """

    number: int
    name: str
    text: str

    @property
    def checksum(self) -> str:
        """Guards a file against a change after it has been applied."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def migrations() -> tuple[Migration, ...]:
    """Return the migrations of this code, by number, without gaps from 1."""
    files = sorted(
        (entry for entry in resources.files(__package__).joinpath("migrations").iterdir() if entry.name[-4:] == ".sql"),
        key=lambda entry: entry.name,
    )
    found = tuple(
        Migration(number=int(entry.name[:4]), name=entry.name[5:-4], text="\n".join(entry.read_text().splitlines()))
        for entry in files
    )
    assert [each.number for each in found] == list(range(1, len(found) + 1)), "migrations are numbered without gaps"  # noqa: S101 - an impossible state
    return found


def migrate(url: str, *, known: Sequence[Migration] | None = None) -> tuple[int, ...]:
    """Bring the database to what this code needs, and return the numbers applied now.

    Safe to run twice and from several processes at once.

    Args:
        url: A connection string of the owner: a superuser, or a user who may create in this database and create roles.
        known: Other migrations, for tests.

    Raises:
        StoreError: The server or pgvector is too old, the database is newer than the code, an applied file was
            changed since, or the user lacks a right.
    """
    known = migrations() if known is None else known
    with connect(url) as connection, _alone(connection):
        _check_server(connection)
        try:
            _prepare(connection)
            return _apply(connection, known)
        except psycopg.errors.InsufficientPrivilege as error:
            user = connection.info.user
            message = (
                f"the database user {user!r} lacks a right for the migration ({error.diag.message_primary}): let an "
                f"administrator run CREATE EXTENSION vector; and GRANT CREATE ON DATABASE to it"
            )
            raise StoreError(message) from error


@contextmanager
def _alone(connection: psycopg.Connection[Any]) -> Iterator[None]:
    connection.execute("SELECT pg_advisory_lock(%s)", [_LOCK])
    try:
        yield
    finally:
        if not connection.closed:
            connection.execute("SELECT pg_advisory_unlock(%s)", [_LOCK])


def _check_server(connection: psycopg.Connection[Any]) -> None:
    version = connection.info.server_version
    if version < _POSTGRES:
        message = f"PostgreSQL {version // 10000} is too old: knowledge_search needs 15 or later"
        raise StoreError(message)
    row = connection.execute(
        "SELECT coalesce((SELECT extversion FROM pg_extension WHERE extname = 'vector'),"
        " (SELECT default_version FROM pg_available_extensions WHERE name = 'vector'))"
    ).fetchone()
    found = row[0] if row else None
    needed = ".".join(map(str, _PGVECTOR))
    if found is None:
        message = f"this PostgreSQL server has no pgvector: install the extension, {needed} or later"
        raise StoreError(message)
    if tuple(int(part) for part in found.split(".")) < _PGVECTOR:
        message = f"pgvector {found} is too old, {needed} is needed: install it and run ALTER EXTENSION vector UPDATE"
        raise StoreError(message)


def _prepare(connection: psycopg.Connection[Any]) -> None:
    ensure_reader(connection)
    if connection.execute("SELECT 1 FROM pg_extension WHERE extname = 'vector'").fetchone() is None:
        connection.execute("CREATE EXTENSION vector")
    if connection.execute("SELECT to_regnamespace(%s)", [SCHEMA]).fetchone() == (None,):
        connection.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(SCHEMA)))
    connection.execute(sql.SQL("GRANT USAGE ON SCHEMA {} TO {}").format(sql.Identifier(SCHEMA), sql.Identifier(READER)))
    connection.execute(
        "CREATE TABLE IF NOT EXISTS migration (number integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL,"
        " applied_at timestamptz NOT NULL DEFAULT now())"
    )


def _apply(connection: psycopg.Connection[Any], known: Sequence[Migration]) -> tuple[int, ...]:
    applied = dict(connection.execute("SELECT number, checksum FROM migration ORDER BY number").fetchall())
    newest = max((each.number for each in known), default=0)
    if applied and max(applied) > newest:
        message = (
            f"the database is at migration {max(applied)}, this code knows {newest}: it was used by a newer version; "
            f"install that version, or restore a backup from before"
        )
        raise StoreError(message)
    done = []
    for each in known:
        if each.number in applied:
            if applied[each.number] != each.checksum:
                message = f"migration {each.number:04} ({each.name}) was changed after it was applied: restore the file"
                raise StoreError(message)
            continue
        with connection.transaction():
            connection.execute(each.text.encode())
            connection.execute(
                "INSERT INTO migration (number, name, checksum) VALUES (%s, %s, %s)",
                [each.number, each.name, each.checksum],
            )
        done.append(each.number)
    return tuple(done)
