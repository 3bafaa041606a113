"""From the hits of one query to the value of a metric.

Sums are added one by one in the order of ranks: the bits of trec_eval. ``sum`` rounds differently from Python 3.12 on.
"""

from __future__ import annotations

from bisect import bisect_right
from math import log2

TYPE_CHECKING = False  # see refusal.py
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from sekisho.ranking.judgment import Judgment
    from sekisho.ranking.names import Metric

    Value = Callable[[Judgment], float]

_PREPARED = 1000
"""Deeper cut-offs than this prepare their discounts as far as rankings reach, shallower ones in advance."""


def value_of(metric: Metric) -> Value:
    """Return the function from the hits of one query to the value of ``metric``; ``overlap`` has none."""
    if metric.k is None:
        return _UNCUT[metric.name]
    return _CUT[metric.name](metric.k)


def _recall(k: int) -> Value:
    def recall(query: Judgment) -> float:
        relevant = len(query.relevant)
        return bisect_right(query.ranks, k) / relevant if relevant else 0.0

    return recall


def _precision(k: int) -> Value:
    return lambda query: bisect_right(query.ranks, k) / k


def _success(k: int) -> Value:
    return lambda query: 1.0 if query.ranks and query.ranks[0] <= k else 0.0


def _reciprocal_rank(query: Judgment) -> float:
    return 1.0 / query.ranks[0] if query.ranks else 0.0


def _cut_reciprocal_rank(k: int) -> Value:
    return lambda query: 1.0 / query.ranks[0] if query.ranks and query.ranks[0] <= k else 0.0


def _average_precision(query: Judgment) -> float:
    return _precision_sum(query.ranks) / len(query.relevant) if query.ranks else 0.0


def _cut_average_precision(k: int) -> Value:
    def average_precision(query: Judgment) -> float:
        ranks = query.ranks[: bisect_right(query.ranks, k)]
        return _precision_sum(ranks) / len(query.relevant) if ranks else 0.0

    return average_precision


def _precision_sum(ranks: Sequence[int]) -> float:
    total = 0.0
    found = 0
    for rank in ranks:
        found += 1  # noqa: SIM113  enumerate is a quarter slower here
        total += found / rank
    return total


class _Ndcg:
    """nDCG at one cut-off, with a table of discounts, and of their sums: the ideal value where all gains are 1."""

    def __init__(self, k: int) -> None:
        self._k = k
        self._logs = [1.0]  # at rank 0, which does not exist, place holders
        self._discounts = [0.0]
        self._ideals = [0.0]
        self._prepare(min(k, _PREPARED))

    def _prepare(self, depth: int) -> None:
        for rank in range(len(self._logs), depth + 1):
            self._logs.append(log2(rank + 1))
            self._discounts.append(1.0 / self._logs[rank])
            self._ideals.append(self._ideals[-1] + self._discounts[rank])

    def value(self, query: Judgment) -> float:
        """Return the value for one query."""
        ranks = query.gain_ranks
        reached = bisect_right(ranks, self._k)
        if not reached:
            return 0.0
        ideal_length = min(self._k, len(query.gaining))
        if self._k > _PREPARED:
            self._prepare(max(ranks[reached - 1], ideal_length))
        if query.gains is None or query.hit_gains is None:
            total = 0.0
            discounts = self._discounts
            for rank in ranks[:reached]:
                total += discounts[rank]
            return total / self._ideals[ideal_length]
        ideal = self._sum(sorted(query.gains.values(), reverse=True), range(1, ideal_length + 1))
        return min(self._sum(query.hit_gains, ranks[:reached]) / ideal, 1.0)  # why it is cut at 1: see ndcg_at_k

    def _sum(self, gains: Iterable[float], ranks: Iterable[int]) -> float:
        total = 0.0
        for gain, rank in zip(gains, ranks, strict=False):
            total += gain / self._logs[rank]
        return total


_UNCUT: dict[str, Value] = {"mrr": _reciprocal_rank, "map": _average_precision}
_CUT: dict[str, Callable[[int], Value]] = {
    "recall": _recall,
    "precision": _precision,
    "mrr": _cut_reciprocal_rank,
    "map": _cut_average_precision,
    "ndcg": lambda k: _Ndcg(k).value,
    "success": _success,
}
