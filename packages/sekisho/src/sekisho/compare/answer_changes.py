"""How answer cases changed: failing or fixed, excused, with other sources or other words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sekisho.compare.records import CaseChange
from sekisho.core.messages import note
from sekisho.core.text import shorten

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sekisho.compare.baseline import AnswerEntry
    from sekisho.core.messages import Note

    Pair = tuple[AnswerEntry, AnswerEntry]

_PASSING = frozenset({"ok", "fixed"})
_SOURCES_SHOWN = 5
_LONGEST = 200


def answer_changes(pairs: Sequence[Pair], new: Sequence[AnswerEntry]) -> Iterator[CaseChange]:
    """Yield what changed in the common cases, and each excuse of a new case.

    Args:
        pairs: Each common case before and now.
        new: The cases that the baseline lacks.
    """
    for entry in new:
        if entry.issue is not None:
            yield CaseChange(id=entry.id, kind="issue_new", reason=note("compare.issue_new", reason=entry.issue.reason))
    for before, now in pairs:
        yield from _issue_change(before, now)
        details = tuple(_details(before, now))
        was, is_ = before.status in _PASSING, now.status in _PASSING
        codes = ", ".join(now.failures)
        if now.status == "ng" and before.status != "ng":
            reason = note("compare.newly_failing", codes=codes)
            yield CaseChange(id=now.id, kind="newly_failing", reason=reason, details=details)
        elif is_ and not was:
            reason = note("compare.fixed", codes=", ".join(before.failures))
            yield CaseChange(id=now.id, kind="fixed", reason=reason, details=details)
        elif before.failures != now.failures:
            reason = note("compare.fails_otherwise", before=", ".join(before.failures) or "-", now=codes or "-")
            yield CaseChange(id=now.id, kind="worse", reason=reason, details=details)
        elif before.sources != now.sources:
            yield CaseChange(id=now.id, kind="source_changed", reason=note("compare.source_changed"), details=details)
        elif before.text != now.text or before.found != now.found:
            yield CaseChange(id=now.id, kind="text_changed", reason=note("compare.text_changed"), details=details)


def _issue_change(before: AnswerEntry, now: AnswerEntry) -> Iterator[CaseChange]:
    if before.issue == now.issue:
        return
    if now.issue is None:
        yield CaseChange(id=now.id, kind="issue_gone", reason=note("compare.issue_gone"))
    elif before.issue is None:
        yield CaseChange(id=now.id, kind="issue_new", reason=note("compare.issue_new", reason=now.issue.reason))
    else:
        yield CaseChange(id=now.id, kind="issue_changed", reason=note("compare.issue_changed", reason=now.issue.reason))


def _details(before: AnswerEntry, now: AnswerEntry) -> Iterator[Note]:
    """Yield what differs in sources and words; the words of a redacted suite are fingerprints, which say nothing."""
    if before.sources != now.sources:
        yield note("compare.sources_were", before=_listed(before.sources), now=_listed(now.sources))
    if before.found != now.found:
        yield note("compare.found_now" if now.found else "compare.not_found_now")
    if before.text != now.text and not _is_fingerprint(before.text):
        from sekisho.compare.words import shown_diff, word_diff  # noqa: PLC0415  only where words changed

        yield note("compare.words", diff=shown_diff(word_diff(before.text, now.text)))


def _is_fingerprint(text: str) -> bool:
    return len(text) == 12 and set(text) <= set("0123456789abcdef")  # noqa: PLR2004  as compare.entries makes them


def _listed(sources: tuple[str, ...]) -> str:
    shown = ", ".join(shorten(source, _LONGEST) for source in sources[:_SOURCES_SHOWN])
    more = len(sources) - _SOURCES_SHOWN
    return (f"{shown}, … (+{more})" if more > 0 else shown) or "-"
