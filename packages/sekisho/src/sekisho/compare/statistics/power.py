"""What a number of cases can show: the drop that a test would find, and the cases that a drop needs.

All figures are those of the paired t test with the noncentral t distribution: a mean difference ``d`` of ``n`` cases
whose differences have the standard deviation ``s`` has the noncentrality ``√n · d / s`` at ``n - 1`` degrees of freedom
(Cohen 1988, section 2.3.5, whose effect size d_z is ``d / s``). The sign-flip test has nearly the same power; where few
cases differ, or losses are rare and large, figures are a guide (benchmarks/type_one_errors.py measures how good a one).
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from sekisho.compare.statistics.checks import above_zero, at_least, share
from sekisho.compare.statistics.noncentral import noncentral_tail
from sekisho.compare.statistics.student import t_quantile

if TYPE_CHECKING:
    from collections.abc import Callable

Sides = Literal[1, 2]

POWER: Final = 0.8
"""How often a drop is to be found: the field's custom (Cohen 1988, section 2.4)."""

_CLOSE: Final = 1e-11
"""Powers that differ by less are equal; those of the noncentral t are computed to 1e-12."""

_MOST_ROUNDS: Final = 100
"""Ten are the rule."""


class PowerFigures(msgspec.Struct, frozen=True, kw_only=True):
    """How large a drop some cases can show, four times in five, by a one-sided test.

    Attributes:
        cases: How many.
        spread: Standard deviation of their differences.
        drop_at_5_percent: Found with p < .05.
        drop_at_1_percent: Found with p < .01.
        differing_at_5_percent: The fewest cases that must differ, all in one direction, before p < .05 is possible.
        differing_at_1_percent: The same for p < .01.
    """

    cases: int
    spread: float
    drop_at_5_percent: float
    drop_at_1_percent: float
    differing_at_5_percent: int
    differing_at_1_percent: int


def power_figures(cases: int, spread: float) -> PowerFigures:
    """Return the figures of ``cases`` (at least 2) whose differences have the standard deviation ``spread``.

    Args:
        cases: At least 2.
        spread: Above 0.
    """
    return PowerFigures(
        cases=cases,
        spread=spread,
        drop_at_5_percent=detectable_drop(cases, spread, alpha=0.05),
        drop_at_1_percent=detectable_drop(cases, spread, alpha=0.01),
        differing_at_5_percent=least_differing(0.05),
        differing_at_1_percent=least_differing(0.01),
    )


def power_of_drop(drop: float, *, cases: int, spread: float, alpha: float = 0.05, sides: Sides = 1) -> float:
    """Return how often a drop is found.

    Args:
        drop: The true mean difference, at least 0.
        cases: At least 2.
        spread: Standard deviation of the differences, above 0.
        alpha: Of the test.
        sides: 1 tests for a drop, 2 for any difference.
    """
    at_least("cases", cases, 2)
    return _power(math.sqrt(cases) * drop / above_zero("spread", spread), cases, share("alpha", alpha), sides)


def detectable_drop(cases: int, spread: float, *, alpha: float = 0.05, power: float = POWER, sides: Sides = 1) -> float:
    """Return the drop that is found with the power asked for: the minimal detectable difference.

    Exact to a relative 1e-9; the closed form ``(z_alpha + z_power) · spread / √cases`` is 1 % too low at 100 cases and
    5 % at 20. Arguments are those of :func:`power_of_drop`; ``power`` must be above ``alpha``.
    """
    at_least("cases", cases, 2)
    if share("alpha", alpha) >= share("power", power):
        message = f"power must be above alpha ({alpha!r}), not {power!r}: no difference at all is found as often"
        raise ValueError(message)
    shift = _shift(cases, alpha, power, sides)
    return shift * above_zero("spread", spread) / math.sqrt(cases)


def cases_for_drop(drop: float, spread: float, *, alpha: float = 0.05, power: float = POWER, sides: Sides = 1) -> int:
    """Return the fewest cases, at least 2, with which a drop is found with the power asked for.

    Arguments are those of :func:`power_of_drop`; ``drop`` is above 0.
    """
    effect = above_zero("drop", drop) / above_zero("spread", spread)
    share("power", power)
    return _fewest(lambda cases: _power(math.sqrt(cases) * effect, cases, share("alpha", alpha), sides) >= power)


def cases_for_margin(margin: float, spread: float, *, confidence: float = 0.95) -> int:
    """Return the fewest cases, at least 2, whose interval reaches at most ``margin`` to each side of the mean.

    Args:
        margin: Half the width of the interval, above 0.
        spread: Standard deviation of the differences, as it is expected to stay.
        confidence: Of the interval.
    """
    above_zero("margin", margin)
    upper = (1.0 - share("confidence", confidence)) / 2.0
    return _fewest(lambda cases: t_quantile(upper, cases - 1) * spread <= margin * math.sqrt(cases))


def least_differing(alpha: float) -> int:
    """Return how many cases must differ, all in one direction, before a sign-flip test can give p < ``alpha``.

    Of ``m`` differing cases one of the ``2^m`` assignments of signs is the most extreme, so no one-sided p is below
    ``2^-m``, however large the differences.
    """
    share("alpha", alpha)
    return next(count for count in range(1, 1100) if 2.0**-count < alpha)


def _fewest(enough: Callable[[int], bool]) -> int:
    low, high = 1, 2
    while not enough(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _power(shift: float, cases: int, alpha: float, sides: Sides) -> float:
    critical = t_quantile(alpha / sides, cases - 1)
    found = noncentral_tail(critical, cases - 1, shift)
    return found if sides == 1 else found + noncentral_tail(critical, cases - 1, -shift)


@lru_cache(maxsize=256)
def _shift(cases: int, alpha: float, power: float, sides: Sides) -> float:
    low, high = 0.0, 1.0
    while _power(high, cases, alpha, sides) < power:
        low, high = high, 2.0 * high
    return _root(lambda shift: _power(shift, cases, alpha, sides) - power, low, high)


def _root(rising: Callable[[float], float], low: float, high: float) -> float:
    """Return where a rising function crosses 0, by false position with Illinois weights (Dowell and Jarratt 1971)."""
    below, above = rising(low), rising(high)
    side, middle = 0, high
    for _ in range(_MOST_ROUNDS):
        middle = (low * above - high * below) / (above - below)
        found = rising(middle)
        if abs(found) < _CLOSE:
            break
        if found < 0.0:
            low, below, above = middle, found, above * (0.5 if side < 0 else 1.0)
            side = -1
        else:
            high, above, below = middle, found, below * (0.5 if side > 0 else 1.0)
            side = 1
    return middle
