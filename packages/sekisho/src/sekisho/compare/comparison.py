"""``compare_suites``: a suite beside what was accepted, over the cases that both have."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import msgspec

from sekisho.compare.answer_changes import answer_changes, issue_changes
from sekisho.compare.baseline import AccessBaseline, AnswersBaseline, RetrievalBaseline
from sekisho.compare.entries import fingerprint
from sekisho.compare.measures import Measures
from sekisho.compare.records import CHANGE_KINDS, CaseChange, Difference, SuiteComparison
from sekisho.compare.retrieval_changes import gold_findings, retrieval_changes, ruler_comparisons
from sekisho.core.messages import note
from sekisho.core.text import shorten

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from sekisho.compare.baseline import AccessEntry, AnswerEntry, RetrievalEntry, SuiteBaseline

Entry = TypeVar("Entry", "RetrievalEntry", "AnswerEntry", "AccessEntry")
_IDS_SHOWN = 6
_LONGEST_ID = 80


def compare_suites(
    before: SuiteBaseline,
    now: SuiteBaseline,
    *,
    left_out: Collection[str] = (),
    unmeasured: Collection[str] = (),
    texts: Mapping[str, str] | None = None,
) -> SuiteComparison:
    """Return how a suite differs from its baseline.

    Where the ruler changed, nothing is compared but what changed of it: two lengths on different rulers say nothing.
    Whatever kind of suite it is, the cases are a part of the ruler: where more than half of those that this run should
    have met again are gone, what is left speaks for another set of questions, and the ruler changed.

    Args:
        before: As accepted.
        now: As measured; of the same kind, else the kind is the change of the ruler.
        left_out: Ids of cases that were not selected for this run.
        unmeasured: Ids of cases that could not be measured.
        texts: Document to the fingerprint of its text, of those that the corpus holds now and that either side judges;
            those of ``now`` where it is None.
    """
    absent = frozenset((*left_out, *unmeasured))
    if isinstance(before, RetrievalBaseline) and isinstance(now, RetrievalBaseline):
        return _retrieval(before, now, absent, now.documents if texts is None else texts)
    if isinstance(before, AnswersBaseline) and isinstance(now, AnswersBaseline):
        return _answers(before, now, absent)
    if isinstance(before, AccessBaseline) and isinstance(now, AccessBaseline):
        return _access(before, now)
    kinds = [str(type(side).__struct_config__.tag) for side in (before, now)]
    change = Difference(name="kind", before=kinds[0], now=kinds[1])
    return SuiteComparison(accepted=before.accepted, ruler_changes=(change,))


def _retrieval(
    before: RetrievalBaseline, now: RetrievalBaseline, absent: frozenset[str], texts: Mapping[str, str]
) -> SuiteComparison:
    pairs, new, removed = aligned(before.cases, now.cases, absent)
    gold = gold_findings([entry for entry in before.cases if entry.id not in absent], before.documents, texts)
    missing = frozenset(finding.id for finding in gold if finding.kind == "missing")
    changed = (*_differences(before.ruler, now.ruler), *_judged_otherwise(pairs, missing))
    if changed:
        return _outline(before, now, changed, new, removed)
    rotten = {finding.id for finding in gold}
    whole = sum(not rotten.issuperset(entry.ranks) for entry, _ in pairs)
    outline = _with(_outline(before, now, _too_few(before.cases, whole, absent), new, removed), gold=gold)
    if outline.ruler_changes:
        return outline
    measures = Measures(now.k, relevance_threshold=now.relevance_threshold, without=rotten)
    scored = measures.scored(pairs)
    return _with(
        outline,
        rulers=ruler_comparisons(scored, k=now.k),
        changes=sorted_changes(retrieval_changes(scored, measures, k=now.k)),
        common=whole,
        lists_changed=sum(old.top != entry.top for old, entry in pairs),
    )


def _answers(before: AnswersBaseline, now: AnswersBaseline, absent: frozenset[str]) -> SuiteComparison:
    pairs, new, removed = aligned(before.cases, now.cases, absent)
    changed = (*_differences(before.ruler, now.ruler), *_asked_otherwise(pairs))
    if before.redacted != now.redacted:
        shown = [str(side.redacted).lower() for side in (before, now)]
        changed = (*changed, Difference(name="redact", before=shown[0], now=shown[1]))
    changed = changed or _too_few(before.cases, len(pairs), absent)
    outline = _outline(before, now, changed, new, removed)
    redact = before.redacted or now.redacted
    fresh = [entry for entry in now.cases if entry.id in set(new)]
    issues = () if before.redacted != now.redacted else issue_changes(pairs, fresh, redact=redact)
    if changed:  # an excuse is no measurement, and a new one is shown whatever else changed
        return _with(outline, changes=sorted_changes(issues))
    known = sum(entry.status == "known" for entry in now.cases)
    known_before = sum(entry.status == "known" for entry in before.cases if entry.id not in absent)
    return _with(
        outline,
        changes=sorted_changes((*issues, *answer_changes(pairs, redact=redact))),
        common=len(pairs),
        still_known=tuple(entry.id for old, entry in pairs if entry.status == "known" == old.status),
        known_more=known - known_before,
    )


def _access(before: AccessBaseline, now: AccessBaseline) -> SuiteComparison:
    pairs, new, removed = aligned(before.cases, now.cases, ())
    changed = _differences(before.ruler, now.ruler) or _too_few(before.cases, len(pairs), ())
    outline = _outline(before, now, changed, new, removed)
    if changed:
        return outline
    return _with(outline, changes=sorted_changes(_access_changes(pairs)), common=len(pairs))


def _access_changes(pairs: Sequence[tuple[AccessEntry, AccessEntry]]) -> Iterator[CaseChange]:
    for old, entry in pairs:
        label, more = entry.id, entry.leaks - old.leaks
        if more:
            code = "compare.leaks_more" if more > 0 else "compare.leaks_fewer"
            reason = note(code, before=old.leaks, now=entry.leaks)
            yield CaseChange(id=label, kind="newly_failing" if more > 0 else "fixed", reason=reason, weight=float(more))
        if entry.visible != old.visible:
            reason = note("compare.may_see", before=old.visible, now=entry.visible)
            yield CaseChange(id=label, kind="permission_changed", reason=reason)
        starved = sorted(set(entry.starved) - set(old.starved))
        if starved:
            reason = note("compare.starved_more", ids=_shown(starved), count=len(starved))
            yield CaseChange(id=label, kind="worse", reason=reason, weight=float(len(starved)))
        if fed := sorted(set(old.starved) - set(entry.starved)):
            reason = note("compare.starved_fewer", ids=_shown(fed), count=len(fed))
            yield CaseChange(id=label, kind="better", reason=reason, weight=-float(len(fed)))


def _shown(ids: Sequence[str]) -> str:
    more = f", … (+{len(ids) - _IDS_SHOWN})" if len(ids) > _IDS_SHOWN else ""
    return ", ".join(shorten(id_, _LONGEST_ID) for id_ in ids[:_IDS_SHOWN]) + more


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


def _asked_otherwise(pairs: Sequence[tuple[AnswerEntry, AnswerEntry]]) -> tuple[Difference, ...]:
    """Return the cases whose question or expectations are others."""
    return tuple(
        Difference(name=f"case.{now.id}", before=old.asked, now=now.asked)
        for old, now in pairs
        if old.asked != now.asked
    )


def _judged_otherwise(
    pairs: Sequence[tuple[RetrievalEntry, RetrievalEntry]], missing: Collection[str]
) -> tuple[Difference, ...]:
    """Return the cases whose query, judgments or number of exact neighbours are others.

    Args:
        pairs: Each common case before and now.
        missing: Documents that the corpus lost, and with them the judgments that name them.
    """
    return tuple(
        Difference(name=f"case.{now.id}", before=before, now=after)
        for old, now in pairs
        if not _same_ruling(old, now) and (before := _ruling(old, missing)) != (after := _ruling(now, missing))
    )


def _same_ruling(old: RetrievalEntry, now: RetrievalEntry) -> bool:
    return (
        old.asked == now.asked
        and old.ranks.keys() == now.ranks.keys()
        and old.grades == now.grades
        and (old.near and old.near[1]) == (now.near and now.near[1])
    )


def _ruling(entry: RetrievalEntry, missing: Collection[str]) -> str:
    """Return in a fingerprint what a case asks and expects."""
    judged = {id_: entry.grades.get(id_, 1.0) for id_ in sorted(entry.ranks) if id_ not in missing}
    return fingerprint(msgspec.json.encode((entry.asked, judged, entry.near and entry.near[1])))


def _too_few(before: Sequence[Entry], left: int, absent: Collection[str]) -> tuple[Difference, ...]:
    """Return the cases as a difference where less than half of those that should be met again are left."""
    wanted = sum(entry.id not in absent for entry in before)
    return (Difference(name="cases", before=str(wanted), now=str(left)),) if 2 * left < wanted else ()
