"""How retrieval cases changed: what was lost, what came back, what moved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sekisho.compare.entries import ndcg_of, overlap_of, recall_of
from sekisho.compare.records import CaseChange, GoldFinding, RulerComparison
from sekisho.compare.statistics import paired
from sekisho.core.messages import note
from sekisho.core.text import shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from sekisho.compare.baseline import RetrievalEntry
    from sekisho.core.messages import Note

    Pair = tuple[RetrievalEntry, RetrievalEntry]

_MOVES_SHOWN = 6
_LONGEST_ID = 80


def gold_findings(pairs: Sequence[Pair], before: Mapping[str, str], now: Mapping[str, str]) -> tuple[GoldFinding, ...]:
    """Return the relevant documents whose text is gone or changed; none where the corpus holds no texts.

    Args:
        pairs: Each common case before and now.
        before: Relevant id to the fingerprint of its text, as accepted.
        now: The same, as the corpus is now; an id without a document is missing here.
    """
    if not before:
        return ()
    cases: dict[str, list[str]] = {}
    for entry, _ in pairs:
        for id_ in entry.ranks:
            cases.setdefault(id_, []).append(entry.id)
    return tuple(
        GoldFinding(id=id_, kind="changed" if id_ in now else "missing", cases=tuple(cases[id_]))
        for id_ in sorted(cases)
        if id_ in before and now.get(id_) != before[id_]
    )


def ruler_comparisons(pairs: Sequence[Pair], *, k: int, gone: Collection[str]) -> tuple[RulerComparison, ...]:
    """Return recall, nDCG and overlap over the common cases, without the relevant ids that no corpus holds any more."""

    def recall(entry: RetrievalEntry) -> float | None:
        return recall_of(entry, k=k, without=gone)

    def ndcg(entry: RetrievalEntry) -> float | None:
        return ndcg_of(entry, k=k, without=gone)

    values: dict[str, Callable[[RetrievalEntry], float | None]] = {
        f"recall@{k}": recall, f"ndcg@{k}": ndcg, f"overlap@{k}": overlap_of,
    }  # fmt: skip
    comparisons = []
    for name, value in values.items():
        aligned = [(first, second) for old, new in pairs if (first := value(old)) is not None
                   and (second := value(new)) is not None]  # fmt: skip
        if aligned:
            comparison = paired([first for first, _ in aligned], [second for _, second in aligned])
            comparisons.append(RulerComparison(name=name, comparison=comparison))
    return tuple(comparisons)


def retrieval_changes(pairs: Sequence[Pair], *, k: int, gone: Collection[str]) -> Iterator[CaseChange]:
    """Yield each case whose relevant documents stand elsewhere among the first k."""
    for old, new in pairs:
        before, now = (recall_of(entry, k=k, without=gone) for entry in (old, new))
        order, reordered = (ndcg_of(entry, k=k, without=gone) for entry in (old, new))
        if before is None or now is None or order is None or reordered is None:
            continue
        moves = _moves(old, new, gone)
        if before != now:
            lost = now < before
            reason = note("compare.recall_lost" if lost else "compare.recall_won", k=k, before=f"{before:.4f}",
                          now=f"{now:.4f}")  # fmt: skip
            yield CaseChange(
                id=new.id, kind="worse" if lost else "better", reason=reason, weight=before - now, details=moves
            )
        elif order != reordered:
            reason = note("compare.reordered", k=k, before=f"{order:.4f}", now=f"{reordered:.4f}")
            yield CaseChange(id=new.id, kind="reordered", reason=reason, weight=order - reordered, details=moves)


def _moves(old: RetrievalEntry, new: RetrievalEntry, gone: Collection[str]) -> tuple[Note, ...]:
    """Return a sentence on the relevant ids whose rank changed, those that fell furthest first."""
    moved = [
        (id_, before, new.ranks.get(id_, 0))
        for id_, before in old.ranks.items()
        if id_ not in gone and before != new.ranks.get(id_, 0)
    ]
    far = 1 + max((rank for _, before, now in moved for rank in (before, now)), default=0)
    moved.sort(key=lambda move: ((move[1] or far) - (move[2] or far), move[0]))
    shown = ", ".join(f"{shorten(id_, _LONGEST_ID)} {_rank(a)} → {_rank(b)}" for id_, a, b in moved[:_MOVES_SHOWN])
    more = f" … (+{len(moved) - _MOVES_SHOWN})" if len(moved) > _MOVES_SHOWN else ""
    return (note("compare.ranks_moved", moves=shown + more),) if moved else ()


def _rank(rank: int) -> str:
    return f"@{rank}" if rank else "-"
