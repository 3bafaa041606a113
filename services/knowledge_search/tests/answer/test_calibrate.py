"""Thresholds from distances: small examples by hand, and what must hold for all."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge_search.answer import CurvePoint, calibrate

DISTANCES = st.lists(st.floats(0, 2), min_size=1, max_size=40)


def test_an_example_by_hand() -> None:
    """Of ten answerable questions 80 % are kept by the eighth; one of two others slips through."""
    answerable = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0][::-1]

    made = calibrate(answerable, [0.75, 0.95], keep=0.8)

    assert (made.max_distance, made.answered, made.false_answers) == (0.8, 0.8, 0.5)
    assert (made.answerable, made.unanswerable, made.keep) == (10, 2, 0.8)
    assert made.low == 0.5
    assert made.high == 1.0
    assert made.curve[7] == CurvePoint(max_distance=0.75, answered=0.7, false_answers=0.5)
    assert len(made.curve) == 12


@pytest.mark.parametrize(("keep", "expected"), [(0.05, 1.0), (0.95, 19.0), (0.951, 20.0), (1.0, 20.0)])
def test_the_threshold_keeps_at_least_the_share(keep: float, expected: float) -> None:
    """Rounded up, and not by a hair of floating point."""
    assert calibrate([number / 16 for number in range(1, 21)], keep=keep).max_distance == expected / 16


def test_rounding_errors_do_not_move_the_threshold() -> None:
    """0.07 * 100 is a little above 7 in floating point, and still the seventh."""
    assert calibrate([number / 64 for number in range(1, 101)], keep=0.07).max_distance == 7 / 64


@settings(max_examples=100, derandomize=True, deadline=None)
@given(DISTANCES, DISTANCES, st.floats(0.01, 1))
def test_what_holds_for_all(answerable: list[float], unanswerable: list[float], keep: float) -> None:
    """The share is kept, the interval holds observed values, both curves rise, order and repetition change nothing."""
    made = calibrate(answerable, unanswerable, keep=keep, resamples=60)

    assert made.answered >= keep - 1e-9
    assert made.low <= made.high
    assert {made.low, made.high, made.max_distance} <= set(map(float, answerable))
    assert [each.answered for each in made.curve] == sorted(each.answered for each in made.curve)
    assert [each.false_answers for each in made.curve] == sorted(each.false_answers for each in made.curve)
    assert made.curve[-1].answered == made.curve[-1].false_answers == 1
    assert made == calibrate(answerable[::-1], unanswerable[::-1], keep=keep, resamples=60)


def test_the_seed_decides_the_interval() -> None:
    """One seed, one interval, on every machine: the numbers are written here."""
    distances = [(number * 37 % 101) / 101 for number in range(60)]

    made = calibrate(distances, seed=7)

    assert (made.low, made.max_distance, made.high) == (86 / 101, 94 / 101, 97 / 101)
    assert made == calibrate(distances, seed=7)


def test_a_few_questions_give_a_wide_interval() -> None:
    """That is how a calibration says that it rests on little."""
    few = calibrate([0.1, 0.3, 0.5, 0.7, 0.9])
    many = calibrate([number / 1000 for number in range(100, 901)])

    assert few.high - few.low > 5 * (many.high - many.low)


@pytest.mark.parametrize(
    ("answerable", "options"),
    [
        ([], {}),
        ([0.5, float("nan")], {}),
        ([2.1], {}),
        ([-0.1], {}),
        ([0.5], {"keep": 0}),
        ([0.5], {"keep": 1.1}),
        ([0.5], {"resamples": 39}),
    ],
)
def test_what_cannot_be_calibrated_is_refused(answerable: list[float], options: dict[str, float]) -> None:
    """No question, no distance, no share."""
    with pytest.raises(ValueError, match=r"calibration|distances"):
        calibrate(answerable, **options)  # type: ignore[arg-type]  # on purpose
