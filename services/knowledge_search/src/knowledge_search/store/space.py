"""What the store remembers of its embedder: fingerprint, tokenizer, threshold, and the mean of its vectors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from knowledge_search.domain import EmbedderError

if TYPE_CHECKING:
    from knowledge_search.ports import Embedder, Tokenizer
    from knowledge_search.store.connections import Connection

_PLAIN_DIMENSIONS: Final = 1900
"""Vectors up to this length fit a page of 8 kB beside the rest of their row; longer ones are moved out of line."""
_STORED: Final = "SELECT fingerprint, name, dimensions, tokenizer, max_distance FROM embedder"
_SHARED: Final = _STORED + " FOR SHARE"


@dataclass(frozen=True, kw_only=True)
class EmbedderRecord:
    """The embedder that made the stored vectors.

    Attributes:
        tokenizer: Name of the tokenizer that made the postings.
        max_distance: The calibrated threshold; None before ``calibrate``.
    """

    fingerprint: str
    name: str
    dimensions: int
    tokenizer: str
    max_distance: float | None


def stored_embedder(connection: Connection, *, share: bool = False) -> EmbedderRecord | None:
    """Return the record, None in a new store; ``share`` keeps it from changing until the transaction ends."""
    row = connection.execute(_SHARED if share else _STORED).fetchone()
    if row is None:
        return None
    return EmbedderRecord(fingerprint=row[0], name=row[1], dimensions=row[2], tokenizer=row[3], max_distance=row[4])


def claim(connection: Connection, embedder: Embedder, tokenizer: Tokenizer) -> EmbedderRecord:
    """Return the record of this embedder, and make it in a new store.

    Raises:
        EmbedderError: The store was made with another embedder or tokenizer.
    """
    stored = stored_embedder(connection, share=True)
    if stored is None:
        record(connection, embedder, tokenizer)
        stored = stored_embedder(connection, share=True)
    assert stored is not None  # noqa: S101 - it was just made
    if stored.fingerprint != embedder.fingerprint or stored.tokenizer != tokenizer.name:
        message = (
            f"the store was made with the embedder {stored.name!r} ({stored.fingerprint}) and the tokenizer "
            f"{stored.tokenizer!r}, not with {embedder.name!r} ({embedder.fingerprint}) and {tokenizer.name!r}: "
            f"set these, or run knowledge-search reembed"
        )
        raise EmbedderError(message)
    return stored


def record(connection: Connection, embedder: Embedder, tokenizer: Tokenizer) -> None:
    """Write the record of an embedder over an older one; its threshold and mean are not known yet.

    Two processes that start on a new store both come here; the second waits, then leaves the record of the first.
    """
    storage = "PLAIN" if embedder.dimensions <= _PLAIN_DIMENSIONS else "EXTERNAL"
    if storage == "EXTERNAL":
        connection.execute("ALTER TABLE chunk_vector ALTER COLUMN embedding SET STORAGE EXTERNAL")
    connection.execute(
        "INSERT INTO embedder (fingerprint, name, dimensions, tokenizer) VALUES (%s, %s, %s, %s)"
        " ON CONFLICT (singleton) DO NOTHING",
        [embedder.fingerprint, embedder.name, embedder.dimensions, tokenizer.name],
    )
