"""Data folders for the tests of the embedded server, and other processes that use them."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from knowledge_search.store.postgres import EmbeddedServer, supervisor
from knowledge_search.store.postgres.folders import moved_home
from knowledge_search.store.postgres.locks import hold
from knowledge_search.store.postgres.server import SYSTEM_DIR

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

USER = """
import json, sys
from knowledge_search.store.postgres import EmbeddedServer
server = EmbeddedServer(sys.argv[1], durable=False).start()
print(json.dumps({"url": server.url(), "attached": server.attached, "home": str(server.folders.home)}), flush=True)
sys.stdin.read()
server.stop()
print("stopped", flush=True)
"""


class UserProcess:
    """Another process that uses a server until its standard input ends."""

    def __init__(self, data_dir: Path, *, python: tuple[str, ...] = (sys.executable,), code: str = USER) -> None:
        self.process = subprocess.Popen(
            [*python, "-c", code, str(data_dir)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, cwd="/",
        )  # fmt: skip

    def ready(self) -> dict[str, str]:
        """Wait until it uses the server, and return what it says of it."""
        assert self.process.stdout
        line = self.process.stdout.readline()
        if not line:
            raise AssertionError(self.process.communicate()[1])
        answer: dict[str, str] = json.loads(line)
        return answer

    def leave(self) -> str:
        """Let it stop, and return what it wrote after that."""
        out, err = self.process.communicate()
        assert self.process.returncode == 0, err
        return out

    def kill(self, number: signal.Signals = signal.SIGKILL) -> None:
        """End it by a signal."""
        self.process.send_signal(number)
        self.process.communicate()


def _clear(data_dir: Path) -> None:
    """Remove a data folder and what it has elsewhere, whatever the test left running."""
    moved = moved_home(data_dir, SYSTEM_DIR)
    for home in (data_dir, *moved.parent.glob(f"{moved.name}*")):
        supervisor.end(str(home / "cluster"), [signal.SIGQUIT, signal.SIGKILL], each_s=10)
        if (home / "locks" / "server").exists():  # the supervisor writes its last word after the server's end
            with hold(home / "locks" / "server"):
                pass
        shutil.rmtree(home, ignore_errors=True)


@pytest.fixture
def new_dir(scratch: Path) -> Iterator[Path]:
    """Give the path of a data folder that does not exist yet, where the service user can go."""
    path = scratch / f"ks-test-{secrets.token_hex(6)}"
    yield path
    _clear(path)


@pytest.fixture(scope="session")
def _template(scratch: Path) -> Iterator[Path]:
    path = scratch / f"ks-test-{secrets.token_hex(6)}"
    try:
        with EmbeddedServer(path, durable=False):
            pass
        yield path
    finally:
        _clear(path)


@pytest.fixture
def data_dir(_template: Path, scratch: Path) -> Iterator[Path]:
    """Give a data folder with a database that is not running."""
    path = scratch / f"ks-test-{secrets.token_hex(6)}"
    subprocess.run(["cp", "-a", str(_template), str(path)], check=True)
    (path / "server.json").unlink()
    yield path
    _clear(path)


@pytest.fixture
def user_of() -> Iterator[Callable[..., UserProcess]]:
    """Start other processes that use a data folder; what is left of them is ended."""
    started: list[UserProcess] = []

    def start(data_dir: Path, **options: object) -> UserProcess:
        started.append(UserProcess(data_dir, **options))  # type: ignore[arg-type] - the options are UserProcess's own
        return started[-1]

    yield start
    for user in started:
        if user.process.poll() is None:
            user.kill()
        for stream in (user.process.stdin, user.process.stdout, user.process.stderr):
            if stream:
                stream.close()


@pytest.fixture(scope="session")
def ordinary() -> tuple[str, ...]:
    """Give the words that run Python as an ordinary user: our own where we are one."""
    if os.geteuid() != 0:
        return (sys.executable,)
    paths = f"PYTHONPATH={os.pathsep.join(path for path in sys.path if path)}"
    check = (
        "import subprocess as s, sys, knowledge_search.store.postgres\ns.run([sys.executable, '-c', ''], check=True)"
    )
    for python in (sys.executable, "/usr/bin/python3"):  # our own may lie in root's home
        words = ("setpriv", "--reuid=nobody", "--clear-groups", "--", "env", paths, python)
        with suppress(FileNotFoundError):
            if not subprocess.run([*words, "-c", check], capture_output=True, check=False, cwd="/").returncode:
                return words
    pytest.skip("no Python here can be run by an ordinary user through setpriv")
