"""The statements that put one document in place and take it away; each runs inside the caller's transaction."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from knowledge_search.domain import DocumentError, StoreError
from knowledge_search.store.identity import CHUNKS_PER_DOCUMENT, chunk_id, document_id
from knowledge_search.store.visible import unscoped

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np
    import numpy.typing as npt

    from knowledge_search.domain import ParsedDocument, Piece
    from knowledge_search.ports import Tokenizer
    from knowledge_search.store.connections import Connection

_STORED = unscoped("SELECT id, department FROM <document> WHERE source = %s")
_TAKEN = unscoped("SELECT 1 FROM <document> WHERE id = %s")
_SIZES = unscoped(
    "SELECT count(*), coalesce(sum(length), 0)::bigint FROM (SELECT DISTINCT p.chunk_id, p.length FROM <posting> p"
    " JOIN <chunk> c ON c.id = p.chunk_id WHERE c.document_id = %s) each"
)
_CHUNKS = unscoped("SELECT count(*) FROM <chunk> WHERE document_id = %s")
_BITS = unscoped(
    "INSERT INTO chunk_bits (chunk_id, department, bits)"
    " SELECT v.chunk_id, v.department, binary_quantize(v.embedding - e.mean) FROM <chunk_vector> v"
    " JOIN <chunk> c ON c.id = v.chunk_id, embedder e WHERE c.document_id = %s AND e.mean IS NOT NULL"
)


def lock_source(connection: Connection, source: str) -> None:
    """Make a second change of one document wait for the first; a change of the embedder excludes all of them."""
    connection.execute("SELECT pg_advisory_xact_lock_shared(hashtext('knowledge_search embedder'), 0)")
    connection.execute("SELECT pg_advisory_xact_lock(hashtext('knowledge_search source'), hashtext(%s))", [source])


def lock_all_sources(connection: Connection) -> None:
    """Wait until no document is being changed, and keep it so until the transaction ends."""
    connection.execute("SELECT pg_advisory_xact_lock(hashtext('knowledge_search embedder'), 0)")


def delete_document(
    connection: Connection, source: str, *, department: str | None = None
) -> tuple[int, str, int, int] | None:
    """Delete a document with all that was made of it; return its id, department, chunks and terms.

    None where there is none, or where it is not of ``department``.
    """
    row = connection.execute(_STORED, [source]).fetchone()
    if row is None or department not in {None, row[1]}:
        return None
    (_, terms), (chunks,) = _one(connection, _SIZES, row[0]), _one(connection, _CHUNKS, row[0])
    connection.execute("DELETE FROM document WHERE id = %s", [row[0]])
    return row[0], row[1], chunks, terms


def _one(connection: Connection, statement: str, document: int) -> tuple[int, ...]:
    row = connection.execute(statement, [document]).fetchone()
    assert row is not None  # noqa: S101 - an aggregate has one row
    return row


def free_id(connection: Connection, source: str) -> int:
    """Return an id for a source that no other document has."""
    for attempt in range(100):
        candidate = document_id(source, attempt=attempt)
        if connection.execute(_TAKEN, [candidate]).fetchone() is None:
            return candidate
    message = "no free document id: the store holds too many documents"
    raise StoreError(message)


def insert_document(
    connection: Connection,
    number: int,
    *,
    source: str,
    department: str,
    document: ParsedDocument,
    content_hash: str,
    chunks: int,
) -> None:
    """Write the row of a document that is not there."""
    pages = max((page.number for page in document.pages if page.number is not None), default=None)
    title, media_type = storable(document.title), document.media_type
    connection.execute(
        "INSERT INTO document (id, source, title, department, media_type, content_hash, pages, chunks)"
        " VALUES (%s, %s, %s, %s, %s, %s, %s, %s)",
        [number, source, title, department, media_type, content_hash, pages, chunks],
    )


def insert_chunks(
    connection: Connection, *, document: int, department: str, pieces: Sequence[Piece], vectors: npt.NDArray[np.float32]
) -> None:
    """Write the passages of a document and their vectors."""
    if len(pieces) > CHUNKS_PER_DOCUMENT:
        raise DocumentError("too_large", f"{len(pieces)} passages, at most {CHUNKS_PER_DOCUMENT} are kept")
    columns = "id, document_id, department, text, title_path, page, page_label, start_offset, end_offset"
    with connection.cursor().copy(f"COPY chunk ({columns}) FROM STDIN".encode()) as copy:
        for ordinal, piece in enumerate(pieces):
            path = [storable(title) for title in piece.title_path]
            label = None if piece.page_label is None else storable(piece.page_label)
            row = (chunk_id(document, ordinal), document, department, storable(piece.text), path, piece.page, label)
            copy.write_row((*row, piece.start, piece.end))
    with connection.cursor().copy("COPY chunk_vector FROM STDIN WITH (FORMAT BINARY)") as copy:
        copy.set_types(["int8", "text", "vector"])
        for ordinal, vector in enumerate(vectors):
            copy.write_row((chunk_id(document, ordinal), department, vector))
    connection.execute(_BITS, [document])


def insert_postings(
    connection: Connection, tokenizer: Tokenizer, *, department: str, texts: Iterable[tuple[int, str]]
) -> int:
    """Write the terms of passages given as (chunk id, searchable text); return how many terms they have in all."""
    total = 0
    with connection.cursor().copy("COPY posting FROM STDIN") as copy:
        for chunk, text in texts:
            terms = tokenizer.terms(text)
            total += len(terms)
            for term, occurrences in Counter(terms).items():
                copy.write_row((term, department, chunk, occurrences, len(terms)))
    return total


def count(connection: Connection, changes: dict[str, tuple[int, int]]) -> None:
    """Add (chunks, terms) to the counts of departments and drop their trees, which were made of the older passages."""
    for department in sorted(changes):
        chunks, terms = changes[department]
        connection.execute(
            "INSERT INTO department_stat AS stat (department, chunks, terms, version)"
            " VALUES (%s, %s, %s, pg_current_xact_id()::text::bigint) ON CONFLICT (department) DO UPDATE SET"
            " chunks = stat.chunks + excluded.chunks, terms = stat.terms + excluded.terms, version = excluded.version",
            [department, chunks, terms],
        )
        connection.execute("DELETE FROM department_stat WHERE department = %s AND chunks = 0", [department])
        connection.execute("DELETE FROM tree_node WHERE department = %s", [department])


def storable(text: str) -> str:
    """Return ``text`` without what PostgreSQL cannot keep: NUL and lone surrogates."""
    return text.replace("\0", "").encode(errors="replace").decode()
