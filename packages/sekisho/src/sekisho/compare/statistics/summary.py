"""Two runs over the same cases, compared by one metric."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import msgspec

from sekisho.compare.statistics.checks import finite_numbers
from sekisho.compare.statistics.lattice import ROUNDING, differences
from sekisho.compare.statistics.power import detectable_drop
from sekisho.compare.statistics.randomisation import SEED, Method, sign_flip
from sekisho.compare.statistics.student import Interval, mean_interval

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sekisho.compare.statistics.checks import Number

_FEWEST_SPREAD: Final = 2
"""One difference has no standard deviation."""


class PairedComparison(msgspec.Struct, frozen=True, kw_only=True):
    """What the second run gained over the first, by one metric; negative is a loss.

    With the same cases and a target that answers the same each time, the mean difference is exact, and the p values and
    the interval speak about other questions of the same kind. Both take the cases for a sample of those.

    Attributes:
        cases: How many were compared.
        mean_before: Mean of the first run.
        mean_after: Mean of the second.
        mean_difference: Mean of after minus before.
        spread: Standard deviation of the differences (``cases - 1`` in the denominator); 0 where all are equal, None
            for a single case.
        interval: 95 % t interval of the mean difference; one point where the spread is 0, which then says nothing about
            other questions; None for a single case.
        p_two_sided: Sign-flip randomisation p against "there is a difference"; never 0.
        p_drop: One-sided, against "the second run is worse".
        p_rise: One-sided, against "the second run is better".
        method: How the p values were computed.
        effect_size: Cohen's d_z, the mean difference in standard deviations (Cohen 1988, section 2.3.5); None where the
            spread is 0 or unknown.
        wins: Cases that gained.
        ties: Cases that stayed, within 1e-12.
        losses: Cases that lost.
        smallest_visible: The difference that so many cases with this spread show four times in five, at p < .05 on two
            sides; None where the spread is 0 or unknown.
    """

    cases: int
    mean_before: float
    mean_after: float
    mean_difference: float
    spread: float | None
    interval: Interval | None
    p_two_sided: float
    p_drop: float
    p_rise: float
    method: Method
    effect_size: float | None
    wins: int
    ties: int
    losses: int
    smallest_visible: float | None

    @property
    def standard_error(self) -> float | None:
        """Of the mean difference: ``spread / √cases``."""
        return None if self.spread is None else self.spread / math.sqrt(self.cases)


def paired(before: Iterable[Number], after: Iterable[Number], *, seed: int = SEED) -> PairedComparison:
    """Return the comparison of aligned values.

    Sums are correctly rounded (``math.fsum``), so that the order of the cases has no effect. Values that are fractions
    with denominators up to 1,000, as recall and overlap are, or given as ``fractions.Fraction``, are compared exactly.

    Args:
        before: One value a case.
        after: The values of the same cases in the same order.
        seed: Of the draws, where p cannot be had without.

    Raises:
        TypeError: A value is no number, None for example.
        ValueError: A value is NaN, infinite or beyond 1e100, there are none, or the sides differ in length.
    """
    first, second = finite_numbers("before", before), finite_numbers("after", after)
    if len(first) != len(second) or not first:
        message = (
            f"{len(first)} values before and {len(second)} after: both sides need the same cases, and at least one"
        )
        raise ValueError(message)
    given = differences(first, second)
    gains, cases = given.values, len(first)
    mean = math.fsum(gains) / cases
    spread = _spread(gains, mean)
    test = sign_flip(given, seed=seed)
    wins, losses = sum(gain > 0.0 for gain in gains), sum(gain < 0.0 for gain in gains)
    return PairedComparison(
        cases=cases,
        mean_before=math.fsum(first) / cases,
        mean_after=math.fsum(second) / cases,
        mean_difference=mean,
        spread=spread,
        interval=None if spread is None else mean_interval(mean, spread, cases),
        **test._asdict(),
        effect_size=mean / spread if spread else None,
        wins=wins,
        ties=cases - wins - losses,
        losses=losses,
        smallest_visible=detectable_drop(cases, spread, sides=2) if spread else None,
    )


def _spread(gains: tuple[float, ...], mean: float) -> float | None:
    if len(gains) < _FEWEST_SPREAD:
        return None
    if max(gains) - min(gains) <= ROUNDING:
        return 0.0
    return math.sqrt(math.fsum((gain - mean) ** 2 for gain in gains) / (len(gains) - 1))
