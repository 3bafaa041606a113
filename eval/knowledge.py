"""The knowledge search of this repository as a target: its own services over a database of its own, and the samples."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from knowledge_search.answer import answer_question, checked_question, contexts_within
from knowledge_search.bootstrap import OpenServices, Services, make_strategy
from knowledge_search.domain import EVERYONE, Scope
from knowledge_search.settings import Settings
from knowledge_search.store import Database, PostgresStore
from sekisho import Answer, Context, Document

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from knowledge_search.domain import DocumentRecord
    from knowledge_search.store.visible import Locks

SAMPLES = Path(__file__).resolve().parents[1] / "samples"
_PASSAGES = 10
"""Passages that are searched for, for each document that is wanted: several of them may be of one document."""
_UNLIMITED = 1_000_000
"""Requests a minute: the gate asks faster than people do, and is no attack."""


def settings_of(database_url: str, **changes: object) -> Settings:
    """Return the settings of a service that nobody configured, with ``changes``, whatever the environment says."""
    fields = Settings.model_fields.items()
    untouched = {name: field.get_default(call_default_factory=True) for name, field in fields}
    return Settings(**untouched | {"database_url": database_url, "requests_per_minute": _UNLIMITED} | changes)


@dataclass(frozen=True)
class Knowledge:
    """Asks the services what people ask them, by the way that the routes go.

    Attributes:
        services: Open.
        folder: Where the documents were taken in from.
        departments: Every department that has a document.
    """

    services: Services
    folder: Path
    departments: frozenset[str]

    def answer(self, question: str, departments: Sequence[str]) -> Answer:
        """Return the answer for someone of these departments, with everything that the model was given for it."""
        services = self.services
        question = checked_question(question)
        hits = services.strategy.search(question, Scope.of(*departments), services.settings.top_k)
        given = contexts_within(hits, services.max_distance)
        answer = answer_question(question, hits, services.llm, services.max_distance)
        contexts = tuple(Context(document_id=str(each.document_id), text=each.text) for each in given)
        return Answer(text=answer.text, sources=answer.sources, found=answer.found, contexts=contexts)

    def search(self, question: str, departments: Sequence[str], k: int) -> list[str]:
        """Return the documents of the ``k`` nearest passages, each once, best first."""
        hits = self.services.strategy.search(checked_question(question), Scope.of(*departments), k)
        return list(dict.fromkeys(str(hit.chunk.document_id) for hit in hits))

    def documents(self) -> list[Document]:
        """Return every document, as someone of all departments reads them."""
        return [self._document(record) for record in self.services.store.documents(Scope.of(*self.departments))]

    @contextmanager
    def without(self, document_ids: Collection[str]) -> Iterator[Knowledge]:
        """Give the same store from which these documents were removed; afterwards they are taken in again."""
        services = self.services
        records = services.store.documents(Scope.of(*self.departments))
        gone = [record for record in records if str(record.id) in document_ids]
        try:
            for record in gone:
                services.store.remove(record.source)
            yield self
        finally:
            take_in(services, self.folder)

    def _document(self, record: DocumentRecord) -> Document:
        chunks = self.services.store.chunks(record.id, Scope.of(*self.departments))
        return Document(
            id=str(record.id),
            name=record.source,
            title=record.title,
            departments=(record.department,),
            text=text_of((chunk.title_path, chunk.text) for chunk in chunks),
            pages=record.pages,
        )


@dataclass(frozen=True)
class CollectionSearch:
    """Searches documents that everyone may see.

    Attributes:
        knowledge: Has taken them in.
        k: How many documents a query brings.
        ids: File to the document's id in the collection.
    """

    knowledge: Knowledge
    k: int
    ids: Mapping[str, str]

    def retrieve(self, query: str) -> list[str]:
        """Return the documents of the nearest passages, each once, best first."""
        services = self.knowledge.services
        hits = services.strategy.search(checked_question(query), Scope.of(), self.k * _PASSAGES)
        return list(dict.fromkeys(self.ids[hit.chunk.source] for hit in hits))[: self.k]


def text_of(passages: Iterable[tuple[tuple[str, ...], str]]) -> str:
    """Return passages with their title paths as one text: each heading once, above the first passage below it."""
    lines: list[str] = []
    above: tuple[str, ...] = ()
    for path, text in passages:
        kept = next((at for at, (old, new) in enumerate(zip(above, path, strict=False)) if old != new), len(above))
        lines += [*path[max(kept, 1) :], text]
        above = path
    return "\n\n".join(lines)


@contextmanager
def opened(settings: Settings, folder: Path) -> Iterator[Knowledge]:
    """Give the services of these settings, with the documents of a folder taken in."""
    with OpenServices(settings) as services:
        yield Knowledge(services, folder, take_in(services, folder))


def take_in(services: Services, folder: Path) -> frozenset[str]:
    """Take in what the store lacks of a folder, as ``knowledge-search serve --samples`` does; return its departments.

    Raises:
        ValueError: A file was left out; the gate would pass without having looked at it.
    """
    report = services.ingest.folder(folder, default=EVERYONE)
    if report.left_out:
        raise ValueError("; ".join(f"{one.source}: {one.status}" for one in report.files if one.left_out))
    services.maintenance.run(services.settings.strategy)
    return frozenset(one.department for one in report.files if one.department is not None)


@contextmanager
def with_locks(knowledge: Knowledge, locks: Locks) -> Iterator[Knowledge]:
    """Give the same documents, read with other locks."""
    services = knowledge.services
    if locks == services.database.locks:
        yield knowledge
        return
    with Database(address_of(services), readers=2, writers=1, locks=locks) as database:
        store = PostgresStore(database, services.embedder, tokenizer=services.tokenizer)
        strategy = make_strategy(services.settings, database, services.embedder, services.tokenizer)
        yield replace(knowledge, services=replace(services, database=database, store=store, strategy=strategy))


def address_of(services: Services) -> str:
    """Return the address of the database, as its owner."""
    address = services.settings.database_url
    assert address is not None  # noqa: S101  settings_of has set it
    return address.get_secret_value()
