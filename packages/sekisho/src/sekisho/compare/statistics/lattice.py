"""Differences as whole numbers of a common step, where the values lie on a lattice as recall and overlap do."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sekisho.compare.statistics.checks import Number

ROUNDING: Final = 1e-12
"""Values closer than this are equal: far below what one case of a million can move a mean by, far above rounding."""

_MOST_DENOMINATOR: Final = 1000
"""A float is taken for h / r with the least r up to this that gives its very bits. By chance a number of 53 bits is one
with a probability of about 1e-10."""

_MOST_STEPS: Final = 2**52
"""Sums of so many steps are exact in float64."""


class Differences(NamedTuple):
    """What each case gained.

    Attributes:
        values: After minus before; where all values are fractions, the fraction of the difference, correctly rounded.
        steps: The same in whole numbers of one step, the largest there is; None where the values share none.
    """

    values: tuple[float, ...]
    steps: tuple[int, ...] | None


def differences(before: Sequence[Number], after: Sequence[Number]) -> Differences:
    """Return the differences of aligned values.

    A recall of 0.7 is the float next to 7/10 and is read back as 7/10, so that 0.7 - 0.6 and 0.8 - 0.7 are the same
    difference. Values of different denominators share the least common one.
    """
    exact = _numerators({*before, *after})
    if exact is None:
        return Differences(tuple(_settled(float(b) - float(a)) for a, b in zip(before, after, strict=True)), None)
    numerators, denominator = exact
    steps = [numerators[b] - numerators[a] for a, b in zip(before, after, strict=True)]
    values = tuple(step / denominator for step in steps)
    common = math.gcd(*steps) or 1
    whole = tuple(step // common for step in steps)
    return Differences(values, whole if sum(map(abs, whole)) < _MOST_STEPS else None)


def _settled(value: float) -> float:
    return value if abs(value) > ROUNDING else 0.0


def _numerators(distinct: set[Number]) -> tuple[dict[Number, int], int] | None:
    """Return each value's numerator over the common denominator, and that; None where there is none."""
    known: dict[Number, Fraction] = {}
    denominator = 1
    for value in sorted(distinct):
        fraction = _fraction(value)
        if fraction is None:
            return None
        known[value] = fraction
        denominator = math.lcm(denominator, fraction.denominator)
        if denominator >= _MOST_STEPS:
            return None
    return {v: f.numerator * (denominator // f.denominator) for v, f in known.items()}, denominator


def _fraction(value: Number) -> Fraction | None:
    if not isinstance(value, float):
        return Fraction(value)
    near = Fraction(value).limit_denominator(_MOST_DENOMINATOR)
    return near if float(near) == value else None
