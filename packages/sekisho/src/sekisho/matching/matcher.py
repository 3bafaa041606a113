"""Whether a text contains wanted ones, and where."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from sekisho.matching.forms import prepared
from sekisho.matching.likely import likely, missing_from
from sekisho.matching.look_alikes import has_strokes
from sekisho.matching.readings import READINGS, SEEN, WRITTEN, Readings, readings_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sekisho.matching.edits import Span
    from sekisho.matching.forms import Form, Wanted
    from sekisho.matching.readings import Reading

_MOST_FOLDS = 8


class Occurrence(NamedTuple):
    """Where a wanted text stands.

    Attributes:
        start: Offset of its first character in the raw text.
        end: Offset after its last one.
        raw: The raw piece.
    """

    start: int
    end: int
    raw: str


def fold(text: str) -> str:
    """Return the canonical form of a text; folding it again changes nothing. A text that says nothing becomes empty."""
    folded = readings_of(text).plain.text
    for _ in range(_MOST_FOLDS - 1):
        if folded == text:
            break
        text, folded = folded, Readings(folded).plain.text  # ¥ may stand after a currency that has gone
    return folded


def contains(text: str, wanted: str, *, exact: bool = False) -> bool:
    """Return whether any reading of ``text`` contains ``wanted``; ``exact`` compares characters and nothing else.

    A number at an edge of ``wanted`` matches whole numbers only. What holds no letter and no digit is never contained.
    """
    if exact:
        return bool(wanted) and wanted in text
    if text == wanted:
        return prepared(wanted) is not None
    made = prepared(wanted)
    return made is not None and next(_found((made,), text), None) is not None


class TextMatcher:
    """Wanted texts, prepared once and looked for in many texts.

    Args:
        wanted: The texts; a repeated one counts once.
        exact: Whether to compare characters and nothing else.
    """

    def __init__(self, wanted: Iterable[str], *, exact: bool = False) -> None:
        self._exact = exact
        self._wanted = list(dict.fromkeys(wanted))
        self._prepared = [] if exact else [each for each in map(prepared, self._wanted) if each is not None]

    def occurrences(self, text: str) -> dict[str, Occurrence]:
        """Return each wanted text that stands in ``text``, with its first occurrence in the first reading with one.

        Takes time in proportion to the text, whatever it holds.
        """
        if self._exact:
            return self._exactly(text)
        found: dict[str, Occurrence] = {}
        for wanted, reading, span in _found(self._prepared, text):
            start, end = reading.raw_span(*span)
            found[wanted] = Occurrence(start, end, text[start:end])
        return {wanted: found[wanted] for wanted in self._wanted if wanted in found}

    def _exactly(self, text: str) -> dict[str, Occurrence]:
        at = {wanted: text.find(wanted) for wanted in self._wanted if wanted}
        return {wanted: Occurrence(low, low + len(wanted), wanted) for wanted, low in at.items() if low >= 0}


def _found(wanted: Sequence[Wanted], text: str) -> Iterator[tuple[str, Reading, Span]]:
    """Yield each wanted text that stands in ``text``, with the first reading that holds it and where it first does.

    Readings other than the plain one are made only where they may hold what is still missing.
    """
    readings = readings_of(text)
    plain = readings.plain
    found = set()
    for hit in _in_reading(plain, [each.plain for each in wanted]):
        found.add(hit[0])
        yield hit
    if len(found) == len(wanted):
        return
    missing = [each for each in wanted if each.plain.wanted not in found]
    absent = missing_from(plain.text, {each.kept for each in missing})
    possible = [each for each in missing if each.kept not in absent]
    for name in range(WRITTEN, READINGS):
        if name == SEEN and has_strokes(text):
            possible = [each for each in missing if each.plain.wanted not in found]
        forms = [form for each in possible if (form := each.form(name)) is not None]
        reading = readings.other(name) if forms else None
        for hit in _in_reading(reading or plain, forms if reading else [form for form in forms if form.other]):
            found.add(hit[0])
            yield hit
        possible = [each for each in possible if each.plain.wanted not in found]


def _in_reading(reading: Reading, forms: list[Form]) -> Iterator[tuple[str, Reading, Span]]:
    for form in likely(reading.text, forms):
        if (span := _search(reading, form)) is not None:
            yield form.wanted, reading, span


def _search(reading: Reading, form: Form) -> Span | None:
    """Return where a form first stands in a reading without a part of a number at its edge."""
    text, numbers = reading.text, reading.numbers
    start = text.find(form.text)
    while start >= 0:
        end = start + len(form.text)
        if form.first and (cut := _cut(numbers, start)):
            following = cut[1]
        elif form.last and (cut := _cut(numbers, end)):
            following = max(start + 1, cut[1] - len(form.text))
        elif form.signed and not _begins(numbers, start):
            following = start + 1
        else:
            return start, end
        start = text.find(form.text, following)
    return None


def _cut(numbers: Sequence[Span], position: int) -> Span | None:
    """Return the number that a position lies strictly inside of."""
    index = bisect_right(numbers, (position,)) - 1
    if index >= 0 and numbers[index][0] < position < numbers[index][1]:
        return numbers[index]
    return None


def _begins(numbers: Sequence[Span], position: int) -> bool:
    index = bisect_right(numbers, (position,))
    return index < len(numbers) and numbers[index][0] == position
