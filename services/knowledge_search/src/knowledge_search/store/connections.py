"""Connections to PostgreSQL: how each is opened, whatever it is for."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import psycopg
from pgvector.psycopg import register_vector
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from knowledge_search.domain import StoreError
from knowledge_search.store.visible import SCHEMA

Connection: TypeAlias = psycopg.Connection[tuple[Any, ...]]
_OPTIONS: Final = (
    f"-c search_path={SCHEMA},public,extensions -c jit=off -c max_parallel_workers_per_gather=0"
    " -c client_min_messages=warning"
)
"""Where our tables and pgvector are found. To compile a statement, or to start processes that share it, costs more than
any of ours takes, and the askers share the machine already."""


def conninfo(url: str, *, role: str | None = None) -> str:
    """Return ``url`` with our options, after its own, and a role to switch to at log-in.

    Raises:
        StoreError: ``url`` is no connection string. Its text is not repeated, it may hold a password.
    """
    try:
        given = conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        message = "the database URL is not a connection string: write postgresql://user:password@host:5432/database"
        raise StoreError(message) from None
    options = " ".join(filter(None, [str(given.get("options") or ""), _OPTIONS, f"-c role={role}" if role else ""]))
    ours: dict[str, str | int] = {"application_name": "knowledge_search", "connect_timeout": 10}
    merged = {**ours, **{key: value for key, value in given.items() if value is not None}, "options": options}
    return make_conninfo("", **merged)


def connect(url: str) -> Connection:
    """Open one connection of the owner outside the pools, in autocommit.

    Raises:
        StoreError: The server cannot be reached or refuses; names host and database, never the password.
    """
    try:
        return psycopg.connect(conninfo(url), autocommit=True)
    except psycopg.OperationalError as error:
        raise StoreError(unreachable(url, error)) from None


def unreachable(url: str, error: Exception) -> str:
    """Return the message for a server that does not answer."""
    given = conninfo_to_dict(url)
    place = f"{given.get('host') or 'the local socket'}, database {given.get('dbname') or 'of the user'}"
    password = str(given.get("password") or "")
    reason = " ".join(str(error).split())
    reason = reason.replace(password, "***") if password else reason
    return f"PostgreSQL at {place} cannot be reached: {reason}. Is it running, and is DATABASE_URL right?"


def prepare(connection: Connection) -> None:
    """Make a connection of a pool ready: vectors in binary form, statements prepared at their first use."""
    connection.prepare_threshold = 0
    register_vector(connection)
    # Loads the library; before that, PostgreSQL takes any value of its settings.
    connection.execute("SELECT '[1]'::vector <=> '[1]'::vector")
    if not connection.autocommit:
        connection.commit()
