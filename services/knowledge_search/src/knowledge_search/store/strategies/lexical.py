"""BM25 in SQL, over postings, with the statistics of the visible departments only."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from knowledge_search.search.bm25 import K1, B
from knowledge_search.search.tokens import BigramTokenizer
from knowledge_search.store.strategies.hits import HitReader, passages
from knowledge_search.store.strategies.nearest import EXACT, Nearest

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from knowledge_search.domain import Hit, Scope
    from knowledge_search.ports import Embedder, Tokenizer
    from knowledge_search.store.database import Database
    from knowledge_search.store.reading import Reading
    from knowledge_search.store.visible import Locks

UNIT: Final = 1_000_000_000
"""Scores are added as whole billionths: sums of floats depend on the order of rows, which hidden rows can change."""
_RANKED: Final = f"""
WITH asked AS (
    SELECT term, weight FROM unnest(%(terms)s::text[], %(weights)s::int[]) AS t (term, weight)
), size AS (
    SELECT sum(chunks)::float8 AS chunks, sum(terms)::float8 / sum(chunks)::float8 AS average FROM <department_stat> s
), found AS MATERIALIZED (
    SELECT p.term, p.chunk_id, p.occurrences, p.length FROM <posting> p WHERE p.term = ANY(%(terms)s::text[])
), rarity AS (
    SELECT asked.term, asked.weight * ln(1 + (size.chunks - counted.chunks + 0.5) / (counted.chunks + 0.5)) AS weight
    FROM (SELECT term, count(*)::float8 AS chunks FROM found GROUP BY term) counted JOIN asked USING (term), size
)
SELECT found.chunk_id, sum(({UNIT} * rarity.weight * found.occurrences * {K1 + 1}
    / (found.occurrences + {K1} * ({1 - B} + {B} * found.length / size.average)))::bigint)::bigint AS score
FROM found JOIN rarity USING (term), size
GROUP BY found.chunk_id ORDER BY score DESC, found.chunk_id LIMIT %(k)s
"""  # noqa: S608 - our own numbers


class LexicalRanking:
    """The statement: ids and scores of the best visible passages that share a term with the question."""

    def __init__(self, locks: Locks, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._statement = locks.sql(_RANKED)

    def ranked(self, reading: Reading, query: str, k: int) -> list[tuple[int, float]]:
        """Return (chunk id, BM25 score), best first, ties by id; only passages that share a term are here."""
        counted = Counter(self._tokenizer.terms(query))
        if not counted:
            return []
        terms = sorted(counted)
        weights = [counted[term] for term in terms]
        return [
            (chunk, score / UNIT) for chunk, score in reading.rows(self._statement, terms=terms, weights=weights, k=k)
        ]


class LexicalStrategy:
    """Ranks by BM25; where fewer than ``k`` passages share a term, the nearest others follow with score 0."""

    name = "lexical"

    def __init__(self, database: Database, embedder: Embedder, *, tokenizer: Tokenizer | None = None) -> None:
        self._database = database
        self._embedder = embedder
        self._ranking = LexicalRanking(database.locks, tokenizer or BigramTokenizer())
        self._nearest = Nearest(EXACT, passages(embedder.dimensions, whole=False), database.locks)
        self._hits = HitReader(database.locks)

    def search(self, query: str, scope: Scope, k: int) -> list[Hit]:
        """Return ``k`` visible passages; the same ones for the same visible passages, always."""
        vector = self._embedder.embed_query(query)
        with self._database.reading(scope, fingerprint=self._embedder.fingerprint) as reading:
            scored = self._ranking.ranked(reading, query, k)
            if len(scored) < k:
                scored += self._others(reading, vector, k, {chunk for chunk, _ in scored})
            return self._hits.hits(reading, scored, vector)

    def _others(
        self, reading: Reading, vector: npt.NDArray[np.float32], k: int, taken: set[int]
    ) -> list[tuple[int, float]]:
        near = [row[0] for row in self._nearest.find(reading, vector, k) if row[0] not in taken]
        return [(chunk, 0.0) for chunk in near[: k - len(taken)]]
