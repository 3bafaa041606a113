"""The one form in which text is kept: NFKC, without what cannot be seen or stored."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_LINE_BREAKS: Final = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_UNSEEN: Final = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f"  # controls; PostgreSQL refuses NUL
    "\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffc\ufffe\uffff"  # soft hyphen, direction, marks
    "\ud800-\udfff\U000e0000-\U000e0fff]"  # halves of a pair; tags and selectors, in which text can be hidden
)
_RAISED: Final = re.compile(r"(?<=\d)([⁰¹²³⁴-⁹]+)")
_FRACTION: Final = re.compile(r"(?<=\d)(?=[¼-¾⅐-⅞])")
_ENCLOSED: Final = re.compile("[①-⑳]")
_EMPTY_LINES: Final = re.compile(r"\n{3,}")
_RADICALS: Final = str.maketrans(
    "\u2e81\u2e84\u2e85\u2e86\u2e87\u2e89\u2e8b\u2e8c\u2e8e\u2e92\u2e93\u2e94\u2e96\u2e98\u2e99\u2e9b\u2e9d\u2e9e"
    "\u2ea0\u2ea1\u2ea3\u2ea6\u2ea8\u2ea9\u2ead\u2eae\u2eaf\u2eb9\u2ebe\u2ec1\u2ec2\u2ec4\u2ec6\u2eca\u2ecc"
    "\u2ed1\u2ed7\u2ed8\u2edd\u2ee1\u2ee3\u2ee4\u2ee8\u2ee9\u2eeb\u2eed\u2eef\u2ef2",
    "厂乙亻冂几刂㔾小兀巳幺彑忄扌攵旡月歺民氵灬丬犭王礻竹糹耂艹虎衤西角足辶長雨青食首骨鬼麦黄斉歯竜亀",
)
"""Radicals that some PDF writers put in place of the letter they look like, and that NFKC leaves as they are."""


def normalised(text: str) -> str:
    """Return ``text`` in NFKC, with one kind of line break, and without controls, hidden signs and trailing blanks.

    Kangxi radicals become letters. What NFKC alone would make wrong is kept apart first: ``10²`` becomes ``10^2`` and
    not 102, ``1½`` becomes ``1 1⁄2``, ``①`` becomes ``(1)``. At most one empty line stays between two others.

    >>> normalised("１０² ⽉ ①休暇")
    '10^2 月 (1)休暇'
    """
    text = _LINE_BREAKS.sub("\n", text)
    text = _RAISED.sub(r"^\1", text)
    text = _FRACTION.sub(" ", text)
    text = _ENCLOSED.sub(lambda match: f"({ord(match[0]) - 0x245F})", text)
    text = unicodedata.normalize("NFKC", _UNSEEN.sub("", text).translate(_RADICALS))
    text = _without_trailing_blanks(text)
    return _EMPTY_LINES.sub("\n\n", text).strip("\n")


def _without_trailing_blanks(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.split("\n"))
