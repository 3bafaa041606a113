"""Numbers in one form: ASCII digits without separators, then the unit (20万円, ¥200,000 and 二十万円 are 200000円)."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from sekisho.matching.characters import GROUPED, NUMERALS
from sekisho.matching.edits import Edited, Span
from sekisho.matching.numerals import DIGITS, LARGE, SMALL, decimal
from sekisho.matching.units import NO_LEADING_ZERO, judged, unit_after, unit_name, word_end

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sekisho.matching.edits import Edit

_SMALL, _LARGE = "".join(SMALL), "".join(LARGE)
_GROUPS = rf"(?:[,、{GROUPED}][0-9]{{3}}(?![0-9]))+"
_PLACES = r"(?:\.[0-9]+)*"
_RUN = re.compile(
    rf"[0-9{DIGITS}{_SMALL}](?:(?<=[0-9])(?:[0-9]{{0,2}}{_GROUPS}|[0-9]*+){_PLACES})?+"
    rf"(?:{GROUPED}?(?:(?:[0-9]{{1,3}}{_GROUPS}|[0-9]++){_PLACES}|[{DIGITS}{_SMALL}{_LARGE}]))*+"
)
"""Everything that may be one numeral; it begins with a character set so that the search skips to it."""
_PIECES = re.compile(rf"{GROUPED}|(?<=[{DIGITS}{_SMALL}{_LARGE}])(?=[0-9])")
_SEPARATORS = str.maketrans("", "", f",、{GROUPED}")
_ASCII_DIGITS = frozenset("0123456789")
_LEAD = re.compile(
    r"(?:(?P<outer>-)?(?<![¥\\])(?<![¥\\] )(?<![¥\\]-)"
    r"(?:(?<![a-z])jpy ?)?(?P<yen>[¥\\]|(?<![a-z])jpy) ?)?(?P<sign>-)?\Z"
)
_LEAD_ENDS = frozenset("-¥\\ y")
_NO_SIGN_AFTER = re.compile(r"[0-9a-z%)\]-]")
_JOINING = frozenset(",、. ")
_KANJI_NUMERALS = NUMERALS - frozenset("0123456789")
_BEFORE_CURRENCY = NUMERALS | _JOINING - {" "}
_THOUSANDS = 3
_HAS_DIGIT = re.compile("[0-9]")
_LEADING_DIGITS = re.compile(r"[0-9][0-9.,、]*[0-9]")


_SOME = frozenset("数何幾")
"""Before a kanji numeral: some tens, hundreds or thousands, which is no number (数十万円)."""


class Number(NamedTuple):
    """A number in a text.

    Attributes:
        start: Where it begins, with its sign or currency.
        numeral: Where its numeral ends.
        end: Where it ends, with its unit.
        new: What stands for it, None where it stays as it is written.
        digits: How many characters of ``new``, or of what is written, are the number without its unit.
        certain: Whether it can be no word.
    """

    start: int
    numeral: int
    end: int
    new: str | None
    digits: int
    certain: bool = True


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
    done = length = 0
    for start, _, end, new, digits, _ in found:
        gap = text[done:start] if not spaced else _without_grouping(text, done, start)
        low = length + len(gap)
        spans.append((low, low + digits))
        parts.append(gap)
        parts.append(text[start:end] if new is None else new)
        length = low + len(parts[-1])
        if new is not None and len(new) > digits:
            quantities.append(new)
        done = end
    parts.append(_without_grouping(text, done, len(text)))
    return Numbered(Edited("".join(parts), lambda: _edits(text, found)), spans, quantities)


def _edits(text: str, found: list[Number]) -> Iterator[Edit]:
    """Yield the edits of numbers, and of the spaces that turned out to stand in none."""
    done = 0
    for each in found:
        yield from _spaces(text, done, each.start)
        done = each.end
        if each.new is not None:
            yield each.start, each.end, each.new
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
        kanji = text[start] not in _ASCII_DIGITS
        unit = unit_after(text, end, kanji=kanji)
        written = run[0]
        if not unit and (kanji and not _HAS_DIGIT.search(written)):
            continue
        if (
            not unit and not kanji and text[start - 1 : start] not in _LEAD_ENDS
            and written.isascii() and "," not in written
        ):  # fmt: skip
            found.append(Number(start, end, end, None, end - start))
            done = end
            continue
        for each in _read(text, start, end, done, unit):
            found.append(each)
            done = each.end
        if kanji and (word := word_end(text, start)) > start:
            done = max(done, word)
    return found


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
            done = each.end


def _from_kanji(text: str, start: int, end: int, done: int, unit: str) -> Number | None:
    """Return the number of a kanji numeral before a unit, None where it is none or a word."""
    value = decimal(text[start:end].translate(_SEPARATORS))
    if value is None or not (unit := unit_after(text, end, kanji=True)):
        return None
    if start > done and text[start - 1] in _SOME:
        return Number(start - 1, end, end, None, end - start + 1)
    lead, sign, yen = _lead(text, start, done, grouped=False)
    judgement = "number" if yen else judged(text, start, end, unit)
    if judgement == "word" or _would_join(text, lead, value):
        return None
    if yen and unit_name(unit) != "円":
        unit = ""
    new = sign + value + (unit_name(unit) or "円")
    return Number(lead, end, end + len(unit), new, len(sign + value), judgement == "number")


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
    name = unit_name(unit)
    if yen and name != "円":
        unit, name = "", "円"
    value = _plain(written.translate(_SEPARATORS), name)
    if value is None or (value != written and _would_join(text, lead, value)):
        digits = _LEADING_DIGITS.match(written)
        stop = start + (digits.end() if digits else 1)
        return Number(start, stop, stop, None, stop - start)
    new = sign + value + name
    stop = end + len(unit)
    if name == "円" and not unit.endswith(("円", "圓")) and text[stop : stop + 1] == " ":
        stop += 1  # no space beside Japanese
    return Number(lead, end, stop, None if not name and new == text[lead:stop] else new, len(sign + value))


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
    if text[start - 1 : start] not in _LEAD_ENDS:
        return start, "", False
    found = _LEAD.search(text, max(done, start - 7), start)
    if found is None or (found["yen"] == "\\" and not grouped):
        return start, "", False  # without thousands a path or an escape, not the yen sign of JIS X 0201
    first, yen = found.start(), found["yen"] is not None
    sign = "-" if found["sign"] else ""
    if found["outer"] or (sign and not yen):
        allowed = not (first == done > 0) and not _NO_SIGN_AFTER.match(text[first - 1 : first])
        first, sign = (first, "-") if allowed else (first + 1, "-" if found["outer"] and found["sign"] else "")
    if yen and text[first - 1 : first] in _BEFORE_CURRENCY:
        return start, "", True  # the sign stays between the two numbers
    return first, sign, yen
