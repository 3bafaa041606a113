"""The bare metrics on examples that can be checked by hand."""

from __future__ import annotations

from math import inf, log2, nan
from typing import TYPE_CHECKING

import pytest

from sekisho.core.errors import RankingError
from sekisho.ranking import (
    average_precision,
    duplicate_ids,
    gate_holds,
    mean,
    ndcg_at_k,
    overlap_at_k,
    precision_at_k,
    recall_at_k,
    reciprocal_rank,
    success_at_k,
)

if TYPE_CHECKING:
    from collections.abc import Callable

RANKING = ["a", "x", "b", "y", "c"]
WITH_CUTOFF = [recall_at_k, precision_at_k, success_at_k, ndcg_at_k, overlap_at_k, reciprocal_rank, average_precision]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (recall_at_k(RANKING, {"a", "b", "d"}, 3), 2 / 3),
        (recall_at_k(RANKING, {"a", "b", "d"}, 1), 1 / 3),
        (recall_at_k(RANKING, {"a"}, 10**30), 1.0),
        (precision_at_k(RANKING, {"a", "b", "d"}, 3), 2 / 3),
        (precision_at_k(RANKING, {"a", "b"}, 10), 0.2),
        (success_at_k(RANKING, {"y"}, 3), 0.0),
        (success_at_k(RANKING, {"y"}, 4), 1.0),
        (reciprocal_rank(RANKING, {"b", "c"}), 1 / 3),
        (reciprocal_rank(RANKING, {"b", "c"}, 2), 0.0),
        (reciprocal_rank(RANKING, {"b", "c"}, 3), 1 / 3),
        (average_precision(RANKING, {"a", "b", "d"}), (1 + 2 / 3) / 3),
        (average_precision(RANKING, {"a", "b", "d"}, 2), 1 / 3),
        (ndcg_at_k(RANKING, {"a", "b"}, 3), (1 + 1 / 2) / (1 + 1 / log2(3))),
        (ndcg_at_k(RANKING, {"a": 1, "b": 3, "z": -1}, 3), (1 + 3 / 2) / (3 + 1 / log2(3))),
        (overlap_at_k(RANKING, {"a", "b", "c", "d"}, 3), 2 / 3),
        (overlap_at_k(RANKING, {"a", "d"}, 3), 1 / 2),
    ],
)
def test_value_by_hand(value: float, expected: float) -> None:
    """A metric has the value that a calculation on paper gives."""
    assert value == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("metric", WITH_CUTOFF)
def test_without_relevant_ids_the_value_is_zero(metric: Callable[..., float]) -> None:
    """A query without relevant ids has the value 0.0, never NaN and never an error."""
    values = [
        metric(RANKING, relevant, 3) for relevant in ([], {}, {"a": 0}, {"a": -1})[: 2 if metric is overlap_at_k else 4]
    ]

    assert set(values) == {0.0}


@pytest.mark.parametrize("metric", WITH_CUTOFF)
def test_an_empty_ranking_has_the_value_zero(metric: Callable[..., float]) -> None:
    """Nothing came back: 0.0."""
    assert metric([], {"a"}, 3) == 0.0


def test_an_id_that_comes_twice_counts_once_and_its_later_place_stays_taken() -> None:
    """No metric passes 1, and what stands behind a repetition does not move up."""
    doubled = ["a", "a", "b"]
    relevant = {"a", "b"}

    values = {
        "recall": recall_at_k(doubled, relevant, 2),
        "precision": precision_at_k(doubled, relevant, 3),
        "map": average_precision(doubled, relevant),
        "ndcg": ndcg_at_k(doubled, relevant, 10),
        "overlap": overlap_at_k(doubled, relevant, 3),
    }

    assert values == {
        "recall": 1 / 2,
        "precision": 2 / 3,
        "map": (1 + 2 / 3) / 2,
        "ndcg": (1 + 1 / 2) / (1 + 1 / log2(3)),
        "overlap": 1.0,
    }


def test_a_threshold_leaves_ndcg_alone() -> None:
    """The four metrics of relevant or not use the threshold; the gains of nDCG are all positive grades."""
    grades = {"a": 1, "b": 2, "c": 0.5}

    assert recall_at_k(RANKING, grades, 1) == 1 / 3
    assert recall_at_k(RANKING, grades, 5, relevance_threshold=1) == 1.0
    assert recall_at_k(RANKING, grades, 1, relevance_threshold=2) == 0.0
    assert precision_at_k(RANKING, grades, 5, relevance_threshold=2) == 1 / 5
    assert success_at_k(RANKING, grades, 2, relevance_threshold=2) == 0.0
    assert reciprocal_rank(RANKING, grades, relevance_threshold=2) == 1 / 3
    assert average_precision(RANKING, grades, relevance_threshold=2) == 1 / 3
    assert recall_at_k(RANKING, ["a", "b"], 5, relevance_threshold=1.5) == 0.0
    assert ndcg_at_k(RANKING, grades, 1) == 1 / 2


def test_overlap_counts_every_neighbour_that_ties_with_the_last() -> None:
    """More neighbours than k, since their exact scores tie: any of them may fill the k places."""
    assert overlap_at_k(["a", "c"], ["a", "b", "c"], 2) == 1.0


def test_any_iterable_and_any_hashable_id_will_do() -> None:
    """Rankings and relevant ids may be tuples, generators or key views, ids integers or tuples."""
    assert recall_at_k((id_ for id_ in (1, 2, 3)), (id_ for id_ in (3, 4)), 3) == 1 / 2
    assert recall_at_k(((1, "a"), None), {(1, "a"): 1}.keys(), 1) == 1.0


def test_nearly_equal_grades_in_the_wrong_order_do_not_pass_one() -> None:
    """The sum of gains in the wrong order rounds to one step above the ideal sum; the value is still 1."""
    grades = {"a": 0.3, "b": 0.1 + 0.2, "c": 0.29999999999999993}
    orders = [["a", "b", "c"], ["c", "b", "a"], ["b", "c", "a"], ["c", "a", "b"]]

    assert all(ndcg_at_k(order, grades, 3) <= 1.0 for order in orders)


@pytest.mark.parametrize("k", [0, -1, True, 1.0, "3", None, nan])
def test_a_cutoff_is_a_whole_number_of_at_least_one(k: object) -> None:
    """Anything else is refused, True and 0 too."""
    with pytest.raises(RankingError) as refused:
        recall_at_k(RANKING, {"a"}, k)  # type: ignore[arg-type]  # the wrong types are the subject

    assert refused.value.code == ("ranking.cutoff")


@pytest.mark.parametrize("metric", WITH_CUTOFF)
@pytest.mark.parametrize(
    ("retrieved", "code"),
    [
        ("abc", "ranking.retrieved_is_text"),
        (b"abc", "ranking.retrieved_is_text"),
        ({"a", "b"}, "ranking.retrieved_unordered"),
        ({"a": 0.5}, "ranking.retrieved_unordered"),
    ],
)
def test_what_is_no_ranking_is_refused(metric: Callable[..., float], retrieved: object, code: str) -> None:
    """Text would be read letter by letter; a set has no order, and a mapping's order is not that of its scores."""
    with pytest.raises(RankingError) as refused:
        metric(retrieved, {"a"}, 3)

    assert refused.value.code == code


@pytest.mark.parametrize("metric", WITH_CUTOFF)
def test_text_as_relevant_ids_is_refused(metric: Callable[..., float]) -> None:
    """Text would be read letter by letter."""
    with pytest.raises(RankingError) as refused:
        metric(RANKING, "abc", 3)

    assert refused.value.code == "ranking.relevant_is_text"


@pytest.mark.parametrize("grade", [nan, inf, -inf, 1e101, 10**400, "1", None, [1], 1j])
def test_a_grade_that_is_no_finite_number_is_refused_by_name(grade: object) -> None:
    """The error names the id with the grade."""
    with pytest.raises(RankingError) as refused:
        ndcg_at_k(RANKING, {"a": 1, "b": grade}, 3)  # type: ignore[dict-item]  # the wrong types are the subject

    assert refused.value.code == "ranking.grade"
    assert "'b'" in str(refused.value)


@pytest.mark.parametrize("threshold", [0, -1, nan, inf, "1"])
def test_a_threshold_is_a_finite_number_above_zero(threshold: object) -> None:
    """At 0 the irrelevant would be relevant."""
    with pytest.raises(RankingError) as refused:
        average_precision(RANKING, {"a"}, relevance_threshold=threshold)  # type: ignore[arg-type]  # as above

    assert refused.value.code == "ranking.threshold"


def test_duplicate_ids_come_in_the_order_of_their_repetition() -> None:
    """Each id that comes more than once is named once."""
    assert duplicate_ids(["a", "b", "c", "b", "a", "b"]) == ("b", "a")
    assert duplicate_ids(["a", "b"]) == ()


def test_the_mean_of_equal_values_is_that_value() -> None:
    """120 times 0.7 has the mean 0.7, where a plain sum gives 0.7000000000000015."""
    assert mean([0.7] * 120) == 0.7


def test_a_mean_of_nothing_is_refused() -> None:
    """Nothing measured is not a result."""
    with pytest.raises(RankingError) as refused:
        mean([])

    assert refused.value.code == "ranking.no_values"


def test_a_gate_holds_up_to_rounding_and_no_further() -> None:
    """The slack is 1e-12; NaN holds no gate."""
    assert gate_holds(0.6999999999999998, 0.7)
    assert not gate_holds(0.69999999, 0.7)
    assert not gate_holds(nan, 0.7)
    assert not gate_holds(0.7, nan)
