"""Student's t distribution and the interval of a mean, from the incomplete beta function.

With ``v`` degrees of freedom ``P(T >= t) = I_x(v/2, 1/2) / 2`` at ``x = v / (v + t²)`` for ``t >= 0`` (Abramowitz and
Stegun 1964, 26.7.1 and 26.5.27). ``I`` is computed by its continued fraction (26.5.8) in Lentz's form.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final, NamedTuple

from sekisho.compare.statistics.checks import above_zero, at_least, share

_MOST_DEGREES: Final = 1e7
"""More degrees of freedom are taken as these: a quantile then moves by (t³ + t) / 4v, less than 1e-6 of itself."""

_LARGE: Final = 30.0
"""From here on the asymptotic series of Γ(a + 1/2) / Γ(a) is exact to 1e-16."""

_SMALLEST: Final = 1e-300
"""Stands for 0 in a denominator of the continued fraction."""


class Interval(NamedTuple):
    """A closed interval."""

    low: float
    high: float


def t_tail(t: float, degrees: float) -> float:
    """Return P(T >= t), to a relative error of about 1e-12 up to 10,000 degrees of freedom and 1e-10 at a million.

    Args:
        t: Any number; infinities give 0 and 1.
        degrees: Degrees of freedom, above 0.
    """
    if t < 0.0:
        return 1.0 - t_tail(-t, degrees)
    degrees = min(above_zero("degrees", degrees), _MOST_DEGREES)
    if math.isinf(t):
        return 0.0
    half, ratio = degrees / 2.0, t / math.sqrt(degrees)
    # ln(x^(v/2) (1 - x)^(1/2) / B(v/2, 1/2)), without taking the logarithm of a number close to 1.
    if ratio == 0.0:
        return 0.5
    log_front = -half * _log_one_plus_square(ratio) + _log_beta_inverse(half)
    log_front += math.log(ratio) - 0.5 * _log_one_plus_square(ratio)
    front = math.exp(log_front)
    x = 1.0 / (1.0 + ratio * ratio)
    if x < (half + 1.0) / (half + 2.5):
        return 0.5 * front * _continued_fraction(half, 0.5, x) / half
    return 0.5 - front * _continued_fraction(0.5, half, ratio * ratio * x)


def _log_one_plus_square(value: float) -> float:
    return math.log1p(value * value) if value < 1e150 else 2.0 * math.log(value)  # noqa: PLR2004  its square overflows


def _log_beta_inverse(half: float) -> float:
    """Return ln(1 / B(a, 1/2)) = ln Γ(a + 1/2) - ln Γ(a) - ln(π) / 2."""
    if half < _LARGE:
        return math.lgamma(half + 0.5) - math.lgamma(half) - 0.5 * math.log(math.pi)
    square = half * half
    series = 1 / 8 - (1 / 192 - (1 / 640 - (17 / 14336 - 31 / 18432 / square) / square) / square) / square
    return 0.5 * math.log(half) - series / half - 0.5 * math.log(math.pi)


def _continued_fraction(a: float, b: float, x: float) -> float:
    numerator, denominator = 1.0, 1.0 / _not_zero(1.0 - (a + b) * x / (a + 1.0))
    value = denominator
    step = 0
    while True:
        step += 1
        for factor in (
            step * (b - step) * x / ((a + 2 * step - 1) * (a + 2 * step)),
            -(a + step) * (a + b + step) * x / ((a + 2 * step) * (a + 2 * step + 1)),
        ):
            denominator = 1.0 / _not_zero(1.0 + factor * denominator)
            numerator = _not_zero(1.0 + factor / numerator)
            change = numerator * denominator
            value *= change
        if abs(change - 1.0) < 1e-16 * 4:  # two units in the last place
            return value


def _not_zero(value: float) -> float:
    return value if abs(value) > _SMALLEST else _SMALLEST


@lru_cache(maxsize=256)
def t_quantile(upper: float, degrees: float) -> float:
    """Return the t with P(T >= t) = ``upper``, to the same relative error as :func:`t_tail`.

    Args:
        upper: Probability above t, strictly between 0 and 1.
        degrees: Degrees of freedom, above 0.
    """
    share("upper", upper)
    if upper > 0.5:  # noqa: PLR2004  the median is 0
        return -t_quantile(1.0 - upper, degrees)
    low, high = 0.0, 1.0
    while t_tail(high, degrees) > upper:
        low, high = high, 2.0 * high
    return _bisected(upper, degrees, low, high)


def _bisected(upper: float, degrees: float, low: float, high: float) -> float:
    while True:
        middle = 0.5 * (low + high)
        if not low < middle < high or high - low <= 1e-15 * high:  # a few units in the last place
            return middle
        if t_tail(middle, degrees) > upper:
            low = middle
        else:
            high = middle


def mean_interval(mean: float, spread: float, cases: int, *, confidence: float = 0.95) -> Interval:
    """Return ``mean ± t · spread / √cases`` with the t quantile of ``cases - 1`` degrees of freedom (Student 1908).

    Args:
        mean: Of the differences.
        spread: Their standard deviation, with ``cases - 1`` in the denominator; where it is 0 both ends are the mean.
        cases: At least 2.
        confidence: Share of samples whose interval holds the true mean, where differences are close to normal.
    """
    at_least("cases", cases, 2)
    upper = (1.0 - share("confidence", confidence)) / 2.0
    margin = t_quantile(upper, cases - 1) * spread / math.sqrt(cases)
    return Interval(mean - margin, mean + margin)
