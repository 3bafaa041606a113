"""White space: none beside Japanese, one space elsewhere, and never a number made of two.

Japanese is written without spaces; where text holds some, they come from layout. Between two numbers a space means
something: there it stays, or becomes a sign that a reading may take for either.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from sekisho.matching.characters import APART, GROUPED, NUMERALS
from sekisho.matching.edits import substitute
from sekisho.matching.patterns import pattern

if TYPE_CHECKING:
    import re

    from sekisho.matching.edits import Edited

_DIGITS = frozenset("0123456789")
_SMALL = frozenset("十百千拾佰仟")
_LARGE = frozenset("万萬億兆")
JAPANESE = "\u3000-\u303fぁ-ヿㇰ-ㇿ㐀-䶿一-鿿豈-\ufaff\U00020000-\U0003ffff"
_JAPANESE = pattern(f"[{JAPANESE}]")
_SPACES = pattern(
    rf"\s(?:\s+|(?<! )|(?<=[{JAPANESE}] )|(?=[{JAPANESE}])|(?<=\A )|\Z|(?<=[0-9] )(?=[0-9]{{3}}(?![0-9])))"
)
"""White space that is more than one space between other words."""
_THREE = pattern(r"[0-9]{3}(?![0-9])")
_LAYOUT = frozenset("\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029\t")
_KANA_BEFORE_DASH = pattern("[ぁ-ゖァ-ヺー]")
_JAMO = ("\u1100", "\u11ff")


def fold_spaces(text: str) -> Edited:
    """Return folded characters with white space folded; numbers that it holds apart or together are marked."""
    return substitute(text, _SPACES, _space)


def _space(found: re.Match[str]) -> str:
    text, start, end = found.string, found.start(), found.end()
    if start == 0 or end == len(text):
        return ""
    before, after, spaces = text[start - 1], text[end], found[0]
    layout = spaces != " " and not _LAYOUT.isdisjoint(spaces)
    if before in _DIGITS and after in _DIGITS and _THREE.match(text, end):
        return GROUPED if spaces == " " else "|"
    return _between(before, after, layout=layout)


@lru_cache(maxsize=4096)
def _between(before: str, after: str, *, layout: bool) -> str:
    """Return what stands for white space between two characters; ``layout`` where it breaks a line or a column."""
    if before in NUMERALS and after in NUMERALS:
        return _between_numerals(before, after, layout=layout)
    if _may_compose(after) or (after == "-" and _KANA_BEFORE_DASH.match(before)):
        return " "
    return "" if _JAPANESE.match(before) or _JAPANESE.match(after) else " "


def _between_numerals(before: str, after: str, *, layout: bool) -> str:
    if after in _LARGE:
        return ""
    if before in _DIGITS and after in _DIGITS:
        return " "
    together = after in _SMALL or before in _LARGE
    if together and not layout:
        return GROUPED
    return "|" if layout and (before in _DIGITS or after in _DIGITS) else APART


def _may_compose(char: str) -> bool:
    """Return whether a character may compose with the one before it, which would then change on a second folding."""
    return char > "\u02ff" and (unicodedata.category(char)[0] == "M" or _JAMO[0] <= char <= _JAMO[1])
