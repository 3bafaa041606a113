"""The parts of a passage that are not torn: sentences, list items, rows of a table, lines of code."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from knowledge_search.chunk.sentences import sentences, shorter, size

if TYPE_CHECKING:
    from collections.abc import Iterator

LIST_ITEM: Final = re.compile(
    r"[ \t]*(?:[-*+•・●○◦‣–]|[(]?[0-9]{1,3}[.)]|[(][^\s()]{1,3}[)]|[a-z][.)]|[ア-ン][.)])[ \t]*(?=\S)"
)
"""How a list item starts."""
_ROW: Final = re.compile(r"[ \t]*\||.* \| |.*\t.*\t")
_FENCE: Final = re.compile(r" {0,3}(?:```|~~~)")
_INDENTED: Final = re.compile(r"(?: {2,}|\t)\S")


@dataclass(frozen=True, kw_only=True)
class Unit:
    """A part that stays whole: a range of the text, without space at its ends.

    Attributes:
        size: As :func:`~knowledge_search.chunk.sentences.size` measures it.
        opens: Whether a paragraph, list item or row starts here.
    """

    start: int
    end: int
    size: int
    opens: bool


def units(text: str, start: int, end: int, *, limit: int) -> list[Unit]:
    """Return the parts of ``text[start:end]`` in order; each at most ``limit`` in size.

    What is larger than ``limit`` falls into sentences, and a sentence that is into pieces at commas and spaces.
    """
    found: list[Unit] = []
    for block_start, block_end, whole in _blocks(text, start, end):
        fits = whole and size(text[block_start:block_end]) <= limit
        parts = [(block_start, block_end)] if fits else list(sentences(text, block_start, block_end))
        opens = True
        for part in parts:
            for piece in shorter(text, *part, limit=limit):
                trimmed = _trimmed(text, *piece)
                if trimmed is not None:
                    found.append(Unit(start=trimmed[0], end=trimmed[1], size=size(text[slice(*trimmed)]), opens=opens))
                    opens = False
    return found


def _blocks(text: str, start: int, end: int) -> Iterator[tuple[int, int, bool]]:
    """Yield (start, end, whole) of paragraphs (not whole), list items and rows (whole)."""
    block: tuple[int, int, bool] | None = None
    fenced, at = False, start
    while at < end:
        stop = text.find("\n", at, end)
        stop = end if stop < 0 else stop
        line = text[at:stop]
        fence = bool(_FENCE.match(line))
        whole = fenced or fence or bool(_ROW.match(line)) or bool(LIST_ITEM.match(line))
        continues = block is not None and not whole and (not block[2] or bool(_INDENTED.match(line)))
        if not line.strip() or not continues:
            if block:
                yield block
            block = (at, stop, whole) if line.strip() else None
        elif block:
            block = (block[0], stop, block[2])
        fenced ^= fence
        at = stop + 1
    if block:
        yield block


def _trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    part = text[start:end]
    stripped = part.strip()
    if not stripped:
        return None
    begin = start + len(part) - len(part.lstrip())
    return begin, begin + len(stripped)
