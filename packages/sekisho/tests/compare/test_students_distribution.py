"""Student's distribution and its noncentral relative, against scipy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from sekisho.compare.statistics import mean_interval, paired, t_quantile, t_tail
from sekisho.compare.statistics.noncentral import noncentral_tail

DEGREES = [1, 2, 3, 5, 10, 29, 59, 60, 61, 119, 499, 9_999]


def test_tails_are_those_of_scipy() -> None:
    """A thousand random places, from the middle to probabilities of 1e-200."""
    random = np.random.default_rng(1)
    degrees = random.choice(DEGREES, 1000)
    places = random.normal(0, 1, 1000) * random.choice([0.01, 1, 3, 30], 1000)

    found = [t_tail(t, v) for t, v in zip(places.tolist(), degrees.tolist(), strict=True)]

    np.testing.assert_allclose(found, stats.t.sf(places, degrees), rtol=5e-12)


def test_quantiles_are_those_of_scipy() -> None:
    """A thousand probabilities, on both sides of the middle."""
    random = np.random.default_rng(2)
    degrees = random.choice(DEGREES, 1000)
    upper = random.uniform(0, 1, 1000) ** random.choice([1, 4], 1000)

    found = [t_quantile(p, v) for p, v in zip(upper.tolist(), degrees.tolist(), strict=True)]

    np.testing.assert_allclose(found, stats.t.isf(upper, degrees), rtol=1e-10)


def test_a_million_degrees_of_freedom_are_nearly_normal() -> None:
    """No overflow, no cancellation that matters, and a limit beyond."""
    assert t_quantile(0.025, 1e6) == pytest.approx(stats.t.isf(0.025, 1e6), rel=1e-9)
    assert t_quantile(0.025, 1e15) == pytest.approx(stats.norm.isf(0.025), rel=1e-6)
    assert t_tail(2.0, 1e6) == pytest.approx(stats.t.sf(2.0, 1e6), rel=2e-10)


def test_the_ends_of_the_distribution_are_certain() -> None:
    """Infinite t, the median, and t so large that its square overflows."""
    assert t_tail(math.inf, 5) == 0.0
    assert t_tail(-math.inf, 5) == 1.0
    assert t_tail(0.0, 5) == 0.5
    assert t_tail(1e200, 1) == pytest.approx(1 / (math.pi * 1e200), rel=1e-10)


def test_intervals_and_t_tests_are_those_of_scipy() -> None:
    """A thousand random pairs of lists: the interval, and p from the mean and its standard error."""
    random = np.random.default_rng(3)
    for cases in random.choice([2, 3, 4, 7, 12, 20, 30, 50, 80, 120, 200], 1000).tolist():
        before = random.uniform(0, 1, cases)
        after = before + random.normal(random.normal(0, 0.1), 0.2, cases)

        found = paired(before.tolist(), after.tolist())

        expected = stats.ttest_rel(after, before)
        low, high = expected.confidence_interval()
        assert found.interval == pytest.approx((low, high), rel=1e-9, abs=1e-12)
        assert found.standard_error is not None
        t = found.mean_difference / found.standard_error
        assert 2 * t_tail(abs(t), cases - 1) == pytest.approx(expected.pvalue, rel=1e-9)


def test_another_confidence_is_another_width() -> None:
    """The interval of 99 % as scipy has it."""
    low, high = stats.t.interval(0.99, 119, loc=-0.01, scale=0.12 / math.sqrt(120))

    assert mean_interval(-0.01, 0.12, 120, confidence=0.99) == pytest.approx((low, high), rel=1e-10)


@pytest.mark.parametrize("degrees", DEGREES)
def test_noncentral_tails_are_those_of_scipy(degrees: int) -> None:
    """Shifts to both sides, small and large."""
    random = np.random.default_rng(degrees)
    places, shifts = random.uniform(0, 6, 60), random.uniform(-3, 8, 60)

    found = [noncentral_tail(t, degrees, d) for t, d in zip(places.tolist(), shifts.tolist(), strict=True)]

    np.testing.assert_allclose(found, stats.nct.sf(places, degrees, shifts), atol=1e-11)


def test_a_huge_shift_is_found_for_certain() -> None:
    """And in no time: the step of the integral has a floor."""
    assert noncentral_tail(2.0, 1, 1e9) == pytest.approx(1.0)


@pytest.mark.parametrize("upper", [0.0, 1.0, -0.1, math.nan])
def test_what_is_no_probability_has_no_quantile(upper: float) -> None:
    """The ends of the scale included."""
    with pytest.raises(ValueError, match="upper must lie between 0 and 1"):
        t_quantile(upper, 5)


@pytest.mark.parametrize("degrees", [0.0, -1.0, math.nan, math.inf])
def test_degrees_of_freedom_are_above_zero(degrees: float) -> None:
    """And finite."""
    with pytest.raises(ValueError, match="degrees must be a finite number above 0"):
        t_tail(1.0, degrees)
