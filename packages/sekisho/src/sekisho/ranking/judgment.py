"""The judgments of one query, and where their ids stand in a ranking: all that any metric needs to know."""

from __future__ import annotations

from collections.abc import Mapping

from sekisho.ranking.refusal import refusal

TYPE_CHECKING = False  # see refusal.py
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Sequence

LARGEST_GRADE = 1e100
"""Larger grades could add up to infinity, and a metric would leave [0, 1]; no scale of relevance comes near."""


class Judgment:
    """The judgments of one query, checked, and the hits in its ranking. One object serves both, for speed.

    Attributes:
        relevant: Ids whose grade reaches the relevance threshold.
        gaining: Ids with a positive grade: what nDCG counts; ``relevant`` itself where no threshold parts them.
        gains: Id to gain, or None where every gain is 1.
        ranks: Ranks of the relevant ids that came back, ascending, from 1; empty until a ranking was read.
        gain_ranks: Ranks of the gaining ids that came back; ``ranks`` itself where no threshold parts them.
        hit_gains: The gains at ``gain_ranks``; None where every gain is 1.
    """

    __slots__ = ("gain_ranks", "gaining", "gains", "hit_gains", "ranks", "relevant")

    def __init__(
        self,
        relevant: Collection[Hashable],
        gaining: Collection[Hashable],
        gains: dict[Hashable, float] | None,
    ) -> None:
        self.relevant = relevant
        self.gaining = gaining
        self.gains = gains
        self.ranks: Sequence[int] = ()
        self.gain_ranks: Sequence[int] = ()
        self.hit_gains: Sequence[float] | None = None

    def set_hits(self, ranks: list[int], ids: Sequence[Hashable]) -> None:
        """Take in the ranks, ascending, of the gaining ids that came back, and these ids."""
        self.ranks = self.gain_ranks = ranks
        if self.gains is not None:
            self.hit_gains = [self.gains[id_] for id_ in ids]
        if self.relevant is not self.gaining:
            self.ranks = [rank for rank, id_ in zip(ranks, ids, strict=True) if id_ in self.relevant]


def judge(relevant: Mapping[str, float] | Iterable[Hashable], threshold: float | None = None) -> Judgment:
    """Return judgments in one form; plain ids have grade 1.

    Args:
        relevant: Ids in any order, repeats allowed, or id to grade.
        threshold: Lowest grade that counts as relevant; None for every grade above 0.

    Raises:
        RankingError: Text instead of ids, or a grade that is not a finite number.
    """
    if isinstance(relevant, (set, frozenset)):
        ids: Collection[Hashable] = relevant
    elif isinstance(relevant, (dict, Mapping)):  # dict first: an abstract class is slow to ask
        if not _all_one(relevant):
            return _judge_grades(relevant, threshold)
        ids = relevant
    elif isinstance(relevant, (str, bytes)):
        raise refusal("ranking.relevant_is_text", value=relevant)
    else:
        ids = frozenset(relevant)
    return Judgment(ids if threshold is None or threshold <= 1 else (), ids, None)


def _all_one(grades: Mapping[str, float]) -> bool:
    try:
        return set(grades.values()) == {1}
    except TypeError:  # an unhashable grade: refused, by name, where grades are read one by one
        return False


def _judge_grades(grades: Mapping[str, float], threshold: float | None) -> Judgment:
    gain_of: Callable[[float], float | None]
    try:
        gain_of = {grade: _gain(grade) for grade in set(grades.values())}.__getitem__  # few grades, many ids
    except TypeError:  # an unhashable grade
        gain_of = _gain
    gains: dict[Hashable, float] = {}
    for id_, grade in grades.items():
        gain = gain_of(grade)
        if gain is None:
            raise refusal("ranking.grade", id=id_, value=grade)
        if gain > 0:
            gains[id_] = gain
    if threshold is None:
        return Judgment(gains, gains, gains)
    return Judgment({id_ for id_, gain in gains.items() if gain >= threshold}, gains, gains)


def _gain(grade: float | str) -> float | None:
    if isinstance(grade, (str, bytes)):  # float() would read both
        return None
    try:
        gain = float(grade)
    except (TypeError, ValueError, OverflowError):
        return None
    return gain if -LARGEST_GRADE <= gain <= LARGEST_GRADE else None
