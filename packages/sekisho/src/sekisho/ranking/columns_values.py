"""From the hits of all queries, in columns, to the values of metrics: the sums of the plain engine, in its order.

``numpy.bincount`` adds its weights one by one, in their order; ``numpy.sum`` and ``add.reduceat`` add in pairs and give
other bits.
"""

from __future__ import annotations

from functools import cached_property
from math import log2
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sekisho.ranking.columns_sides import Floats, Places
    from sekisho.ranking.names import Metric


class ColumnJudgments:
    """The positive judgments of all queries.

    Args:
        queries: The query of each judgment, by its place; those of one query stand together.
        grades: Their grades.
        count: How many queries there are.
        threshold: Lowest grade that counts as relevant; None for every grade above 0.
    """

    def __init__(self, queries: Places, grades: Floats, *, count: int, threshold: float | None) -> None:
        positive = grades > 0
        self.count = count
        self.threshold = threshold
        self._queries = queries[positive]
        self._grades = grades[positive]

    def is_relevant(self, grades: Floats) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Return which of some positive grades count as relevant."""
        return grades > 0 if self.threshold is None else grades >= self.threshold

    @cached_property
    def relevant(self) -> Places:
        """The number of relevant documents of each query."""
        return np.bincount(self._queries[self.is_relevant(self._grades)], minlength=self.count)

    def ideal(self, k: int, discounts: Floats) -> Floats:
        """Return the largest discounted gain of each query; ``discounts`` holds the divisor of each rank from 1."""
        order = np.lexsort((-self._grades, self._queries))
        queries, grades = self._queries[order], self._grades[order]
        ranks = positions(queries)
        kept = ranks <= k
        gains: Floats = grades[kept] / discounts[ranks[kept]]
        return _sums(queries[kept], gains, self.count)

    @cached_property
    def most(self) -> int:
        """The largest number of positive judgments that a query has."""
        return int(np.bincount(self._queries).max(initial=0))


class ColumnHits:
    """Hits with a positive grade, by query and rank.

    Args:
        queries: The query of each hit, by its place.
        ranks: Their ranks, from 1.
        grades: Their grades.
        judgments: All judgments.
    """

    def __init__(self, queries: Places, ranks: Places, grades: Floats, judgments: ColumnJudgments) -> None:
        positive = np.flatnonzero(grades > 0)
        order = positive[np.lexsort((ranks[positive], queries[positive]))]
        self._judgments = judgments
        self._count = judgments.count
        self._queries, self._ranks, self._grades = queries[order], ranks[order], grades[order]
        relevant = judgments.is_relevant(self._grades)
        self._relevant_queries, self._relevant_ranks = self._queries[relevant], self._ranks[relevant]

    def values(self, metric: Metric) -> Floats:
        """Return the value of each query."""
        if metric.name == "mrr":
            return self._reciprocal_ranks(metric.k)
        if metric.name == "map":
            return self._average_precisions(metric.k)
        k = metric.k or 0
        if metric.name == "ndcg":
            return self._ndcg(k)
        hits = np.bincount(self._relevant_queries[self._relevant_ranks <= k], minlength=self._count)
        if metric.name == "recall":
            return hits / np.maximum(self._judgments.relevant, 1)
        return hits / k if metric.name == "precision" else np.minimum(hits, 1).astype(np.float64)

    def _reciprocal_ranks(self, k: int | None) -> Floats:
        values = np.zeros(self._count)
        queries, first = np.unique(self._relevant_queries, return_index=True)
        ranks = self._relevant_ranks[first]
        values[queries] = 1.0 / ranks
        if k is not None:
            values[queries[ranks > k]] = 0.0
        return values

    def _average_precisions(self, k: int | None) -> Floats:
        queries, ranks = self._relevant_queries, self._relevant_ranks
        shares = positions(queries) / ranks
        if k is not None:
            queries, shares = queries[ranks <= k], shares[ranks <= k]
        return _sums(queries, shares, self._count) / np.maximum(self._judgments.relevant, 1)

    def _ndcg(self, k: int) -> Floats:
        deepest = min(k, max(self._judgments.most, int(self._ranks.max(initial=0))))
        discounts = np.array([1.0, *(log2(rank + 1) for rank in range(1, deepest + 1))])
        kept = self._ranks <= k
        gained = _sums(self._queries[kept], self._grades[kept] / discounts[self._ranks[kept]], self._count)
        ideal = self._judgments.ideal(k, discounts)
        return np.minimum(np.divide(gained, ideal, out=np.zeros(self._count), where=ideal > 0), 1.0)


def _sums(queries: Places, shares: Floats, count: int) -> Floats:
    """Return the sum of the shares of each query, added one by one in their order."""
    return np.bincount(queries, shares, minlength=count).astype(np.float64, copy=False)


def positions(queries: Places) -> Places:
    """Return the place of each row among those of its query, from 1; the rows of a query stand together."""
    first = np.ones(len(queries), np.bool_)
    first[1:] = queries[1:] != queries[:-1]
    starts = np.flatnonzero(first)
    found: Places = np.arange(1, len(queries) + 1) - starts[np.cumsum(first) - 1] if len(queries) else queries
    return found
