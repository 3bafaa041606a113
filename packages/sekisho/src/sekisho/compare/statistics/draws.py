"""Assignments of signs drawn with the project's own generator, eight cases to a byte.

For eight cases there are 256 signed sums. They stand in a table, a random byte picks one, and a draw is the sum of one
entry for each eight cases: an eighth of the look-ups and of the random numbers that one case at a time would take.

Byte ``g * draws + b`` of the generator, each word's lowest byte first, holds the signs of cases ``8 g`` to ``8 g + 7``
in draw ``b``: plus where bit ``i`` is set for the ``i``-th of them.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from sekisho.compare.statistics.tails import TIES, Tails
from sekisho.corpora.mulberry32 import words

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

_EIGHT: Final = 8
_AT_ONCE: Final = 64
"""Tables that are made, and whose bytes are drawn, at once."""


def tails(sizes: Sequence[float], observed: float, *, count: int, seed: int) -> Tails:
    """Return estimates ``(c + 1) / (count + 1)``, ``c`` the number of draws beside ``observed``.

    The one added is the assignment observed, without which a p value could be 0 and the test too ready to reject
    (Phipson and Smyth 2010).

    Args:
        sizes: Above 0.
        observed: At least 0.
        count: How many draws, a multiple of 4.
        seed: Of the generator; the same for every ruler of a run.
    """
    slack = TIES * math.fsum(sizes)
    sums = _drawn_sums(sizes, count, seed)
    far = int(np.count_nonzero(sums >= observed - slack))
    near = int(np.count_nonzero(sums >= -observed - slack))
    beyond = int(np.count_nonzero(np.abs(sums) >= observed - slack))
    return Tails((far + 1) / (count + 1), (near + 1) / (count + 1), (beyond + 1) / (count + 1))


def _drawn_sums(sizes: Sequence[float], count: int, seed: int) -> npt.NDArray[np.float64]:
    groups = -(-len(sizes) // _EIGHT)
    padded = np.zeros(groups * _EIGHT)
    padded[: len(sizes)] = sizes
    sums, picked = np.zeros(count), np.empty(count)
    for first in range(0, groups, _AT_ONCE):
        part = padded[first * _EIGHT : (first + _AT_ONCE) * _EIGHT].reshape(-1, _EIGHT)
        for table, row in zip(_tables(part), _bytes(seed, first, len(part), count), strict=True):
            np.take(table, row, out=picked, mode="clip")  # no byte lies outside; "clip" spares a copy of the result
            sums += picked
    return sums


def _tables(sizes: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the signed sums, shape (groups, 256), added in one order on every machine, which a product is not."""
    tables = np.zeros((len(sizes), 1))
    for case in range(_EIGHT):
        size = sizes[:, case, None]
        tables = np.concatenate([tables - size, tables + size], axis=1)
    return tables


def _bytes(seed: int, first: int, groups: int, count: int) -> npt.NDArray[np.uint8]:
    """Return shape (groups, count)."""
    drawn = words(seed, first * count // 4, groups * count // 4)
    return drawn.astype("<u4", copy=False).view(np.uint8).reshape(groups, count)
