"""Scores to rankings, and ties."""

from __future__ import annotations

from itertools import permutations, product
from math import inf, nan
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sekisho.core.errors import RankingError
from sekisho.ranking import Metric, rank_by_score, score_many, tie_bounds, ties_cross

if TYPE_CHECKING:
    from collections.abc import Iterator

METRICS = ["recall@2", "precision@3", "success@1", "mrr", "mrr@2", "map", "map@2", "ndcg@1", "ndcg@3", "overlap@2"]
NUMBERS = st.one_of(st.sampled_from([0, 1, 2**53, 2**53 + 1, 0.5, -0.0, inf, -inf, 1e300]), st.floats(allow_nan=False))


def test_scores_descend_and_ties_go_by_descending_id() -> None:
    """Equal scores are ordered by code point, highest first: trec_eval's rule."""
    assert rank_by_score({"a": 1.0, "b": 2.0, "あ": 1.0, "A": 1.0, "b2": 2.0}) == ["b2", "b", "あ", "a", "A"]


def test_code_points_decide_not_the_bytes_of_utf16() -> None:
    """U+10000 is after U+FFFF, as in UTF-8, though its first half in UTF-16 is smaller."""
    assert rank_by_score({"\uffff": 1, "\U00010000": 1}) == ["\U00010000", "\uffff"]


def test_scores_are_compared_as_float64() -> None:
    """Integers beyond 2**53 may become equal; differences that float32 could not hold count."""
    assert rank_by_score({"a": 2**53 + 1, "b": 2**53}) == ["b", "a"]
    assert rank_by_score({"a": 0.1 + 1e-9, "b": 0.1}) == ["a", "b"]
    assert rank_by_score({"a": 0.0, "b": -0.0}) == ["b", "a"]


@pytest.mark.parametrize(
    "scores",
    [
        {"high": 1e300, "a": 2**53 + 1, "b": 2**53, "low": 0.0},
        {"high": 0.5, "a": np.float32(0.1), "b": float(np.float32(0.1)), "c": 0.1, "low": 0.0},
        {"high": inf, "a": True, "b": 1.0, "low": -inf},
    ],
)
def test_the_engine_compares_mixed_numbers_as_float64_too(scores: dict[str, float]) -> None:
    """Where Python or numpy would compare two types in a way of their own."""
    order = rank_by_score(scores)

    assert order.index("b") == order.index("a") - 1
    for id_ in scores:
        assert score_many({"q": scores}, {"q": [id_]}, ["mrr"]).means["mrr"] == 1 / (order.index(id_) + 1)


def test_numpy_scalars_and_infinities_are_scores() -> None:
    """A float32 keeps its exact value: 0.1 as float32 is above 0.1."""
    assert rank_by_score({"a": np.float32(0.1), "b": 0.1, "c": np.int64(-3), "d": -inf, "e": inf}) == [*"eabcd"]


@pytest.mark.parametrize("score", [nan, np.float32("nan"), "0.5", None, b"1", 10**400, 1j, [1]])
def test_what_is_no_score_is_refused_by_name(score: object) -> None:
    """The error names the id; text is not read as a number. The engine refuses the same and names the query too."""
    scores = {"a": 0.5, "bad": score, "c": 0.25}
    with pytest.raises(RankingError) as refused:
        rank_by_score(scores)  # type: ignore[arg-type]  # the wrong types are the subject
    with pytest.raises(RankingError) as refused_of_many:
        score_many({"q1": scores}, {"q1": ["a"]}, ["mrr"])  # type: ignore[dict-item]  # as above

    assert refused.value.code == refused_of_many.value.code == "ranking.score"
    assert "'bad'" in str(refused.value)
    assert "'q1'" in str(refused_of_many.value)


def test_what_is_no_mapping_from_text_is_refused() -> None:
    """A list has no scores, and an integer id has no code points to break a tie by."""
    with pytest.raises(RankingError) as no_mapping:
        rank_by_score(["a"])  # type: ignore[arg-type]  # the wrong types are the subject
    with pytest.raises(RankingError) as no_text:
        rank_by_score({"a": 1, 7: 1})  # type: ignore[dict-item]  # as above

    assert no_mapping.value.code == "ranking.scores_not_mapping"
    assert no_text.value.code == "ranking.id_not_text"


def test_a_tie_crosses_where_the_next_score_is_equal() -> None:
    """Only the scores on both sides of the cut matter."""
    scores = {"a": 3.0, "b": 2.0, "c": 2.0, "d": 1.0}

    assert [ties_cross(scores, k) for k in (1, 2, 3, 4, 5)] == [False, True, False, False, False]


@given(st.dictionaries(st.text(max_size=2), NUMBERS, max_size=8), st.randoms(use_true_random=False))
def test_the_order_of_the_mapping_has_no_effect(scores: dict[str, float], random: object) -> None:
    """The ranking depends on scores and ids alone, and is the one that the definition sorts out."""
    items = list(scores.items())
    random.shuffle(items)  # type: ignore[attr-defined]  # hypothesis has no public type for it

    by_definition = sorted(sorted(scores, reverse=True), key=lambda id_: float(scores[id_]), reverse=True)
    assert rank_by_score(dict(items)) == by_definition


@given(
    st.dictionaries(st.sampled_from("abcdef"), NUMBERS, min_size=1),
    st.dictionaries(st.sampled_from("abcdefgh"), st.sampled_from([-1, 0, 1, 2]), min_size=1),
)
def test_the_engine_finds_the_same_ranks_without_sorting_ids(scores: dict[str, float], grades: dict[str, int]) -> None:
    """Values from ids with scores equal those of the ranking that the scores make."""
    names = [name for name in METRICS if not name.startswith("overlap")]

    from_scores = score_many({"q": scores}, {"q": grades}, names)
    from_ranking = score_many({"q": rank_by_score(scores)}, {"q": grades}, names)

    assert from_scores.values == from_ranking.values


@given(
    st.lists(st.tuples(st.sampled_from([1.0, 2.0, 3.0]), st.sampled_from([-1, 0, 0.5, 1, 2])), min_size=1, max_size=6),
    st.sampled_from([None, 1, 2]),
    st.sampled_from(METRICS),
)
def test_bounds_are_those_of_all_orders(results: list[tuple[float, float]], threshold: float | None, name: str) -> None:
    """The bounds equal the lowest and highest value over every order of the tied ids, tried one by one."""
    scores = {f"d{place}": score for place, (score, _) in enumerate(results)}
    grades = {f"d{place}": grade for place, (_, grade) in enumerate(results)} | {"not retrieved": 1}
    metric = Metric.parse(name)

    bounds = tie_bounds(scores, grades, metric, relevance_threshold=threshold)

    values = [metric.compute(order, grades, relevance_threshold=threshold) for order in orders(scores)]
    assert bounds == pytest.approx((min(values), max(values)), abs=1e-15)


def orders(scores: dict[str, float]) -> Iterator[list[str]]:
    """Yield every ranking that the scores allow."""
    groups = [[id_ for id_ in scores if scores[id_] == score] for score in sorted(set(scores.values()), reverse=True)]
    for choice in product(*(permutations(group) for group in groups)):
        yield [id_ for group in choice for id_ in group]


def test_bounds_read_their_arguments_once() -> None:
    """Relevant ids may be a generator, and text is refused."""
    scores = {"a": 1.0, "b": 1.0}

    assert tie_bounds(scores, (id_ for id_ in ["a"]), "mrr") == (0.5, 1.0)
    with pytest.raises(RankingError) as refused:
        tie_bounds(scores, "a", "mrr")
    assert refused.value.code == "ranking.relevant_is_text"
