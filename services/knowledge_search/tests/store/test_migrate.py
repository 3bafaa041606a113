"""Migrations: once, in order, from any number of processes, and never backwards."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import psycopg
import pytest
from psycopg import conninfo

from knowledge_search.domain import StoreError
from knowledge_search.store import Database, migrate
from knowledge_search.store.migrate import Migration, migrations

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PASSWORD = "given-for-this-test"  # noqa: S105 - of a role that lives as long as its test
ALL = tuple(each.number for each in migrations())


def applied(url: str) -> list[tuple[int, str]]:
    """Return what the database says was applied."""
    with psycopg.connect(url) as connection:
        return connection.execute("SELECT number, checksum FROM knowledge_search.migration ORDER BY number").fetchall()


def test_migrations_are_applied_once_and_in_order(database_url: str) -> None:
    """The second run has nothing to do."""
    first = migrate(database_url)
    second = migrate(database_url)

    assert first == ALL
    assert second == ()
    assert applied(database_url) == [(each.number, each.checksum) for each in migrations()]


def test_processes_that_migrate_at_once_wait_for_each_other(database_url: str) -> None:
    """Three processes start together on an empty database; all end well and each file is applied once."""
    program = "import sys; from knowledge_search.store import migrate; print(len(migrate(sys.argv[1])))"
    processes = [
        subprocess.Popen([sys.executable, "-c", program, database_url], stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    counts = sorted(int(process.communicate(timeout=60)[0]) for process in processes)

    assert [process.returncode for process in processes] == [0, 0, 0]
    assert counts == [0, 0, len(ALL)]


def test_a_database_newer_than_the_code_is_refused(database_url: str) -> None:
    """An older version of the code must not touch what a newer one made."""
    migrate(database_url)
    with psycopg.connect(database_url) as connection:
        connection.execute("INSERT INTO knowledge_search.migration (number, name, checksum) VALUES (999, 'later', 'x')")

    with pytest.raises(StoreError, match="999"):
        migrate(database_url)


def test_a_file_changed_after_it_was_applied_is_refused(database_url: str) -> None:
    """What was applied and what is written must be the same."""
    migrate(database_url)
    changed = [Migration(number=1, name="documents", text="SELECT 1"), *migrations()[1:]]

    with pytest.raises(StoreError, match="0001"):
        migrate(database_url, known=changed)


def test_a_migration_that_fails_leaves_nothing_of_itself(database_url: str) -> None:
    """Its statements are undone, those before it stay, and the mended file can be applied."""
    number = len(ALL) + 1
    broken = Migration(number=number, name="more", text="CREATE TABLE more (id int); SELECT nonsense")
    mended = Migration(number=number, name="more", text="CREATE TABLE more (id int)")

    with pytest.raises(psycopg.Error):
        migrate(database_url, known=[*migrations(), broken])

    assert [row[0] for row in applied(database_url)] == list(ALL)
    assert migrate(database_url, known=[*migrations(), mended]) == (number,)


@pytest.mark.parametrize("version", ["0.8.4", "0.7.0"])
def test_an_old_pgvector_is_refused(version: str, database_url: str) -> None:
    """The message says which version is needed and how to come to it."""
    migrate(database_url)
    with psycopg.connect(database_url) as connection:
        connection.execute("UPDATE pg_extension SET extversion = %s WHERE extname = 'vector'", [version])

    with pytest.raises(StoreError, match=r"0\.8\.5.*ALTER EXTENSION vector UPDATE"):
        migrate(database_url)


@pytest.fixture
def ordinary(database_url: str) -> Iterator[Callable[[str], str]]:
    """Give a way to make a log-in of the given rights that owns the database, dropped after the test."""
    made = []

    def make(rights: str) -> str:
        name = f"ordinary_{len(made)}_{database_url[-6:].strip(chr(39))}"
        name = "".join(sign if sign.isalnum() else "_" for sign in name)
        with psycopg.connect(database_url, autocommit=True) as connection:
            connection.execute(f"CREATE ROLE {name} LOGIN PASSWORD '{PASSWORD}' {rights}")
            connection.execute(f'GRANT CREATE ON DATABASE "{connection.info.dbname}" TO {name}')
            connection.execute(f"GRANT {name} TO current_user")
        made.append(name)
        return conninfo.make_conninfo(database_url, user=name, password=PASSWORD)

    yield make
    with psycopg.connect(database_url, autocommit=True) as connection:
        for name in made:
            connection.execute(f"DROP OWNED BY {name} CASCADE")
            if connection.execute(
                "SELECT 1 FROM pg_auth_members m JOIN pg_roles r ON r.oid = m.grantor WHERE r.rolname = %s", [name]
            ).fetchone():
                connection.execute(f"REVOKE knowledge_app FROM {name} GRANTED BY {name} CASCADE")
            connection.execute(f"DROP ROLE {name}")


def test_an_ordinary_user_is_told_which_right_is_missing(database_url: str, ordinary: Callable[[str], str]) -> None:
    """A user who may not create roles gets the two statements that an administrator has to run."""
    url = ordinary("NOCREATEROLE")
    with psycopg.connect(database_url, autocommit=True) as connection:
        exists = connection.execute("SELECT 1 FROM pg_roles WHERE rolname = 'knowledge_app'").fetchone()

    with pytest.raises(StoreError, match="GRANT knowledge_app") as caught:
        migrate(url)

    assert exists is None or "CREATEROLE" in str(caught.value)
    assert PASSWORD not in str(caught.value)


def test_an_ordinary_user_in_the_reading_role_is_enough(database_url: str, ordinary: Callable[[str], str]) -> None:
    """Neither superuser nor CREATEROLE is needed once an administrator has made the role and the extension."""
    migrate(database_url)
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("DROP SCHEMA knowledge_search CASCADE")
    url = ordinary("NOCREATEROLE")
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(f"GRANT knowledge_app TO {conninfo.conninfo_to_dict(url)['user']} WITH INHERIT FALSE")

    with Database(url, readers=1, writers=1) as database:
        database.ping()

    assert [row[0] for row in applied(url)] == list(ALL)


def test_a_server_that_cannot_be_reached_is_named_without_the_password() -> None:
    """The message says where and what to do; the password stays out of it."""
    with pytest.raises(StoreError, match="nowhere") as caught:
        migrate("postgresql://someone:hidden-word@127.0.0.1:1/nowhere")

    assert "hidden-word" not in str(caught.value)


def test_a_url_that_is_none_is_not_repeated() -> None:
    """It may hold a password."""
    with pytest.raises(StoreError) as caught:
        migrate("postgresql:/hidden word")

    assert "hidden" not in str(caught.value)
