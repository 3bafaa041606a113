"""What the inner layers need from the outer ones: each a protocol with as few methods as will do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    import numpy.typing as npt

    from knowledge_search.domain import Chunk, DocumentRecord, Hit, ParsedDocument, Piece, Scope


class Embedder(Protocol):
    """Turns text into vectors of unit length.

    Attributes:
        name: Such as ``hashing``.
        dimensions: Length of a vector.
        fingerprint: Changes whenever the vectors of a text could; a store refuses another one.
        default_max_distance: The threshold beyond which a passage does not ground an answer, until one is calibrated.
        evaluation_grade: Whether it is only good enough to try things out; commands and the page say so.
    """

    name: str
    dimensions: int
    fingerprint: str
    default_max_distance: float
    evaluation_grade: bool

    def embed_passages(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return shape ``(len(texts), dimensions)``."""
        ...

    def embed_query(self, text: str) -> npt.NDArray[np.float32]:
        """Return shape ``(dimensions,)``."""
        ...


class Tokenizer(Protocol):
    """Turns text into the terms of lexical search: NFKC, lower case, in order, repeated as they occur."""

    name: str

    def terms(self, text: str) -> list[str]:
        """Return the terms of a text."""
        ...


class Parser(Protocol):
    """Reads a file as a document, or raises DocumentError with its status."""

    def parse(self, name: str, content: bytes) -> ParsedDocument:
        """Return the document in ``content``; ``name`` is only a name and is never opened."""
        ...


class SearchStrategy(Protocol):
    """Finds passages within a scope. Ties are broken by chunk id ascending."""

    name: str

    def search(self, query: str, scope: Scope, k: int) -> list[Hit]:
        """Return at most ``k`` hits, best first; as many as there are visible passages where these are fewer."""
        ...


class LanguageModel(Protocol):
    """Writes an answer from a prompt."""

    name: str

    def generate(self, system: str, user: str) -> str:
        """Return the whole answer; raises ModelError where there is none within its time limit."""
        ...


class StreamingModel(LanguageModel, Protocol):
    """A model that can also give its answer piece by piece."""

    def stream(self, system: str, user: str) -> Iterator[str]:
        """Yield the answer in pieces, whose concatenation is what ``generate`` would return."""
        ...


class DocumentStore(Protocol):
    """Keeps documents and their passages. Every read needs a scope; writing is for the ingest alone."""

    def documents(self, scope: Scope) -> list[DocumentRecord]:
        """Return the visible documents by source."""
        ...

    def document(self, document_id: int, scope: Scope) -> DocumentRecord | None:
        """Return one document, None also where it exists but may not be seen."""
        ...

    def chunks(self, document_id: int, scope: Scope) -> list[Chunk]:
        """Return the passages of a visible document in order."""
        ...

    def content_hash(self, source: str) -> tuple[str, str] | None:
        """Return (content hash, department) of a stored source, for the ingest."""
        ...

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
        """Put a document in place of its older version, in one transaction, and return its id."""
        ...

    def remove(self, source: str) -> bool:
        """Remove a document without a trace; False where there was none."""
        ...

    def sources(self) -> list[str]:
        """Return every stored source, for the ingest of a folder."""
        ...
