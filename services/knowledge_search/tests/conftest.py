"""What tests of every part may use: a real PostgreSQL server, and a database of one's own in it."""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest
from psycopg import conninfo, sql

from knowledge_search.store.postgres import EmbeddedServer

if TYPE_CHECKING:
    from collections.abc import Iterator


_ROOM_BYTES = 2 * 2**30


@pytest.fixture(scope="session")
def scratch() -> Path:
    """Give a folder that every user can enter: in memory where there is room, since disks of test machines are slow."""
    memory = Path("/dev/shm")  # noqa: S108 - every name made there is random
    if memory.is_dir() and os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > _ROOM_BYTES:
        return memory
    return Path(tempfile.gettempdir()).resolve()


@pytest.fixture(scope="session")
def server(scratch: Path) -> Iterator[EmbeddedServer]:
    """Give a running embedded server, for this session alone."""
    server = EmbeddedServer(scratch / f"ks-test-{secrets.token_hex(6)}", durable=False)
    with server:
        yield server
        server.destroy()


@pytest.fixture(scope="session")
def server_url(request: pytest.FixtureRequest) -> str:
    """Give the address of a server's first database: that of DATABASE_URL, else the embedded server's."""
    given = os.environ.get("DATABASE_URL")
    if given:
        return given
    embedded: EmbeddedServer = request.getfixturevalue("server")
    return embedded.url()


@pytest.fixture
def database_url(server_url: str) -> Iterator[str]:
    """Give the address of a fresh database, dropped after the test."""
    yield from _database(server_url)


@pytest.fixture(scope="module")
def module_database_url(server_url: str) -> Iterator[str]:
    """Give the address of a fresh database, dropped after the module's last test."""
    yield from _database(server_url)


def _database(server_url: str) -> Iterator[str]:
    name = f"knowledge_test_{secrets.token_hex(6)}"
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    try:
        yield conninfo.make_conninfo(server_url, dbname=name)
    finally:
        with psycopg.connect(server_url, autocommit=True) as connection:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
