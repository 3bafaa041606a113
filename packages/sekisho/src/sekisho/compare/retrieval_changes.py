"""How retrieval cases changed: what was lost, what came back, what moved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sekisho.compare.records import CaseChange, GoldFinding, RulerComparison
from sekisho.compare.statistics import paired
from sekisho.core.messages import note
from sekisho.core.text import apart, shorten

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sekisho.compare.baseline import RetrievalEntry
    from sekisho.compare.measures import Measures, Scored
    from sekisho.compare.records import ChangeKind
    from sekisho.core.messages import Note

_MOVES_SHOWN = 6
_LONGEST_ID = 80


def gold_findings(
    accepted: Iterable[RetrievalEntry], before: Mapping[str, str], now: Mapping[str, str]
) -> tuple[GoldFinding, ...]:
    """Return the judged documents whose text is gone or changed; none where the corpus holds no texts.

    Args:
        accepted: The cases of the baseline that were to be met again, also those that are gone: a case goes with the
            last document that it expects.
        before: Judged id to the fingerprint of its text, as accepted.
        now: The same, as the corpus is now; an id without a document is missing here.
    """
    rotten = {id_ for id_, text in before.items() if now.get(id_) != text}
    if not rotten:
        return ()
    cases: dict[str, list[str]] = {}
    for entry in accepted:
        for id_ in rotten.intersection(entry.ranks):
            cases.setdefault(id_, []).append(entry.id)
    return tuple(
        GoldFinding(id=id_, kind="changed" if id_ in now else "missing", cases=tuple(cases[id_]))
        for id_ in sorted(cases)
    )


def ruler_comparisons(scored: Sequence[Scored], *, k: int) -> tuple[RulerComparison, ...]:
    """Return recall, nDCG and overlap over the common cases that have them on both sides."""
    comparisons = []
    for name in ("recall", "ndcg", "overlap"):
        before = [getattr(case.before, name) for case in scored]
        now = [getattr(case.now, name) for case in scored]
        aligned = [pair for pair in zip(before, now, strict=True) if None not in pair]
        if aligned:
            comparison = paired([first for first, _ in aligned], [second for _, second in aligned])
            comparisons.append(RulerComparison(name=f"{name}@{k}", comparison=comparison))
    return tuple(comparisons)


def retrieval_changes(scored: Sequence[Scored], measures: Measures, *, k: int) -> Iterator[CaseChange]:
    """Yield each case of which a metric changed: by recall, else by order, else by its exact neighbours."""
    for case in scored:
        if case.before == case.now:
            continue
        for name in ("recall", "ndcg", "overlap"):
            before, now = getattr(case.before, name), getattr(case.now, name)
            if before is not None and now is not None and before != now:
                details = _moves(measures.ranks(case.old), measures.ranks(case.new)) if name != "overlap" else ()
                yield _change(case.new.id, f"{name}@{k}", before, now, details)
                break


def _change(case_id: str, metric: str, before: float, now: float, details: tuple[Note, ...]) -> CaseChange:
    low, high = apart(*sorted((before, now)))
    shown = (low, high) if before < now else (high, low)
    kind: ChangeKind
    if metric.startswith("ndcg"):
        code, kind = "compare.reordered", "reordered"
    elif now < before:
        code, kind = "compare.metric_lost", "worse"
    else:
        code, kind = "compare.metric_won", "better"
    reason = note(code, name=metric, before=shown[0], now=shown[1])
    return CaseChange(id=case_id, kind=kind, reason=reason, weight=before - now, details=details)


def _moves(old: Mapping[str, int], new: Mapping[str, int]) -> tuple[Note, ...]:
    """Return a sentence on the judged ids whose rank changed, those that fell furthest first."""
    moved = [(id_, before, new.get(id_, 0)) for id_, before in old.items() if before != new.get(id_, 0)]
    far = 1 + max((rank for _, before, now in moved for rank in (before, now)), default=0)
    moved.sort(key=lambda move: ((move[1] or far) - (move[2] or far), move[0]))
    shown = ", ".join(f"{shorten(id_, _LONGEST_ID)} {_rank(a)} → {_rank(b)}" for id_, a, b in moved[:_MOVES_SHOWN])
    more = f" … (+{len(moved) - _MOVES_SHOWN})" if len(moved) > _MOVES_SHOWN else ""
    return (note("compare.ranks_moved", moves=shown + more),) if moved else ()


def _rank(rank: int) -> str:
    return f"@{rank}" if rank else "-"
