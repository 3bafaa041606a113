"""The run at which a level changed, and how sure that is."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sekisho.history.steps import DRAWS, find_step

VALUES = st.lists(st.integers(0, 20).map(lambda number: number / 20), min_size=2, max_size=40)


@pytest.mark.parametrize("values", [[], [0.5], [0.9] * 200, [0.1 + 0.2, 0.3] * 20])
def test_equal_values_never_give_a_step(values: list[float]) -> None:
    """Nor do those that differ in a bit of their rounding only."""
    assert find_step(values) is None


def test_a_clear_step_is_sure() -> None:
    """With the mean of either side."""
    step = find_step([0.95] * 20 + [0.75] * 15)

    assert step is not None
    assert (step.place, step.before, step.after) == (20, pytest.approx(0.95), pytest.approx(0.75))
    assert step.p == 1 / (DRAWS + 1)


def test_a_step_two_runs_ago_is_seen() -> None:
    """The newest runs are those that matter; 2 of 50 at one end come by chance once in 613 orders."""
    step = find_step([0.95] * 48 + [0.75] * 2)

    assert step is not None
    assert step.place == 48
    assert step.p < 0.01


def test_one_run_is_no_sure_step() -> None:
    """The last of ten would stand at an end by chance in two of ten orders."""
    step = find_step([0.95] * 9 + [0.75])

    assert step is not None
    assert step.place == 9
    assert step.p == pytest.approx(0.2, abs=0.03)


def test_a_step_in_noise_is_found_within_a_run_or_two() -> None:
    """Half a dozen outliers do not decide."""
    noise = np.random.default_rng(5).normal(0, 0.02, 100)
    values = [(0.90 if run < 60 else 0.84) + float(noise[run]) for run in range(100)]
    values[10] = values[30] = 0.0

    step = find_step(values)

    assert step is not None
    assert abs(step.place - 60) <= 2
    assert step.p < 0.01


def test_p_is_the_share_of_orders() -> None:
    """As counted over all orders of seven values, some of them equal."""
    values = (0.2, 0.2, 0.5, 0.4, 0.9, 0.9, 0.7)
    ranks = np.array([2 * sum(v < w for v in values) + sum(v == w for v in values) for w in values]) - len(values)

    def greatest(order: tuple[int, ...]) -> float:
        sums = np.cumsum(order)[:-1]
        sizes = np.arange(1, len(order))
        return float((sums**2 / (sizes * (len(order) - sizes))).max())

    observed = greatest(tuple(ranks))
    orders = list(itertools.permutations(ranks.tolist()))
    exact = sum(greatest(order) >= observed - 1e-9 for order in orders) / len(orders)

    step = find_step(values)

    assert step is not None
    assert step.p == pytest.approx(exact, abs=4 * (exact * (1 - exact) / DRAWS) ** 0.5 + 1 / DRAWS)


def test_noise_alone_is_called_a_step_as_often_as_p_says() -> None:
    """Of 400 sequences without one, not noticeably more than a twentieth fall below 0.05, ties or none."""
    drawn = np.random.default_rng(11).normal(0.9, 0.02, (400, 30)).tolist()
    found = [
        step.p
        for number, values in enumerate(drawn)
        if (step := find_step([round(value, 2 if number % 2 else 9) for value in values]))
    ]

    below = sum(p <= 0.05 for p in found) / 400
    assert 0.02 <= below <= 0.08


@given(VALUES)
def test_p_is_never_0_and_the_place_is_inside(values: list[float]) -> None:
    """Whatever the values."""
    step = find_step(values)

    if step is not None:
        assert 0 < step.p <= 1
        assert 0 < step.place < len(values)


@given(VALUES)
def test_neither_unit_nor_direction_matters(values: list[float]) -> None:
    """A scale that keeps the order, or turns it round, finds the same place, as sure."""
    step, scaled, turned = find_step(values), find_step([v**3 * 50 for v in values]), find_step([-v for v in values])

    if step is None:
        assert scaled is None
        assert turned is None
    else:
        assert scaled is not None
        assert turned is not None
        assert (scaled.place, scaled.p) == (step.place, step.p)
        assert turned.place == step.place
        assert turned.p == pytest.approx(step.p, abs=0.06)


def test_the_same_runs_give_the_same_p() -> None:
    """No clock and no global random state."""
    values = [0.2, 0.9, 0.4, 0.5, 0.1, 0.7, 0.3]

    assert find_step(values) == find_step(values)
