"""The statements of vector search, over whatever table holds the vectors: passages, or a synthetic corpus."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from knowledge_search.store.visible import SCHEMA

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    import numpy.typing as npt

    from knowledge_search.store.indexes import IndexKind
    from knowledge_search.store.reading import Reading
    from knowledge_search.store.visible import Locks

_EXACT: Final = """
    SELECT chunk_id, (embedding <=> %(vector)s) + 0 AS distance FROM <vectors> v
    ORDER BY (embedding <=> %(vector)s) + 0, chunk_id LIMIT %(k)s"""
"""``+ 0`` makes an order that no approximate index can serve, whatever the planner thinks of it."""
_APPROXIMATE: Final = """
    SELECT chunk_id, embedding <=> %(vector)s AS distance FROM <vectors> v
    ORDER BY embedding::vector({dimensions}) <=> %(vector)s LIMIT %(k)s"""
_TWO_STAGE: Final = """
    SELECT v.chunk_id, (v.embedding <=> %(vector)s) + 0 AS distance FROM (
        SELECT chunk_id FROM <bits> b
        ORDER BY bits <~> binary_quantize(%(vector)s - ({mean})), chunk_id LIMIT %(k)s * {candidates}
    ) candidate JOIN <vectors> v USING (chunk_id)
    ORDER BY distance, v.chunk_id LIMIT %(k)s"""


@dataclass(frozen=True, kw_only=True)
class Target:
    """Where vectors are kept and what is wanted of the nearest ones.

    Attributes:
        vectors: A table with ``chunk_id, department, embedding``.
        bits: A table with ``chunk_id, department, bits``.
        mean: A scalar subquery: the vector around which the bits were taken.
        dimensions: Length of a vector.
        finish: What is selected from ``near`` (``chunk_id, distance``), which holds the nearest.
    """

    vectors: str
    bits: str
    mean: str
    dimensions: int
    finish: str = "SELECT chunk_id, distance FROM near ORDER BY distance, chunk_id"


@dataclass(frozen=True, kw_only=True)
class Method:
    """A way to find the nearest vectors.

    Attributes:
        name: As in the settings.
        nearest: The statement; gives ``chunk_id, distance``.
        index: The access method whose index it needs; without that index, exact search answers.
        settings: Of PostgreSQL, for each reading transaction.
        candidates: For two stages: how many are ranked again for each one wanted.
    """

    name: str
    nearest: str
    index: IndexKind | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    candidates: int = 1


EXACT: Final = Method(name="exact", nearest=_EXACT)


def ivfflat(*, probes: int = 20) -> Method:
    """Return search in the ``probes`` lists whose centres are nearest, and in further ones while rows are missing."""
    settings = {"ivfflat.iterative_scan": "relaxed_order", "ivfflat.probes": str(probes)}
    return Method(name="ivfflat", nearest=_APPROXIMATE, index="ivfflat", settings=settings)


def hnsw(*, ef_search: int = 200, max_scan_tuples: int = 100_000) -> Method:
    """Return search in the graph with ``ef_search`` candidates, and on while rows are missing."""
    settings = {
        "hnsw.iterative_scan": "relaxed_order",
        "hnsw.ef_search": str(ef_search),
        "hnsw.max_scan_tuples": str(max_scan_tuples),
        "hnsw.scan_mem_multiplier": "4",
    }
    return Method(name="hnsw", nearest=_APPROXIMATE, index="hnsw", settings=settings)


def two_stage(*, candidates: int = 40) -> Method:
    """Return search by Hamming distance of the centred signs, ranking ``candidates`` for each one wanted again."""
    return Method(name="two_stage", nearest=_TWO_STAGE, candidates=candidates)


class Nearest:
    """A method on a target: the statement, and exact search wherever it comes back short.

    Attributes:
        topups: How often exact search had to answer instead.
    """

    def __init__(self, method: Method, target: Target, locks: Locks) -> None:
        self.method = method
        self.topups = 0
        self._statement = _statement(method, target, locks)
        self._exact = _statement(EXACT, target, locks)
        self._index = f"{SCHEMA}.{target.vectors}_{method.index}"

    def find(self, reading: Reading, vector: npt.NDArray[np.float32], k: int) -> list[tuple[Any, ...]]:
        """Return the rows of ``target.finish`` for the ``k`` nearest visible vectors, or for all where they are fewer.

        Args:
            reading: Started with the method's settings.
            vector: Shape ``(dimensions,)``.
            k: At least 1.
        """
        if self.method.index is None or self._indexed(reading):
            rows = reading.rows(self._statement, vector=vector, k=k)
            if len(rows) >= k or self.method is EXACT:
                return rows
        self.topups += 1
        return reading.rows(self._exact, vector=vector, k=k)

    def _indexed(self, reading: Reading) -> bool:
        return bool(reading.rows("SELECT to_regclass(%(index)s) IS NOT NULL", index=self._index)[0][0])


def _statement(method: Method, target: Target, locks: Locks) -> str:
    nearest = (
        method.nearest.replace("{dimensions}", str(target.dimensions))
        .replace("{mean}", target.mean)
        .replace("{candidates}", str(method.candidates))
    )
    whole = f"WITH near AS MATERIALIZED ({nearest}\n)\n{target.finish}"
    return locks.sql(whole, vectors=target.vectors, bits=target.bits)
