"""Several tests at once, by Holm's method."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sekisho.compare.statistics import holm

PROBABILITIES = st.lists(st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.01, 0.02, 1.0])), max_size=12)


def test_an_example_by_hand() -> None:
    """Four times .01, three times .02, two times .03 (not less than before), once .04."""
    assert holm([0.04, 0.01, 0.03, 0.02]) == pytest.approx((0.06, 0.04, 0.06, 0.06))


def test_no_tests_give_no_results() -> None:
    """And one test is left as it is."""
    assert holm([]) == ()
    assert holm([0.3]) == (0.3,)


@given(PROBABILITIES)
def test_adjusted_values_keep_the_order_and_never_fall(p_values: list[float]) -> None:
    """Monotone, at most 1, between the value itself and Bonferroni's, equal for equal values."""
    adjusted = holm(p_values)

    pairs = sorted(zip(p_values, adjusted, strict=True))
    assert [after for _, after in pairs] == sorted(adjusted)
    for p, after in pairs:
        assert p <= after <= min(1.0, len(p_values) * p)
    assert len(set(pairs)) == len({p for p, _ in pairs})


@given(PROBABILITIES, st.randoms(use_true_random=False))
def test_the_order_of_tests_is_only_the_order_of_results(p_values: list[float], random: object) -> None:
    """Ties included, to the last bit."""
    places = list(range(len(p_values)))
    random.shuffle(places)

    shuffled = holm([p_values[place] for place in places])

    assert shuffled == tuple(holm(p_values)[place] for place in places)


@given(PROBABILITIES, st.sampled_from([0.01, 0.05, 0.2]))
def test_it_rejects_what_the_step_down_procedure_rejects(p_values: list[float], alpha: float) -> None:
    """As the paper describes it: from the smallest on, until one is above alpha over the number left."""
    rejected = set()
    ranked = sorted(range(len(p_values)), key=p_values.__getitem__)
    for rank, place in enumerate(ranked):
        if (len(p_values) - rank) * p_values[place] > alpha:
            break
        rejected.add(place)

    assert {place for place, p in enumerate(holm(p_values)) if p <= alpha} == rejected


@pytest.mark.parametrize("value", [-0.1, 1.1, math.nan])
def test_what_is_no_probability_is_refused(value: float) -> None:
    """By its place."""
    with pytest.raises(ValueError, match=r"p_values\[1\]"):
        holm([0.5, value])
