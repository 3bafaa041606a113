"""Packs the parts of a section into passages of about the same size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from knowledge_search.chunk.sentences import SCALE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from knowledge_search.chunk.units import Unit

TARGET: Final = SCALE
"""About 400 Japanese or 900 English characters."""
CAP: Final = SCALE * 3 // 2
"""No passage is larger: 600 Japanese or 1,350 English characters."""
SMALL: Final = SCALE // 5
"""A passage below 80 Japanese or 180 English characters joins its neighbour."""
_GAP: Final = 4
"""What a character of space between two parts adds to the size."""


@dataclass(frozen=True)
class Range:
    """A passage while it grows."""

    start: int
    end: int
    size: int

    def with_next(self, other: Range | Unit) -> Range:
        """Return the passage that holds both, and what stands between them."""
        return Range(self.start, other.end, self.size + (other.start - self.end) * _GAP + other.size)


def packed(units: Sequence[Unit]) -> list[Range]:
    """Return passages that hold all units in order; each at most :data:`CAP` in size as long as each unit is.

    A passage is closed when the next unit would take it beyond the target; earlier, from half of the target on, where
    a paragraph, list item or row starts that would not fit.
    """
    ranges: list[Range] = []
    current: Range | None = None
    for at, unit in enumerate(units):
        if current is None:
            current = Range(unit.start, unit.end, unit.size)
            continue
        grown = current.with_next(unit)
        whole = current.with_next(_paragraph(units, at)) if unit.opens and current.size >= TARGET // 2 else grown
        if grown.size > TARGET or whole.size > TARGET:
            ranges.append(current)
            current = Range(unit.start, unit.end, unit.size)
        else:
            current = grown
    return _without_small([*ranges, current] if current else ranges)


def _paragraph(units: Sequence[Unit], at: int) -> Range:
    whole = Range(units[at].start, units[at].end, units[at].size)
    for following in range(at + 1, len(units)):
        if units[following].opens or whole.size > TARGET:
            break
        whole = whole.with_next(units[following])
    return whole


def _without_small(ranges: list[Range]) -> list[Range]:
    kept: list[Range] = []
    for each in ranges:
        if kept and min(kept[-1].size, each.size) < SMALL:
            grown = kept[-1].with_next(each)
            if grown.size <= CAP:
                kept[-1] = grown
                continue
        kept.append(each)
    return kept
