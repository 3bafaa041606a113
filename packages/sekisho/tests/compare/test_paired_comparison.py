"""What two runs over the same cases are compared by."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sekisho.compare.statistics import PairedComparison, paired
from sekisho.compare.statistics.lattice import differences

RECALLS = st.integers(1, 7).flatmap(lambda relevant: st.integers(0, relevant).map(lambda hits: hits / relevant))
VALUES = st.one_of(RECALLS, st.floats(0, 1))
PAIRS = st.one_of(
    st.lists(st.tuples(RECALLS, RECALLS), min_size=1, max_size=40),
    st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=40),
)


def sides(pairs: list[tuple[float, float]]) -> tuple[list[float], list[float]]:
    """Return the values before and after."""
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


@given(PAIRS)
def test_exchanging_the_runs_negates_the_difference_and_mirrors_p(pairs: list[tuple[float, float]]) -> None:
    """To the last bit, however p is computed."""
    before, after = sides(pairs)

    there, back = paired(before, after), paired(after, before)

    assert back.mean_difference == -there.mean_difference
    assert (back.mean_before, back.mean_after) == (there.mean_after, there.mean_before)
    assert (back.p_two_sided, back.p_drop, back.p_rise) == (there.p_two_sided, there.p_rise, there.p_drop)
    assert (back.wins, back.ties, back.losses) == (there.losses, there.ties, there.wins)
    assert (back.spread, back.smallest_visible, back.method) == (there.spread, there.smallest_visible, there.method)
    assert back.effect_size == (None if there.effect_size is None else -there.effect_size)
    assert there.interval is None or back.interval == (-there.interval.high, -there.interval.low)


@given(PAIRS, st.randoms(use_true_random=False))
def test_the_order_of_the_cases_changes_no_byte(pairs: list[tuple[float, float]], random: object) -> None:
    """Results put together in any order are one result."""
    shuffled = list(pairs)
    random.shuffle(shuffled)

    first, second = (msgspec.json.encode(paired(*sides(each))) for each in (pairs, shuffled))

    assert first == second


@given(PAIRS)
@settings(max_examples=50)
def test_every_field_is_in_its_range(pairs: list[tuple[float, float]]) -> None:
    """Probabilities above 0, counts that add up, an interval around the mean."""
    found = paired(*sides(pairs))

    assert all(0.0 < p <= 1.0 for p in (found.p_two_sided, found.p_drop, found.p_rise))
    assert found.wins + found.ties + found.losses == found.cases == len(pairs)
    assert found.interval is None or found.interval.low <= found.mean_difference <= found.interval.high
    assert min(found.p_drop, found.p_rise) <= found.p_two_sided


def test_a_comparison_by_hand() -> None:
    """Four cases: one wins a tenth, two lose, one stays."""
    found = paired([0.5, 0.9, 0.8, 1.0], [0.6, 0.7, 0.5, 1.0])

    assert found.mean_difference == pytest.approx(-0.1)
    assert found.spread == pytest.approx(math.sqrt((0.04 + 0.01 + 0.04 + 0.01) / 3))
    assert (found.wins, found.ties, found.losses) == (1, 1, 2)
    assert found.method == "exact"
    # Sums of ±1 ±2 ±3 are -6, -4, -2, 0, 0, 2, 4, 6; observed is -4.
    assert (found.p_drop, found.p_rise, found.p_two_sided) == (2 / 8, 7 / 8, 4 / 8)
    assert found.effect_size == pytest.approx(-0.1 / found.spread)


def test_identical_runs_differ_in_nothing() -> None:
    """The difference is exactly 0, and so is what the interval can be made from."""
    values = [place / 10 for place in range(11)]

    found = paired(values, values)

    assert (found.mean_difference, found.spread, found.interval) == (0.0, 0.0, (0.0, 0.0))
    assert (found.p_two_sided, found.p_drop, found.p_rise, found.method) == (1.0, 1.0, 1.0, "exact")
    assert (found.effect_size, found.smallest_visible, found.ties) == (None, None, 11)


def test_a_single_case_has_no_spread() -> None:
    """Its difference is told, and nothing about other questions."""
    found = paired([0.5], [0.4])

    assert found.mean_difference == pytest.approx(-0.1)
    assert (found.spread, found.interval, found.effect_size, found.smallest_visible) == (None, None, None, None)
    assert found.standard_error is None
    assert (found.p_drop, found.p_rise, found.p_two_sided) == (0.5, 1.0, 1.0)


def test_two_cases_have_a_wide_interval() -> None:
    """One degree of freedom: t is 12.7."""
    found = paired([0.5, 0.5], [0.4, 0.3])

    assert found.interval == pytest.approx((-0.15 - 12.7062047 * 0.05, -0.15 + 12.7062047 * 0.05))
    assert found.smallest_visible is not None
    assert found.smallest_visible > 10 * found.spread


def test_equal_differences_have_no_spread() -> None:
    """Also where floats of equal differences differ: 0.7 - 0.6 and 0.8 - 0.7, and off any lattice."""
    lattice = paired([0.6, 0.7, 0.2], [0.7, 0.8, 0.3])
    elsewhere = paired([0.123456789, 0.2345678901], [0.123456789 + math.pi / 9, 0.2345678901 + math.pi / 9])

    for found in (lattice, elsewhere):
        assert found.spread == 0.0
        assert found.interval == (found.mean_difference, found.mean_difference)
        assert found.effect_size is None
    assert lattice.p_rise == 1 / 8


def test_differences_that_only_rounding_made_are_none() -> None:
    """Adding in another order is no change."""
    found = paired([0.1 + 0.2, math.pi / 4], [0.3, math.pi / 4 + 0.01])

    assert (found.wins, found.ties, found.losses) == (1, 1, 0)


def test_fractions_and_whole_numbers_are_values_too() -> None:
    """Hits over relevant as they are counted."""
    exact = paired([Fraction(2, 3), 1, Fraction(1, 7)], [Fraction(1, 3), 0, Fraction(2, 7)])
    floats = paired([2 / 3, 1.0, 1 / 7], [1 / 3, 0.0, 2 / 7])

    assert exact == floats
    assert paired(np.array([0.5, 1.0]), np.array([0.25, 1.0], np.float32)).losses == 1


def test_a_lattice_keeps_the_steps_small() -> None:
    """The largest step that all differences share, not the one that all values share."""
    assert differences([0.1, 0.3], [0.5, 0.1]).steps == (2, -1)
    assert differences([1 / 3, 0.5], [2 / 3, 0.75]).steps == (4, 3)
    assert differences([0.1234567890123], [0.5]).steps is None
    assert differences([Fraction(1, 2**40)], [Fraction(1, 3**20)]).steps is None


def test_ten_thousand_cases_are_compared() -> None:
    """Exactly on a lattice, by draws off it; both close to the t test."""
    random = np.random.default_rng(6)
    before = random.integers(0, 11, 10_000) / 10
    after = np.where(random.uniform(0, 1, 10_000) < 0.5, before, random.integers(0, 11, 10_000) / 10)

    recall = paired(before.tolist(), after.tolist())
    other = paired((before * 0.77).tolist(), (after * 0.77 + random.normal(0, 1e-4, 10_000)).tolist())

    assert (recall.method, other.method) == ("exact", "10,000 draws")
    assert recall.p_drop == pytest.approx(other.p_drop, abs=0.03)


@pytest.mark.parametrize("value", [None, "0.5", Decimal("0.5"), 1j, [0.5]])
def test_what_is_no_number_is_refused(value: object) -> None:
    """The message names side and place."""
    with pytest.raises(TypeError, match=r"after\[1\] is "):
        paired([0.1, 0.2], [0.1, value])


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 10**400, Fraction(10**400), 1e101, np.float64("nan")])
def test_what_is_not_finite_is_refused(value: float) -> None:
    """NaN is never a score."""
    with pytest.raises(ValueError, match=r"before\[0\] is not a finite number"):
        paired([value, 0.2], [0.1, 0.2])


@pytest.mark.parametrize(("before", "after"), [([], []), ([0.1], []), ([0.1], [0.1, 0.2])])
def test_sides_without_the_same_cases_are_refused(before: list[float], after: list[float]) -> None:
    """Nothing compared is no result."""
    with pytest.raises(ValueError, match="both sides need the same cases, and at least one"):
        paired(before, after)


def test_a_comparison_survives_being_written_down() -> None:
    """As a baseline or a history keeps it."""
    found = paired([0.5, 0.9, 0.8], [0.6, 0.7, 0.5])

    assert msgspec.json.decode(msgspec.json.encode(found), type=PairedComparison) == found
    assert json.loads(msgspec.json.encode(found))["method"] == "exact"


def test_comparing_runs_without_a_difference_imports_no_numpy() -> None:
    """The commonest comparison pays nothing for the rare one."""
    code = (
        "import sys; from sekisho.compare.statistics import paired; paired([.1], [.1]); print('numpy' in sys.modules)"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "False"
