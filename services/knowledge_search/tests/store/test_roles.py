"""Start-up refuses to serve when the reading role could see past row-level security."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import psycopg
import pytest
from psycopg import conninfo

from knowledge_search.domain import StoreError
from knowledge_search.store import Database, PostgresStore, migrate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .conftest import Put, WordEmbedder

PASSWORD = "given-for-this-test"  # noqa: S105 - of a role that lives as long as its test


@contextmanager
def changed(url: str, statement: str, back: str) -> Iterator[None]:
    """Change the server for a moment; roles belong to all of it."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SET search_path = knowledge_search, public")
        connection.execute(statement)
        try:
            yield
        finally:
            connection.execute(back)


def opened(url: str) -> None:
    """Open and close the database."""
    with Database(url, readers=1, writers=1, timeout_s=10):
        pass


FAULTS = {
    "superuser": ("ALTER ROLE knowledge_app SUPERUSER", "ALTER ROLE knowledge_app NOSUPERUSER", "superuser"),
    "bypass": ("ALTER ROLE knowledge_app BYPASSRLS", "ALTER ROLE knowledge_app NOBYPASSRLS", "bypass"),
    "creator": ("ALTER ROLE knowledge_app CREATEROLE", "ALTER ROLE knowledge_app NOCREATEROLE", "create roles"),
    "security off": (
        "ALTER TABLE chunk DISABLE ROW LEVEL SECURITY",
        "ALTER TABLE chunk ENABLE ROW LEVEL SECURITY",
        "chunk has row-level security",
    ),
    "no policy": ("DROP POLICY visible ON posting", "CALL guard('posting')", "posting does not have exactly"),
    "second policy": (
        "CREATE POLICY more ON chunk FOR SELECT USING (true)",
        "DROP POLICY more ON chunk",
        "chunk does not have exactly",
    ),
    "open policy": (
        "ALTER POLICY visible ON tree_node USING (true)",
        "DROP POLICY visible ON tree_node; CALL guard('tree_node')",
        "tree_node does not have exactly",
    ),
    "owner": (
        "ALTER TABLE chunk_vector OWNER TO knowledge_app",
        "ALTER TABLE chunk_vector OWNER TO CURRENT_USER; GRANT SELECT ON chunk_vector TO knowledge_app",
        "belongs to the reading role",
    ),
    "writer": (
        "GRANT INSERT ON document TO knowledge_app",
        "REVOKE INSERT ON document FROM knowledge_app",
        "may be written",
    ),
    "missing": (
        "ALTER TABLE chunk_bits RENAME TO elsewhere",
        "ALTER TABLE elsewhere RENAME TO chunk_bits",
        "chunk_bits is missing",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_role_that_could_bypass_is_refused(fault: str, module_database_url: str) -> None:
    """Each way past lock two is found before anything is served; mended, the same database opens."""
    statement, back, message = FAULTS[fault]
    migrate(module_database_url)

    with changed(module_database_url, statement, back), pytest.raises(StoreError, match=message):
        opened(module_database_url)

    opened(module_database_url)


def test_a_policy_that_lets_rows_through_is_found_by_looking(
    database_url: str, put: Put, embedder: WordEmbedder
) -> None:
    """A policy that mentions the setting and still shows rows without departments is refused as well."""
    with Database(database_url, readers=1, writers=1) as database:
        put(PostgresStore(database, embedder), "a.md", "hr", "給与")
    policy = "ALTER POLICY visible ON chunk USING (coalesce(current_setting('app.departments', true), '') = '')"

    with changed(database_url, policy, "SELECT 1"), pytest.raises(StoreError, match="without departments"):
        opened(database_url)


def test_readers_can_log_in_as_a_role_of_their_own(database_url: str) -> None:
    """With a URL for readers, no session of theirs could switch back to the owner."""
    migrate(database_url)
    login = "knowledge_login_test"
    make = f"CREATE ROLE {login} LOGIN PASSWORD '{PASSWORD}' IN ROLE knowledge_app"
    reader_url = conninfo.make_conninfo(database_url, user=login, password=PASSWORD)

    with (
        changed(database_url, make, f"DROP ROLE {login}"),
        Database(database_url, reader_url=reader_url, readers=1, writers=1) as database,
        database._readers.connection() as connection,  # noqa: SLF001 - what the pool gives
    ):
        session = connection.execute("SELECT session_user::text, current_user::text").fetchone()

    assert session == (login, "knowledge_app")
