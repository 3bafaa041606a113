"""Changes to the knowledge search that somebody makes with good intent: not one test of the service need fail."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from eval.faults.answering import Fault
from eval.knowledge import take_in
from knowledge_search.answer.citations import quoted
from knowledge_search.answer.prompt import NO_ANSWER, documents_of
from knowledge_search.chunk.packing import CAP, TARGET
from knowledge_search.chunk.sentences import size
from knowledge_search.chunk.units import units
from knowledge_search.ingest import Ingest
from knowledge_search.parse import FileParser
from knowledge_search.store import PostgresStore

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    import numpy.typing as npt

    from eval.knowledge import Knowledge
    from knowledge_search.bootstrap import Services
    from knowledge_search.domain import ParsedDocument, Piece
    from knowledge_search.ingest.ingest import VersionedParser


@Fault
@contextmanager
def model_replaced(healthy: Knowledge) -> Iterator[Knowledge]:
    """A smaller model, which answers from the first document that it is given and reads no further."""
    yield replace(healthy, services=replace(healthy.services, llm=FirstDocument()))


@Fault
@contextmanager
def passages_halved(healthy: Knowledge) -> Iterator[Knowledge]:
    """Passages of half the size, so that citations are more exact; every document is taken in anew."""
    services = healthy.services
    parser = cast("VersionedParser", FileParser())  # its version is read-only
    ingest = Ingest(HalvedPassages(services), parser, services.embedder)
    halved = replace(healthy, services=replace(services, ingest=ingest))
    _remove_all(services.store)
    take_in(halved.services, healthy.folder)
    try:
        yield halved
    finally:
        _remove_all(services.store)
        take_in(services, healthy.folder)


def _remove_all(store: PostgresStore) -> None:
    for source in store.sources():
        store.remove(source)


class FirstDocument:
    """Quotes the first document of the prompt."""

    name = "first-document"

    def generate(self, system: str, user: str) -> str:  # noqa: ARG002 - the protocol's; quoting needs no orders
        """Return the text of the first document with its citation; ``NO_ANSWER`` without documents."""
        documents = documents_of(user)
        return quoted(documents[0].text, documents[0].number) if documents else NO_ANSWER


class HalvedPassages(PostgresStore):
    """A store of passages of half the usual size: a larger one is cut in two, at the sentence nearest to its middle."""

    def __init__(self, services: Services) -> None:
        super().__init__(services.database, services.embedder, tokenizer=services.tokenizer)
        self._embeds = services.embedder

    def replace(
        self,
        *,
        source: str,
        department: str,
        document: ParsedDocument,
        content_hash: str,
        pieces: Sequence[Piece],
        vectors: npt.NDArray[np.float32],
    ) -> int:
        """Store the document with smaller passages, and with vectors of these."""
        del vectors
        smaller = [half for piece in pieces for half in _halves(piece)]
        return super().replace(
            source=source,
            department=department,
            document=document,
            content_hash=content_hash,
            pieces=smaller,
            vectors=self._embeds.embed_passages([piece.searchable for piece in smaller]),
        )


def _halves(piece: Piece) -> list[Piece]:
    """Return the piece, or two in its place where it is larger than half of what a passage should have."""
    if size(piece.text) <= TARGET // 2:
        return [piece]
    starts = [unit.start for unit in units(piece.text, 0, len(piece.text), limit=CAP // 2)][1:]
    if not starts:
        return [piece]
    at = min(starts, key=lambda start: abs(start - len(piece.text) // 2))
    first = piece.text[:at].rstrip()
    return [
        replace(piece, text=first, end=piece.start + len(first)),
        replace(piece, text=piece.text[at:], start=piece.start + at),
    ]
