"""A database of one's own for one run of the gate: made, used and dropped; no other is ever touched."""

from __future__ import annotations

import os
import secrets
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
from psycopg import conninfo, sql

from knowledge_search.store.postgres import EmbeddedServer

if TYPE_CHECKING:
    from collections.abc import Iterator

DATA = Path(__file__).resolve().parents[1] / ".eval_database"
"""Where the embedded server keeps its data between runs, so that only the first one makes a cluster."""


@cache
def server_url() -> str:
    """Return the address of a server's first database: that of DATABASE_URL, else the embedded one's.

    The embedded server is started once a process, shared with other processes, and stops with the last of them.
    """
    return os.environ.get("DATABASE_URL") or EmbeddedServer(DATA, durable=False).start().url()


@contextmanager
def database_url() -> Iterator[str]:
    """Give the address of a new database ``sekisho_eval_<random>``, dropped at the end."""
    name = f"sekisho_eval_{secrets.token_hex(6)}"
    with psycopg.connect(server_url(), autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    try:
        yield conninfo.make_conninfo(server_url(), dbname=name)
    finally:
        with psycopg.connect(server_url(), autocommit=True) as connection:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
