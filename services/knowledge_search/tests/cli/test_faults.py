"""The service on its embedded database, while one or the other is killed."""

from __future__ import annotations

import os
import re
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest

from knowledge_search.store.postgres import EmbeddedServer

if TYPE_CHECKING:
    from collections.abc import Iterator

QUESTION = {"question": "お茶はどこですか？"}


@pytest.fixture(scope="module")
def data_dir() -> Iterator[Path]:
    """Give a data folder of the embedded server, and leave nothing of it."""
    place = Path(tempfile.gettempdir()) / f"ks-fault-{secrets.token_hex(6)}"
    yield place
    server = EmbeddedServer(place)
    with server:
        server.destroy()


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with one document."""
    folder = tmp_path_factory.mktemp("samples")
    (folder / "tea.md").write_text("---\ndepartment: all\n---\n# お茶\n\nお茶は3階の給湯室にあります。\n")
    return folder


@contextmanager
def serve(data_dir: Path, log: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], str, str]]:
    """Run the command and give its process, its address and the key for trying things out."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("KNOWLEDGE_SEARCH", "DATABASE"))}
    command = [sys.executable, "-c", "from knowledge_search.cli import main; main()", "serve", "--port", "0"]
    with log.open("w") as told:
        process = subprocess.Popen(
            [*command, "--demo-key", "all", *words], stdout=subprocess.PIPE, stderr=told, text=True,
            env={**kept, "KNOWLEDGE_SEARCH_DATA_DIR": str(data_dir), "KNOWLEDGE_SEARCH_REQUESTS_PER_MINUTE": "100000"},
        )  # fmt: skip
    assert process.stdout is not None
    try:
        until = time.monotonic() + 120
        while not (found := re.search(r"http://127\.0\.0\.1:\d+", log.read_text())) and time.monotonic() < until:
            assert process.poll() is None, log.read_text()
            time.sleep(0.1)
        assert found, log.read_text()
        while not (line := process.stdout.readline()).startswith("ks"):
            assert line, log.read_text()
        yield process, found[0], line.strip()
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        process.wait(60)
        process.stdout.close()


def test_a_killed_database_costs_no_answer_for_good(data_dir: Path, samples: Path, tmp_path: Path) -> None:
    """Kill -9 of PostgreSQL under load: every answer is right or a 503, and within a minute all are right again."""
    with serve(data_dir, tmp_path / "log", "--samples", str(samples)) as (process, url, key):
        headers = {"Authorization": f"Bearer {key}"}

        def asks(_: int) -> set[int]:
            seen = set()
            until = time.monotonic() + 8
            with httpx.Client(base_url=url, headers=headers, timeout=120) as http:
                while time.monotonic() < until:
                    response = http.post("/ask", json=QUESTION)
                    assert response.status_code != 200 or "給湯室" in response.text
                    seen.add(response.status_code)
            return seen

        with ThreadPoolExecutor(4) as pool:
            running = [pool.submit(asks, number) for number in range(4)]
            time.sleep(1.5)
            with EmbeddedServer(data_dir) as server:
                postmaster = int((server.folders.cluster / "postmaster.pid").read_text().split()[0])
            os.kill(postmaster, signal.SIGKILL)
            seen = set().union(*(one.result() for one in running))
        until = time.monotonic() + 60
        while (last := httpx.post(f"{url}/ask", json=QUESTION, headers=headers, timeout=120)).status_code != 200:
            assert time.monotonic() < until, last.text
            time.sleep(0.5)

        assert process.poll() is None
    assert 200 in seen
    assert seen <= {200, 503}


def test_a_killed_service_loses_nothing(data_dir: Path, samples: Path, tmp_path: Path) -> None:
    """Kill -9 of the service: the next one has the documents and the keys."""
    with serve(data_dir, tmp_path / "log", "--samples", str(samples)) as (process, _, key):
        process.kill()
        process.wait(20)
    with serve(data_dir, tmp_path / "log2") as (_, url, _new):
        response = httpx.post(f"{url}/ask", json=QUESTION, headers={"Authorization": f"Bearer {key}"}, timeout=60)

    assert response.json()["sources"] == ["tea.md"]
