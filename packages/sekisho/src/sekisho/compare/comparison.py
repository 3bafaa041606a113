"""``compare_suites``: a suite beside what was accepted, over the cases that both have."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import msgspec

from sekisho.compare.answer_changes import answer_changes
from sekisho.compare.baseline import AccessBaseline, AnswersBaseline, RetrievalBaseline
from sekisho.compare.records import CHANGE_KINDS, CaseChange, Difference, SuiteComparison
from sekisho.compare.retrieval_changes import gold_findings, retrieval_changes, ruler_comparisons
from sekisho.core.messages import note

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from sekisho.compare.baseline import AccessEntry, AnswerEntry, RetrievalEntry, SuiteBaseline

Entry = TypeVar("Entry", "RetrievalEntry", "AnswerEntry", "AccessEntry")


def compare_suites(
    before: SuiteBaseline, now: SuiteBaseline, *, left_out: Collection[str] = (), unmeasured: Collection[str] = ()
) -> SuiteComparison:
    """Return how a suite differs from its baseline.

    Where the ruler changed, nothing is compared but what changed of it: two lengths on different rulers say nothing.

    Args:
        before: As accepted.
        now: As measured; of the same kind, else the kind is the change of the ruler.
        left_out: Ids of cases that were not selected for this run.
        unmeasured: Ids of cases that could not be measured.
    """
    if type(before) is not type(now):
        kinds = [type(side).__struct_config__.tag for side in (before, now)]
        change = Difference(name="kind", before=str(kinds[0]), now=str(kinds[1]))
        return SuiteComparison(accepted=before.accepted, ruler_changes=(change,))
    if isinstance(before, RetrievalBaseline) and isinstance(now, RetrievalBaseline):
        return _retrieval(before, now, left_out, unmeasured)
    if isinstance(before, AnswersBaseline) and isinstance(now, AnswersBaseline):
        return _answers(before, now, left_out, unmeasured)
    assert isinstance(before, AccessBaseline)  # noqa: S101  the third of three kinds
    assert isinstance(now, AccessBaseline)  # noqa: S101  of the same type as the other
    return _access(before, now)


def _retrieval(
    before: RetrievalBaseline, now: RetrievalBaseline, left_out: Collection[str], unmeasured: Collection[str]
) -> SuiteComparison:
    pairs, new, removed = aligned(before.cases, now.cases, {*left_out, *unmeasured})
    changed = (*_differences(before.ruler, now.ruler), *_asked_otherwise(pairs))
    outline = _outline(before, now, changed, new, removed)
    if changed:
        return outline
    gold = gold_findings(pairs, before.documents, now.documents)
    gone = {finding.id for finding in gold if finding.kind == "missing"}
    return _with(
        outline,
        gold=gold,
        rulers=ruler_comparisons(pairs, k=now.k, gone=gone),
        changes=sorted_changes(retrieval_changes(pairs, k=now.k, gone=gone)),
        common=len(pairs),
        lists_changed=sum(old.top != entry.top for old, entry in pairs),
    )


def _answers(
    before: AnswersBaseline, now: AnswersBaseline, left_out: Collection[str], unmeasured: Collection[str]
) -> SuiteComparison:
    pairs, new, removed = aligned(before.cases, now.cases, {*left_out, *unmeasured})
    changed = (*_differences(before.ruler, now.ruler), *_asked_otherwise(pairs))
    known = {entry.id for entry in now.cases if entry.status == "known"}
    known_before = {entry.id for entry in before.cases if entry.status == "known"} - {*left_out, *unmeasured}
    still = tuple(entry.id for old, entry in pairs if entry.status == "known" == old.status)
    return _with(
        _outline(before, now, changed, new, removed),
        changes=sorted_changes(answer_changes(pairs, [entry for entry in now.cases if entry.id in set(new)])),
        common=len(pairs),
        still_known=still,
        known_more=len(known) - len(known_before),
    )


def _access(before: AccessBaseline, now: AccessBaseline) -> SuiteComparison:
    pairs, new, removed = aligned(before.cases, now.cases, ())
    outline = _outline(before, now, _differences(before.ruler, now.ruler), new, removed)
    return _with(outline, changes=sorted_changes(_access_changes(pairs)), common=len(pairs))


def _access_changes(pairs: Sequence[tuple[AccessEntry, AccessEntry]]) -> Iterator[CaseChange]:
    for old, entry in pairs:
        label = entry.id or "-"
        if entry.leaks > old.leaks:
            reason = note("compare.leaks_more", before=old.leaks, now=entry.leaks)
            yield CaseChange(id=label, kind="newly_failing", reason=reason, weight=entry.leaks - old.leaks)
        elif entry.leaks < old.leaks:
            yield CaseChange(
                id=label, kind="fixed", reason=note("compare.leaks_fewer", before=old.leaks, now=entry.leaks)
            )
        starved, fed = set(entry.starved) - set(old.starved), set(old.starved) - set(entry.starved)
        if starved:
            reason = note("compare.starved_more", ids=", ".join(sorted(starved)))
            yield CaseChange(id=label, kind="worse", reason=reason, weight=len(starved))
        elif fed:
            reason = note("compare.starved_fewer", ids=", ".join(sorted(fed)))
            yield CaseChange(id=label, kind="better", reason=reason, weight=-len(fed))


def aligned(
    before: Sequence[Entry], now: Sequence[Entry], left_out: Collection[str]
) -> tuple[list[tuple[Entry, Entry]], tuple[str, ...], tuple[str, ...]]:
    """Return the common cases in the order of their ids, the ids of new and of removed ones."""
    old, new = {entry.id: entry for entry in before}, {entry.id: entry for entry in now}
    pairs = [(old[id_], entry) for id_, entry in sorted(new.items()) if id_ in old]
    removed = sorted(set(old) - set(new) - set(left_out))
    return pairs, tuple(sorted(set(new) - set(old))), tuple(removed)


def sorted_changes(changes: Iterable[CaseChange]) -> tuple[CaseChange, ...]:
    """Return changes by kind, the worst first, then by weight, then by id."""
    place = {kind: number for number, kind in enumerate(CHANGE_KINDS)}
    return tuple(sorted(changes, key=lambda change: (place[change.kind], -change.weight, change.id)))


def _outline(
    before: SuiteBaseline,
    now: SuiteBaseline,
    changed: tuple[Difference, ...],
    new: tuple[str, ...],
    removed: tuple[str, ...],
) -> SuiteComparison:
    return SuiteComparison(
        accepted=before.accepted,
        ruler_changes=changed,
        made_of_changes=_differences(before.made_of, now.made_of),
        new=new,
        removed=removed,
    )


def _with(outline: SuiteComparison, **parts: object) -> SuiteComparison:
    return msgspec.structs.replace(outline, **parts)


def _differences(before: Mapping[str, str], now: Mapping[str, str]) -> tuple[Difference, ...]:
    return tuple(
        Difference(name=name, before=before.get(name, ""), now=now.get(name, ""))
        for name in sorted({*before, *now})
        if before.get(name, "") != now.get(name, "")
    )


def _asked_otherwise(
    pairs: Sequence[tuple[RetrievalEntry | AnswerEntry, RetrievalEntry | AnswerEntry]],
) -> tuple[Difference, ...]:
    """Return the cases whose question or expectations are others."""
    return tuple(
        Difference(name=f"case.{now.id}", before=old.asked, now=now.asked)
        for old, now in pairs
        if old.asked != now.asked
    )
