"""A service with documents of three departments, and the same service with a lock taken out."""

from __future__ import annotations

import importlib.util
import sys
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from knowledge_search.bootstrap import OpenServices, make_strategy
from knowledge_search.domain import Scope
from knowledge_search.settings import Settings
from knowledge_search.store import Database, PostgresStore
from knowledge_search.store.visible import Locks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from knowledge_search.bootstrap import Services
    from knowledge_search.ports import LanguageModel, SearchStrategy

_PLACE = Path(__file__).parent.parent / "api" / "conftest.py"
_SPEC = importlib.util.spec_from_file_location("knowledge_search_leak_fixtures", _PLACE)
assert _SPEC is not None
assert _SPEC.loader is not None
_API = importlib.util.module_from_spec(_SPEC)
sys.modules[_SPEC.name] = _API
_SPEC.loader.exec_module(_API)
serving = _API.serving

SAMPLES = Path(__file__).parents[4] / "samples"
HOLDING = {
    "both": Locks(),
    "predicate alone": Locks(row_security=False),
    "row security alone": Locks(predicate=False),
}
NONE = Locks(predicate=False, row_security=False)
EVERYTHING = Scope.of("hr", "sales")


@dataclass(frozen=True)
class Hidden:
    """What gives the hidden document away, apart by where it stands."""

    source: str = "himitsu-no-file.md"
    title: str = "ヒミツノ表題"
    text: str = "ヒミツノ本文"
    term: str = "賞与係数"


HIDDEN = Hidden()
DOCUMENTS = {
    "canteen.md": ("all", "# 社員食堂\n\n社員食堂は11時30分に開き、日替わり定食は480円です。\n"),
    "rate.md": ("sales", "# 値引き\n\n値引きの上限は13パーセントです。承認は部長が行います。\n"),
    HIDDEN.source: (
        "hr",
        f"# {HIDDEN.title}\n\n{HIDDEN.text}: {HIDDEN.term}は2.7です。食堂の補助と値引きも含みます。\n",
    ),
}


@contextmanager
def changed(
    services: Services,
    *,
    locks: Locks | None = None,
    strategy: str | SearchStrategy = "exact",
    llm: LanguageModel | None = None,
    **settings: object,
) -> Iterator[Services]:
    """Give the services with other locks, another strategy or another model, on the same database."""
    new = services.settings.model_copy(update=settings)
    assert new.database_url is not None
    with Database(new.database_url.get_secret_value(), readers=2, writers=2, locks=locks) as database:
        if isinstance(strategy, str):
            named = new.model_copy(update={"strategy": strategy})
            strategy = make_strategy(named, database, services.embedder, services.tokenizer)
        yield replace(
            services, settings=new, database=database, strategy=strategy, llm=llm or services.llm,
            store=PostgresStore(database, services.embedder),
            max_distance=services.max_distance if new.max_distance is None else new.max_distance,
        )  # fmt: skip


@contextmanager
def reader(services: Services, *departments: str, may_write: bool = False) -> Iterator[httpx.Client]:
    """Give a client of a server over ``services`` with a key of these departments."""
    key = services.keys.create(name="reader", scope=Scope.of(*departments), may_write=may_write).text
    headers = {"Authorization": f"Bearer {key}", "Accept-Language": "ja"}
    with serving(services) as url, httpx.Client(base_url=url, headers=headers, timeout=30) as http:
        yield http


def surface(http: httpx.Client, ids: dict[str, int], questions: tuple[str, ...]) -> dict[str, tuple[int, bytes]]:
    """Return status and body of every reading route for these questions and documents."""
    told: dict[str, httpx.Response] = {}
    stream = {"Accept": "text/event-stream"}
    for question in questions:
        for k in (1, 50):
            body: dict[str, Any] = {"question": question, "k": k}
            told[f"ask {k} {question}"] = http.post("/ask", json=body)
            told[f"stream {k} {question}"] = http.post("/ask", json=body, headers=stream)
            told[f"search {k} {question}"] = http.get("/search", params={"q": question, "k": k})
        told[f"narrowed {question}"] = http.post("/ask", json={"question": question, "departments": ["hr", "sales"]})
    told["list"] = http.get("/documents")
    told["list, part"] = http.get("/documents", params={"after": "c", "limit": 1})
    for source, number in ids.items():
        told[f"document {source}"] = http.get(f"/documents/{number}")
        for page in (1, 2, 3):
            told[f"page {source} {page}"] = http.get(f"/documents/{number}/pages/{page}")
    return {name: (response.status_code, response.content) for name, response in told.items()}


class Kit:
    """The helpers above, for test modules, which cannot import this one."""

    changed = staticmethod(changed)
    reader = staticmethod(reader)
    surface = staticmethod(surface)
    serving = staticmethod(serving)
    hidden = HIDDEN
    holding = HOLDING
    none = NONE
    samples = SAMPLES
    everything = EVERYTHING


@pytest.fixture(scope="session")
def kit() -> type[Kit]:
    """Give the helpers."""
    return Kit


@contextmanager
def opened(url: str) -> Iterator[Services]:
    """Give open services on a database."""
    settings = Settings(database_url=url, requests_per_minute=1_000_000, max_distance=2.0)
    with OpenServices(settings) as services:
        yield services


@pytest.fixture(scope="module")
def services(module_database_url: str) -> Iterator[Services]:
    """Give open services with the documents; tests leave these as they are."""
    with opened(module_database_url) as services:
        for name, (department, text) in DOCUMENTS.items():
            assert services.ingest.upload(name, text.encode(), department=department).status == "ingested"
        yield services


@pytest.fixture
def own_services(database_url: str) -> Iterator[Services]:
    """Give open services on an empty database of the test's own."""
    with opened(database_url) as services:
        yield services


@pytest.fixture(scope="module")
def ids(services: Services) -> dict[str, int]:
    """Give each document's id by its source."""
    return {record.source: record.id for record in services.store.documents(EVERYTHING)}
