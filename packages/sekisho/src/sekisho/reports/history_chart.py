"""A sequence of values drawn in characters: eighths of a block, or ASCII where the stream cannot show them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

_BLOCKS = " ▁▂▃▄▅▆▇█"
_ASCII = " ...:::##"
"""Thirds of a line where there are no eighths: a low dot, two dots, a full sign."""
_LEVELS = 8
SAMPLE = _BLOCKS + "─┤"
"""What a stream must be able to show for a drawing in blocks."""


class Chart(NamedTuple):
    """A drawing.

    Attributes:
        rows: Of characters, the highest first, all equally long.
        columns: For each value the column that it stands in.
    """

    rows: tuple[str, ...]
    columns: tuple[int, ...]


def draw(values: Sequence[float | None], *, width: int, height: int, ascii_only: bool) -> Chart:
    """Return a drawing of a sequence, a column a value; where they do not fit, a column for the mean of several.

    The lowest value stands one eighth above the floor, the highest reaches the ceiling, equal values stand half-way; a
    value that was not measured leaves its column empty.

    Args:
        values: In order; at least one.
        width: Columns at most.
        height: Lines.
        ascii_only: Draw without blocks.
    """
    columns = min(width, len(values))
    places = tuple(index * columns // len(values) for index in range(len(values)))
    means = [
        _mean([v for v, place in zip(values, places, strict=True) if place == column]) for column in range(columns)
    ]
    there = [value for value in means if value is not None]
    low, high = (min(there), max(there)) if there else (0.0, 0.0)
    levels = [None if value is None else _level(value, low, high, height * _LEVELS) for value in means]
    signs = _ASCII if ascii_only else _BLOCKS
    rows = [
        "".join(" " if level is None else signs[min(max(level - floor, 0), _LEVELS)] for level in levels)
        for floor in range((height - 1) * _LEVELS, -1, -_LEVELS)
    ]
    return Chart(tuple(rows), places)


def _level(value: float, low: float, high: float, levels: int) -> int:
    if high == low:
        return levels // 2
    return 1 + round((value - low) / (high - low) * (levels - 1))


def _mean(values: Sequence[float | None]) -> float | None:
    there = [value for value in values if value is not None]
    return math.fsum(there) / len(there) if there else None
