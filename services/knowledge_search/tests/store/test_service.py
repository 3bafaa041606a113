"""Keys, the audit log, and connections that break."""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import psycopg
import pytest

from knowledge_search.domain import Scope, StoreError
from knowledge_search.store import AuditLog, Database, ExactStrategy, KeyStore

if TYPE_CHECKING:
    from knowledge_search.store import PostgresStore

    from .conftest import Put, WordEmbedder

HASH = hashlib.sha256(b"the secret").digest()


def test_a_key_is_stored_by_its_hash(database: Database) -> None:
    """Its scope and times come back; it can be revoked, once and for all; unknown ones are not there."""
    keys = KeyStore(database)
    until = datetime(2031, 1, 1, tzinfo=UTC)
    keys.add(key_id="k1", name="intranet", secret_hash=HASH, scope=Scope.of("hr"), expires_at=until)
    fresh = keys.find("k1")
    keys.used("k1")
    revoked = (keys.revoke("k1"), keys.revoke("none"))
    first = keys.find("k1").revoked_at
    keys.revoke("k1")

    assert (fresh.scope, fresh.secret_hash, fresh.expires_at) == (Scope.of("hr"), HASH, until)
    assert (fresh.used_at, fresh.revoked_at) == (None, None)
    assert revoked == (True, False)
    assert keys.find("k1").used_at is not None
    assert keys.find("k1").revoked_at == first
    assert keys.find("k2") is None
    assert [key.id for key in keys.all()] == ["k1"]
    assert HASH.hex() not in repr(fresh)


def test_the_log_keeps_who_asked_what(database: Database) -> None:
    """Newest first; text that PostgreSQL cannot keep loses only that."""
    log = AuditLog(database)
    log.record(
        principal="someone", scope=Scope.of("hr"), action="ask", question="月給\0?", found=True, document_ids=[7]
    )
    log.record(principal="someone", scope=Scope.of(), action="read", document_ids=[7, 8])
    newest, older = log.entries()

    assert (newest.action, newest.document_ids, newest.question, newest.found) == ("read", (7, 8), None, None)
    assert (older.principal, older.departments, older.question, older.found) == (
        "someone",
        ("all", "hr"),
        "月給?",
        True,
    )
    assert log.entries(limit=1) == [newest]


def kill_sessions(url: str) -> None:
    """End every session on the database but this one."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def test_sessions_that_were_ended_are_replaced(
    store: PostgresStore, put: Put, database: Database, database_url: str, embedder: WordEmbedder
) -> None:
    """After the server dropped all sessions, the next read and the next write work at once."""
    put(store, "a.md", "all", "休暇")
    strategy = ExactStrategy(database, embedder)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: strategy.search("休暇", Scope.of(), 1), range(12)))
    kill_sessions(database_url)

    assert strategy.search("休暇", Scope.of(), 1)[0].chunk.text == "休暇"
    assert put(store, "b.md", "all", "経費")
    database.ping()


def test_a_pool_without_a_free_connection_gives_up_in_time(database_url: str) -> None:
    """The caller gets a StoreError after the time limit, not a hang."""
    with (
        Database(database_url, readers=1, writers=1, timeout_s=0.5) as database,
        database.reading(Scope.of()),
        pytest.raises(StoreError, match="DATABASE_URL"),
    ):
        database.ping()


def test_many_askers_share_few_connections(
    store: PostgresStore, put: Put, database: Database, embedder: WordEmbedder
) -> None:
    """Fifty threads with different scopes on four connections: each sees its own and nothing else."""
    for department in ("hr", "sales"):
        put(store, f"{department}.md", department, f"{department}の規程")
    strategy = ExactStrategy(database, embedder)

    def ask(number: int) -> tuple[str, set[str]]:
        department = ("hr", "sales")[number % 2]
        return department, {hit.chunk.department for hit in strategy.search("規程", Scope.of(department), 5)}

    with ThreadPoolExecutor(50) as pool:
        results = list(pool.map(ask, range(100)))

    assert all(seen == {department} for department, seen in results)


def test_the_url_is_not_shown(database_url: str) -> None:
    """Its password would be."""
    assert "postgres" not in repr(Database(database_url))
