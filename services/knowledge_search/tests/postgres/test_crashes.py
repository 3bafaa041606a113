"""What was acknowledged stays, whoever is killed."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING

import psycopg
import pytest

from knowledge_search.store.postgres import EmbeddedServer, supervisor
from knowledge_search.store.postgres.account import account
from knowledge_search.store.postgres.binaries import find_binaries, shared_copy
from knowledge_search.store.postgres.cluster import server_environment
from knowledge_search.store.postgres.options import server_options
from knowledge_search.store.postgres.server import SYSTEM_DIR

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def processes(data_dir: Path) -> set[int]:
    """Return the server's processes."""
    return supervisor.processes_of(str(data_dir / "cluster"))


def postmaster(data_dir: Path) -> int:
    """Return the pid of the server's first process."""
    return int((data_dir / "cluster" / "postmaster.pid").read_text().split("\n", 1)[0])


def supervisor_of(data_dir: Path) -> int:
    """Return the pid of the server's parent."""
    with open(f"/proc/{postmaster(data_dir)}/stat", encoding="utf-8") as stat:  # noqa: PTH123 - not a real file
        return int(stat.read().rsplit(")", 1)[1].split()[1])


def wait_until(condition: Callable[[], bool], *, seconds: float = 15) -> None:
    """Wait for a condition."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def write(url: str, *, seconds: float) -> int:
    """Insert row after row, and return how many were acknowledged when the server was gone or time was up."""
    acknowledged = 0
    deadline = time.monotonic() + seconds
    with suppress(psycopg.OperationalError), psycopg.connect(url, autocommit=True) as connection:
        while time.monotonic() < deadline:
            connection.execute("INSERT INTO t VALUES (%s)", [acknowledged + 1])
            acknowledged += 1
    return acknowledged


def rows(url: str) -> int:
    """Return how many rows there are."""
    with psycopg.connect(url) as connection:
        found = connection.execute("SELECT count(*) FROM t").fetchone()
    assert found
    return int(found[0])


def make_table(url: str) -> None:
    """Make the table that the rows go to."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE TABLE t (n int)")


@pytest.mark.parametrize("everything", [False, True], ids=["postmaster", "every process"])
def test_a_killed_server_comes_back_with_every_acknowledged_row(data_dir: Path, everything: bool) -> None:  # noqa: FBT001 - a parameter
    """Kill -9 in the middle of writing: the same address serves again without anyone asking."""
    with EmbeddedServer(data_dir) as server:
        make_table(server.url())
        targets = processes(data_dir) if everything else {postmaster(data_dir)}
        code = f"import os, time; time.sleep(0.4); [os.kill(p, 9) for p in {targets}]"
        with subprocess.Popen([sys.executable, "-c", code]):
            acknowledged = write(server.url(), seconds=10)
        wait_until(server.running)
        found = rows(server.url())

    assert acknowledged > 0
    assert found in {acknowledged, acknowledged + 1}  # the last one may have arrived without an answer
    assert not processes(data_dir)


def test_a_busy_connection_does_not_hold_up_the_return(data_dir: Path) -> None:
    """A process in the middle of a long computation outlives the killed server; it is ended, and the server is back."""
    with EmbeddedServer(data_dir, durable=False) as server:
        busy = psycopg.connect(server.url())
        sent = threading.Thread(target=_compute, args=[busy])
        sent.start()
        wait_until(lambda: _computing(server.url()))
        os.kill(postmaster(data_dir), signal.SIGKILL)
        sent.join(15)
        wait_until(server.running)
        busy.close()

    assert not sent.is_alive()


def _compute(connection: psycopg.Connection) -> None:
    with suppress(psycopg.OperationalError):
        connection.execute("DO $$ BEGIN LOOP END LOOP; END $$")


def _computing(url: str) -> bool:
    with psycopg.connect(url) as connection:
        return connection.execute("SELECT FROM pg_stat_activity WHERE query LIKE 'DO %'").rowcount == 1


def test_a_killed_user_with_a_living_child_still_frees_the_server(
    data_dir: Path, user_of: Callable[..., object]
) -> None:
    """What a killed process forked does not keep the server alive."""
    code = (
        "import os, sys, time; from knowledge_search.store.postgres import EmbeddedServer\n"
        "server = EmbeddedServer(sys.argv[1], durable=False).start()\n"
        "child = os.fork()\n"
        "if child == 0: os.dup2(os.open('/dev/null', os.O_RDWR), 1); os.dup2(1, 2); time.sleep(20); os._exit(0)\n"
        "print(child, flush=True); sys.stdin.read()\n"
    )
    user = user_of(data_dir, code=code)
    child = int(user.ready())
    user.kill()
    wait_until(lambda: not processes(data_dir))
    os.kill(child, signal.SIGKILL)


def test_a_killed_only_user_takes_the_server_with_it(data_dir: Path, user_of: Callable[..., object]) -> None:
    """Kill -9 of the only user: the server stops by itself, and nothing is lost."""
    user = user_of(data_dir)
    url = user.ready()["url"]
    make_table(url)
    acknowledged = write(url, seconds=0.2)
    user.kill()
    wait_until(lambda: not processes(data_dir))

    with EmbeddedServer(data_dir, durable=False) as server:
        assert (rows(server.url()), server.attached) == (acknowledged, False)
    assert "not properly shut down" not in server.folders.log.read_text()


def test_sigterm_of_the_only_user_stops_the_server(data_dir: Path, user_of: Callable[..., object]) -> None:
    """A process that dies of SIGTERM without a word leaves no server."""
    user = user_of(data_dir)
    user.ready()
    user.kill(signal.SIGTERM)

    wait_until(lambda: not processes(data_dir))


@pytest.mark.skipif(sys.platform != "linux", reason="other systems cannot tell a child that its parent died")
def test_a_killed_supervisor_loses_nothing(data_dir: Path) -> None:
    """Kill -9 of the supervisor stops the server cleanly; the user's next start() brings it back."""
    with EmbeddedServer(data_dir, durable=False) as server:
        make_table(server.url())
        acknowledged = write(server.url(), seconds=0.2)
        address = server.url()
        os.kill(supervisor_of(data_dir), signal.SIGKILL)
        wait_until(lambda: not processes(data_dir))
        server.start()

        assert (rows(server.url()), server.url()) == (acknowledged, address)
    assert not processes(data_dir)


def test_an_orphaned_server_is_stopped_and_replaced(data_dir: Path) -> None:
    """A server without a supervisor, as other systems leave it, does not stand in the way."""
    owner = account()
    binaries = shared_copy(find_binaries(), SYSTEM_DIR) if owner.dropped else find_binaries()
    options = server_options(data_dir / "run", durable=False)
    with subprocess.Popen(
        [binaries.folder / "postgres", "-D", data_dir / "cluster", *(f"--{k}={v}" for k, v in options.items())],
        env=server_environment(), stderr=subprocess.DEVNULL, cwd="/", **owner.identity,
    ) as orphan:  # fmt: skip
        wait_until((data_dir / "cluster" / "postmaster.pid").exists)
        with EmbeddedServer(data_dir, durable=False) as server:
            assert server.running()
            assert orphan.wait(10) == 0


def test_a_first_start_that_is_killed_leaves_nothing_half_made(new_dir: Path, user_of: Callable[..., object]) -> None:
    """Kill -9 while the database is being made: the next start makes it."""
    user = user_of(new_dir)
    wait_until(lambda: any(new_dir.glob("cluster.new-*/base")))
    user.kill()
    half = (new_dir / "cluster").exists()
    with EmbeddedServer(new_dir, durable=False) as server:
        running = server.running()

    assert (half, running) == (False, True)
    assert not list(new_dir.glob("cluster.new-*"))


def _zombie() -> subprocess.Popen[bytes]:
    process = subprocess.Popen(["true"])
    wait_until(lambda: os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None)
    return process


def test_a_server_that_is_killed_again_and_again_is_given_up(data_dir: Path) -> None:
    """After five restarts within a minute the supervisor gives up, says so, and start() brings the server back."""
    with EmbeddedServer(data_dir, durable=False) as server:
        for _ in range(6):
            wait_until(server.running)
            os.kill(postmaster(data_dir), signal.SIGKILL)
            wait_until(lambda: not server.running())
        wait_until(lambda: server.folders.read_state()["outcome"] == "failed")
        server.start()

        assert server.running()
    assert not processes(data_dir)


def test_a_stop_that_takes_too_long_is_ended_and_loses_nothing(data_dir: Path) -> None:
    """The user is told that the server was ended at once; the acknowledged rows are there at the next start."""
    said: list[str] = []
    with EmbeddedServer(data_dir, stop_timeout_s=0, progress=said.append) as server:
        make_table(server.url())
        acknowledged = write(server.url(), seconds=0.2)
    assert not processes(data_dir)
    with server:
        found = rows(server.url())

    assert (found, "was ended at once" in said[0]) == (acknowledged, True)


@pytest.mark.parametrize(
    "left", ["{live}\n{data}\n1\n5432\n", "{zombie}\n{data}\n", "{live}", "", "garbage\0\n", "-1\n"]
)
def test_stale_pid_files_do_not_matter(data_dir: Path, left: str) -> None:
    """The pid of another live process, of a zombie, a torn file, nothing, or garbage: the server starts."""
    zombie = _zombie()
    text = left.format(live=os.getppid(), zombie=zombie.pid, data=data_dir / "cluster")
    (data_dir / "cluster" / "postmaster.pid").write_text(text)
    (data_dir / "run" / ".s.PGSQL.5432.lock").write_text(text)
    (data_dir / "run" / ".s.PGSQL.5432").write_text("")
    (data_dir / "server.json").write_text('{"sockets": ')
    with EmbeddedServer(data_dir, durable=False) as server:
        assert server.running()
    zombie.wait()


def test_the_log_stays_short(tmp_path: Path) -> None:
    """A long log moves aside at a start, and is emptied in place while a server appends to it."""
    log = tmp_path / "postgres.log"
    fd = supervisor.open_log(log)
    os.write(fd, b"x" * 3000)
    supervisor.bound_log(log, 2000)
    os.write(fd, b"y" * 10)
    os.close(fd)
    sizes = (log.stat().st_size, (tmp_path / "postgres.log.1").stat().st_size)

    assert sizes == (10, 3000)
    assert (supervisor.shorten_log(log, 10), supervisor.shorten_log(log, 9), log.exists()) == (10, 0, False)


def test_statements_and_values_are_not_logged(data_dir: Path) -> None:
    """What documents and users say does not reach the log, even in an error."""
    secret = secrets.token_hex(8)
    server = EmbeddedServer(data_dir, durable=False)
    with server, psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute("CREATE TABLE t (v text PRIMARY KEY)")
        connection.execute("INSERT INTO t VALUES (%s)", [secret])
        with pytest.raises(psycopg.errors.UniqueViolation):
            connection.execute(f"INSERT INTO t VALUES ('{secret}')")  # noqa: S608 - our own hexadecimal digits

    assert "duplicate key" in server.folders.log.read_text()
    assert secret not in server.folders.log.read_text()
