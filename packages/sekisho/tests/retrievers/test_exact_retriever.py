from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sekisho.retrievers import exact, scan, space

from .corpora_for_retrievers import by_fractions, corpus_of, full_of_ties, random_table


@pytest.mark.parametrize("kind", ["float64", "float32", "int16", "int8"])
@pytest.mark.parametrize("dims", [2, 3, 5])
def test_equals_fractions_where_most_scores_tie(kind: str, dims: int) -> None:
    """Copies, multiples, opposites and zeros stand in the exact order, ties by id."""
    corpus = full_of_ties(dims, rows=90, dims=dims, kind=kind)
    queries = [*full_of_ties(dims + 50, rows=12, dims=dims, kind=kind).chunks.values]

    found = [exact(corpus, k).retrieve(query) for query in queries for k in (1, 7, 40, 200)]

    assert found == [by_fractions(corpus, query, k) for query in queries for k in (1, 7, 40, 200)]


def test_equals_fractions_on_random_floats() -> None:
    """The order is that of the float64 values themselves, not of a rounding of them."""
    corpus = corpus_of(random_table(1, 60, 9))
    queries = random_table(2, 20, 9)

    found = exact(corpus, 60).retrieve_many(queries)

    assert found == [by_fractions(corpus, query, 60) for query in queries]


def test_tells_scores_apart_that_float64_cannot() -> None:
    """Two cosines whose difference is far below the last bit of a float64 still have an order."""
    corpus = corpus_of([[1.0, 3e-9, 0.0], [1.0, 0.0, 2e-9], [1.0, 0.0, 0.0], [1.0, 1e-9, 0.0]])

    found = exact(corpus, 4).retrieve([1.0, 0.0, 0.0])

    assert found == ["c0002", "c0001", "c0003", "c0004"]


@pytest.mark.parametrize("kind", ["float64", "int16"])
def test_large_corpora_take_float32_and_give_the_same(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The float32 scan with its margin loses nothing, whatever the size of its blocks."""
    corpus = full_of_ties(7, rows=400, dims=6, kind=kind)
    queries = full_of_ties(8, rows=40, dims=6, kind=kind).chunks.values
    truth = exact(corpus, 15).retrieve_many(queries)

    monkeypatch.setattr(space, "SMALL_CORPUS", 0)
    monkeypatch.setattr(scan, "BLOCK_ROWS", 64)
    retriever = exact(corpus, 15)
    found = retriever.retrieve_many(queries)

    assert found == truth
    assert [retriever.retrieve(query) for query in queries] == truth


def test_rising_scores_do_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where every block is better than the one before, survivors are thinned out on the way."""
    angles = np.linspace(1.5, 0.0, 3000)
    corpus = corpus_of(np.stack([np.cos(angles), np.sin(angles)], axis=1), tuple(f"c{n:04}" for n in range(3000)))

    monkeypatch.setattr(space, "SMALL_CORPUS", 0)
    monkeypatch.setattr(scan, "BLOCK_ROWS", 100)
    found = exact(corpus, 3).retrieve_many([[1.0, 0.0], [0.0, 1.0]])

    assert found == [["c2999", "c2998", "c2997"], ["c0000", "c0001", "c0002"]]


def test_thousands_of_copies_do_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nearly all pairs tie, fewer queries are asked at a time, with the same answers."""
    corpus = corpus_of(np.repeat(random_table(5, 3, 4), 40, axis=0))
    queries = random_table(6, 9, 4)
    truth = exact(corpus, 60).retrieve_many(queries)

    monkeypatch.setattr(space, "SMALL_CORPUS", 0)
    monkeypatch.setattr(scan, "BLOCK_ROWS", 10)
    monkeypatch.setattr(scan, "_CROWD", 0)
    monkeypatch.setattr(scan, "MOST_PAIRS", 100)

    assert exact(corpus, 60).retrieve_many(queries) == truth
    assert truth == [by_fractions(corpus, query, 60) for query in queries]


@given(
    values=st.lists(st.lists(st.integers(-3, 3), min_size=3, max_size=3), min_size=1, max_size=12),
    query=st.lists(st.integers(-3, 3), min_size=3, max_size=3),
    factor=st.sampled_from([1.0, 3.0, 0.25, 2.0**-1020, 2.0**1020]),
    k=st.integers(1, 14),
)
def test_the_length_of_vectors_changes_nothing(
    values: list[list[int]], query: list[int], factor: float, k: int
) -> None:
    """A query may be of any length, up to the ends of the range of float64 (these products are not rounded)."""
    corpus = corpus_of(values)

    found = exact(corpus, k).retrieve(np.asarray(query) * factor)

    assert found == by_fractions(corpus, query, k)


def test_a_vector_of_zeros_has_cosine_0_with_everything() -> None:
    """It stands between the vectors on the query's side and those on the other."""
    corpus = corpus_of([[-1, 1], [0, 0], [1, 5]])

    assert exact(corpus, 3).retrieve([1, 0]) == ["c0001", "c0002", "c0003"]


def test_a_query_of_zeros_ties_with_everything() -> None:
    """Every score is 0, so the ids decide."""
    corpus = corpus_of(random_table(3, 30, 4))

    assert exact(corpus, 3).retrieve([0, 0, 0, 0]) == ["c0001", "c0002", "c0003"]


def test_vectors_at_the_ends_of_the_range_are_compared() -> None:
    """Squares that would overflow or vanish are avoided."""
    corpus = corpus_of([[1e300, 1e300], [1e-300, 0.0], [0.0, 5e-324]])

    assert exact(corpus, 3).retrieve([1e308, 0.0]) == ["c0002", "c0003", "c0001"]


def test_more_than_the_corpus_holds_returns_all() -> None:
    """A k above the number of chunks is no error."""
    corpus = corpus_of(random_table(4, 5, 3))

    assert sorted(exact(corpus, 99).retrieve([1, 1, 1])) == sorted(corpus.chunks.ids)


def test_ties_follow_code_points_not_the_order_of_rows() -> None:
    """Capitals before small letters before kana, whatever row they stand in."""
    corpus = corpus_of([[1, 0]] * 4, ids=("b", "あ", "Z", "a"))

    assert exact(corpus, 4).retrieve([1, 0]) == ["Z", "a", "b", "あ"]


def test_no_queries_give_no_answers() -> None:
    """An empty table is a table."""
    assert exact(corpus_of([[1.0, 2.0]]), 1).retrieve_many(np.empty((0, 2))) == []
