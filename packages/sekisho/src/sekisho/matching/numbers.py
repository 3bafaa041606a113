"""Numbers in one form: ASCII digits without separators, then the unit (20万円, ¥200,000 and 二十万円 are 200000円)."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from sekisho.matching.characters import GROUPED, NUMERALS
from sekisho.matching.edits import Edited, Span
from sekisho.matching.numerals import DIGITS, LARGE, SMALL, decimal
from sekisho.matching.patterns import pattern
from sekisho.matching.units import NO_LEADING_ZERO, judged, unit_after, unit_name, word_end

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sekisho.matching.edits import Edit

_SMALL, _LARGE = "".join(SMALL), "".join(LARGE)
_GROUPS = rf"(?:[,、{GROUPED}][0-9]{{3}}(?![0-9]))+"
_PLACES = r"(?:\.[0-9]+)*"
_RUN = pattern(
    rf"[0-9{DIGITS}{_SMALL}](?:[0-9]*+(?![.,、{GROUPED}{DIGITS}{_SMALL}{_LARGE}])"
    rf"|(?:(?<=[0-9])(?:[0-9]{{0,2}}{_GROUPS}|[0-9]*+){_PLACES})?+"
    rf"(?:{GROUPED}?(?:(?:[0-9]{{1,3}}{_GROUPS}|[0-9]++){_PLACES}|[{DIGITS}{_SMALL}{_LARGE}]))*+)"
)
"""Everything that may be one numeral, first what needs no further look."""
_PIECES = pattern(rf"{GROUPED}|(?<=[{DIGITS}{_SMALL}{_LARGE}])(?=[0-9])")
_SEPARATORS = str.maketrans("", "", f",、{GROUPED}")
_ASCII_DIGITS = frozenset("0123456789")
_LEAD = pattern(
    r"(?:(?P<outer>-)?(?<![¥\\])(?<![¥\\] )(?<![¥\\]-)"
    r"(?:(?<![a-z])jpy ?)?(?P<yen>[¥\\]|(?<![a-z])jpy) ?)?(?P<sign>-)?\Z"
)
_MOST_LEAD = 7
_LEAD_ENDS = frozenset("-¥\\ y")
_NO_LEAD = pattern(r"[^¥\\y] |[0-9a-xz%)\]-]-")
"""What ends like a sign or a currency before a number and is none."""
_NO_SIGN_AFTER = pattern(r"[0-9a-z%)\]-]")
_JOINING = frozenset(",、. ")
_KANJI_NUMERALS = NUMERALS - frozenset("0123456789")
_BEFORE_CURRENCY = NUMERALS | _JOINING - {" "}
_YEN_SIGNS = frozenset("円圓")
_THOUSANDS = 3
_HAS_DIGIT = pattern("[0-9]")
_LEADING_DIGITS = pattern(r"[0-9][0-9.,、]*[0-9]")


_SOME = frozenset("数何幾")
"""Before a kanji numeral: some tens, hundreds or thousands, which is no number (数十万円)."""


Number = tuple[int, int, int, str | None, int, bool]
"""A number in a text; a plain tuple, as a text may hold very many.

- Where it begins, with its sign or currency.
- Where its numeral ends.
- Where it ends, with its unit.
- What stands for it, None where it stays as it is written.
- How many characters of that, or of what is written, are the number without its unit.
- Whether it is certain: whether it can be no word.
"""


class Numbered(NamedTuple):
    """A text with its numbers in one form.

    Attributes:
        edited: The text, and the way back.
        spans: Where its numbers stand, without units.
        quantities: The numbers that have a unit, with it.
    """

    edited: Edited
    spans: list[Span]
    quantities: list[str]


def in_one_form(text: str, found: list[Number]) -> Numbered:
    """Return a text with its numbers, as :func:`numbers` gives them, in one form."""
    spans: list[Span] = []
    quantities: list[str] = []
    parts: list[str] = []
    spaced = GROUPED in text
    done = shift = 0
    for start, _, end, new, digits, _ in found:
        if spaced or new is not None:
            gap = _without_grouping(text, done, start) if spaced else text[done:start]
            shift += len(gap) - (start - done)
            parts.append(gap)
            parts.append(text[start:end] if new is None else new)
            done = end
        spans.append((start + shift, start + shift + digits))
        if new is not None:
            shift += len(new) - (end - start)
            if len(new) > digits:
                quantities.append(new)
    if not parts and not spaced:
        return Numbered(Edited(text), spans, quantities)
    parts.append(_without_grouping(text, done, len(text)))
    return Numbered(Edited("".join(parts), lambda: _edits(text, found)), spans, quantities)


def _edits(text: str, found: list[Number]) -> Iterator[Edit]:
    """Yield the edits of numbers, and of the spaces that turned out to stand in none."""
    if GROUPED not in text:
        yield from ((start, end, new) for start, _, end, new, _, _ in found if new is not None)
        return
    done = 0
    for start, _, end, new, _, _ in found:
        yield from _spaces(text, done, start)
        done = end
        if new is not None:
            yield start, end, new
    yield from _spaces(text, done, len(text))


def _without_grouping(text: str, start: int, end: int) -> str:
    for at, after, new in reversed(list(_spaces(text, start, end))):
        return _without_grouping(text, start, at) + new + text[after:end]
    return text[start:end]


def _spaces(text: str, start: int, end: int) -> Iterator[Edit]:
    while (at := text.find(GROUPED, start, end)) >= 0:
        beside = text[at - 1 : at], text[at + 1 : at + 2]
        yield at, at + 1, " " if _ASCII_DIGITS.issuperset(beside) else ""
        start = at + 1


def numbers(text: str) -> list[Number]:
    """Return the numbers of a folded text in order, those that may be words among them."""
    found: list[Number] = []
    done = 0
    for run in _RUN.finditer(text):
        start, end = run.span()
        if start < done:
            continue
        written = run[0]
        kanji = written[0] not in _ASCII_DIGITS
        unit = unit_after(text, end, kanji=kanji)
        if not kanji and written.isascii():
            each = _simple(text, written, start, unit) or _from_ascii(text, start, end, done, unit)
            found.append(each)
            done = each[2]
            continue
        if kanji and not unit and not _HAS_DIGIT.search(written):
            continue
        for each in _read(text, start, end, done, unit):
            found.append(each)
            done = each[2]
        if kanji and (word := word_end(text, start)) > start:
            done = max(done, word)
    return found


def certain(found: list[Number]) -> list[Number]:
    """Return the numbers that can be no word."""
    return [each for each in found if each[5]]


def _simple(text: str, written: str, start: int, unit: str) -> Number | None:
    """Return a numeral in ASCII that stays as it is and has no sign and no currency; None for others."""
    if start and text[start - 1] in _LEAD_ENDS and not (start > 1 and _NO_LEAD.match(text, start - 2)):
        return None
    end = start + len(written)
    whole = written.isdecimal()
    if not whole and "," in written:
        return None
    if not unit:
        return start, end, end, None, end - start, True
    name = unit_name(unit)
    if (not whole or written[0] == "0") and _plain(written, name) != written:
        return None
    stop = end + len(unit)
    if name == "円" and unit not in _YEN_SIGNS and text.startswith(" ", stop):
        stop += 1  # no space beside Japanese
    return start, end, stop, written + name, end - start, True


def _read(text: str, start: int, end: int, done: int, unit: str) -> Iterator[Number]:
    """Yield the numbers of a run: one, or those of its pieces where it makes no sense as one."""
    cuts = [start, end]
    if not text[start:end].isascii() and decimal(text[start:end].translate(_SEPARATORS)) is None:
        cuts[1:1] = [start + cut.start() for cut in _PIECES.finditer(text[start:end])]
    for low, high in pairwise(cuts):
        first = low + (text[low] == GROUPED)
        if first < done or first == high:
            continue
        after = unit if high == end else ""
        if text[first] in _ASCII_DIGITS:
            each: Number | None = _from_ascii(text, first, high, done, after)
        else:
            word = word_end(text, first)
            done = max(done, word if word > first else 0)
            each = _from_kanji(text, first, high, done, after) if after and first >= done else None
        if each is not None:
            yield each
            done = each[2]


def _from_kanji(text: str, start: int, end: int, done: int, unit: str) -> Number | None:
    """Return the number of a kanji numeral before a unit, None where it is none or a word."""
    value = decimal(text[start:end].translate(_SEPARATORS))
    if value is None or not (unit := unit_after(text, end, kanji=True)):
        return None
    if start > done and text[start - 1] in _SOME:
        return start - 1, end, end, None, end - start + 1, True
    lead, sign, yen = _lead(text, start, done, grouped=False)
    judgement = "number" if yen else judged(text, start, end, unit)
    if judgement == "word" or _would_join(text, lead, value):
        return None
    if yen and unit_name(unit) != "円":
        unit = ""
    new = sign + value + (unit_name(unit) or "円")
    return lead, end, end + len(unit), new, len(sign + value), judgement == "number"


def _would_join(text: str, start: int, value: str) -> bool:
    """Return whether a number in one form would read as a part of the one before it."""
    if text[start - 1 : start] in _KANJI_NUMERALS:
        return decimal(text[start - 1] + value) is not None
    if text[start - 1 : start] not in _JOINING or text[start - 2 : start - 1] not in _ASCII_DIGITS:
        return False
    return text[start - 1] == "." or len(value.partition(".")[0]) == _THOUSANDS


def _from_ascii(text: str, start: int, end: int, done: int, unit: str) -> Number:
    """Return the number that begins with an ASCII digit; what cannot be read stays, its digits one number."""
    written = text[start:end]
    lead, sign, yen = _lead(text, start, done, grouped="," in written)
    name = unit_name(unit) if unit else ""
    if yen and name != "円":
        unit, name = "", "円"
    whole = written[0] != "0" and written.isdecimal()
    value = written if whole else _plain(written.translate(_SEPARATORS), name)
    if value is None or (value != written and _would_join(text, lead, value)):
        digits = _LEADING_DIGITS.match(written)
        stop = start + (digits.end() if digits else 1)
        return start, stop, stop, None, stop - start, True
    new = sign + value + name
    stop = end + len(unit)
    if name == "円" and unit not in _YEN_SIGNS and text[stop : stop + 1] == " ":
        stop += 1  # no space beside Japanese
    return lead, end, stop, None if not name and new == text[lead:stop] else new, len(sign + value), True


def _plain(written: str, unit: str) -> str | None:
    """Return the digits of a number without separators: its value where it has a unit or a scale."""
    if written.count(".") > 1:
        return None
    if not written.isascii():
        return decimal(written) if unit or written[-1] in LARGE else None
    if unit and "." in written:
        written = written.rstrip("0").rstrip(".")
    if unit in NO_LEADING_ZERO:
        written = written.lstrip("0") or "0"
    return written


def _lead(text: str, start: int, done: int, *, grouped: bool) -> tuple[int, str, bool]:
    """Return where a number begins with its sign and currency, the sign, and whether it is an amount of yen."""
    if start == 0 or text[start - 1] not in _LEAD_ENDS:
        return start, "", False
    low = max(done, start - _MOST_LEAD)
    seen = max(0, low - 2)
    length, sign, yen = _lead_in(text[seen:start], low - seen, after_number=0 < done == low, grouped=grouped)
    return start - length, sign, yen


@lru_cache(maxsize=4096)
def _lead_in(before: str, low: int, *, after_number: bool, grouped: bool) -> tuple[int, str, bool]:
    """Return how long the sign and currency at the end of ``before`` are, from ``low`` on, the sign, whether it is yen.

    ``after_number`` tells that another number ends at ``low``.
    """
    end = len(before)
    found = _LEAD.search(before, low)
    if found is None or (found["yen"] == "\\" and not grouped):
        return 0, "", False  # without thousands a path or an escape, not the yen sign of JIS X 0201
    first, yen = found.start(), found["yen"] is not None
    sign = "-" if found["sign"] else ""
    if found["outer"] or (sign and not yen):
        allowed = not (after_number and first == low) and not _NO_SIGN_AFTER.match(before[first - 1 : first])
        first, sign = (first, "-") if allowed else (first + 1, "-" if found["outer"] and found["sign"] else "")
    if yen and before[first - 1 : first] in _BEFORE_CURRENCY:
        return 0, "", True  # the sign stays between the two numbers
    return end - first, sign, yen
