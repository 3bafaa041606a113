"""What is asked: questions made from documents, without a model."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

from sekisho.access.mentions import without_page
from sekisho.access.sentences import distinctive_sentences, shortened
from sekisho.matching import TextMatcher

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sekisho.access.corpus import Corpus
    from sekisho.access.principals import Principal
    from sekisho.core.answers import AnswerCase

Value = TypeVar("Value")
_SENTENCES = 3
_LONGEST_TITLE = 200
_MOST_CASES = 20
"""Cases that are asked about one document: a target that answers in 10 ms must be done within seconds."""


class DocumentProbes(NamedTuple):
    """The questions about one document.

    Attributes:
        hidden: To those who may not see it: title, name, distinctive sentences, questions of cases that cite it.
        visible: To those who may: its title and its most distinctive sentence, what search must find it by.
        cases: Those of ``hidden`` that come from cases.
        closest: The one of ``hidden`` that is closest to the document: its most distinctive sentence, where it has one.
    """

    hidden: tuple[str, ...]
    visible: tuple[str, ...]
    cases: tuple[str, ...]
    closest: str


class Plan(NamedTuple):
    """What one principal is asked.

    Attributes:
        hidden: Question to the places of the hidden documents that it is made from.
        visible: Place of each visible document that has probes to its questions.
    """

    hidden: dict[str, tuple[int, ...]]
    visible: dict[int, tuple[str, ...]]


def probes_of(corpus: Corpus, cases: Sequence[AnswerCase]) -> tuple[DocumentProbes, ...]:
    """Return the questions about each document, in the order of documents."""
    citing = _cases_citing(corpus, cases)
    return tuple(_document_probes(corpus, place, citing[place]) for place in range(len(corpus.documents)))


def plan_for(principal: Principal, probes: Sequence[DocumentProbes]) -> Plan:
    """Return what a principal is asked, each question once."""
    hidden: dict[str, list[int]] = {}
    for place in principal.hidden:
        for question in probes[place].hidden:
            hidden.setdefault(question, []).append(place)
    return Plan(
        hidden={question: tuple(places) for question, places in hidden.items()},
        visible={place: probes[place].visible for place in principal.visible if probes[place].visible},
    )


def closest_questions(principal: Principal, probes: Sequence[DocumentProbes], most: int) -> list[str]:
    """Return questions about documents hidden from a principal: of cases up to half, then the closest one to each."""
    cases = dict.fromkeys(question for place in principal.hidden for question in probes[place].cases)
    half = list(cases)[: most // 2]
    rest = dict.fromkeys(probes[place].closest for place in principal.hidden if probes[place].closest)
    return [*half, *evenly([question for question in rest if question not in half], most - len(half))]


def mixed_questions(principal: Principal, probes: Sequence[DocumentProbes], most: int) -> list[str]:
    """Return questions of all kinds about documents hidden from a principal: a title, a name, a sentence, in turn."""
    places = evenly([place for place in principal.hidden if probes[place].hidden], most)
    turns = -(-most // max(len(places), 1))
    found = dict.fromkeys(
        probes[place].hidden[(number + turn) % len(probes[place].hidden)]
        for turn in range(turns)
        for number, place in enumerate(places)
    )
    return list(found)[:most]


def evenly(values: Sequence[Value], most: int) -> list[Value]:
    """Return at most so many of the values, taken evenly over all of them."""
    step = max(len(values) / most, 1)
    return [values[int(number * step)] for number in range(min(len(values), most))]


def _document_probes(corpus: Corpus, place: int, cases: tuple[str, ...]) -> DocumentProbes:
    document = corpus.documents[place]
    title, name, id_ = (
        shortened(text.strip(), _LONGEST_TITLE) for text in (document.title, document.name, document.id)
    )
    sentences = distinctive_sentences(corpus, place, _SENTENCES)
    asked = [question for question in (title, name, *sentences) if question] or [id_]
    visible = [question for question in (title, *sentences[:1]) if question] or [name]
    return DocumentProbes(
        hidden=tuple(dict.fromkeys(question for question in (*asked, *cases) if question)),
        visible=tuple(dict.fromkeys(question for question in visible if question)),
        cases=cases,
        closest=(*sentences[:1], *asked)[0],
    )


def _cases_citing(corpus: Corpus, cases: Sequence[AnswerCase]) -> list[tuple[str, ...]]:
    """Return for each document the questions of the cases that expect it as a source.

    A source is expected by a part of its name, title or id, or names it with more around it; a page counts for all.
    """
    stems = {wanted: without_page(wanted) for case in cases for wanted in case.expect_source}
    matcher = TextMatcher(sorted(set(stems.values())))
    citing: list[tuple[str, ...]] = []
    names = TextMatcher(sorted({document.name for document in corpus.documents if document.name}))
    named = {stem: names.occurrences(stem).keys() for stem in stems.values()}
    for document in corpus.documents:
        meant = {stem for part in (document.name, document.title, document.id) for stem in matcher.occurrences(part)}
        meant |= {stem for stem, found in named.items() if document.name in found}
        questions = [case.question for case in cases if any(stems[wanted] in meant for wanted in case.expect_source)]
        citing.append(tuple(dict.fromkeys(questions))[:_MOST_CASES])
    return citing
