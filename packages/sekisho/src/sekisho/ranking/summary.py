"""From values to a mean and from a mean to a gate."""

from __future__ import annotations

from math import fsum

from sekisho.ranking.refusal import refusal

TYPE_CHECKING = False  # see refusal.py
if TYPE_CHECKING:
    from collections.abc import Iterable

GATE_SLACK = 1e-12
"""Far below what one query of a million can move a mean by, far above what rounding moves it by."""


def mean(values: Iterable[float]) -> float:
    """Return the mean: the correctly rounded sum (``math.fsum``) divided by the number of values.

    The order of the values has no effect, and neither has the version of Python, whose ``sum`` changed in 3.12.

    Raises:
        RankingError: There is no value.
    """
    known = list(values)
    if not known:
        raise refusal("ranking.no_values")
    return fsum(known) / len(known)


def gate_holds(value: float, threshold: float) -> bool:
    """Return whether ``value`` reaches ``threshold``, up to rounding: ``value + 1e-12 >= threshold``.

    A NaN on either side holds no gate.
    """
    return value + GATE_SLACK >= threshold
