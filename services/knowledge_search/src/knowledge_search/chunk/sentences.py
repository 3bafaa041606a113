"""Where a text can be cut: ends of sentences, Japanese and English, else commas and spaces, else anywhere."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_WIDE: Final = "\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60\U00020000-\U0003ffff"
_WIDE_SIGN: Final = re.compile(f"[{_WIDE}]")
_WIDE_WEIGHT, _WEIGHT = 9, 4
SCALE: Final = 3600
"""Size of 400 wide characters, or of 900 others: Japanese says in 4 characters what English says in 9."""
_CLOSING: Final = "」』）)】〉》”’\"'"
_END: Final = re.compile(
    rf"[。．！？]+[{_CLOSING}]*"
    rf"|[!?]+[{_CLOSING}]*(?=\s|[{_WIDE}]|$)"
    r"|(?<![A-Z])\.[)\"'\]]*(?=\s+[A-Z0-9\"'(\[])"
)
"""Ends of sentences. A point after a capital, as of an initial, is none; nor is one before a small letter."""
_ABBREVIATIONS: Final = ("e.g", "i.e", "etc", "vs", "cf", "No", "Mr", "Ms", "Dr", "Fig", "Inc", "Ltd", "Co", "approx")
_PAUSES: Final = frozenset("、,;:，；：\n\t ")


def size(text: str) -> int:
    """Return how much a text holds, in units of which a passage should have about :data:`SCALE`."""
    wide = len(_WIDE_SIGN.findall(text))
    return wide * _WIDE_WEIGHT + (len(text) - wide) * _WEIGHT


def sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the sentences of ``text[start:end]`` as ranges that follow each other without a gap."""
    begin = start
    for match in _END.finditer(text, start, end):
        if match[0].startswith(".") and text.endswith(_ABBREVIATIONS, begin, match.start()):
            continue
        if match.end() < end:
            yield begin, match.end()
            begin = match.end()
    if begin < end:
        yield begin, end


def shorter(text: str, start: int, end: int, *, limit: int) -> Iterator[tuple[int, int]]:
    """Yield ``text[start:end]`` in ranges of at most ``limit``, cut after a comma or space where there is one."""
    if size(text[start:end]) <= limit:
        yield start, end
        return
    begin, pause, weight, since = start, start, 0, 0
    for at in range(start, end):
        step = _WIDE_WEIGHT if _WIDE_SIGN.match(text, at) else _WEIGHT
        if weight + step > limit:
            cut = pause if pause > begin else at
            yield begin, cut
            weight = since if pause > begin else 0
            begin, since = cut, weight
        weight += step
        since += step
        if text[at] in _PAUSES:
            pause, since = at + 1, 0
    if begin < end:
        yield begin, end
