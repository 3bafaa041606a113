"""What metrics are computed from, checked once: rankings, cut-offs, thresholds; for judgments see judgment.py."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from sekisho.ranking.judgment import LARGEST_GRADE
from sekisho.ranking.refusal import refusal

TYPE_CHECKING = False  # see refusal.py
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable


def ranked_ids(retrieved: Iterable[Hashable]) -> Iterable[Hashable]:
    """Return a ranking as it was given.

    Raises:
        RankingError: Text, which would be read letter by letter, or a set or mapping, which has no order to rely on.
    """
    if isinstance(retrieved, (list, tuple)):
        return retrieved
    if isinstance(retrieved, (str, bytes)):
        raise refusal("ranking.retrieved_is_text", value=retrieved)
    if isinstance(retrieved, (AbstractSet, Mapping)):
        raise refusal("ranking.retrieved_unordered", kind=type(retrieved).__name__)
    return retrieved


def checked_cutoff(k: object) -> int:
    """Return ``k``, or raise RankingError where it is not a whole number of at least 1 (True is none)."""
    if not isinstance(k, int) or k is True or k < 1:
        raise refusal("ranking.cutoff", value=k)
    return k


def checked_threshold(threshold: float | None) -> float | None:
    """Return the threshold, or raise RankingError where it is neither None nor a finite number above 0."""
    if threshold is None:
        return None
    try:
        usable = 0 < threshold <= LARGEST_GRADE
    except TypeError:
        usable = False
    if not usable:
        raise refusal("ranking.threshold", value=threshold)
    return threshold


def duplicate_ids(retrieved: Iterable[Hashable]) -> tuple[Hashable, ...]:
    """Return the ids that come more than once, each once, in the order of their first repetition."""
    seen: set[Hashable] = set()
    repeated: dict[Hashable, None] = {}
    for id_ in ranked_ids(retrieved):
        if id_ in seen:
            repeated[id_] = None
        seen.add(id_)
    return tuple(repeated)
