"""Reciprocal rank fusion."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge_search.search.rank_fusion import fuse

RANKING = st.lists(st.integers(1, 30), unique=True, max_size=12)


def test_scores_by_hand() -> None:
    """2 / 61 + 1 / 62 for one that is first and second; ties by id."""
    assert fuse([(2.0, [7, 9]), (1.0, [3, 7])]) == [
        (7, pytest.approx(2 / 61 + 1 / 62)),
        (9, pytest.approx(2 / 62)),
        (3, pytest.approx(1 / 61)),
    ]
    assert [each for each, _ in fuse([(1.0, [5]), (1.0, [2])])] == [2, 5]


@given(RANKING, RANKING)
def test_everything_ranked_is_there_once(one: list[int], other: list[int]) -> None:
    """Best first."""
    fused = fuse([(2.0, one), (1.0, other)])
    scores = [score for _, score in fused]

    assert sorted(each for each, _ in fused) == sorted({*one, *other})
    assert scores == sorted(scores, reverse=True)


@given(RANKING)
def test_one_ranking_keeps_its_order(ranking: list[int]) -> None:
    """Also beside one that weighs nothing."""
    assert [each for each, _ in fuse([(1.0, ranking)])] == ranking


def test_a_negative_weight_is_refused() -> None:
    """It would turn a ranking round."""
    with pytest.raises(ValueError, match="-1"):
        fuse([(-1.0, [1])])
