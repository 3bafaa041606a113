"""Metrics of one ranking, in pure Python; each walks the ranking once.

All take ``retrieved``, ids best first, and ``relevant``, ids or id to grade, and return a float in [0, 1]. An id that
comes twice counts at its first place only, and its later places stay taken, so that no value passes 1. A query without
relevant ids has the value 0.0. Results with scores are made a ranking by :func:`sekisho.ranking.rank_by_score`.

``relevance_threshold`` is the lowest grade that counts as relevant; without one every grade above 0 does. Plain ids
have grade 1. The threshold has no part in nDCG, whose gains are all positive grades, as in trec_eval.

All raise :class:`~sekisho.core.errors.RankingError` for what no value can be computed from: text where ids are
expected, a ranking without order (a set, a mapping), a grade that is not a finite number, a cut-off that is not a whole
number of at least 1, a threshold that is not a finite number above 0. Ids of any hashable type will do; an unhashable
one is a ``TypeError``.
"""

from __future__ import annotations

from itertools import islice
from math import log2
from sys import maxsize

from sekisho.ranking.inputs import checked_cutoff, checked_threshold, ranked_ids
from sekisho.ranking.judgment import judge

TYPE_CHECKING = False  # see refusal.py
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping


def recall_at_k(
    retrieved: Iterable[Hashable],
    relevant: Mapping[str, float] | Iterable[Hashable],
    k: int,
    *,
    relevance_threshold: float | None = None,
) -> float:
    """Return the share of the relevant ids that stand among the first ``k``.

    ``recall_k`` in trec_eval. Manning, Raghavan, Schütze: Introduction to Information Retrieval (2008), section 8.3.
    """
    ids = _first(retrieved, k)
    wanted = _wanted(relevant, relevance_threshold)
    return _hits(ids, wanted) / len(wanted) if wanted else 0.0


def precision_at_k(
    retrieved: Iterable[Hashable],
    relevant: Mapping[str, float] | Iterable[Hashable],
    k: int,
    *,
    relevance_threshold: float | None = None,
) -> float:
    """Return the number of relevant ids among the first ``k``, divided by ``k`` also where fewer came back.

    ``P_k`` in trec_eval. Manning, Raghavan, Schütze: Introduction to Information Retrieval (2008), section 8.4.
    """
    ids = _first(retrieved, k)
    return _hits(ids, _wanted(relevant, relevance_threshold)) / k


def success_at_k(
    retrieved: Iterable[Hashable],
    relevant: Mapping[str, float] | Iterable[Hashable],
    k: int,
    *,
    relevance_threshold: float | None = None,
) -> float:
    """Return 1.0 where at least one relevant id stands among the first ``k``, else 0.0.

    ``success_k`` in trec_eval; others call its mean the hit rate.
    """
    ids = _first(retrieved, k)
    return 0.0 if _wanted(relevant, relevance_threshold).isdisjoint(ids) else 1.0


def reciprocal_rank(
    retrieved: Iterable[Hashable],
    relevant: Mapping[str, float] | Iterable[Hashable],
    k: int | None = None,
    *,
    relevance_threshold: float | None = None,
) -> float:
    """Return 1 divided by the rank of the first relevant id, 0.0 where none came back.

    Looks through the whole ranking, or through the first ``k`` where a cut-off is given. Its mean over queries is
    ``mrr``. ``recip_rank`` in trec_eval (with a cut-off: under ``-M k``). Voorhees: The TREC-8 Question Answering Track
    Report (1999).
    """
    ids = ranked_ids(retrieved) if k is None else _first(retrieved, k)
    wanted = _wanted(relevant, relevance_threshold)
    return next((1.0 / rank for rank, id_ in enumerate(ids, start=1) if id_ in wanted), 0.0)


def average_precision(
    retrieved: Iterable[Hashable],
    relevant: Mapping[str, float] | Iterable[Hashable],
    k: int | None = None,
    *,
    relevance_threshold: float | None = None,
) -> float:
    """Return the sum of the precision at each relevant id, divided by the number of relevant ids.

    Sums over the whole ranking, or over the first ``k`` where a cut-off is given; divides by all relevant ids in both
    cases, never by the smaller of that and ``k``. Its mean over queries is ``map``. ``map`` and ``map_cut_k`` in
    trec_eval. Buckley, Voorhees: Retrieval System Evaluation, in TREC: Experiment and Evaluation (2005).
    """
    ids = ranked_ids(retrieved) if k is None else _first(retrieved, k)
    wanted = _wanted(relevant, relevance_threshold)
    missing = set(wanted)
    hits = 0
    total = 0.0
    for rank, id_ in enumerate(ids, start=1):
        if id_ in missing:
            missing.discard(id_)
            hits += 1
            total += hits / rank
    return total / len(wanted) if wanted else 0.0


def ndcg_at_k(
    retrieved: Iterable[Hashable],
    relevant: Mapping[str, float] | Iterable[Hashable],
    k: int,
) -> float:
    """Return the discounted cumulative gain of the first ``k``, divided by the largest that any ranking could have.

    The gain is the grade itself (1 for plain ids, 0 for grades below 0), the discount log2(rank + 1). The ideal ranking
    holds the positive grades in descending order, cut at ``k``. ``ndcg_cut_k`` in trec_eval. Järvelin, Kekäläinen:
    Cumulated Gain-based Evaluation of IR Techniques, ACM TOIS 20(4) (2002), with the discount of Burges et al. (2005)
    and without their exponential gain.
    """
    ids = _first(retrieved, k)
    judgment = judge(relevant)
    gains = dict(judgment.gains) if judgment.gains is not None else dict.fromkeys(judgment.gaining, 1.0)
    ideal = _dcg(islice(sorted(gains.values(), reverse=True), k))
    # Popped, so that a second place of an id gains nothing. Two nearly equal fractional grades in the wrong order can
    # round to a sum one step above the ideal one.
    return min(_dcg(gains.pop(id_, 0.0) for id_ in ids) / ideal, 1.0) if gains else 0.0


def overlap_at_k(retrieved: Iterable[Hashable], neighbour_ids: Iterable[Hashable], k: int) -> float:
    """Return the share of the exact nearest neighbours that an approximate search brought back.

    The number of ids among the first ``k`` that are neighbours, divided by ``k``, or by the number of neighbours where
    it is smaller. ``neighbour_ids`` may hold more than ``k`` ids: every one whose exact score reaches that of the k-th
    counts. trec_eval has no name for it; Aumüller, Bernhardsson, Faithfull: ANN-Benchmarks, Information Systems 87
    (2020) calls it recall (k-NN).
    """
    ids = _first(retrieved, k)
    neighbours = _wanted(neighbour_ids, None)
    return _hits(ids, neighbours) / min(k, len(neighbours)) if neighbours else 0.0


def _first(retrieved: Iterable[Hashable], k: int) -> Iterable[Hashable]:
    return islice(ranked_ids(retrieved), min(checked_cutoff(k), maxsize))


def _wanted(relevant: Iterable[Hashable], threshold: float | None) -> frozenset[Hashable]:
    return frozenset(judge(relevant, checked_threshold(threshold)).relevant)


def _hits(ids: Iterable[Hashable], wanted: frozenset[Hashable]) -> int:
    return len(wanted.intersection(ids))


def _dcg(gains: Iterable[float]) -> float:
    # Divided, not multiplied by a reciprocal, and summed in the order of ranks: the bits of trec_eval.
    total = 0.0
    for rank, gain in enumerate(gains, start=1):
        if gain:
            total += gain / log2(rank + 1)
    return total
