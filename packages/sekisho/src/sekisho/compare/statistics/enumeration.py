"""All assignments of signs, for few differing cases."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sekisho.compare.statistics.tails import TIES, Tails

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt


def tails(sizes: Sequence[float], observed: float) -> Tails:
    """Return the shares of all ``2^m`` sums of ``± size`` beside ``observed``.

    A sum reaches a bound where the sum of the one half of the cases reaches what the other half leaves, so the ``2^m``
    pairs are counted by a search in one half's sorted sums (Horowitz and Sahni 1974).
    """
    slack = TIES * math.fsum(sizes)
    half = len(sizes) // 2
    one, other = np.sort(_sums(sizes[:half])), _sums(sizes[half:])
    far = _reaching(one, other, observed - slack)
    near = _reaching(one, other, -observed - slack)
    every = one.size * other.size
    return Tails(far / every, near / every, min(2 * far, every) / every)


def _sums(sizes: Sequence[float]) -> npt.NDArray[np.float64]:
    sums = np.zeros(1)
    for size in sizes:
        sums = np.concatenate([sums - size, sums + size])
    return sums


def _reaching(one: npt.NDArray[np.float64], other: npt.NDArray[np.float64], bound: float) -> int:
    return int((one.size - np.searchsorted(one, bound - other)).sum())
