"""How answer cases changed: failing or fixed, excused, with other sources or other words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sekisho.compare.records import CaseChange
from sekisho.core.messages import note
from sekisho.core.text import shorten

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sekisho.compare.baseline import AnswerEntry
    from sekisho.compare.records import ChangeKind
    from sekisho.core.messages import Note

    Pair = tuple[AnswerEntry, AnswerEntry]

_LEVELS = {"ok": 0, "fixed": 0, "known": 1, "ng": 2}
"""Of statuses: passes, fails with an excuse, fails without."""
_SOURCES_SHOWN = 5
_LONGEST = 200
_BLANK = "…"


def issue_changes(pairs: Sequence[Pair], new: Sequence[AnswerEntry], *, redact: bool) -> Iterator[CaseChange]:
    """Yield what the list of excuses did.

    Args:
        pairs: Each common case before and now.
        new: The cases that the baseline lacks.
        redact: Whether the reasons are fingerprints.
    """
    for before, now in (*((None, entry) for entry in new), *pairs):
        was, is_ = before.issue if before else None, now.issue
        if was == is_:
            continue
        if is_ is None:
            yield CaseChange(id=now.id, kind="issue_gone", reason=note("compare.issue_gone"))
        else:
            kind: ChangeKind = "issue_new" if was is None else "issue_changed"
            reason = note(f"compare.{kind}", reason=_BLANK if redact else is_.reason)
            yield CaseChange(id=now.id, kind=kind, reason=reason)


def answer_changes(pairs: Sequence[Pair], *, redact: bool) -> Iterator[CaseChange]:
    """Yield what changed in the common cases, apart from their known issues.

    Args:
        pairs: Each common case before and now.
        redact: Whether texts and sources are fingerprints, of which none is shown.
    """
    for before, now in pairs:
        if found := _difference(before, now):
            kind, reason, weight = found
            details = () if redact else tuple(_details(before, now))
            yield CaseChange(id=now.id, kind=kind, reason=reason, weight=weight, details=details)


def _difference(before: AnswerEntry, now: AnswerEntry) -> tuple[ChangeKind, Note, float] | None:
    """Return how a case differs at most, and how much worse it is: by passing, by what fails, by sources, by words."""
    was, is_ = _LEVELS.get(before.status, 2), _LEVELS.get(now.status, 2)
    if was != is_:
        return _passes_otherwise(was, is_, before, now)
    if before.failures != now.failures:
        more = len(now.failures) - len(before.failures)
        kind: ChangeKind = "fails_otherwise"  # not_found hides what else would be missing: fewer codes may be worse
        if set(now.failures) < set(before.failures):
            kind = "better"
        elif set(before.failures) < set(now.failures):
            kind = "worse"
        codes, codes_before = ", ".join(now.failures) or "-", ", ".join(before.failures) or "-"
        return kind, note("compare.fails_otherwise", before=codes_before, now=codes), float(more)
    if before.sources != now.sources:
        return "source_changed", note("compare.source_changed"), 0.0
    if before.text != now.text or before.found != now.found:
        return "text_changed", note("compare.text_changed"), 0.0
    return None


def _passes_otherwise(was: int, is_: int, before: AnswerEntry, now: AnswerEntry) -> tuple[ChangeKind, Note, float]:
    kind: ChangeKind
    if was < is_:
        same = before.failures == now.failures
        kind, code = "newly_failing", "compare.no_excuse" if same else "compare.beyond_excuse"
        if was == 0:
            code = "compare.newly_failing" if now.status == "ng" else "compare.newly_excused"
    elif is_ == 0:
        kind, code = "fixed", "compare.fixed"
    else:
        kind, code = "better", "compare.excused_now"
    failures = before.failures if kind == "fixed" else now.failures
    return kind, note(code, codes=", ".join(failures) or "-"), float(is_ - was)


def _details(before: AnswerEntry, now: AnswerEntry) -> Iterator[Note]:
    """Yield what differs in sources and words."""
    if before.sources != now.sources:
        yield note("compare.sources_were", before=_listed(before.sources), now=_listed(now.sources))
    if before.found != now.found:
        yield note("compare.found_now" if now.found else "compare.not_found_now")
    if before.text != now.text:
        from sekisho.compare.words import shown_diff, word_diff  # noqa: PLC0415  only where words changed

        yield note("compare.words", diff=shown_diff(word_diff(before.text, now.text)))


def _listed(sources: tuple[str, ...]) -> str:
    shown = ", ".join(shorten(source, _LONGEST) for source in sources[:_SOURCES_SHOWN])
    more = len(sources) - _SOURCES_SHOWN
    return (f"{shown}, … (+{more})" if more > 0 else shown) or "-"
