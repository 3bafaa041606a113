"""The readings of a text: a small fixed number of folded strings, whatever the text holds.

| reading | numbers | for |
|---|---|---|
| plain | in one form where they are certain | the canonical form |
| written | as they are written | 万円, パーセント as words |
| wide | also what may be a word, shared units, clock times, dates; spaces part | 十分, 20-24万円, 12:00, 100 200円 |
| joined | across signs and spaces that hold them apart in the others | ①②0円, 第三 四半期 |
| seen | in a text whose look-alikes are one letter | Cyrillic а, 力ード |

A reading that would equal the plain one is left out.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from sekisho.matching.characters import APART, GROUPED, fold_characters
from sekisho.matching.edits import Edited, Span, edit, substitute
from sekisho.matching.look_alikes import as_it_looks
from sekisho.matching.numbers import certain, in_one_form, numbers
from sekisho.matching.patterns import pattern
from sekisho.matching.spaces import fold_spaces
from sekisho.matching.units import UNIT, unit_after

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sekisho.matching.edits import Edit
    from sekisho.matching.numbers import Number

READINGS = 5
PLAIN, WRITTEN, WIDE, JOINED, SEEN = range(READINGS)
_LONGEST_KEPT, _MOST_KEPT = 2_000, 1_024
_NUMBER = r"([0-9](?<![0-9.,:/-].)[0-9]{0,2}(?:\.[0-9]+)?)"
_RANGE = pattern(rf"{_NUMBER}(?:[-~]|から|ないし|or|to)[0-9][0-9,]*(?:\.[0-9]+)?([十百千]?[万億兆]?)(?={UNIT})")
_CLOCK = pattern(r"([0-9](?<![0-9a-z.:].)(?:(?<=[012])[0-9])?)(:)([0-5][0-9])(?![0-9:])")
_DATE = pattern(
    r"[12](?<![0-9a-z./-].)(?:(?<=1)[89]|(?<=2)[01])[0-9]{2}([/.-])(?:0?[1-9]|1[0-2])(\1)(?:0?[1-9]|[12][0-9]|3[01])(?![0-9/.-]|[^\S\n]?[a-z])"
)
_LISTED = pattern(r"(?<=[0-9]、)(?=[0-9一二三四五六七八九十百千])")
_APART_OR_GROUPED = pattern(f"[{APART}{GROUPED}]")


class Reading(NamedTuple):
    """A folded string of a text.

    Attributes:
        text: The string.
        numbers: Where its numbers stand, in order, without units.
        layers: The way back to the raw text, last layer last.
    """

    text: str
    numbers: list[Span]
    layers: tuple[Edited, ...]

    def raw_span(self, start: int, end: int) -> Span:
        """Return where a piece of the string stands in the raw text."""
        for layer in reversed(self.layers):
            start, end = layer.start(start), layer.end(end)
        return start, end


class Readings:
    """The readings of a raw text, each made when it is asked for.

    Attributes:
        plain: The plain reading, whose text is the canonical form.
    """

    def __init__(self, raw: str) -> None:
        self._raw = raw
        self._layers = _spaced(raw)
        self._spaced = self._layers[-1].text
        self._inside = self._spaced.replace(APART, "|")
        self._numbers = numbers(self._inside)
        self._others: dict[int, Reading | None] = {}
        self.plain = _reading(self._layers, self._inside, certain(self._numbers))

    def other(self, name: int) -> Reading | None:
        """Return another reading, None where it would equal the plain one."""
        if name not in self._others:
            reading = (self._written, self._wide, self._joined, self._seen)[name - 1]()
            self._others[name] = None if reading is None or reading.text == self.plain.text else reading
        return self._others[name]

    def _written(self) -> Reading | None:
        if all(new is None for _, _, _, new, _, _ in self._numbers):
            return None
        spans = [(start, end) for start, end, _, _, _, _ in self._numbers]
        return Reading(self._inside.replace(GROUPED, " "), spans, tuple(self._layers))

    def _wide(self) -> Reading | None:
        if not self._numbers:
            return None
        inside = self._inside.replace(GROUPED, "|")
        apart = substitute(inside, _LISTED, lambda _: "|") if "、" in inside else Edited(inside)
        spread = edit(apart.text, lambda: sorted(_spread(apart.text)))
        same = spread.text == self._inside
        if same and len(certain(self._numbers)) == len(self._numbers):
            return None
        found = self._numbers if same else numbers(spread.text)
        return _reading([*self._layers, apart, spread], spread.text, found)

    def _joined(self) -> Reading | None:
        if APART not in self._spaced:
            return None
        joined = substitute(self._spaced, _APART_OR_GROUPED, lambda _: "")
        return _certain([*self._layers, joined])

    def _seen(self) -> Reading | None:
        seen = as_it_looks(self._raw)
        return _certain([*seen, *_spaced(seen[-1].text)]) if seen else None

    def quantities(self) -> frozenset[str]:
        """Return every certain number with its unit, in folded form; a range gives both its ends."""
        found = in_one_form(self._inside, certain(self._numbers)).quantities
        shared = edit(self._inside, lambda: _shared(self._inside)).text
        if shared != self._inside:
            found += in_one_form(shared, certain(numbers(shared))).quantities
        return frozenset(found)


def quantities(text: str) -> frozenset[str]:
    """Return every number with its unit in a raw text, each in its folded form; a range gives both its ends.

    Only what is certainly a number counts: 十分 and 一人 do not, 10分 and 三人 do.
    """
    return readings_of(text).quantities()


def readings_of(raw: str) -> Readings:
    """Return the readings of a raw text; those of the last texts that are not long are kept."""
    return _readings_kept(raw) if len(raw) <= _LONGEST_KEPT else Readings(raw)


_readings_kept = lru_cache(maxsize=_MOST_KEPT)(Readings)


def _spaced(raw: str) -> list[Edited]:
    layers = fold_characters(raw)
    layers.append(fold_spaces(layers[-1].text))
    return layers


def _certain(layers: list[Edited]) -> Reading:
    inside = layers[-1].text.replace(APART, "|")
    return _reading(layers, inside, certain(numbers(inside)))


def _reading(layers: list[Edited], inside: str, found: list[Number]) -> Reading:
    done = in_one_form(inside, found)
    return Reading(done.edited.text, done.spans, (*layers, done.edited))


def _spread(text: str) -> Iterator[Edit]:
    """Yield what a range leaves out after its first number, and times and dates written with signs."""
    yield from _shared(text)
    for found in _CLOCK.finditer(text) if ":" in text else ():
        yield found.start(2), found.end(2), "時"
        yield (found.end() - 2, found.end(), "") if found[3] == "00" else (found.end(), found.end(), "分")
    for found in _DATE.finditer(text):
        yield found.start(1), found.end(1), "年"
        yield found.start(2), found.end(2), "月"
        yield found.end(), found.end(), "日"


def _shared(text: str) -> Iterator[Edit]:
    for found in _RANGE.finditer(text):
        unit = unit_after(text, found.end(), kanji=False)
        if unit and unit[0] != " ":
            yield found.end(1), found.end(1), found[2] + unit
