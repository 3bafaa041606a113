"""How large a drop some cases can show, and how many a drop needs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

import numpy as np
import pytest
from scipy import stats

from sekisho.compare.statistics import (
    cases_for_drop,
    cases_for_margin,
    detectable_drop,
    least_differing,
    mean_interval,
    power_figures,
    power_of_drop,
    t_quantile,
)

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize("cases", [2, 3, 10, 30, 120, 500, 10_000])
@pytest.mark.parametrize("alpha", [0.05, 0.01])
@pytest.mark.parametrize("sides", [1, 2])
def test_the_detectable_drop_has_the_power_by_scipy(cases: int, alpha: float, sides: Literal[1, 2]) -> None:
    """The noncentral t distribution gives back .8."""
    drop = detectable_drop(cases, 0.12, alpha=alpha, sides=sides)

    critical = stats.t.isf(alpha / sides, cases - 1)
    shift = math.sqrt(cases) * drop / 0.12
    found = stats.nct.sf(critical, cases - 1, shift) + (sides - 1) * stats.nct.sf(critical, cases - 1, -shift)
    assert found == pytest.approx(0.8, abs=1e-8)
    assert power_of_drop(drop, cases=cases, spread=0.12, alpha=alpha, sides=sides) == pytest.approx(0.8, abs=1e-10)


@pytest.mark.parametrize(("cases", "expected"), [(10, 0.996), (30, 0.529), (120, 0.258), (1000, 0.0887)])
def test_known_figures_of_the_two_sided_test(cases: int, expected: float) -> None:
    """In standard deviations of the difference, at .05 and a power of .8."""
    assert detectable_drop(cases, 1.0, sides=2) == pytest.approx(expected, abs=5e-4)


def test_the_closed_form_is_as_far_off_as_said() -> None:
    """Too low by 1 % at 100 cases and 5 % at 20."""
    closed = {n: (stats.norm.isf(0.05) + stats.norm.isf(0.2)) / math.sqrt(n) for n in (20, 100)}

    assert closed[100] / detectable_drop(100, 1.0) == pytest.approx(0.99, abs=0.005)
    assert closed[20] / detectable_drop(20, 1.0) == pytest.approx(0.95, abs=0.02)


@pytest.mark.parametrize("drop", [0.005, 0.02, 0.1, 5.0])
def test_the_cases_for_a_drop_are_the_fewest(drop: float) -> None:
    """One case less has not enough power; at least two are needed to have a spread."""
    cases = cases_for_drop(drop, 0.12, alpha=0.01)

    assert power_of_drop(drop, cases=cases, spread=0.12, alpha=0.01) >= 0.8
    assert cases == 2 or power_of_drop(drop, cases=cases - 1, spread=0.12, alpha=0.01) < 0.8


def test_the_cases_for_a_margin_are_the_fewest() -> None:
    """Their interval is just narrow enough."""
    cases = cases_for_margin(0.02, 0.12)

    assert mean_interval(0.0, 0.12, cases).high <= 0.02 < mean_interval(0.0, 0.12, cases - 1).high


def test_power_agrees_with_simulation() -> None:
    """Within two points of 5,000 simulated comparisons, where differences are normal."""
    random = np.random.default_rng(7)
    for cases, alpha in ((12, 0.05), (60, 0.01)):
        drop = detectable_drop(cases, 0.12, alpha=alpha)
        gains = random.normal(-drop, 0.12, (5000, cases))
        t = gains.mean(axis=1) / gains.std(axis=1, ddof=1) * math.sqrt(cases)

        found = np.mean(-t > t_quantile(alpha, cases - 1))

        assert found == pytest.approx(0.8, abs=0.02)


def test_so_many_cases_must_differ_before_anything_is_significant() -> None:
    """One of 2^m assignments is the most extreme."""
    assert (least_differing(0.05), least_differing(0.01), least_differing(0.01 / 3)) == (5, 7, 9)
    assert least_differing(0.5) == 2


def test_the_figures_belong_together() -> None:
    """A stricter test shows less."""
    figures = power_figures(120, 0.12)

    assert figures.drop_at_5_percent == detectable_drop(120, 0.12)
    assert figures.drop_at_1_percent == detectable_drop(120, 0.12, alpha=0.01)
    assert figures.drop_at_5_percent < figures.drop_at_1_percent
    assert (figures.differing_at_5_percent, figures.differing_at_1_percent) == (5, 7)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: detectable_drop(1, 0.1), "cases must be at least 2"),
        (lambda: detectable_drop(10, 0.0), "spread must be a finite number above 0"),
        (lambda: detectable_drop(10, 0.1, alpha=0.0), "alpha must lie between 0 and 1"),
        (lambda: detectable_drop(10, 0.1, alpha=0.5, power=0.4), "power must be above alpha"),
        (lambda: cases_for_drop(0.0, 0.1), "drop must be a finite number above 0"),
        (lambda: cases_for_margin(-0.1, 0.1), "margin must be a finite number above 0"),
        (lambda: power_of_drop(0.1, cases=1, spread=0.1), "cases must be at least 2"),
    ],
)
def test_what_no_figure_can_be_made_from_is_refused(call: Callable[[], float], message: str) -> None:
    """Each by its name."""
    with pytest.raises(ValueError, match=message):
        call()
