"""The sign-flip randomisation test of a mean of paired differences.

If neither run is better, each difference could as well have had the other sign: the p value is the share of all
``2^m`` assignments of signs whose sum is at least as far out as the one observed (Fisher 1935; recommended for rankings
by Smucker, Allan and Carterette 2007). Differences of 0 add nothing to any sum and are left out first.

The distribution is that of ``sum of ± |d|``, so it needs neither the order of the cases nor their signs; it is
symmetric, so one tail serves both sides.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

if TYPE_CHECKING:
    from sekisho.compare.statistics.lattice import Differences
    from sekisho.compare.statistics.tails import Tails

Method = Literal["exact", "enumerated", "10,000 draws"]
"""How the p values were computed: from the whole distribution (by dynamic programming over whole numbers), from all
assignments of signs, or from fixed pseudo-random ones."""

SEED: Final = 42
DRAWS: Final = 10_000
MOST_ENUMERATED: Final = 20
"""So many differing cases have a million assignments of signs."""

MOST_ADDITIONS: Final = 40_000_000
"""More additions cost more than draws do for as many cases (benchmarks/paired_statistics.py)."""

LONGEST_LATTICE: Final = 2**19
"""Sums on a lattice reach at most so far: arrays of 4 MB."""

_LEAST: Final = 2.0**-1000
"""Stands for any smaller p value, which might not be a float64: no p value is 0."""


class SignFlip(NamedTuple):
    """The outcome of the test. No p value is ever 0.

    Attributes:
        p_two_sided: Against "there is a difference".
        p_drop: Against "the second run is worse".
        p_rise: Against "the second run is better".
        method: How they were computed.
    """

    p_two_sided: float
    p_drop: float
    p_rise: float
    method: Method


def sign_flip(given: Differences, *, seed: int = SEED) -> SignFlip:
    """Return the p values of a mean difference.

    Args:
        given: The differences of all cases.
        seed: Of the draws, where they are needed: more than 20 differing cases, and no lattice or too fine a one.
    """
    exact = given.steps is not None
    signed = sorted(filter(None, given.steps if given.steps is not None else given.values), key=abs)
    if not signed:
        return SignFlip(1.0, 1.0, 1.0, "exact")
    total = math.fsum(signed)
    tails, method = _tails([abs(value) for value in signed], abs(total), exact=exact, seed=seed)
    far, near, both = (min(1.0, max(value, _LEAST)) for value in tails)
    drop, rise = (far, near) if total < 0.0 else (near, far)
    return SignFlip(both, drop, rise, method)


def _tails(sizes: list[float], observed: float, *, exact: bool, seed: int) -> tuple[Tails, Method]:
    # numpy is imported only where something differs: a run that changed nothing pays nothing for it.
    from sekisho.compare.statistics import draws, enumeration, lattice_sums  # noqa: PLC0415  as said above

    if exact and sum(sizes) <= LONGEST_LATTICE and lattice_sums.additions(sizes) <= MOST_ADDITIONS:
        return lattice_sums.tails([int(size) for size in sizes], int(observed)), "exact"
    if len(sizes) <= MOST_ENUMERATED:
        return enumeration.tails(sizes, observed), "enumerated"
    return draws.tails(sizes, observed, count=DRAWS, seed=seed), "10,000 draws"
