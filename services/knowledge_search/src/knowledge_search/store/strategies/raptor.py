"""Search over passages and the summaries above them; what is found is always passages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from knowledge_search.store.strategies.hits import HitReader, distance_of, passages
from knowledge_search.store.strategies.nearest import EXACT, Nearest

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from knowledge_search.domain import Hit, Scope
    from knowledge_search.ports import Embedder
    from knowledge_search.store.database import Database
    from knowledge_search.store.reading import Reading

_NODES: Final = """
SELECT leaf_ids, (embedding <=> %(vector)s) + 0 AS distance FROM <tree_node> n
ORDER BY distance, department, level, ordinal LIMIT %(k)s
"""
_LEAVES: Final = """
SELECT chunk_id, (embedding <=> %(vector)s) + 0 AS distance FROM <chunk_vector> v
WHERE chunk_id = ANY(%(ids)s) ORDER BY distance, chunk_id
"""


class RaptorStrategy:
    """Ranks summaries and passages as one list ("collapsed tree") and opens each summary into its nearest passages.

    The trees are made by ``Maintenance``, one a department; where there is none, this is exact search.

    Args:
        database: Open.
        embedder: Made the vectors.
        expand: Passages taken from a summary, at most; more of them push better ones out.
    """

    name = "raptor"

    def __init__(self, database: Database, embedder: Embedder, *, expand: int = 1) -> None:
        self._database = database
        self._embedder = embedder
        self._expand = expand
        self._nearest = Nearest(EXACT, passages(embedder.dimensions, whole=False), database.locks)
        self._nodes = database.locks.sql(_NODES)
        self._leaves = database.locks.sql(_LEAVES)
        self._hits = HitReader(database.locks)

    def search(self, query: str, scope: Scope, k: int) -> list[Hit]:
        """Return ``k`` visible passages, scored by the similarity of what led to them."""
        vector = self._embedder.embed_query(query)
        with self._database.reading(scope, fingerprint=self._embedder.fingerprint) as reading:
            leaves = [(distance_of(row), [row[0]]) for row in self._nearest.find(reading, vector, k)]
            nodes = [(distance_of(row), list(row[0])) for row in reading.rows(self._nodes, vector=vector, k=k)]
            merged = sorted(leaves + nodes, key=lambda item: item[0])
            scored = self._expanded(reading, merged, vector, k)
            return self._hits.hits(reading, scored, vector)

    def _expanded(
        self, reading: Reading, merged: list[tuple[float, list[int]]], vector: npt.NDArray[np.float32], k: int
    ) -> list[tuple[int, float]]:
        below = sorted({leaf for _, leaf_ids in merged for leaf in leaf_ids})
        order = {row[0]: at for at, row in enumerate(reading.rows(self._leaves, ids=below, vector=vector))}
        taken: dict[int, float] = {}
        for distance, leaf_ids in merged:
            unseen = sorted((leaf for leaf in leaf_ids if leaf in order and leaf not in taken), key=order.__getitem__)
            for leaf in unseen[: self._expand]:
                taken[leaf] = 1 - distance
        return list(taken.items())[:k]
