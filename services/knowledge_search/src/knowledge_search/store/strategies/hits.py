"""From rows to hits."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from knowledge_search.domain import Hit
from knowledge_search.store.documents import CHUNK_COLUMNS, chunk_of
from knowledge_search.store.strategies.nearest import Target

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    import numpy.typing as npt

    from knowledge_search.store.reading import Reading
    from knowledge_search.store.visible import Locks

_JOINED: Final = "JOIN <chunk> c ON c.id = near.chunk_id JOIN <document> d ON d.id = c.document_id"
_FINISH: Final = f"SELECT {CHUNK_COLUMNS}, near.distance FROM near {_JOINED} ORDER BY near.distance, near.chunk_id"  # noqa: S608 - our own names
_BY_ID: Final = (
    f"WITH near AS (SELECT chunk_id, (embedding <=> %(vector)s) + 0 AS distance FROM <chunk_vector> v"  # noqa: S608 - our own names
    f" WHERE chunk_id = ANY(%(ids)s)) SELECT {CHUNK_COLUMNS}, near.distance FROM near {_JOINED}"
)


def passages(dimensions: int, *, whole: bool = True) -> Target:
    """Return the target of search over the passages; ``whole`` selects hits, else ids and distances."""
    mean = "SELECT mean FROM embedder"
    plain = Target(vectors="chunk_vector", bits="chunk_bits", mean=mean, dimensions=dimensions)
    if not whole:
        return plain
    return Target(vectors=plain.vectors, bits=plain.bits, mean=mean, dimensions=dimensions, finish=_FINISH)


def hits_of(rows: Iterable[tuple[Any, ...]]) -> list[Hit]:
    """Return the hits of rows that end in their distance, scored by cosine similarity."""
    return [Hit(chunk=chunk_of(row), distance=(near := distance_of(row)), score=1 - near) for row in rows]


def distance_of(row: tuple[Any, ...]) -> float:
    """Return the distance at the end of a row; a vector of zeros has no direction and counts as orthogonal to all."""
    distance = float(row[-1])
    return 1.0 if math.isnan(distance) else distance


class HitReader:
    """Reads passages by their ids, with their distance from the question."""

    def __init__(self, locks: Locks) -> None:
        self._statement = locks.sql(_BY_ID)

    def hits(self, reading: Reading, scored: list[tuple[int, float]], vector: npt.NDArray[np.float32]) -> list[Hit]:
        """Return hits in the order of ``scored``, pairs of chunk id and score."""
        ids = [chunk for chunk, _ in scored]
        rows = {row[0]: row for row in reading.rows(self._statement, ids=ids, vector=vector)} if ids else {}
        return [
            Hit(chunk=chunk_of(rows[chunk]), distance=distance_of(rows[chunk]), score=score)
            for chunk, score in scored
            if chunk in rows
        ]
