"""Strategies that rank by the distance between question and passage."""

from __future__ import annotations

from typing import TYPE_CHECKING

from knowledge_search.store.strategies.hits import hits_of, passages
from knowledge_search.store.strategies.nearest import EXACT, Method, Nearest, hnsw, ivfflat, two_stage

if TYPE_CHECKING:
    from knowledge_search.domain import Hit, Scope
    from knowledge_search.ports import Embedder
    from knowledge_search.store.database import Database


class DenseSearch:
    """Vector search by one method over the passages.

    Attributes:
        nearest: The compiled method; counts its top-ups.
    """

    def __init__(self, database: Database, embedder: Embedder, method: Method) -> None:
        self._database = database
        self._embedder = embedder
        self.nearest = Nearest(method, passages(embedder.dimensions), database.locks)

    def search(self, query: str, scope: Scope, k: int) -> list[Hit]:
        """Return the ``k`` nearest visible passages, nearest first, ties by chunk id."""
        vector = self._embedder.embed_query(query)
        settings = self.nearest.method.settings
        with self._database.reading(scope, fingerprint=self._embedder.fingerprint, settings=settings) as reading:
            rows = self.nearest.find(reading, vector, k)
        return hits_of(rows)


class ExactStrategy:
    """Compares the question with every visible passage. Hidden passages cannot influence it; the default."""

    name = "exact"

    def __init__(self, database: Database, embedder: Embedder) -> None:
        self._search = DenseSearch(database, embedder, EXACT)

    def search(self, query: str, scope: Scope, k: int) -> list[Hit]:
        """Return the ``k`` nearest visible passages; the same ones for the same visible passages, always."""
        return self._search.search(query, scope, k)


class IvfFlatStrategy:
    """Looks into the nearest lists of an inverted file first; needs an index, see ``Maintenance``."""

    name = "ivfflat"

    def __init__(self, database: Database, embedder: Embedder, *, probes: int = 20) -> None:
        self._search = DenseSearch(database, embedder, ivfflat(probes=probes))

    @property
    def topups(self) -> int:
        """How often exact search had to answer because the index came back short or is not there."""
        return self._search.nearest.topups

    def search(self, query: str, scope: Scope, k: int) -> list[Hit]:
        """Return about the ``k`` nearest visible passages."""
        return self._search.search(query, scope, k)


class HnswStrategy:
    """Walks a graph of neighbours; needs an index, see ``Maintenance``."""

    name = "hnsw"

    def __init__(self, database: Database, embedder: Embedder, *, ef_search: int = 200) -> None:
        self._search = DenseSearch(database, embedder, hnsw(ef_search=ef_search))

    @property
    def topups(self) -> int:
        """How often exact search had to answer because the index came back short or is not there."""
        return self._search.nearest.topups

    def search(self, query: str, scope: Scope, k: int) -> list[Hit]:
        """Return about the ``k`` nearest visible passages."""
        return self._search.search(query, scope, k)


class TwoStageStrategy:
    """Compares signs around the corpus mean first, then ranks the best of them exactly; needs ``Maintenance``."""

    name = "two_stage"

    def __init__(self, database: Database, embedder: Embedder, *, candidates: int = 40) -> None:
        self._search = DenseSearch(database, embedder, two_stage(candidates=candidates))

    @property
    def topups(self) -> int:
        """How often exact search had to answer because no signs are stored yet."""
        return self._search.nearest.topups

    def search(self, query: str, scope: Scope, k: int) -> list[Hit]:
        """Return about the ``k`` nearest visible passages."""
        return self._search.search(query, scope, k)
