"""How far a tie rule can move a metric: its lowest and highest value over all orders of the tied ids."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sekisho.ranking.judgment import judge
from sekisho.ranking.names import parse_metric
from sekisho.ranking.order import float_scores

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping
    from typing import SupportsFloat

    from sekisho.ranking.names import Metric


class Bounds(NamedTuple):
    """The lowest and the highest value that a metric can take; equal where no tie matters."""

    low: float
    high: float


def tie_bounds(
    scores: Mapping[str, SupportsFloat],
    relevant: Mapping[str, float] | Iterable[Hashable],
    metric: Metric | str,
    *,
    relevance_threshold: float | None = None,
) -> Bounds:
    """Return the bounds of ``metric`` over all orders of the ids with equal scores; exact.

    To exchange two neighbours with equal scores so that the higher grade comes first never lowers a metric of ours, so
    each group of tied ids in descending order of grades gives the highest value, in ascending order the lowest.
    Compare McSherry, Najork: Computing Information Retrieval Performance Measures Efficiently in the Presence of Tied
    Scores (ECIR 2008), who average over the orders instead.

    Raises:
        RankingError: As :func:`~sekisho.ranking.rank_by_score` and the metric.
    """
    asked = parse_metric(metric)
    values = dict(zip(scores, float_scores(scores), strict=True))
    if not isinstance(relevant, (str, bytes)):  # refused below; else kept, since it is read twice
        relevant = relevant if hasattr(relevant, "keys") else frozenset(relevant)
    judgment = judge(relevant)
    gains = dict.fromkeys(judgment.gaining, 1.0) if judgment.gains is None else judgment.gains

    def value(sign: int) -> float:
        order = sorted(values, key=lambda id_: (-values[id_], sign * gains.get(id_, 0.0)))
        return asked.compute(order, relevant, relevance_threshold=relevance_threshold)

    return Bounds(low=value(1), high=value(-1))
