"""What cases stand on: the documents, and whether texts of cases stand in them. A mistyped one protects nothing."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from sekisho.calling.answers import read_documents
from sekisho.calling.methods import method_of
from sekisho.core.messages import Note, note
from sekisho.core.text import did_you_mean, shorten
from sekisho.matching import TextMatcher, contains

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from sekisho.calling.asking import Asked
    from sekisho.core.answers import AnswerCase, Document

_LONGEST_TEXT = 80
_DIGITS = 12
_COMMAS = re.compile("[,、，;；/／・]")


class Grounds(NamedTuple):
    """What the cases stand on.

    Attributes:
        warnings: Texts of cases that nothing can stand behind.
        documents: Name of each document to the fingerprint of what it says and who may see it; empty where the target
            does not list its documents, or was not asked.
    """

    warnings: tuple[Note, ...]
    documents: Mapping[str, str] = {}


def grounds_of(cases: Sequence[AnswerCase], asking: Asked, *, exact: bool, timeout_s: float | None = None) -> Grounds:
    """Return the documents, and a warning for each forbidden text, source or department that stands nowhere.

    A text of signs alone is found in nothing. Whether others stand in a document is not said where the target does not
    list its documents; where listing them fails or takes longer than ``timeout_s``, that is the warning.
    """
    unfindable = {text for case in cases for text in case.forbid if not contains(text, text, exact=exact)}
    never = tuple(
        note("answers.forbid_signs", id=_short(case.id), text=_short(text))
        for case in cases
        for text in case.forbid
        if text in unfindable
    )
    asks = any(case.forbid or case.expect_source or case.departments for case in cases)
    if not asks or method_of(asking.target, "documents") is None:
        return Grounds(never)
    outcome = asking.ask_all(asking.method("documents"), [()], read=read_documents, timeout_s=timeout_s)[0]
    if outcome.value is None:
        unknown = note("answers.documents_unknown", reason=outcome.error.reason if outcome.error else "")
        return Grounds((*never, unknown))
    warnings = (
        *never,
        *_forbidden_nowhere(cases, outcome.value, exact=exact, besides=unfindable),
        *_sources_nowhere(cases, outcome.value, exact=exact),
        *_departments_nowhere(cases, outcome.value),
    )
    return Grounds(warnings, _fingerprints(outcome.value))


def _fingerprints(documents: Sequence[Document]) -> dict[str, str]:
    names = Counter(document.name for document in documents)
    found = {}
    for document in documents:
        name = document.name if names[document.name] == 1 else f"{document.name} ({document.id})"
        said = "\0".join((document.title, ",".join(document.departments), document.text))
        found[name] = hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
    return dict(sorted(found.items()))


def _departments_nowhere(cases: Sequence[AnswerCase], documents: Sequence[Document]) -> Iterator[Note]:
    """Yield a warning for each department that no document has: who asks with it may see what everyone may, no more.

    A case that forbids something would pass for anyone then. A department without documents of its own is possible, so
    that it is a warning; a name that holds a comma is most likely two.
    """
    known = {department for document in documents for department in document.departments}
    for case in cases:
        for name in case.departments:
            if name not in known:
                parts = [part.strip() for part in _COMMAS.split(name) if part.strip()]
                meant = " | ".join(parts) if len(parts) > 1 else did_you_mean(name, known)
                code = "answers.department_nowhere_meant" if meant else "answers.department_nowhere"
                yield note(code, id=_short(case.id), name=_short(name), meant=meant)


def _forbidden_nowhere(
    cases: Sequence[AnswerCase], documents: Sequence[Document], *, exact: bool, besides: Collection[str]
) -> Iterator[Note]:
    matcher = TextMatcher({text: None for case in cases for text in case.forbid}, exact=exact)
    present: set[str] = set()
    for document in documents:
        for text in (document.id, document.name, document.title, document.text):
            present.update(matcher.occurrences(text))
    for case in cases:
        for text in case.forbid:
            if text not in present and text not in besides:
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
