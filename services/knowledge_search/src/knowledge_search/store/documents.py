"""The store of documents and their passages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from knowledge_search.domain import Chunk, DocumentRecord, department
from knowledge_search.search.tokens import BigramTokenizer
from knowledge_search.store import space, writing
from knowledge_search.store.identity import chunk_id
from knowledge_search.store.visible import unscoped

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    from knowledge_search.domain import ParsedDocument, Piece, Scope
    from knowledge_search.ports import Embedder, Tokenizer
    from knowledge_search.store.connections import Connection
    from knowledge_search.store.database import Database

_DOCUMENTS = "SELECT id, source, title, department, media_type, content_hash, pages, chunks FROM <document> d"
_PASSAGE_BYTES: Final = 1 << 17
"""On the disk, at most about: a vector, its terms and their index entries, and all of it once more in the log."""
CHUNK_COLUMNS = (
    "c.id, c.document_id, d.source, c.department, c.text, c.title_path, c.page, c.page_label, c.start_offset,"
    " c.end_offset"
)
"""What :func:`chunk_of` reads; ``c`` is the passage, ``d`` its document."""


class PostgresStore:
    """Keeps documents in PostgreSQL; implements ``DocumentStore``.

    Args:
        database: Open.
        embedder: Made the vectors; a store made with another one is refused.
        tokenizer: Makes the terms of lexical search.

    Raises:
        EmbedderError: From every write: the store was made with another embedder or tokenizer.
        StoreError: From every method: the database cannot be reached.
    """

    def __init__(self, database: Database, embedder: Embedder, *, tokenizer: Tokenizer | None = None) -> None:
        self._database = database
        self._embedder = embedder
        self._tokenizer: Tokenizer = tokenizer or BigramTokenizer()
        sql = database.locks.sql
        self._all = sql(f"{_DOCUMENTS} ORDER BY source")
        self._by_id = sql(f"{_DOCUMENTS} WHERE id = %(id)s")
        self._chunks = sql(
            f"SELECT {CHUNK_COLUMNS} FROM <chunk> c JOIN <document> d ON d.id = c.document_id"  # noqa: S608 - our own names
            " WHERE c.document_id = %(id)s ORDER BY c.id"
        )
        self._chunk = sql(
            f"SELECT {CHUNK_COLUMNS} FROM <chunk> c JOIN <document> d ON d.id = c.document_id WHERE c.id = %(id)s"  # noqa: S608 - our own names
        )

    def prepare(self) -> space.EmbedderRecord:
        """Make the store this embedder's, or check that it is; call it at start-up.

        Raises:
            EmbedderError: It was made with another embedder or tokenizer; ``knowledge-search reembed`` changes it.
        """
        with self._database.writing() as connection:
            return space.claim(connection, self._embedder, self._tokenizer)

    def embedder_record(self) -> space.EmbedderRecord | None:
        """Return what the store remembers of its embedder, with the calibrated threshold; None in a new store."""
        with self._database.writing() as connection:
            return space.stored_embedder(connection)

    def calibrate(self, max_distance: float | None) -> None:
        """Keep the threshold that was calibrated for this embedder, 0 to 2; None forgets it.

        Raises:
            EmbedderError: The store was made with another embedder.
        """
        with self._database.writing() as connection:
            space.claim(connection, self._embedder, self._tokenizer)
            connection.execute("UPDATE embedder SET max_distance = %s", [max_distance])

    def documents(self, scope: Scope) -> list[DocumentRecord]:
        """Return the visible documents by source."""
        with self._database.reading(scope) as reading:
            return [_document_of(row) for row in reading.rows(self._all)]

    def document(self, document_id: int, scope: Scope) -> DocumentRecord | None:
        """Return one document, None also where it exists but may not be seen."""
        with self._database.reading(scope) as reading:
            rows = reading.rows(self._by_id, id=document_id)
        return _document_of(rows[0]) if rows else None

    def chunks(self, document_id: int, scope: Scope) -> list[Chunk]:
        """Return the passages of a visible document in order."""
        with self._database.reading(scope) as reading:
            return [chunk_of(row) for row in reading.rows(self._chunks, id=document_id)]

    def chunk(self, chunk_id: int, scope: Scope) -> Chunk | None:
        """Return one passage, None also where it exists but may not be seen."""
        with self._database.reading(scope) as reading:
            rows = reading.rows(self._chunk, id=chunk_id)
        return chunk_of(rows[0]) if rows else None

    def content_hash(self, source: str) -> tuple[str, str] | None:
        """Return (content hash, department) of a stored source, for the ingest."""
        statement = unscoped("SELECT content_hash, department FROM <document> WHERE source = %s")
        with self._database.writing() as connection:
            row = connection.execute(statement, [writing.storable(source)]).fetchone()
        return None if row is None else (row[0], row[1])

    def sources(self) -> list[str]:
        """Return every stored source, for the ingest of a folder."""
        with self._database.writing() as connection:
            return [row[0] for row in connection.execute(unscoped("SELECT source FROM <document> ORDER BY source"))]

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
        """Put a document in place of its older version, in one transaction, and return its id.

        Args:
            source: Unique name.
            department: Who may see it.
            document: Its title, pages and media type.
            content_hash: Of the file, to recognise it unchanged.
            pieces: In reading order.
            vectors: Shape ``(len(pieces), dimensions)``, of ``piece.searchable``.

        Raises:
            ScopeError: ``department`` cannot name one.
            StoreFullError: The disk has no room for it.
            ValueError: ``vectors`` has another shape.
        """
        _check(department, pieces, vectors, self._embedder.dimensions)
        source = writing.storable(source)
        self._database.check_room(len(pieces) * _PASSAGE_BYTES)
        with self._database.writing() as connection:
            writing.lock_source(connection, source)
            space.claim(connection, self._embedder, self._tokenizer)
            old = writing.delete_document(connection, source)
            number = old[0] if old else writing.free_id(connection, source)
            writing.insert_document(
                connection, number, source=source, department=department, document=document, content_hash=content_hash,
                chunks=len(pieces),
            )  # fmt: skip
            writing.insert_chunks(connection, document=number, department=department, pieces=pieces, vectors=vectors)
            texts = ((chunk_id(number, ordinal), piece.searchable) for ordinal, piece in enumerate(pieces))
            terms = writing.insert_postings(connection, self._tokenizer, department=department, texts=texts)
            _count(connection, old, department, len(pieces), terms)
            return number

    def remove(self, source: str, *, department: str | None = None) -> bool:
        """Remove a document without a trace; False where there was none.

        Args:
            source: Its name.
            department: Whose it must still be; None for whoever's it is. One that has moved meanwhile stays.
        """
        source = writing.storable(source)
        with self._database.writing() as connection:
            writing.lock_source(connection, source)
            old = writing.delete_document(connection, source, department=department)
            if old is None:
                return False
            writing.count(connection, {old[1]: (-old[2], -old[3])})
            return True


def _check(name: str, pieces: Sequence[Piece], vectors: npt.NDArray[np.float32], dimensions: int) -> None:
    department(name)
    if vectors.shape != (len(pieces), dimensions):
        message = f"{len(pieces)} passages need vectors of shape {(len(pieces), dimensions)}, not {vectors.shape}"
        raise ValueError(message)


def _count(
    connection: Connection, old: tuple[int, str, int, int] | None, department: str, chunks: int, terms: int
) -> None:
    changes = {department: (chunks, terms)}
    if old is not None:
        before = changes.get(old[1], (0, 0))
        changes[old[1]] = (before[0] - old[2], before[1] - old[3])
    writing.count(connection, changes)


def _document_of(row: tuple[Any, ...]) -> DocumentRecord:
    return DocumentRecord(
        id=row[0], source=row[1], title=row[2], department=row[3], media_type=row[4], content_hash=row[5],
        pages=row[6], chunks=row[7],
    )  # fmt: skip


def chunk_of(row: tuple[Any, ...]) -> Chunk:
    """Return the passage in a row of :data:`CHUNK_COLUMNS`."""
    return Chunk(
        id=row[0], document_id=row[1], source=row[2], department=row[3], text=row[4], title_path=tuple(row[5]),
        page=row[6], page_label=row[7], start=row[8], end=row[9],
    )  # fmt: skip
