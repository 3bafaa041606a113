"""Ids that depend on nothing but the document: not on when it came, nor on documents that a reader may not see.

A counter would tell how many hidden documents lie between two visible ones, and would order equal hits by arrival.
"""

from __future__ import annotations

import hashlib
from typing import Final

CHUNKS_PER_DOCUMENT: Final = 1 << 16
_DOCUMENTS: Final = 1 << 36
"""With the chunks 52 bits, so that JavaScript keeps every id exactly."""


def document_id(source: str, *, attempt: int = 0) -> int:
    """Return the id of a document by its source; ``attempt`` counts sources met under the same id."""
    digest = hashlib.sha256(f"{attempt}\0{source}".encode()).digest()
    return int.from_bytes(digest[:8], "big") % (_DOCUMENTS - 1) + 1


def chunk_id(document: int, ordinal: int) -> int:
    """Return the id of passage ``ordinal`` (from 0) of a document; ids follow the reading order."""
    return document * CHUNKS_PER_DOCUMENT + ordinal
