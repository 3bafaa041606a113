"""What an answer says that nothing it was given says. Reported, never judged: it finds slips, it proves nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from sekisho.answers.grounded_citations import check_citations, without_citations
from sekisho.answers.grounded_dates import Date, dates_in, without_dates
from sekisho.answers.grounded_names import Name, names_in
from sekisho.matching import TextMatcher, quantities

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sekisho.core.answers import Answer


class Grounding(msgspec.Struct, frozen=True, kw_only=True):
    """What stands in an answer and in nothing that it was made from: contexts, sources and the question itself.

    Attributes:
        quantities: Numbers with units, as they are written in the answer.
        dates: As they are written there.
        names: Quoted terms, names in katakana or kanji with a title, capitalised Latin words.
        uncited: Sentences without a citation of a context that exists; empty where the answer cites nothing at all.
        miscited: Citations of contexts that do not exist, such as 7 where five were given.
        cites: Whether the answer holds any citation in brackets.
    """

    quantities: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    uncited: tuple[str, ...] = ()
    miscited: tuple[int, ...] = ()
    cites: bool = False

    @property
    def pieces(self) -> tuple[str, ...]:
        """Everything that stands in no context, in the order of the kinds."""
        return (*self.quantities, *self.dates, *self.names)


def grounding_of(answer: Answer, question: str) -> Grounding:
    """Return what in an answer nothing supports.

    It rather misses a slip than report a sound answer: anything found in any spelling in a context, a document's id, a
    source or the question is supported, whatever it was said about there. What it cannot see: a supported number
    that is attached to the wrong thing; a statement without numbers, dates or names; words of which the context holds a
    synonym only; names in hiragana, or in kanji without a title.

    Args:
        answer: The answer; one that says it found nothing supports nothing and claims nothing.
        question: What was asked.
    """
    if not answer.found:
        return Grounding()
    support = [question, *answer.sources]
    for context in answer.contexts:
        support += [context.text, context.document_id]
    text = without_citations(answer.text)
    citations = check_citations(answer.text, len(answer.contexts))
    return Grounding(
        quantities=_unsupported_quantities(text, support),
        dates=_unsupported_dates(text, support),
        names=_unsupported_names(text, support),
        uncited=citations.uncited,
        miscited=citations.miscited,
        cites=citations.any,
    )


def _unsupported_quantities(text: str, support: Sequence[str]) -> tuple[str, ...]:
    claimed = quantities(without_dates(text))
    claimed -= {quantity for given in support for quantity in quantities(given)} if claimed else set()
    missing = sorted(claimed - _held(claimed, support))
    written = TextMatcher(missing).occurrences(text) if missing else {}
    return tuple(written[quantity].raw if quantity in written else quantity for quantity in missing)


def _unsupported_dates(text: str, support: Sequence[str]) -> tuple[str, ...]:
    claimed = dates_in(text)
    if not claimed:
        return ()
    given = [each.date for part in support for each in dates_in(part)]
    whole = "\n".join(support)
    return tuple(dict.fromkeys(each.raw for each in claimed if not _is_given(each.date, given, whole)))


def _is_given(date: Date, given: Iterable[Date], support: str) -> bool:
    """Tell whether a date is supported: by itself, by a fuller one, or by its day with its year elsewhere."""
    for other in given:
        same_day = date.month == other.month and date.day in {None, other.day}
        year_elsewhere = other.year is None and str(date.year) in support
        if same_day and (date.year in {None, other.year} or year_elsewhere):
            return True
    return False


def _unsupported_names(text: str, support: Sequence[str]) -> tuple[str, ...]:
    names = names_in(text)
    wanted = {part for name in names for part in (name.text, *name.words)}
    held = _held(wanted, support)
    return tuple(dict.fromkeys(name.text for name in names if not _is_held(name, held)))


def _is_held(name: Name, held: set[str]) -> bool:
    """Tell whether a name stands in the contexts, as it is or word by word."""
    return name.text in held or (bool(name.words) and all(word in held for word in name.words))


def _held(wanted: Iterable[str], support: Sequence[str]) -> set[str]:
    """Return which texts stand in any of the supporting ones, in whatever spelling."""
    missing = set(wanted)
    held: set[str] = set()
    if missing:
        matcher = TextMatcher(sorted(missing))
        for given in support:
            held.update(matcher.occurrences(given))
    return held
