"""Wanted texts in the form that each reading gives them, and what must stand in a text that holds one."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from sekisho.matching.characters import NUMERALS
from sekisho.matching.look_alikes import EXCHANGED
from sekisho.matching.patterns import pattern
from sekisho.matching.readings import PLAIN, READINGS, SEEN, WRITTEN, Readings
from sekisho.matching.units import UNIT_CHARACTERS

if TYPE_CHECKING:
    from sekisho.matching.readings import Reading

_INERT = pattern(
    "(?:(?![円時分秒日月年度人名回件号条階倍個枚台項章社位点冊丁番割歳才週間圓パペドケヶヵ箇かへ"
    "一二三四五六七八九十百千万億兆壱壹弐貳貮参參肆伍陸漆捌玖拾佰仟萬〇零力口工夕八卜カロエタハトニ])[ぁ-ゖァ-ヺ㐀-䶿一-鿿])+"
)
"""A text that every reading leaves as it is."""
_CHANGEABLE = NUMERALS | UNIT_CHARACTERS | EXCHANGED | frozenset("べぺ")
_KEPT = pattern(f"(?:(?![{''.join(sorted(_CHANGEABLE - {'-', ']', '^', chr(92)}))}])[ぁ-ゖ㐀-䶿一-鿿])+")
"""Characters that no reading changes, makes or parts: what of them stands together in any reading stands in the plain.

Only strokes laid over letters, which the reading of look-alikes takes away, may part them in the plain one.
"""
_IN_UNIT = pattern(
    "[円圓%パ割歳才週間時分秒日月年度人名回件号条階倍個枚台項章社位点ペド冊丁番かカケヶヵ箇¥]|yen|jpy|percent"
)
"""What a number that is written in one form may have held."""
_FIRST = NUMERALS - frozenset("万萬億兆")
_LONGEST_PREPARED = 1000


class Form(NamedTuple):
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


class Wanted:
    """A wanted text that is looked for.

    Attributes:
        plain: Its form in the plain reading.
        kept: A piece that stands in the plain reading of every text that holds it in any reading; strokes set aside.
    """

    __slots__ = ("_folded", "_forms", "kept", "plain")

    def __init__(self, plain: Form, folded: Readings | None) -> None:
        self.plain = plain
        self.kept = max(_KEPT.findall(plain.text), key=len, default="")
        self._folded = folded
        self._forms: tuple[Form | None, ...] | None = None

    def form(self, name: int) -> Form | None:
        """Return its form in a reading, None where it is not looked for in that one."""
        if self._forms is None:
            self._forms = tuple(self._made(each) for each in range(READINGS))
        return self._forms[name]

    def _made(self, name: int) -> Form | None:
        plain = self.plain
        if name == PLAIN:
            return plain
        if self._folded is None:
            return plain if name == SEEN else None
        numeral = not NUMERALS.isdisjoint(plain.text)
        reading = self._folded.other(name) if numeral or name == SEEN else None
        if reading is not None:
            return _form(plain.wanted, reading, other=True)
        looked_for = numeral or name == SEEN or (name == WRITTEN and _IN_UNIT.search(plain.text))
        return plain if looked_for else None


def prepared(wanted: str) -> Wanted | None:
    """Return a wanted text ready to be looked for, None where it holds no letter and no digit."""
    return _prepared_often(wanted) if len(wanted) <= _LONGEST_PREPARED else _prepared(wanted)


def _prepared(wanted: str) -> Wanted | None:
    if _INERT.fullmatch(wanted):
        return Wanted(Form(wanted, wanted, first=False, signed=False, last=False, other=False), None)
    folded = Readings(wanted)
    if not any(map(str.isalnum, folded.plain.text)):
        return None
    return Wanted(_form(wanted, folded.plain, other=False), folded)


_prepared_often = lru_cache(maxsize=2048)(_prepared)


def _form(wanted: str, reading: Reading, *, other: bool) -> Form:
    text, numbers = reading.text, reading.numbers
    first = bool(numbers) and numbers[0][0] == 0
    last = bool(numbers) and numbers[-1][1] == len(text)
    return Form(
        wanted=wanted,
        text=text,
        first=first or text[:1] in _FIRST,
        signed=first and text[0] == "-",
        last=last or text[-1:] in NUMERALS,
        other=other,
    )
