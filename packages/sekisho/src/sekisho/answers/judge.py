"""What an answer lacks, or holds although it must not: each with a code and a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sekisho.answers.records import Failure
from sekisho.calling.rendered import readings
from sekisho.core.messages import note
from sekisho.core.text import shorten
from sekisho.matching import TextMatcher, contains

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sekisho.answers.records import Place
    from sekisho.core.answers import Answer, AnswerCase

_LONGEST_TEXT = 200
_SOURCES_SHOWN = 5


def failures_of(case: AnswerCase, answer: Answer, *, exact: bool = False) -> tuple[Failure, ...]:
    """Return everything that a case expects and this answer does not give.

    An answer that says it found nothing lacks every source and text by that; only ``not_found`` is then listed for
    them. A case with nothing but forbidden texts passes whether anything was found or not.

    Args:
        case: What must hold.
        answer: What came back.
        exact: Whether texts are compared character by character, without folding.
    """
    found: list[Failure] = []
    if case.expect_not_found and answer.found:
        sources = _listed(answer.sources)
        code = "answers.found_unexpectedly" if sources else "answers.found_without_source"
        found.append(Failure(code="found_unexpectedly", reason=note(code, sources=sources)))
    if case.expect_source or case.expect_text:
        if answer.found:
            found += _missing(case, answer, exact=exact)
        else:
            found.append(Failure(code="not_found", reason=note("answers.not_found")))
    found += _forbidden(case, answer, exact=exact)
    return tuple(found)


def _missing(case: AnswerCase, answer: Answer, *, exact: bool) -> Iterator[Failure]:
    for wanted in case.expect_source:
        if not any(contains(each, wanted, exact=exact) for each in _read(answer.sources, exact=exact)):
            sources = _listed(answer.sources)
            code = "answers.missing_source" if sources else "answers.missing_every_source"
            yield Failure(code="missing_source", text=wanted, reason=note(code, text=_short(wanted), sources=sources))
    if case.expect_text:
        matcher = TextMatcher(case.expect_text, exact=exact)
        present = {found for each in _read([answer.text], exact=exact) for found in matcher.occurrences(each)}
        for wanted in case.expect_text:
            if wanted not in present:
                yield Failure(
                    code="missing_text", text=wanted, reason=note("answers.missing_text", text=_short(wanted))
                )


def _forbidden(case: AnswerCase, answer: Answer, *, exact: bool) -> Iterator[Failure]:
    """Yield a failure for each forbidden text, with every place that holds it."""
    if not case.forbid:
        return
    matcher = TextMatcher(case.forbid, exact=exact)
    places: dict[Place, Iterable[str]] = {
        "context": [part for context in answer.contexts for part in (context.text, context.document_id)],
        "answer": [answer.text],
        "source": answer.sources,
    }
    raw: dict[str, str] = {}
    where: dict[str, dict[Place, None]] = {}
    for place, texts in places.items():
        for text in _read(texts, exact=exact):
            for wanted, occurrence in matcher.occurrences(text).items():
                raw.setdefault(wanted, occurrence.raw)
                where.setdefault(wanted, {})[place] = None
    for wanted in dict.fromkeys(case.forbid):
        if wanted in where:
            held = tuple(where[wanted])
            code = "answers.forbidden_text" if raw[wanted] == wanted else "answers.forbidden_text_as"
            reason = note(
                code, text=_short(wanted), places=note(f"answers.in_{'_'.join(held)}"), raw=_short(raw[wanted])
            )
            yield Failure(code="forbidden_text", text=wanted, where=held, reason=reason)


def _read(texts: Iterable[str], *, exact: bool) -> Iterator[str]:
    """Yield each text, and what a page shows of it: emphasis inside of a word hides nothing from a reader."""
    for text in texts:
        yield from (text,) if exact else readings(text)


def _listed(sources: tuple[str, ...]) -> str:
    shown = ", ".join(map(_short, sources[:_SOURCES_SHOWN]))
    more = len(sources) - _SOURCES_SHOWN
    return f"{shown}, … (+{more})" if more > 0 else shown


def _short(text: str) -> str:
    return shorten(text, _LONGEST_TEXT)
