"""Metrics of rankings: one ranking at a time, or a whole run against judgments.

Importing this package imports neither numpy nor any other package outside the standard library, and computing a metric
does not either. Names are imported when first used.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # see refusal.py
if TYPE_CHECKING:
    from sekisho.ranking.bounds import Bounds as Bounds
    from sekisho.ranking.bounds import tie_bounds as tie_bounds
    from sekisho.ranking.inputs import duplicate_ids as duplicate_ids
    from sekisho.ranking.many import RunScores as RunScores
    from sekisho.ranking.many import score_many as score_many
    from sekisho.ranking.metrics import average_precision as average_precision
    from sekisho.ranking.metrics import ndcg_at_k as ndcg_at_k
    from sekisho.ranking.metrics import overlap_at_k as overlap_at_k
    from sekisho.ranking.metrics import precision_at_k as precision_at_k
    from sekisho.ranking.metrics import recall_at_k as recall_at_k
    from sekisho.ranking.metrics import reciprocal_rank as reciprocal_rank
    from sekisho.ranking.metrics import success_at_k as success_at_k
    from sekisho.ranking.names import METRIC_NAMES as METRIC_NAMES
    from sekisho.ranking.names import Metric as Metric
    from sekisho.ranking.names import parse_metric as parse_metric
    from sekisho.ranking.order import rank_by_score as rank_by_score
    from sekisho.ranking.order import ties_cross as ties_cross
    from sekisho.ranking.summary import gate_holds as gate_holds
    from sekisho.ranking.summary import mean as mean

_HOME = {
    "Bounds": "bounds",
    "METRIC_NAMES": "names",
    "Metric": "names",
    "RunScores": "many",
    "average_precision": "metrics",
    "duplicate_ids": "inputs",
    "gate_holds": "summary",
    "mean": "summary",
    "ndcg_at_k": "metrics",
    "overlap_at_k": "metrics",
    "parse_metric": "names",
    "precision_at_k": "metrics",
    "rank_by_score": "order",
    "recall_at_k": "metrics",
    "reciprocal_rank": "metrics",
    "score_many": "many",
    "success_at_k": "metrics",
    "tie_bounds": "bounds",
    "ties_cross": "order",
}

__all__ = sorted(_HOME)  # noqa: PLE0605  the names are the keys above


def __getattr__(name: str) -> object:
    if name not in _HOME:
        message = f"module 'sekisho.ranking' has no attribute {name!r}"
        raise AttributeError(message)
    value: object = getattr(import_module(f"sekisho.ranking.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(__all__)
