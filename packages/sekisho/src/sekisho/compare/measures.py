"""The three metrics of the regression rule, from the ranks that a baseline keeps: to the last bit those of a report."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sekisho.compare.baseline import RetrievalEntry
from sekisho.ranking import parse_metric
from sekisho.ranking.judgment import Judgment
from sekisho.ranking.values import value_of

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Mapping


class Values(NamedTuple):
    """Of one case.

    Attributes:
        recall: recall@k; None where no relevant id is left.
        ndcg: nDCG@k; None likewise.
        overlap: overlap@k; None where it was not measured.
    """

    recall: float | None
    ndcg: float | None
    overlap: float | None


class Scored(NamedTuple):
    """A common case with its metrics before and now."""

    old: RetrievalEntry
    new: RetrievalEntry
    before: Values
    now: Values


class Measures:
    """The metrics at one cut-off.

    Args:
        k: The cut-off.
        relevance_threshold: The lowest grade that counts as relevant.
        without: Ids that are left out of judgments and rankings; what stood behind one moves up.
    """

    def __init__(self, k: int, *, relevance_threshold: float = 1, without: Collection[str] = ()) -> None:
        self._recall = value_of(parse_metric(f"recall@{k}"))
        self._ndcg = value_of(parse_metric(f"ndcg@{k}"))
        self._threshold = relevance_threshold
        self._without = frozenset(without)

    def of(self, entry: RetrievalEntry) -> Values:
        """Return the metrics of one entry."""
        judgment = self._judgment(entry)
        overlap = None if entry.near is None else entry.near[0] / entry.near[1]
        if not judgment.relevant:
            return Values(None, None, overlap)
        return Values(self._recall(judgment), self._ndcg(judgment), overlap)

    def scored(self, pairs: Iterable[tuple[RetrievalEntry, RetrievalEntry]]) -> list[Scored]:
        """Return each common case, of the same judgments before and now, with its metrics."""
        scored = []
        for old, new in pairs:
            before = self.of(old)
            now = before if new.ranks == old.ranks and new.near == old.near else self.of(new)
            scored.append(Scored(old, new, before, now))
        return scored

    def ranks(self, entry: RetrievalEntry) -> Mapping[str, int]:
        """Return the rank of each judged id that is not left out; 0 where it did not come back."""
        gone = self._without.intersection(entry.ranks) if self._without else ()
        if not gone:
            return entry.ranks
        taken = [rank for id_ in gone if (rank := entry.ranks[id_])]
        return {
            id_: rank - sum(place < rank for place in taken) for id_, rank in entry.ranks.items() if id_ not in gone
        }

    def _judgment(self, entry: RetrievalEntry) -> Judgment:
        ranks = self.ranks(entry)
        gains: dict[Hashable, float] | None = None
        if entry.grades:
            gains = {id_: entry.grades.get(id_, 1.0) for id_ in ranks}
        relevant: Collection[Hashable] = ranks if self._threshold <= 1 else ()
        if gains is not None:
            relevant = {id_ for id_, gain in gains.items() if gain >= self._threshold}
        judgment = Judgment(relevant, ranks, gains)
        hits = sorted((rank, id_) for id_, rank in ranks.items() if rank)
        judgment.set_hits([rank for rank, _ in hits], [id_ for _, id_ in hits])
        return judgment
