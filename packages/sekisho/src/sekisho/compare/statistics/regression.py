"""The rule that tells a regression from noise, on several rulers at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from sekisho.compare.statistics.holm import holm
from sekisho.compare.statistics.lattice import ROUNDING
from sekisho.compare.statistics.power import cases_for_margin
from sekisho.compare.statistics.summary import PairedComparison

if TYPE_CHECKING:
    from collections.abc import Iterable

SIGNIFICANCE: Final = 0.01
"""A drop whose adjusted one-sided p is below is significant."""

LEAST_DROP: Final = 0.005
"""With thousands of cases any change is significant; a drop up to this is too small to fail a run."""


class Ruler(msgspec.Struct, frozen=True, kw_only=True):
    """One metric of one suite.

    Attributes:
        name: What the finding is called, such as ``recall@10``.
        comparison: The two runs by this metric.
        max_drop: The largest drop of the mean that may pass; None measures without judging.
    """

    name: str
    comparison: PairedComparison
    max_drop: float | None


class DropFinding(msgspec.Struct, frozen=True, kw_only=True):
    """What the rule says of one ruler.

    Attributes:
        name: As in the ruler.
        drop: What the mean lost; negative where it gained.
        max_drop: As in the ruler.
        p_adjusted: One-sided p of a drop, after Holm over all rulers judged together.
        too_large: Whether the drop exceeds ``max_drop``.
        significant: Whether the drop is above 0.005 and ``p_adjusted`` below 0.01.
        unresolved: Whether the interval leaves room for a drop beyond ``max_drop`` that was not observed: a warning.
        cases_to_resolve: How many cases would leave no such room, if mean and spread stayed as they are; None where
            nothing is unresolved, or no number would do.
        fails: The verdict; never where ``max_drop`` is None.
    """

    name: str
    drop: float
    max_drop: float | None
    p_adjusted: float
    too_large: bool
    significant: bool
    unresolved: bool
    cases_to_resolve: int | None
    fails: bool


def judge_drops(
    rulers: Iterable[Ruler],
    *,
    non_inferiority: bool = False,
    significance: float = SIGNIFICANCE,
    least_drop: float = LEAST_DROP,
) -> tuple[DropFinding, ...]:
    """Return a finding for each ruler, in the order given.

    A run fails where an observed drop exceeds ``max_drop``, or where a drop above ``least_drop`` is significant:
    one-sided sign-flip p, adjusted by Holm over all rulers given (their number counts, also of those not judged).

    Args:
        rulers: Those of all suites of a run together.
        non_inferiority: Whether what is unresolved fails as well.
        significance: What the adjusted p must be below.
        least_drop: What a significant drop must be above.
    """
    known = list(rulers)
    adjusted = holm([ruler.comparison.p_drop for ruler in known])
    findings = []
    for ruler, p in zip(known, adjusted, strict=True):
        significant = p < significance and _exceeds(-ruler.comparison.mean_difference, least_drop)
        findings.append(_finding(ruler, p, significant=significant, non_inferiority=non_inferiority))
    return tuple(findings)


def _finding(ruler: Ruler, p_adjusted: float, *, significant: bool, non_inferiority: bool) -> DropFinding:
    drop, most = -ruler.comparison.mean_difference, ruler.max_drop
    too_large = most is not None and _exceeds(drop, most)
    unresolved = most is not None and not too_large and _leaves_room(ruler.comparison, most)
    return DropFinding(
        name=ruler.name,
        drop=drop,
        max_drop=most,
        p_adjusted=p_adjusted,
        too_large=too_large,
        significant=significant,
        unresolved=unresolved,
        cases_to_resolve=_cases_to_resolve(ruler.comparison, most) if unresolved and most is not None else None,
        fails=most is not None and (too_large or significant or (unresolved and non_inferiority)),
    )


def _exceeds(drop: float, most: float) -> bool:
    return drop > most + ROUNDING


def _leaves_room(comparison: PairedComparison, most: float) -> bool:
    return comparison.interval is None or _exceeds(-comparison.interval.low, most)


def _cases_to_resolve(comparison: PairedComparison, most: float) -> int | None:
    margin = most + comparison.mean_difference
    return cases_for_margin(margin, comparison.spread) if comparison.spread and margin > ROUNDING else None
