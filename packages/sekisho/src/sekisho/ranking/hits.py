"""Where the ids of a judgment stand in a ranking: each function walks one ranking, once, for all metrics."""

from __future__ import annotations

from bisect import bisect_right
from itertools import compress, count

from sekisho.ranking.order import ascending_scores, rank_by_score

TYPE_CHECKING = False  # see refusal.py
if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence
    from typing import SupportsFloat

    from sekisho.ranking.judgment import Judgment


def find_in_list(judgment: Judgment, ids: Sequence[Hashable]) -> None:
    """Set the hits of ``judgment`` in a ranking that holds no id twice."""
    ranks = list(compress(count(1), map(judgment.gaining.__contains__, ids)))
    if judgment.gains is None and judgment.relevant is judgment.gaining:
        judgment.ranks = judgment.gain_ranks = ranks
    else:
        judgment.set_hits(ranks, [ids[rank - 1] for rank in ranks])


def find_in_scores(judgment: Judgment, scores: Mapping[str, SupportsFloat]) -> list[float]:
    """Set the hits of ``judgment`` among scored results, and return all scores in ascending order.

    Only gaining ids are looked up: the rank of one is the number of higher scores plus 1, so that no other id is
    hashed, moved or compared. Where a hit is tied, the whole result is ranked instead.
    """
    ascending = ascending_scores(scores)
    behind_last = len(ascending) + 1
    at_hits = map(scores.get, judgment.gaining)  # type: ignore[arg-type]  # an id that is no text is not found
    found = [float(score) for score in at_hits if score is not None]
    ranks = [
        behind_last - at_most
        for score in found
        if ascending[(at_most := bisect_right(ascending, score)) - 2] != score  # not tied (nor the only result)
    ]
    if len(ranks) < len(found):
        find_in_list(judgment, rank_by_score(scores))
    elif judgment.gains is None and judgment.relevant is judgment.gaining:
        ranks.sort()
        judgment.ranks = judgment.gain_ranks = ranks
    else:
        ids = [id_ for id_ in judgment.gaining if id_ in scores]
        places = sorted(zip(ranks, ids, strict=True))
        judgment.set_hits([rank for rank, _ in places], [id_ for _, id_ in places])
    return ascending
