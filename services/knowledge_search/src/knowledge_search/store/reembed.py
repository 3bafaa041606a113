"""Another embedder or tokenizer for all that is stored, in one transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, get_args

from knowledge_search.domain import Piece
from knowledge_search.search.tokens import BigramTokenizer
from knowledge_search.store import space, writing
from knowledge_search.store.indexes import IndexKind, drop_index
from knowledge_search.store.visible import unscoped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from knowledge_search.ports import Embedder, Tokenizer
    from knowledge_search.store.connections import Connection
    from knowledge_search.store.database import Database

_BATCH: Final = 256
_CHUNKS: Final = unscoped("SELECT id, department, title_path, text FROM <chunk> ORDER BY id")
_TERMS: Final = unscoped(
    "UPDATE department_stat SET version = pg_current_xact_id()::text::bigint,"
    " terms = coalesce((SELECT sum(length) FROM (SELECT DISTINCT p.chunk_id, p.length FROM <posting> p"
    " WHERE p.department = department_stat.department) each), 0)"
)


def reembed(
    database: Database,
    embedder: Embedder,
    *,
    tokenizer: Tokenizer | None = None,
    progress: Callable[[int], None] | None = None,
) -> int:
    """Make all vectors and terms anew and return the number of passages.

    Passages are read and embedded in batches; until the end readers see the older vectors, and after a failure they
    keep them. Documents cannot change meanwhile: an ingest waits. Threshold, corpus mean, signs, indexes and trees of
    the older vectors go; run ``Maintenance`` and ``calibrate`` afterwards.

    Args:
        database: Open.
        embedder: The new one.
        tokenizer: The new one.
        progress: Called with the number of passages done.

    Raises:
        EmbedderError: The embedder failed.
        StoreError: The database cannot be reached.
    """
    chosen: Tokenizer = tokenizer or BigramTokenizer()
    with database.writing() as connection:
        writing.lock_all_sources(connection)
        connection.execute(
            "CREATE TEMPORARY TABLE fresh (chunk_id bigint, department text, embedding vector) ON COMMIT DROP"
        )
        connection.execute("ALTER TABLE fresh ALTER COLUMN embedding SET STORAGE EXTERNAL")
        connection.execute("DELETE FROM posting")
        done = 0
        for batch in _batches(connection):
            _remake(connection, embedder, chosen, batch)
            done += len(batch)
            if progress is not None:
                progress(done)
        _swap(connection, embedder, chosen)
    return done


def _batches(connection: Connection) -> Iterator[list[tuple[Any, ...]]]:
    with connection.cursor(name="chunks") as cursor:
        cursor.execute(_CHUNKS)
        while batch := cursor.fetchmany(_BATCH):
            yield batch


def _remake(connection: Connection, embedder: Embedder, tokenizer: Tokenizer, batch: list[tuple[Any, ...]]) -> None:
    """Put aside the vectors of some passages, and write their terms."""
    texts = [Piece(text=row[3], title_path=tuple(row[2]), start=0, end=0).searchable for row in batch]
    vectors = embedder.embed_passages(texts)
    with connection.cursor().copy("COPY fresh FROM STDIN WITH (FORMAT BINARY)") as copy:
        copy.set_types(["int8", "text", "vector"])
        for row, vector in zip(batch, vectors, strict=True):
            copy.write_row((row[0], row[1], vector))
    for row, text in zip(batch, texts, strict=True):
        writing.insert_postings(connection, tokenizer, department=row[1], texts=[(row[0], text)])


def _swap(connection: Connection, embedder: Embedder, tokenizer: Tokenizer) -> None:
    """Put the fresh vectors in place; the only moment at which readers wait."""
    connection.execute("DELETE FROM embedder")
    space.record(connection, embedder, tokenizer)
    connection.execute(_TERMS)
    for kind in get_args(IndexKind):
        drop_index(connection, kind, vectors="chunk_vector")
    connection.execute("DELETE FROM chunk_bits")
    connection.execute("DELETE FROM tree_node")
    connection.execute("DELETE FROM chunk_vector")
    connection.execute("INSERT INTO chunk_vector SELECT chunk_id, department, embedding FROM fresh")
