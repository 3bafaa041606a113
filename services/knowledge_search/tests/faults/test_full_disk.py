"""A full disk, for real: a small file system in memory under the data folder."""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import httpx
import pytest

from knowledge_search.bootstrap import OpenServices
from knowledge_search.domain import Scope
from knowledge_search.settings import Settings
from knowledge_search.store import Database

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import ThreadPoolExecutor
    from pathlib import Path

    from .conftest import Kit

MB = 2**20


@pytest.fixture
def disk(scratch: Path) -> Iterator[Path]:
    """Give a file system of 320 MB."""
    if os.geteuid() != 0:
        pytest.skip("mounting a small file system needs root")
    place = scratch / f"ks-disk-{secrets.token_hex(6)}"
    place.mkdir(mode=0o755)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=320m,mode=755", "tmpfs", str(place)], check=True)
    yield place
    for _ in range(50):
        if not subprocess.run(["umount", str(place)], check=False, capture_output=True).returncode:
            break
        time.sleep(0.1)
    else:
        subprocess.run(["umount", "-l", str(place)], check=True)
    place.rmdir()


@contextmanager
def service(disk: Path, kit: Kit) -> Iterator[httpx.Client]:
    """Give a client of a service that keeps its data on the disk, with a version of the document in it."""
    settings = Settings(data_dir=disk / "data", max_distance=2.0, requests_per_minute=1_000_000)
    with OpenServices(settings) as services:
        key = services.keys.create(name="writer", scope=Scope.of(), may_write=True).text
        with kit.serving(services) as url, httpx.Client(base_url=url, timeout=60) as http:
            http.headers["Authorization"] = f"Bearer {key}"
            assert kit.put(http, 1) == 201
            yield http


def fill(disk: Path, *, leave: int) -> Path:
    """Take all space of the disk but ``leave`` bytes, and return what took it."""
    ballast = disk / "ballast"
    with ballast.open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, shutil.disk_usage(disk).free - leave)
    return ballast


def large(number: int) -> bytes:
    """Return a document of about 200 passages that no compression makes small."""
    return "\n\n".join(f"## {number}-{at}\n\n{secrets.token_hex(400)}" for at in range(200)).encode()


def put_large(http: httpx.Client, number: int) -> httpx.Response:
    """Upload it."""
    return http.post("/documents", files={"file": (f"large{number}.md", large(number))}, data={"department": "all"})


def test_an_ingest_ends_before_the_disk_is_full(disk: Path, kit: Kit) -> None:
    """A clear error; asking, searching and the audit log go on; with space again, so does the ingest."""
    with service(disk, kit) as http:
        ballast = fill(disk, leave=140 * MB)
        taken: list[httpx.Response] = []
        while len(taken) < 40 and (not taken or taken[-1].status_code == 201):
            taken.append(put_large(http, len(taken)))
        sources = {one["source"] for one in http.get("/documents").json()["documents"]}
        asked = [http.post("/ask", json={"question": "規程の本文"}).status_code for _ in range(20)]
        version = kit.seen(http)
        ballast.unlink()
        after = put_large(http, 99)

    assert [one.status_code for one in taken[-2:]] == [201, 503]
    assert taken[-1].json()["code"] == "disk_full"
    assert len(sources) == len(taken)
    assert (set(asked), version, after.status_code) == ({200}, 1, 201)


def test_a_database_that_a_full_disk_has_ended_comes_back(
    disk: Path, kit: Kit, monkeypatch: pytest.MonkeyPatch, pool: ThreadPoolExecutor
) -> None:
    """Something else takes the last space during an ingest: nothing acknowledged is lost, no restart is needed."""
    monkeypatch.setattr(Database, "check_room", lambda *_: None)
    with service(disk, kit) as http:
        ballast = fill(disk, leave=10 * MB)
        upload = pool.submit(lambda: [put_large(http, number).status_code for number in range(2)])
        until = time.monotonic() + 30
        while b"PANIC" not in (disk / "data" / "postgres.log").read_bytes() and time.monotonic() < until:
            time.sleep(0.1)
        time.sleep(3)  # it tries to recover, and cannot
        health = http.get("/health").status_code
        ballast.unlink()
        taken = upload.result(60)
        until = time.monotonic() + 60
        while (last := put_large(http, 99)).status_code != 201:
            assert time.monotonic() < until, last.text
            time.sleep(0.2)
        sources = {one["source"] for one in http.get("/documents").json()["documents"]}

        assert kit.seen(http) == 1
    assert 503 in taken
    assert health == 503
    assert sources == {"all:rules.md", "all:large99.md"} | {
        f"all:large{number}.md" for number, status in enumerate(taken) if status == 201
    }
