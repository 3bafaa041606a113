"""What the tests of faults share: a document whose versions cannot be mixed unseen, people who ask all the time."""

from __future__ import annotations

import importlib.util
import re
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import httpx
import psycopg
import pytest

from knowledge_search import chunk
from knowledge_search.bootstrap import OpenServices
from knowledge_search.domain import Scope
from knowledge_search.parse import FileParser
from knowledge_search.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

    from knowledge_search.bootstrap import Services

NAME = "rules.md"
_TESTS = Path(__file__).parent.parent


def _module(path: str) -> ModuleType:
    """Return a module of the tests of another part, which are not a package."""
    name = f"knowledge_search_faults_{path.replace('/', '_')[:-3]}"
    spec = importlib.util.spec_from_file_location(name, _TESTS / path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


serving = _module("api/conftest.py").serving
running_server = _module("llm/local_server.py").running_server
serve = _module("cli/test_faults.py").serve


@cache
def text(version: int) -> str:
    """Return a version of the document; each has its number in every passage, and its own number of them."""
    parts = (f"## 第{at}条\n\n版{version}の規程の本文。" + "別の定めによる。" * 40 for at in range(4 + version % 5))
    return f"# 規程 版{version}の表題\n\n" + "\n\n".join(parts)


@cache
def passages(version: int) -> Counter[str]:
    """Return the passages that the whole version has."""
    document = FileParser().parse(NAME, text(version).encode())
    return Counter(piece.text for piece in chunk.split(document))


def version_of(texts: list[str]) -> int:
    """Return the version that these passages are, all of them and nothing else."""
    versions = {int(number) for each in texts for number in re.findall(r"版(\d+)の規程", each)}
    assert len(versions) == 1, f"versions are mixed: {sorted(versions)}"
    (version,) = versions
    assert Counter(texts) == passages(version), f"version {version} is not whole: {len(texts)} passages"
    return version


def seen(http: httpx.Client) -> int:
    """Return the version that a search finds, whole."""
    response = http.get("/search", params={"q": "規程の本文", "k": 50})
    assert response.status_code == 200, response.text
    return version_of([hit["text"] for hit in response.json()["hits"] if hit["source"].endswith(NAME)])


def put(http: httpx.Client, version: int) -> int:
    """Upload a version and return the status; 0 where the connection broke."""
    try:
        files = {"file": (NAME, text(version).encode())}
        return http.post("/documents", files=files, data={"department": "all"}).status_code
    except httpx.TransportError:
        return 0


class Askers:
    """Ask and search without a pause until the block ends; ``broken`` holds every answer that no one may get."""

    def __init__(self, url: str, key: str, *, number: int = 2) -> None:
        self.statuses: Counter[int] = Counter()
        self.versions: set[int] = set()
        self.broken: list[str] = []
        self._client = {"base_url": url, "headers": {"Authorization": f"Bearer {key}"}, "timeout": 60}
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._run, args=(at % 2 == 0,)) for at in range(number)]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(70)

    def _run(self, asks: bool) -> None:  # noqa: FBT001 - a thread's argument
        client: Any = self._client
        with httpx.Client(**client) as http:
            while not self._stop.is_set():
                try:
                    self._once(http, asks=asks)
                except httpx.TransportError:
                    self.statuses[0] += 1
                    time.sleep(0.05)
                except (AssertionError, KeyError) as error:
                    self.broken.append(f"{type(error).__name__}: {error}")

    def _once(self, http: httpx.Client, *, asks: bool) -> None:
        if asks:
            response = http.post("/ask", json={"question": "規程の本文", "k": 50})
        else:
            response = http.get("/search", params={"q": "規程の本文", "k": 50})
        self.statuses[response.status_code] += 1
        if response.status_code == 200:
            found = response.json()["contexts" if asks else "hits"]
            self.versions.add(version_of([one["text"] for one in found if one["source"].endswith(NAME)]))
        else:
            assert response.json()["code"] in {"database_away", "busy"}, response.text


@contextmanager
def stalled(url: str) -> Iterator[Callable[[], None]]:
    """Hold every ingest after all it writes of a document and before its end; give the way to wait for one there."""
    with psycopg.connect(url) as connection:
        connection.execute("LOCK TABLE knowledge_search.department_stat IN SHARE ROW EXCLUSIVE MODE")

        def wait() -> None:
            until = time.monotonic() + 20
            statement = (
                "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%department_stat%'"
            )
            with psycopg.connect(url, autocommit=True) as looking:
                while looking.execute(statement).fetchone() is None:
                    assert time.monotonic() < until, "no ingest came to the middle"
                    time.sleep(0.02)

        yield wait


class Kit:
    """The helpers above, for test modules, which cannot import this one."""

    name = NAME
    text = staticmethod(text)
    passages = staticmethod(passages)
    version_of = staticmethod(version_of)
    seen = staticmethod(seen)
    put = staticmethod(put)
    askers = Askers
    stalled = staticmethod(stalled)
    serve = staticmethod(serve)
    serving = staticmethod(serving)
    running_server = staticmethod(running_server)


@pytest.fixture(scope="session")
def kit() -> type[Kit]:
    """Give the helpers."""
    return Kit


@pytest.fixture(scope="module")
def services(module_database_url: str) -> Iterator[Services]:
    """Give open services on a database of their own."""
    settings = Settings(database_url=module_database_url, requests_per_minute=1_000_000, max_distance=2.0)
    with OpenServices(settings) as opened:
        yield opened


@pytest.fixture(scope="module")
def key(services: Services) -> str:
    """Give a key that writes."""
    return services.keys.create(name="writer", scope=Scope.of(), may_write=True).text


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    """Give threads; what still runs in them is waited for."""
    with ThreadPoolExecutor(60) as threads:
        yield threads
