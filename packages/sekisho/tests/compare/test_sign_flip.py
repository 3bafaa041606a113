"""The sign-flip randomisation test: three ways to one distribution."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from sekisho.compare.statistics import draws, enumeration, lattice_sums, paired
from sekisho.compare.statistics.lattice import differences
from sekisho.compare.statistics.randomisation import sign_flip
from sekisho.corpora import Mulberry32

if TYPE_CHECKING:
    from collections.abc import Sequence

STEPS = st.lists(st.integers(-6, 6), min_size=1, max_size=9)
RECALLS = st.integers(1, 12).flatmap(lambda relevant: st.integers(0, relevant).map(lambda hits: (hits, relevant)))


def by_hand(gains: Sequence[Fraction]) -> tuple[float, float, float]:
    """Return p on two sides, of a drop and of a rise, by writing down every assignment of signs."""
    total = sum(gains)
    sums = [
        sum(sign * gain for sign, gain in zip(signs, gains, strict=True))
        for signs in product((1, -1), repeat=len(gains))
    ]
    count = len(sums)
    return (
        sum(abs(each) >= abs(total) for each in sums) / count,
        sum(each <= total for each in sums) / count,
        sum(each >= total for each in sums) / count,
    )


@given(STEPS)
def test_dynamic_programming_is_writing_down_every_assignment(steps: list[int]) -> None:
    """Equal to the last bit, cases without a difference included."""
    test = sign_flip(differences([0] * len(steps), steps))

    assert test[:3] == by_hand([Fraction(step) for step in steps])
    assert test.method == "exact"


@given(st.lists(st.integers(1, 9), min_size=1, max_size=20), st.data())
def test_enumeration_is_dynamic_programming(sizes: list[int], data: st.DataObject) -> None:
    """Two algorithms, one distribution."""
    signs = data.draw(st.lists(st.sampled_from([1, -1]), min_size=len(sizes), max_size=len(sizes)))
    observed = abs(sum(sign * size for sign, size in zip(signs, sizes, strict=True)))
    ascending = sorted(sizes)

    assert enumeration.tails(ascending, observed) == lattice_sums.tails(ascending, observed)


@given(st.lists(st.tuples(RECALLS, RECALLS), min_size=1, max_size=8))
def test_floats_of_mixed_denominators_are_compared_exactly(
    pairs: list[tuple[tuple[int, int], tuple[int, int]]],
) -> None:
    """Hits over relevant as floats give what the fractions give by hand."""
    before, after = [h / r for (h, r), _ in pairs], [h / r for _, (h, r) in pairs]
    exact = [Fraction(*b) - Fraction(*a) for a, b in pairs]

    comparison = paired(before, after)

    assert (comparison.p_two_sided, comparison.p_drop, comparison.p_rise) == by_hand(exact)
    assert comparison.method == "exact"
    assert (comparison.wins, comparison.losses) == (sum(g > 0 for g in exact), sum(g < 0 for g in exact))


@given(st.lists(st.floats(-1, 1, allow_subnormal=False), min_size=1, max_size=8))
def test_few_cases_off_any_lattice_are_enumerated(gains: list[float]) -> None:
    """As by hand with the exact values of the floats, up to sums that rounding cannot tell apart."""
    gains = [round(gain, 3) * 0.7310585786300049 + (0.001 if gain else 0.0) for gain in gains]

    comparison = paired([0.0] * len(gains), gains)

    p_values = (comparison.p_two_sided, comparison.p_drop, comparison.p_rise)
    slack = Fraction(1, 10**11)
    exact = [Fraction(gain) for gain in gains]
    total = sum(exact)
    sums = [sum(s * g for s, g in zip(signs, exact, strict=True)) for signs in product((1, -1), repeat=len(exact))]
    assert p_values[1] == sum(each <= total + slack for each in sums) / len(sums)
    assert p_values[2] == sum(each >= total - slack for each in sums) / len(sums)


def test_the_exact_test_is_that_of_scipy() -> None:
    """Ten differing cases on a lattice and ten off it, all permutations."""
    random = np.random.default_rng(4)
    for gains in (random.integers(-4, 5, 10) / 10, random.normal(0, 0.2, 10)):
        comparison = paired([0.0] * 10, gains.tolist())
        expected = [
            stats.permutation_test(
                (gains,), np.mean, permutation_type="samples", n_resamples=np.inf, alternative=side
            ).pvalue
            for side in ("less", "greater")
        ]

        assert [comparison.p_drop, comparison.p_rise] == pytest.approx(expected, rel=1e-12)


def test_draws_are_close_to_the_whole_distribution() -> None:
    """Within four standard errors of 10,000 draws, at small and large p, on both sides."""
    random = np.random.default_rng(5)
    for bias in (0.0, 0.3, 0.6):
        steps = np.where(random.uniform(0, 1, 90) < bias, 1, -1) * random.integers(1, 6, 90)
        sizes, observed = sorted(np.abs(steps).tolist()), abs(int(steps.sum()))

        drawn = draws.tails(sizes, observed, count=10_000, seed=42)

        for estimate, exact in zip(drawn, lattice_sums.tails(sizes, observed), strict=True):
            assert abs(estimate - exact) <= 4 * (exact * (1 - exact) / 10_000) ** 0.5 + 2e-4


def test_draws_are_the_same_on_every_machine() -> None:
    """Written down once, and again one sign after another with the generator's plain form."""
    gains = [((place * 37) % 101 - 49.3) / 137.77 for place in range(150)]
    sizes, total = sorted(map(abs, gains)), math.fsum(gains)
    generator = Mulberry32(42)
    drawn = b"".join(generator.word().to_bytes(4, "little") for _ in range(19 * 2500))
    signs = np.unpackbits(np.frombuffer(drawn, np.uint8).reshape(19, 10_000), axis=0, bitorder="little")
    sums = np.array([*sizes, 0.0, 0.0]) @ (2.0 * signs - 1.0)

    comparison = paired([0.0] * 150, gains)

    assert comparison.method == "10,000 draws"
    counts = [round(p * 10_001) for p in (comparison.p_two_sided, comparison.p_drop, comparison.p_rise)]
    assert counts == [8724, 5694, 4414]
    assert total > 0
    least = total - 1e-9  # many sums are equal but for rounding
    assert counts == [1 + int(np.sum(each)) for each in (np.abs(sums) >= least, sums >= -total - 1e-9, sums >= least)]


def test_another_seed_draws_other_signs() -> None:
    """And agrees within what draws can."""
    gains = [((place * 37) % 101 - 49.3) / 137.77 for place in range(150)]

    one, other = (paired([0.0] * 150, gains, seed=seed).p_drop for seed in (1, 2))

    assert one != other
    assert one == pytest.approx(other, abs=0.03)


def test_no_p_value_is_zero() -> None:
    """Neither of draws that all miss, nor of a probability that float64 cannot hold."""
    drawn = paired([0.0] * 200, [0.1 + place * 0.000_123_45 for place in range(200)])
    exact = paired([0] * 5000, [1] * 5000)

    assert drawn.p_rise == drawn.p_two_sided == 1 / 10_001
    assert exact.method == "exact"
    assert 0.0 < exact.p_rise <= exact.p_two_sided < 1e-300
    assert exact.p_drop == 1.0


def test_hundreds_of_doublings_stay_in_range() -> None:
    """With 3,000 differing cases of one step the test is the sign test: a binomial, by scipy."""
    after = [1] * 1600 + [-1] * 1400

    comparison = paired([0] * 3000, after)

    assert comparison.p_rise == pytest.approx(stats.binom.sf(1599, 3000, 0.5), rel=1e-10)
    assert comparison.p_drop == pytest.approx(stats.binom.sf(1399, 3000, 0.5), rel=1e-10)
    assert comparison.p_two_sided == pytest.approx(2 * stats.binom.sf(1599, 3000, 0.5), rel=1e-10)


def test_a_lattice_too_fine_is_not_laid_out_in_memory() -> None:
    """Two cases of millions of steps are enumerated; many are drawn."""
    few = paired([0, 0, 0], [10**9 + 7, -(10**9), 3])
    many = paired([0] * 60, [(-1) ** place * (10**9 + place * place) for place in range(60)])

    assert few.method == "enumerated"
    assert few.p_rise == 3 / 8  # of ±a ±b ±3 with a - b = 7: a + b + 3, a + b - 3, a - b + 3
    assert many.method == "10,000 draws"


def test_cases_without_a_difference_change_no_p_value() -> None:
    """They are left out first."""
    gains = [0.1, -0.3, 0.2, 0.2]

    alone, among = paired([0.0] * 4, gains), paired([0.0] * 504, [*gains, *[0.0] * 500])

    assert (alone.p_two_sided, alone.p_drop, alone.p_rise) == (among.p_two_sided, among.p_drop, among.p_rise)
