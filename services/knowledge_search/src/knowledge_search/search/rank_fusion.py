"""Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009, SIGIR), with a weight for each ranking."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

K: Final = 60
"""The constant of the paper: how little the first ranks stand out."""


def fuse(rankings: Sequence[tuple[float, Sequence[int]]], *, constant: int = K) -> list[tuple[int, float]]:
    """Return (id, score) of every ranked id, best first, ties by id.

    An id's score is the sum of ``weight / (constant + rank)`` over the rankings that hold it, ranks from 1.

    Args:
        rankings: Pairs of weight (not negative) and ids, best first, each id once.
        constant: At least 0.

    Raises:
        ValueError: A weight is negative.

    >>> [(each, round(score, 4)) for each, score in fuse([(2.0, [7, 9]), (1.0, [9])])]
    [(9, 0.0487), (7, 0.0328)]
    """
    scores: dict[int, float] = {}
    for weight, ranking in rankings:
        if weight < 0:
            message = f"a ranking cannot weigh {weight}: use 0 or more"
            raise ValueError(message)
        for rank, each in enumerate(ranking, start=1):
            scores[each] = scores.get(each, 0.0) + weight / (constant + rank)
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))
