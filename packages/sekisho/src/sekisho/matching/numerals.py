"""The value of a numeral: ASCII digits, kanji, or both (1億2,000万, 二十, 二〇二四, 弐拾萬, 5千)."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from sekisho.matching.patterns import pattern

if TYPE_CHECKING:
    import re

_DIGIT = {
    **{char: value for value, chars in enumerate(("〇零", "一壱壹弌", "二弐貳貮", "三参參", "四肆", "五伍", "六陸",
                                                  "七漆", "八捌", "九玖")) for char in chars},
}  # fmt: skip
SMALL = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
LARGE = {"万": 10**4, "萬": 10**4, "億": 10**8, "兆": 10**12}
DIGITS = "〇零一二三四五六七八九壱壹弐貳貮参參肆伍陸漆捌玖"
_ITEM = pattern(rf"(?P<ascii>[0-9]+(?:\.[0-9]+)?)|(?P<kanji>[{DIGITS}]+)|(?P<scale>(?s:.))")
_MOST = 40
"""Characters of the longest numeral that is read; a longer one stays as it is written."""
_PLACES = 20
_ONE: int = 10**_PLACES


def decimal(numeral: str) -> str | None:
    """Return a numeral without separators as an ASCII decimal without needless zeros, None where it is not one number.

    A scale without a number before it counts once (千 = 1000), except 万, 億 and 兆, which need one.
    """
    return _decimal(numeral) if len(numeral) <= _MOST else None


@lru_cache(maxsize=2048)
def _decimal(numeral: str) -> str | None:
    total = section = 0
    number: int | None = None
    small = large = 10**16  # the last scales, which must descend
    for item in _ITEM.finditer(numeral):
        if item["scale"] is None:
            number = _number(item) if number is None else -1
            if not 0 <= number < min(small, large) * _ONE:
                return None
        elif (scale := SMALL.get(item["scale"])) is not None and scale < small:
            section += scale * (_ONE if number is None else number)
            number, small = None, scale
        elif (scale := LARGE.get(item["scale"])) is not None and scale < large:
            section += number or 0
            if not 0 < section < large * _ONE:
                return None
            total += section * scale
            section, number, small, large = 0, None, 10**16, scale
        else:
            return None
    value = total + section + (number or 0)
    return None if section >= large * _ONE else _written(value)


def _number(item: re.Match[str]) -> int:
    """Return a digit sequence in units of the smallest place that is kept, -1 where it has more places."""
    if item["kanji"] is not None:
        return int("".join(str(_DIGIT[char]) for char in item["kanji"])) * _ONE
    whole, _, places = str(item["ascii"]).partition(".")
    if len(places) > _PLACES:
        return -1
    return int(whole + places.ljust(_PLACES, "0"))


def _written(value: int) -> str:
    whole, places = divmod(value, _ONE)
    return f"{whole}.{places:0{_PLACES}d}".rstrip("0") if places else str(whole)
