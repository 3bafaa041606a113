from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sekisho.core.vectors import VectorSet
from sekisho.corpora import exact_neighbours, generate_synthetic_corpus, load_preset, neighbours

if TYPE_CHECKING:
    from types import SimpleNamespace


def vectors(rows: object, ids: list[str] | None = None, dtype: type = np.int16) -> VectorSet:
    """Return rows with ids."""
    rows = np.array(rows, dtype)
    return VectorSet(ids=tuple(ids or (f"c{row:04}" for row in range(len(rows)))), numbers=rows)


def by_fractions(chunks: VectorSet, queries: VectorSet, k: int) -> list[tuple[str, ...]]:
    """Return what the definition says, in fractions: every id whose score reaches the k-th's."""
    found = []
    for query in queries.numbers.tolist():
        scored = []
        for id_, chunk in zip(chunks.ids, chunks.numbers.tolist(), strict=True):
            dot = sum(a * b for a, b in zip(query, chunk, strict=True))
            scored.append((-Fraction(dot * abs(dot), sum(a * a for a in chunk) or 1), id_))
        scored.sort()
        last = scored[min(k, len(scored)) - 1][0]
        found.append(tuple(id_ for score, id_ in scored if score <= last))
    return found


@given(data=st.data(), dims=st.integers(1, 3), k=st.integers(1, 6))
def test_neighbours_are_those_of_fractions(data: st.DataObject, dims: int, k: int) -> None:
    """Small whole numbers make many ties, also between vectors of different lengths in one direction."""
    row = st.lists(st.integers(-3, 3), min_size=dims, max_size=dims)
    chunks = vectors(data.draw(st.lists(row, min_size=1, max_size=20)))
    queries = vectors(data.draw(st.lists(row, min_size=1, max_size=3)))

    found = exact_neighbours(chunks, queries, k=k)

    assert [near.ids for near in found] == by_fractions(chunks, queries, k)


@given(data=st.data(), length=st.integers(1, 181))
def test_parallel_vectors_tie_whatever_their_length(data: st.DataObject, length: int) -> None:
    """Rounding alone would part 3 times a vector from the vector itself."""
    base = data.draw(st.lists(st.integers(-180, 180), min_size=5, max_size=5).filter(any))
    chunks = vectors([base, [length * x for x in base], [-x for x in base]], dtype=np.int16)

    (found,) = exact_neighbours(chunks, vectors([base]), k=1)

    assert found.ids == ("c0000", "c0001")


def test_largest_components_do_not_overflow() -> None:
    """int16 at its end, in 768 dims: sums stay below 2**53."""
    high = np.full((3, 768), 32767)
    high[1, 0] = 32766
    high[2] = -32768

    (found,) = exact_neighbours(vectors(high), vectors(high[:1]), k=2)

    assert found.ids == ("c0000", "c0001")


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scanning a few rows at a time finds what one scan finds, duplicates across blocks included."""
    corpus = generate_synthetic_corpus(layout="grid-v1", jitter="normal", centres="raw", noise=0.75, copies=5)
    whole = exact_neighbours(corpus.chunks, corpus.queries, k=7)
    monkeypatch.setattr(neighbours, "_CHUNKS", 5)
    monkeypatch.setattr(neighbours, "_QUERIES", 11)

    assert exact_neighbours(corpus.chunks, corpus.queries, k=7) == whole
    assert any(len(near.ids) > 7 for near in whole)


@pytest.mark.parametrize("name", ["calibrated", "near-duplicates", "real-vectors"])
def test_whole_number_presets_have_the_neighbours_of_python_integers(name: str) -> None:
    """No float takes part in the reference."""
    corpus = load_preset(name)
    some = VectorSet(ids=corpus.queries.ids[::20], numbers=corpus.queries.numbers[::20])

    found = exact_neighbours(corpus.chunks, some, k=10)

    assert [near.ids for near in found] == by_fractions(corpus.chunks, some, 10)


def test_float_vectors_have_the_neighbours_of_float_search(search: SimpleNamespace) -> None:
    """The grid that floats are rounded to is finer than any gap of the default corpus."""
    corpus = load_preset("seed")

    assert search.overlap(corpus, search.exact(corpus)) == 1.0
    assert {len(case.neighbours.ids) for case in corpus.cases} == {10}


def test_scale_of_floats_does_not_matter() -> None:
    """Powers of ten up and down, and zeros, give the same order."""
    corpus = load_preset("seed")
    expected = [case.neighbours for case in corpus.cases]
    for factor in (1e-200, 1e-3, 1e150):
        chunks = VectorSet(ids=corpus.chunks.ids, numbers=corpus.chunks.numbers * factor)
        assert list(exact_neighbours(chunks, corpus.queries, k=10)) == expected

    (found,) = exact_neighbours(vectors(np.zeros((2, 3)), dtype=float), vectors(np.zeros((1, 3)), dtype=float), k=1)
    assert found.ids == ("c0000", "c0001")


def test_ties_are_listed_by_id_whatever_the_order_of_rows() -> None:
    """Rows of equal vectors, ids in reverse."""
    chunks = vectors([[1, 0], [1, 0], [1, 0], [0, 1]], ids=["d", "b", "c", "a"])

    (found,) = exact_neighbours(chunks, vectors([[2, 1]]), k=2)

    assert found.k == 2
    assert found.ids == ("b", "c", "d")


def test_corpus_smaller_than_k_gives_all() -> None:
    """Fewer neighbours than asked for, best first."""
    (found,) = exact_neighbours(vectors([[0, 1], [1, 0]]), vectors([[2, 1]]), k=10)

    assert found.ids == ("c0001", "c0000")
