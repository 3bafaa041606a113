"""Kill -9 of PostgreSQL and of the service, in the very middle of an ingest and while people ask."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import httpx
import psycopg
import pytest

from knowledge_search.auth import ApiKeys
from knowledge_search.domain import Scope, StoreError
from knowledge_search.store import Database, KeyStore
from knowledge_search.store.postgres import EmbeddedServer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import ThreadPoolExecutor
    from pathlib import Path

    from .conftest import Kit

DATABASE = "knowledge_search"


@pytest.fixture(autouse=True)
def _every_passage_grounds_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAX_DISTANCE", "2")


@pytest.fixture(scope="module")
def data_dir(scratch: Path) -> Iterator[Path]:
    """Give a data folder of the embedded server, and leave nothing of it."""
    place = scratch / f"ks-fault-{secrets.token_hex(6)}"
    yield place
    with EmbeddedServer(place) as server:
        server.destroy()


@pytest.fixture
def server(data_dir: Path) -> Iterator[EmbeddedServer]:
    """Give the running server; this process uses it beside the service."""
    with EmbeddedServer(data_dir) as server:
        server.create_database(DATABASE)
        yield server


@pytest.fixture
def key(server: EmbeddedServer) -> str:
    """Give a key that writes."""
    with Database(server.url(DATABASE), readers=1, writers=1) as database:
        return ApiKeys(KeyStore(database)).create(name="writer", scope=Scope.of(), may_write=True).text


def client(url: str, key: str) -> httpx.Client:
    """Return a client of the service."""
    return httpx.Client(base_url=url, headers={"Authorization": f"Bearer {key}"}, timeout=60)


def postmaster(server: EmbeddedServer) -> int:
    """Return the pid of the server's first process."""
    return int((server.folders.cluster / "postmaster.pid").read_text().split("\n", 1)[0])


@contextmanager
def _away() -> Iterator[None]:
    """Expect the connection of the block to break with the server."""
    with suppress(psycopg.OperationalError):
        yield


def version_in(server: EmbeddedServer, kit: Kit) -> int:
    """Return the version in the database itself, whole."""
    with psycopg.connect(server.url(DATABASE)) as connection:
        rows = connection.execute("SELECT text FROM knowledge_search.chunk").fetchall()
        counts = connection.execute(
            "SELECT (SELECT count(*) FROM knowledge_search.chunk),"
            " (SELECT count(*) FROM knowledge_search.chunk_vector),"
            " (SELECT count(DISTINCT chunk_id) FROM knowledge_search.posting), (SELECT sum(chunks)"
            " FROM knowledge_search.document), (SELECT sum(chunks) FROM knowledge_search.department_stat)"
        ).fetchone()
    assert counts is not None
    assert len(set(counts)) == 1, counts
    return kit.version_of([row[0] for row in rows])


def test_a_database_killed_during_ingest_and_ask(
    *, data_dir: Path, server: EmbeddedServer, key: str, kit: Kit, tmp_path: Path, pool: ThreadPoolExecutor
) -> None:
    """The upload in its middle is refused, what was acknowledged stays, and no answer ever shows a half version."""
    with kit.serve(data_dir, tmp_path / "log") as (process, url, _), client(url, key) as http:
        assert kit.put(http, 0) == 201
        with kit.askers(url, key) as askers:
            for version in (1, 3):
                with _away(), kit.stalled(server.url(DATABASE)) as wait:
                    upload = pool.submit(kit.put, http, version)
                    wait()
                    os.kill(postmaster(server), signal.SIGKILL)
                assert upload.result(60) == 503
                until = time.monotonic() + 60
                while (status := kit.put(http, version + 1)) == 503 and time.monotonic() < until:
                    time.sleep(0.1)
                assert status == 201
                os.kill(postmaster(server), signal.SIGKILL)  # acknowledged a moment ago
                server.start()
                assert version_in(server, kit) == version + 1
        assert process.poll() is None
        assert kit.seen(http) == 4

    assert not askers.broken
    assert set(askers.statuses) <= {200, 503}
    assert askers.statuses[200]
    assert askers.versions <= {0, 2, 4}


def test_a_service_killed_in_the_middle_of_an_upload(
    *, data_dir: Path, server: EmbeddedServer, key: str, kit: Kit, tmp_path: Path, pool: ThreadPoolExecutor
) -> None:
    """The next one has the older version, whole; killed right after an upload was acknowledged, the new one, whole."""
    with kit.serve(data_dir, tmp_path / "log") as (process, url, _), client(url, key) as http:
        assert kit.put(http, 5) in {200, 201}
        with kit.stalled(server.url(DATABASE)) as wait:
            upload = pool.submit(kit.put, http, 6)
            wait()
            process.kill()
            assert upload.result(60) == 0
    with kit.serve(data_dir, tmp_path / "log2") as (process, url, _), client(url, key) as http:
        assert (kit.seen(http), version_in(server, kit)) == (5, 5)
        assert kit.put(http, 7) == 201
        process.kill()
    with kit.serve(data_dir, tmp_path / "log3") as (_, url, _key), client(url, key) as http:
        assert (kit.seen(http), version_in(server, kit)) == (7, 7)


def test_an_ingest_killed_in_the_middle_of_a_folder(
    data_dir: Path, server: EmbeddedServer, kit: Kit, tmp_path: Path
) -> None:
    """The files before are there, the one in the middle is its older version, and the next run does the rest."""
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "b.md").write_text(kit.text(8))
    _ingest(data_dir, folder).wait(60)
    (folder / "a.md").write_text("# 先\n\n先の文書。")
    (folder / "b.md").write_text(kit.text(9))
    with psycopg.connect(server.url(DATABASE), autocommit=True) as holder:
        second = "hashtext('knowledge_search source'), hashtext('b.md')"
        holder.execute(f"SELECT pg_advisory_lock({second})".encode())
        process = _ingest(data_dir, folder)
        _wait_for(holder, "SELECT 1 FROM knowledge_search.document WHERE source = 'a.md'")
        with kit.stalled(server.url(DATABASE)) as wait:
            holder.execute(f"SELECT pg_advisory_unlock({second})".encode())
            wait()
            process.kill()
            process.wait(20)
    stored = _stored(server, kit)
    again = _ingest(data_dir, folder)

    assert stored == 8
    assert again.wait(60) == 0
    assert _stored(server, kit) == 9


def _ingest(data_dir: Path, folder: Path) -> subprocess.Popen[bytes]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("KNOWLEDGE_SEARCH", "DATABASE"))}
    code = "from knowledge_search.cli import main; main()"
    return subprocess.Popen(
        [sys.executable, "-c", code, "ingest", str(folder), "--default", "all", "--prune"],
        env={**kept, "KNOWLEDGE_SEARCH_DATA_DIR": str(data_dir)}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip


def _wait_for(connection: psycopg.Connection, statement: str) -> None:
    until = time.monotonic() + 30
    while connection.execute(statement.encode()).fetchone() is None:
        assert time.monotonic() < until
        time.sleep(0.02)


def _stored(server: EmbeddedServer, kit: Kit) -> int:
    """Return the version of ``b.md``."""
    with psycopg.connect(server.url(DATABASE)) as connection:
        rows = connection.execute(
            "SELECT c.text FROM knowledge_search.chunk c JOIN knowledge_search.document d ON d.id = c.document_id"
            " WHERE d.source = 'b.md'"
        ).fetchall()
    return kit.version_of([row[0] for row in rows])


def test_a_server_that_gave_itself_up_is_started_again(
    data_dir: Path, server: EmbeddedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The keeper tries again and again, also after tries that failed, and stops when nobody wants the server."""
    from knowledge_search.store.postgres import keeper  # noqa: PLC0415 - its pause is shortened

    monkeypatch.setattr(keeper, "_EVERY_S", 0.05)
    version = server.folders.cluster / "PG_VERSION"
    text = version.read_text()
    with keeper.kept(server):
        version.write_text("1\n")  # now a start is refused
        os.kill(postmaster(server), signal.SIGQUIT)
        until = time.monotonic() + 20
        while server.supervised() and time.monotonic() < until:
            time.sleep(0.02)
        time.sleep(0.5)
        with pytest.raises(StoreError):
            server.start()
        version.write_text(text)
        while not server.running() and time.monotonic() < until + 20:
            time.sleep(0.05)

        assert server.running()
    assert data_dir.exists()
