"""A store in memory, and an ingest into it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from knowledge_search.domain import Chunk, DocumentRecord, Scope
from knowledge_search.embed import HashingEmbedder
from knowledge_search.ingest import Ingest
from knowledge_search.parse import FileParser

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    from knowledge_search.domain import ParsedDocument, Piece


class MemoryStore:
    """Keeps documents in a dictionary by source."""

    def __init__(self) -> None:
        self.kept: dict[str, tuple[DocumentRecord, list[Piece]]] = {}
        self.replaced: list[str] = []

    def documents(self, scope: Scope) -> list[DocumentRecord]:
        """Return the visible documents by source."""
        return [self.kept[source][0] for source in sorted(self.kept) if self.kept[source][0].department in scope.sorted]

    def document(self, document_id: int, scope: Scope) -> DocumentRecord | None:
        """Return one document."""
        return next((each for each in self.documents(scope) if each.id == document_id), None)

    def chunks(self, document_id: int, scope: Scope) -> list[Chunk]:
        """Return the passages of a document."""
        record = self.document(document_id, scope)
        pieces = self.kept[record.source][1] if record else []
        return [
            Chunk(id=at, document_id=document_id, source=record.source, department=record.department, text=piece.text,
                  title_path=piece.title_path, page=piece.page, start=piece.start, end=piece.end)
            for at, piece in enumerate(pieces) if record
        ]  # fmt: skip

    def content_hash(self, source: str) -> tuple[str, str] | None:
        """Return (content hash, department)."""
        kept = self.kept.get(source)
        return (kept[0].content_hash, kept[0].department) if kept else None

    def replace(
        self, *, source: str, department: str, document: ParsedDocument, content_hash: str, pieces: Sequence[Piece],
        vectors: npt.NDArray[np.float32],
    ) -> int:  # fmt: skip
        """Put a document in place of its older version."""
        assert vectors.shape[0] == len(pieces)
        number = self.kept[source][0].id if source in self.kept else len(self.kept) + 1
        record = DocumentRecord(
            id=number, source=source, title=document.title, department=department, media_type=document.media_type,
            content_hash=content_hash, pages=None, chunks=len(pieces),
        )  # fmt: skip
        self.kept[source] = record, list(pieces)
        self.replaced.append(source)
        return number

    def remove(self, source: str) -> bool:
        """Remove a document."""
        return self.kept.pop(source, None) is not None

    def sources(self) -> list[str]:
        """Return every source."""
        return sorted(self.kept)


@pytest.fixture
def store() -> MemoryStore:
    """Give an empty store."""
    return MemoryStore()


@pytest.fixture
def ingest(store: MemoryStore) -> Ingest:
    """Give an ingest that knows two folders."""
    return Ingest(store, FileParser(), HashingEmbedder(), folders={"hr": "hr", "shared": "all"}, most_bytes=100_000)


@pytest.fixture(scope="session")
def samples() -> Path:
    """Give the folder of the sample documents."""
    return Path(__file__).parents[4] / "samples"
