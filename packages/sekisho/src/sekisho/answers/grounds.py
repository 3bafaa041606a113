"""Whether the texts of cases stand in the documents at all: a mistyped forbidden text protects nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sekisho.calling.answers import read_documents
from sekisho.calling.methods import method_of
from sekisho.core.messages import Note, note
from sekisho.core.text import did_you_mean, shorten
from sekisho.matching import TextMatcher, contains

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sekisho.calling.asking import Asked
    from sekisho.core.answers import AnswerCase, Document

_LONGEST_TEXT = 80


def ungrounded(cases: Sequence[AnswerCase], asking: Asked, *, exact: bool) -> tuple[Note, ...]:
    """Return a warning for each forbidden text that stands in no document and each expected source that none has.

    Nothing is said where the target does not list its documents; where listing them fails, that is the warning.
    """
    if not any(case.forbid or case.expect_source for case in cases) or method_of(asking.target, "documents") is None:
        return ()
    outcome = asking.ask_all(asking.method("documents"), [()], read=read_documents)[0]
    if outcome.value is None:
        return (note("answers.documents_unknown", reason=outcome.error.reason if outcome.error else ""),)
    return (
        *_forbidden_nowhere(cases, outcome.value, exact=exact),
        *_sources_nowhere(cases, outcome.value, exact=exact),
    )


def _forbidden_nowhere(cases: Sequence[AnswerCase], documents: Sequence[Document], *, exact: bool) -> Iterator[Note]:
    matcher = TextMatcher({text: None for case in cases for text in case.forbid}, exact=exact)
    present: set[str] = set()
    for document in documents:
        for text in (document.id, document.name, document.title, document.text):
            present.update(matcher.occurrences(text))
    for case in cases:
        for text in case.forbid:
            if text not in present:
                yield note("answers.forbid_nowhere", id=_short(case.id), text=_short(text))


def _sources_nowhere(cases: Sequence[AnswerCase], documents: Sequence[Document], *, exact: bool) -> Iterator[Note]:
    """Yield a warning for each expected source that no document, and no page of one, could be cited as."""
    names = [document.name for document in documents]
    pages = [f"{document.name} p.{page}" for document in documents for page in range(1, (document.pages or 0) + 1)]
    known: dict[str, bool] = {}
    for case in cases:
        for wanted in case.expect_source:
            if wanted not in known:
                known[wanted] = any(contains(name, wanted, exact=exact) for name in (*names, *pages))
            if not known[wanted]:
                meant = did_you_mean(wanted, (*names, *pages))
                code = "answers.source_nowhere_meant" if meant else "answers.source_nowhere"
                yield note(code, id=_short(case.id), text=_short(wanted), meant=meant)


def _short(text: str) -> str:
    return shorten(text, _LONGEST_TEXT)
