"""The place at which a sequence changes its level, and how sure that is.

The values are replaced by their ranks (equal values share the mean of theirs), so that neither the unit nor one outlier
decides. For each place that cuts the sequence in two, the rank sum of one side is compared with what it would be were
there no order, in units of its standard deviation: a rank CUSUM, or the Wilcoxon statistic of the two sides. The place
where it is greatest is the step (the maximally selected rank statistic, Lausen and Schumacher 1992; Pettitt 1979 is the
same without the units, which makes it blind to a step near an end, and there the newest runs stand).

How sure: the share of random orders of the same values whose greatest statistic reaches the one observed. That is a p
value whatever the values are distributed like, ties included, over all places at once. The orders are drawn with the
project's own generator from a fixed seed, and one is added to both counts (Phipson and Smyth 2010): the same runs give
the same p on every machine, and never 0.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from sekisho.core.history import Step
from sekisho.corpora.mulberry32 import words

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

DRAWS: Final = 1999
"""Orders that are drawn; the least p is 1 / 2000."""
_SEED: Final = 20_051
_AT_ONCE: Final = 500_000
"""Values of random orders in memory at once."""
_DECIMALS: Final = 12
"""Values that differ by less than a gate tells apart are equal here too."""
_SLACK: Final = 1e-9
"""Sums of ranks are exact in float64; their squares over sizes are not, quite."""


def find_step(values: Sequence[float]) -> Step | None:
    """Return the most likely place of a step in a sequence, oldest value first, or None where all values are equal.

    Whether it is one at all is what its ``p`` says. Few values cannot be sure of anything: 5 before and 5 after reach
    0.01, 3 and 3 only 0.1.
    """
    rounded = np.asarray([round(value, _DECIMALS) for value in values], dtype=np.float64)
    if len(rounded) == 0 or bool((rounded == rounded[0]).all()):
        return None
    ranks = _centred_ranks(rounded)
    statistics = _statistics(ranks[None, :])[0]
    place = int(np.argmax(statistics)) + 1
    return Step(
        place=place,
        before=math.fsum(values[:place]) / place,
        after=math.fsum(values[place:]) / (len(values) - place),
        p=_share_of_orders(ranks, float(statistics[place - 1])),
    )


def _centred_ranks(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return twice the ranks minus twice their mean: whole numbers, whose sums are exact."""
    ordered = np.sort(values)
    below = np.searchsorted(ordered, values, side="left")
    up_to = np.searchsorted(ordered, values, side="right")
    return (below + up_to - len(values)).astype(np.float64)


def _statistics(orders: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return for each order, and each place that cuts it, the squared rank sum over its variance up to a factor."""
    count = orders.shape[1]
    sizes = np.arange(1, count, dtype=np.float64)
    sums = np.cumsum(orders, axis=1)[:, :-1]
    result: npt.NDArray[np.float64] = sums * sums / (sizes * (count - sizes))
    return result


def _share_of_orders(ranks: npt.NDArray[np.float64], observed: float) -> float:
    count = len(ranks)
    least = observed * (1 - _SLACK)
    rows = max(1, _AT_ONCE // count)
    reached = 0
    for first in range(0, DRAWS, rows):
        drawn = min(rows, DRAWS - first)
        keys = words(_SEED, first * count, drawn * count).reshape(drawn, count)
        orders = ranks[np.argsort(keys, axis=1, kind="stable")]
        reached += int(np.count_nonzero(_statistics(orders).max(axis=1) >= least))
    return (reached + 1) / (DRAWS + 1)
