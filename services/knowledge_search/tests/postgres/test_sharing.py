"""Who starts the server, who uses it, and who stops it."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

import psycopg
import pytest

from knowledge_search.domain import StoreError
from knowledge_search.store.postgres import EmbeddedServer, supervisor

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def processes(data_dir: Path) -> set[int]:
    """Return the server's processes."""
    return supervisor.processes_of(str(data_dir / "cluster"))


def test_what_was_written_is_there_after_a_restart(new_dir: Path) -> None:
    """A first start makes the database, a clean stop ends every process, a second start finds the data."""
    server = EmbeddedServer(new_dir)
    with server:
        url = server.create_database("knowledge")
        with psycopg.connect(url) as connection:
            connection.execute("CREATE EXTENSION vector")
            connection.execute("CREATE TABLE t AS SELECT '[1,2]'::vector AS v")
    assert not processes(new_dir)
    with server, psycopg.connect(server.create_database("knowledge")) as connection:
        rows = connection.execute("SELECT v::text FROM t").fetchall()

    assert rows == [("[1,2]",)]
    assert "outcome" in (new_dir / "server.json").read_text()
    assert server.folders.read_state()["outcome"] == "stopped"


def test_japanese_has_letters(server: EmbeddedServer) -> None:
    """Trigrams and lower case work on Japanese, in a database that comes later too."""
    with psycopg.connect(server.create_database("letters"), autocommit=True) as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
        row = connection.execute("SELECT similarity('経費精算', '経費') > 0.2, lower('ＡÉ')").fetchone()

    assert row == (True, "ａé")


def test_only_its_own_user_can_reach_it(data_dir: Path) -> None:
    """There is no network address, and the socket lies in a folder that nobody else can enter."""
    with EmbeddedServer(data_dir, durable=False) as server, psycopg.connect(server.url()) as connection:
        listen = connection.execute("SHOW listen_addresses").fetchone()
        rules = "SELECT DISTINCT auth_method FROM pg_hba_file_rules WHERE type <> 'local'"
        hosts = connection.execute(rules).fetchall()
        folder = (data_dir / "run").stat().st_mode & 0o777
        others = [path.stat().st_mode & 0o007 for path in (data_dir, data_dir / "cluster", data_dir / "postgres.log")]

    assert (listen, hosts, folder, others) == (("",), [("reject",)], 0o700, [0, 0, 0])


def test_a_second_process_attaches_and_leaves_it_running(data_dir: Path, user_of: Callable[..., object]) -> None:
    """Only the last user stops the server."""
    with EmbeddedServer(data_dir, durable=False) as server:
        second = user_of(data_dir)
        said = second.ready()
        second.leave()
        running = server.running()

    assert (said["attached"], said["url"].split("?")[1] != "", running) == (True, True, True)
    assert not processes(data_dir)


def test_the_first_may_leave_before_the_second(data_dir: Path, user_of: Callable[..., object]) -> None:
    """A short command that started the server does not take it from a long one that attached."""
    first = user_of(data_dir)
    first.ready()
    with EmbeddedServer(data_dir, durable=False) as server:
        first.leave()
        running = server.running()

    assert (server.attached, running) == (False, True)
    assert not processes(data_dir)


def test_a_killed_first_user_does_not_take_it_from_the_second(data_dir: Path, user_of: Callable[..., object]) -> None:
    """The same by kill -9."""
    first = user_of(data_dir)
    first.ready()
    with EmbeddedServer(data_dir, durable=False) as server:
        first.kill()
        with psycopg.connect(server.url()) as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)

    assert not processes(data_dir)


def test_six_processes_race_on_a_new_folder(new_dir: Path, user_of: Callable[..., object]) -> None:
    """One makes and starts it, five attach, all write, and nothing is left when all have gone."""
    users = [user_of(new_dir) for _ in range(6)]
    said = [user.ready() for user in users]
    with psycopg.connect(said[0]["url"], autocommit=True) as connection:
        connection.execute("CREATE TABLE t (n int)")
    for answer in said:
        with psycopg.connect(answer["url"], autocommit=True) as connection:
            connection.execute("INSERT INTO t SELECT generate_series(1, 50)")
    with psycopg.connect(said[0]["url"]) as connection:
        rows = connection.execute("SELECT count(*) FROM t").fetchone()
    for user in users:
        user.process.stdin.close()
        user.process.stdin = None
    for user in users:
        assert user.leave() == "stopped\n"

    assert (rows, sorted(answer["attached"] for answer in said)) == ((300,), [False] + [True] * 5)
    assert not processes(new_dir)


def test_stop_does_not_wait_for_clients(data_dir: Path) -> None:
    """A connected client, even in the middle of a transaction, does not hold up the stop."""
    with EmbeddedServer(data_dir, durable=False, stop_timeout_s=20) as server:
        client = psycopg.connect(server.url())
        client.execute("CREATE TABLE half AS SELECT 1 AS n")
    with pytest.raises(psycopg.OperationalError):
        client.execute("SELECT 1")
    client.close()

    assert server.folders.read_state()["outcome"] == "stopped"
    assert not processes(data_dir)


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")  # Python 3.12 and later, where threads run
def test_a_forked_child_neither_stops_nor_keeps_it(data_dir: Path) -> None:
    """The child's end does not stop the server, and a child that lives on does not keep it."""
    with EmbeddedServer(data_dir, durable=False) as server:
        going, waiting = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(waiting)
            server.stop()
            os.read(going, 1)
            os._exit(0)
        os.close(going)
        running = server.running()
    assert not processes(data_dir)
    os.close(waiting)

    assert (os.waitpid(child, 0)[1], running) == (0, True)


def test_the_environment_does_not_lead_elsewhere(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Variables for another PostgreSQL server change nothing."""
    for name, value in {"PGPORT": "1", "PGHOST": "other", "PGDATA": "/", "PGUSER": "x", "PGDATABASE": "x"}.items():
        monkeypatch.setenv(name, value)
    with EmbeddedServer(data_dir, durable=False) as server:
        assert server.running()


def test_threads_share_one_object(server: EmbeddedServer) -> None:
    """Ten threads that make the same database get the same address, and start() is harmless."""
    urls: list[str] = []

    def make() -> None:
        urls.append(server.start().create_database("threads"))

    threads = [threading.Thread(target=make) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert urls == [server.url("threads")] * 10


def test_destroy_leaves_nothing_and_refuses_while_others_use_it(data_dir: Path, user_of: Callable[..., object]) -> None:
    """Data that another process uses are not deleted."""
    other = user_of(data_dir)
    other.ready()
    server = EmbeddedServer(data_dir, durable=False).start()
    with pytest.raises(StoreError, match="another process still uses"):
        server.destroy()
    other.leave()
    server.start().destroy()

    assert not data_dir.exists()


def test_a_process_that_forgets_to_stop_it_stops_it(data_dir: Path, user_of: Callable[..., object]) -> None:
    """At the end of Python the server is stopped before the process ends."""
    code = (
        "import sys; from knowledge_search.store.postgres import EmbeddedServer\n"
        "EmbeddedServer(sys.argv[1], durable=False).start()"
    )
    user_of(data_dir, code=code).leave()

    assert not processes(data_dir)


def test_databases_of_tests_are_apart(database_url: str, module_database_url: str) -> None:
    """The fixtures give two databases, named as promised."""
    names = []
    for url in (database_url, module_database_url):
        with psycopg.connect(url) as connection:
            names.append(connection.info.dbname)

    assert len(set(names)) == 2
    assert all(name.startswith("knowledge_test_") for name in names)
