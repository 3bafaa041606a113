"""The gate's databases: its own ones are gone when it ends, and no other is touched."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

import psycopg
import pytest
from psycopg import conninfo, sql

from eval.database import database_url, server_url
from eval.knowledge import address_of
from eval.targets import answers

if TYPE_CHECKING:
    from collections.abc import Iterator


def exists(name: str) -> bool:
    """Return whether the server has a database of this name."""
    with psycopg.connect(server_url()) as connection:
        return connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone() is not None


def name_in(url: str) -> str:
    """Return the database that an address leads to."""
    return str(conninfo.conninfo_to_dict(url)["dbname"])


@pytest.fixture
def strangers_database() -> Iterator[str]:
    """Give the address of a database that somebody else made, under a name like those of the gate."""
    name = f"sekisho_eval_of_a_stranger_{secrets.token_hex(4)}"
    with psycopg.connect(server_url(), autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    url = conninfo.make_conninfo(server_url(), dbname=name)
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 'as it was' AS text")
    yield url
    with psycopg.connect(server_url(), autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE {}").format(sql.Identifier(name)))


def test_a_run_leaves_nothing_behind_and_touches_nothing_else(strangers_database: str) -> None:
    """Its own database is there meanwhile and gone afterwards; another one still holds what it held."""
    with answers() as target:
        name = name_in(address_of(target.services))
        meanwhile = exists(name)
    with psycopg.connect(strangers_database) as connection:
        tables = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        kept = connection.execute("SELECT text FROM kept").fetchall()

    assert name.startswith("sekisho_eval_")
    assert meanwhile
    assert not exists(name)
    assert (tables, kept) == ([("kept",)], [("as it was",)])


def test_a_database_is_dropped_also_where_the_run_fails() -> None:
    """Whatever goes wrong inside the block, and although connections are still open."""
    names = []

    def fail() -> None:
        with database_url() as url, psycopg.connect(url):
            names.append(name_in(url))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()

    assert not exists(names[0])
