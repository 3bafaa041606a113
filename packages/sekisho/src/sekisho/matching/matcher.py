"""Whether a text contains wanted ones, and where."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from sekisho.matching.characters import NUMERALS
from sekisho.matching.readings import JOINED, PLAIN, READINGS, SEEN, WIDE, WRITTEN, Readings

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sekisho.matching.edits import Span
    from sekisho.matching.readings import Reading

_INERT = re.compile(
    "(?:(?![円時分秒日月年度人名回件号条階倍個枚台項章社位点冊丁番割歳才週間圓パペドケヶヵ箇かへ"
    "一二三四五六七八九十百千万億兆壱壹弐貳貮参參肆伍陸漆捌玖拾佰仟萬〇零力口工夕卜カロエタハトニ])[ぁ-ゖァ-ヺ㐀-䶿一-鿿])+"
)
"""A text that every reading leaves as it is."""
_IN_UNIT = re.compile(
    "[円圓%パ割歳才週間時分秒日月年度人名回件号条階倍個枚台項章社位点ペド冊丁番かカケヶヵ箇¥]|yen|jpy|percent"
)
"""What a number that is written in one form may have held."""


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
    for _ in range(_MOST_FOLDS):
        folded = Readings(text).plain.text
        if folded == text:
            break
        text = folded  # what was folded may stand together in a new way: ¥ after a currency that has gone
    return text


def contains(text: str, wanted: str, *, exact: bool = False) -> bool:
    """Return whether any reading of ``text`` contains ``wanted``; ``exact`` compares characters and nothing else.

    A number at an edge of ``wanted`` matches whole numbers only. What holds no letter and no digit is never contained.
    """
    return bool(TextMatcher((wanted,), exact=exact).occurrences(text))


class _Form(NamedTuple):
    """A wanted text in one reading.

    Attributes:
        wanted: The text as it was given.
        text: Its form.
        first: Whether a number may stand at its first edge.
        signed: Whether that number has a sign.
        last: Whether a number may stand at its last edge.
        other: Whether it differs from the form in the plain reading.
    """

    wanted: str
    text: str
    first: bool
    signed: bool
    last: bool
    other: bool


class TextMatcher:
    """Wanted texts, prepared once and looked for in many texts.

    Args:
        wanted: The texts; a repeated one counts once.
        exact: Whether to compare characters and nothing else.
    """

    def __init__(self, wanted: Iterable[str], *, exact: bool = False) -> None:
        self._exact = exact
        self._wanted = list(dict.fromkeys(wanted))
        self._forms: list[list[_Form]] = [[] for _ in range(READINGS)]
        for each in () if exact else self._wanted:
            self._add(each)

    def _add(self, wanted: str) -> None:
        if _INERT.fullmatch(wanted):
            only = _Form(wanted, wanted, first=False, signed=False, last=False, other=False)
            self._forms[PLAIN].append(only)
            self._forms[SEEN].append(only)
            return
        folded = Readings(wanted)
        if not any(map(str.isalnum, folded.plain.text)):
            return
        plain = _form(wanted, folded.plain, other=False)
        self._forms[PLAIN].append(plain)
        numeral = not NUMERALS.isdisjoint(plain.text)
        for name in (WRITTEN, WIDE, JOINED, SEEN):
            reading = folded.other(name) if numeral or name == SEEN else None
            if reading is not None:
                self._forms[name].append(_form(wanted, reading, other=True))
            elif numeral or name == SEEN or (name == WRITTEN and _IN_UNIT.search(plain.text)):
                self._forms[name].append(plain)

    def occurrences(self, text: str) -> dict[str, Occurrence]:
        """Return each wanted text that stands in ``text``, with its first occurrence in the first reading with one.

        Takes time in proportion to the text, whatever it holds.
        """
        if self._exact:
            return self._exactly(text)
        found: dict[str, Occurrence] = {}
        texts = Readings(text)
        for name, forms in enumerate(self._forms):
            missing = [form for form in forms if form.wanted not in found]
            if not missing:
                continue
            reading = texts.plain if name == PLAIN else texts.other(name)
            if reading is None:
                reading, missing = texts.plain, [form for form in missing if form.other]
            for form in _likely(reading.text, missing):
                if (span := _search(reading, form)) is not None:
                    start, end = reading.raw_span(*span)
                    found[form.wanted] = Occurrence(start, end, text[start:end])
        return {wanted: found[wanted] for wanted in self._wanted if wanted in found}

    def _exactly(self, text: str) -> dict[str, Occurrence]:
        at = {wanted: text.find(wanted) for wanted in self._wanted if wanted}
        return {wanted: Occurrence(low, low + len(wanted), wanted) for wanted, low in at.items() if low >= 0}


def _form(wanted: str, reading: Reading, *, other: bool) -> _Form:
    text, numbers = reading.text, reading.numbers
    first = bool(numbers) and numbers[0][0] == 0
    last = bool(numbers) and numbers[-1][1] == len(text)
    return _Form(
        wanted=wanted,
        text=text,
        first=first or text[:1] in _FIRST,
        signed=first and text[0] == "-",
        last=last or text[-1:] in NUMERALS,
        other=other,
    )


_FIRST = NUMERALS - frozenset("万萬億兆")
_MOST_FOLDS = 8
_FEW = 24
"""Up to so many forms, looking for each is cheaper than asking first which of them are likely."""
_STRIDE, _GRAM = 4, 4


def _likely(text: str, forms: list[_Form]) -> list[_Form]:
    """Return the forms that may stand in a text, without those that certainly do not.

    Any occurrence of a form holds one of the text's grams that begin at every fourth character, so that a form none of
    whose first four grams is among these stands nowhere.
    """
    if len(forms) <= _FEW:
        return forms
    grams = set(zip(*(text[offset::_STRIDE] for offset in range(_GRAM)), strict=False))
    least = _STRIDE + _GRAM - 1
    return [
        form
        for form in forms
        if len(form.text) < least
        or any(tuple(form.text[offset : offset + _GRAM]) in grams for offset in range(_STRIDE))
    ]


def _search(reading: Reading, form: _Form) -> Span | None:
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
