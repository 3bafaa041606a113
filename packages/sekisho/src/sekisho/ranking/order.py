"""From scores to a ranking: the order of trec_eval, and whether a tie makes it arbitrary."""

from __future__ import annotations

from collections.abc import Mapping

from sekisho.ranking.inputs import checked_cutoff
from sekisho.ranking.refusal import refusal

TYPE_CHECKING = False  # see refusal.py
if TYPE_CHECKING:
    from typing import SupportsFloat

_FLOAT = {float}
_TEXT = {str}
_EXACT_INTEGERS = 2.0**53
"""Up to this size float64 holds every integer."""


def rank_by_score(scores: Mapping[str, SupportsFloat]) -> list[str]:
    """Return the ids, highest score first; equal scores in descending order of the ids' code points.

    This is the order of trec_eval 10. Scores are compared as float64: integers beyond 2**53 may become equal, and
    float32 values keep their exact value (trec_eval 9, and pytrec_eval with it, compares as float32 and ties more).
    Infinities are allowed; the order of the mapping has no effect.

    Args:
        scores: Id to score: int, float, or what converts to float, such as a numpy scalar.

    Raises:
        RankingError: No mapping, an id that is not text, a score that is NaN or not a number.
    """
    values = float_scores(scores)
    check_text_ids(scores)
    return [id_ for _, id_ in sorted(zip(values, scores, strict=True), reverse=True)]


def ties_cross(scores: Mapping[str, SupportsFloat], k: int) -> bool:
    """Return whether the k-th and the next result have equal scores, so that only the tie rule decides what is cut.

    Raises:
        RankingError: As :func:`rank_by_score`; or ``k`` is not a whole number of at least 1.
    """
    return tie_crosses(sorted(float_scores(scores)), checked_cutoff(k))


def tie_crosses(ascending: list[float], k: int) -> bool:
    """Return the same as :func:`ties_cross` for scores already sorted."""
    return len(ascending) > k and ascending[-k] == ascending[-k - 1]


def float_scores(scores: Mapping[str, SupportsFloat]) -> list[float]:
    """Return the scores as float64, in the order of the mapping.

    Raises:
        RankingError: No mapping, or a score that is NaN or not a number.
    """
    if not isinstance(scores, Mapping):
        raise refusal("ranking.scores_not_mapping", kind=type(scores).__name__)
    values: list[float]
    if set(map(type, scores.values())) <= _FLOAT:
        values = list(scores.values())  # type: ignore[arg-type]  # every type was just seen to be float
    else:
        values = [_float(id_, score) for id_, score in scores.items()]
    total = sum(values)
    if total != total:  # noqa: PLR0124  only a NaN differs from itself; here also from infinities of both signs
        for id_, value in zip(scores, values, strict=True):
            if value != value:  # noqa: PLR0124  as above
                raise refusal("ranking.score", id=id_, value=value)
    return values


def ascending_scores(scores: Mapping[str, SupportsFloat]) -> list[float]:
    """Return the scores as by :func:`float_scores`, sorted; they stay as they are where that has the same order.

    Python compares int and float exactly, which is the order of float64 as long as float64 holds the integers. That all
    are int or float shows in their sum, which any other number would have made one of its own type.

    Raises:
        RankingError: As :func:`float_scores`.
    """
    try:
        ascending: list[float] = sorted(scores.values())  # type: ignore[arg-type]  # what is no float shows below
        lowest, highest = ascending[0], ascending[-1]
        if type(lowest) is type(highest) is float and lowest >= -_EXACT_INTEGERS and highest <= _EXACT_INTEGERS:
            total = sum(ascending)
            if type(total) is float and total == total:  # noqa: PLR0124  only a NaN differs from itself
                return ascending
    except (TypeError, IndexError):
        pass
    return sorted(float_scores(scores))


def _float(id_: str, score: SupportsFloat) -> float:
    if not isinstance(score, (str, bytes)):  # float() would read both
        try:
            return float(score)
        except (TypeError, ValueError, OverflowError):
            pass
    raise refusal("ranking.score", id=id_, value=score)


def check_text_ids(scores: Mapping[str, SupportsFloat]) -> None:
    """Raise RankingError where an id is not text, since ties are broken by the ids' code points."""
    if set(map(type, scores)) <= _TEXT:
        return
    for id_ in scores:
        if not isinstance(id_, str):
            raise refusal("ranking.id_not_text", id=id_, kind=type(id_).__name__)
