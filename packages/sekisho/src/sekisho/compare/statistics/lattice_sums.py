"""The whole distribution of a sum of ``± a`` over whole numbers ``a``, by dynamic programming.

With ``S = sum of a``, a choice of signs has the sum ``2 u - S`` where ``u`` is the sum of those with a plus, and ``u``
has the generating function ``∏ (1 + x^a) / 2``. One addition of shifted arrays for each ``a`` makes the probabilities
of all ``u``: with up to 53 differing cases they are exact, with more each is off by a relative ``m · 2^-53`` at most,
since all terms are positive; probabilities below 1e-280 are cut off.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from sekisho.compare.statistics.tails import Tails

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

_BETWEEN_SCALINGS: Final = 512
"""Counts double with each case, and 2^1024 is too large for float64."""

_NOTHING: Final = 1e-280
"""Smaller probabilities are cut off, before they become numbers that processors are slow with."""


def additions(sizes: Sequence[float]) -> float:
    """Return how many additions the distribution takes, for sizes in ascending order."""
    reached = cost = 0.0
    for size in sizes:
        reached += size
        cost += reached
    return cost


def tails(sizes: Sequence[int], observed: int) -> Tails:
    """Return the probabilities beside ``observed``, which is at least 0.

    Args:
        sizes: Above 0, in ascending order (which keeps the arrays short longest).
        observed: Of the parity of their sum, as any sum of ``± a`` is.
    """
    total = sum(sizes)
    probability = _distribution(sizes, total)
    far = _from(probability, (total + observed) // 2)
    near = _from(probability, (total - observed) // 2)
    return Tails(far, near, 2.0 * far if observed else 1.0)


def _from(probability: npt.NDArray[np.float64], start: int) -> float:
    return math.fsum(probability[start:].tolist())


def _distribution(sizes: Sequence[int], total: int) -> npt.NDArray[np.float64]:
    now, then = np.zeros(total + 1), np.zeros(total + 1)
    now[0] = 1.0
    top = 0
    for number, size in enumerate(sizes, start=1):
        then[:size] = now[:size]
        np.add(now[size : top + size + 1], now[: top + 1], out=then[size : top + size + 1])
        top += size
        now, then = then, now
        if number % _BETWEEN_SCALINGS == 0:
            now *= 2.0**-_BETWEEN_SCALINGS
            now[now < _NOTHING] = 0.0
    now *= 2.0 ** -(len(sizes) % _BETWEEN_SCALINGS)
    return now
