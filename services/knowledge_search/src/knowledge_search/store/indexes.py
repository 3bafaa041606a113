"""Approximate indexes and signs over a table of vectors; made by the owner, after the rows are there."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, Literal

from psycopg import sql

from knowledge_search.store.visible import unscoped

if TYPE_CHECKING:
    from knowledge_search.store.connections import Connection

IndexKind = Literal["ivfflat", "hnsw"]
MINIMUM_ROWS: Final = 5_000
"""Below this many vectors exact search costs 9 CPU-ms at most, and an index can only lose."""
_ROWS_PER_LIST: Final = 1_000
_ROOT_ABOVE: Final = 1_000_000
"""pgvector's advice: rows / 1000 lists up to a million rows, then the square root."""
_INDEXED_DIMENSIONS: Final = 2_000
"""pgvector indexes no longer vectors."""


def build_index(
    connection: Connection, kind: IndexKind, *, vectors: str, dimensions: int, minimum_rows: int = MINIMUM_ROWS
) -> bool:
    """Build the index where it is missing or no longer fits, and say whether there is one now.

    There is none over few rows, nor over vectors beyond 2,000 dimensions. Readers go on meanwhile, writers wait.

    Args:
        connection: Of the owner, in a transaction.
        kind: The access method.
        vectors: A table with ``embedding``.
        dimensions: Length of a vector.
        minimum_rows: Fewer are not indexed.
    """
    row = connection.execute(unscoped("SELECT count(*) FROM <vectors>", vectors=vectors).encode()).fetchone()
    rows = row[0] if row else 0
    if rows < max(minimum_rows, 1) or dimensions > _INDEXED_DIMENSIONS:
        drop_index(connection, kind, vectors=vectors)
        return False
    lists = math.isqrt(rows) if rows > _ROOT_ABOVE else max(rows // _ROWS_PER_LIST, 1)
    options = f"lists={lists}" if kind == "ivfflat" else ""
    if _stands(connection, f"{vectors}_{kind}", options):
        return True
    connection.execute("SET LOCAL maintenance_work_mem = '256MB'")
    connection.execute(
        f"CREATE INDEX {vectors}_{kind}_next ON {vectors} USING {kind}"
        f" ((embedding::vector({dimensions})) vector_cosine_ops) {f'WITH ({options})' if options else ''}".encode()
    )
    drop_index(connection, kind, vectors=vectors)
    connection.execute(f"ALTER INDEX {vectors}_{kind}_next RENAME TO {vectors}_{kind}".encode())
    return True


def _stands(connection: Connection, index: str, options: str) -> bool:
    row = connection.execute(
        "SELECT coalesce(array_to_string(reloptions, ','), '') FROM pg_class WHERE oid = to_regclass(%s)", [index]
    ).fetchone()
    return row is not None and row[0] == options


def drop_index(connection: Connection, kind: IndexKind, *, vectors: str) -> None:
    """Drop the index where there is one."""
    connection.execute(sql.SQL("DROP INDEX IF EXISTS {}").format(sql.Identifier(f"{vectors}_{kind}")))


def write_signs(connection: Connection, *, vectors: str, bits: str, mean: str) -> None:
    """Take the signs of all vectors anew, around ``mean``, a scalar subquery."""
    connection.execute(f"DELETE FROM {bits}".encode())  # noqa: S608 - our own names
    statement = (
        f"INSERT INTO {bits} (chunk_id, department, bits)"  # noqa: S608 - our own names
        f" SELECT chunk_id, department, binary_quantize(embedding - ({mean})) FROM <vectors> v"
        f" WHERE ({mean}) IS NOT NULL"
    )
    connection.execute(unscoped(statement, vectors=vectors).encode())
