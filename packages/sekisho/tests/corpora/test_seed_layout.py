from __future__ import annotations

import math

import numpy as np
import pytest

from sekisho.corpora import Mulberry32, generate_synthetic_corpus


def by_hand(
    *, topics: int, chunks: int, queries: int, dims: int, noise: float, seed: int, unit: bool
) -> tuple[list[list[float]], list[list[float]]]:
    """Return chunks and queries as the specification reads, one draw after the other, in plain Python."""
    draw = Mulberry32(seed)
    centres = [[2 * draw.uniform() - 1 for _ in range(dims)] for _ in range(topics)]
    if unit:
        for centre in centres:
            total = 0.0
            for component in centre:
                total += component * component
            length = math.sqrt(total)
            centre[:] = [component / length for component in centre]
    found_chunks, found_queries = [], []
    for centre in centres:
        for count, found in ((chunks, found_chunks), (queries, found_queries)):
            for _ in range(count):
                found.append([component + noise * (2 * draw.uniform() - 1) for component in centre])
    return found_chunks, found_queries


@pytest.mark.parametrize("centres", ["unit", "raw"])
def test_default_corpus_is_bit_for_bit_the_plain_loop(centres: str) -> None:
    """Vectorising changed neither the order of the draws nor a rounding."""
    chunks, queries = by_hand(topics=24, chunks=10, queries=5, dims=96, noise=0.2, seed=42, unit=centres == "unit")

    corpus = generate_synthetic_corpus(centres=centres)

    assert corpus.chunks.numbers.tolist() == chunks
    assert corpus.queries.numbers.tolist() == queries


def test_odd_shapes_are_the_plain_loop_too() -> None:
    """Nothing depends on even numbers."""
    chunks, queries = by_hand(topics=3, chunks=2, queries=1, dims=7, noise=0.5, seed=9, unit=True)

    corpus = generate_synthetic_corpus(topics=3, chunks_per_topic=2, queries_per_topic=1, dims=7, noise=0.5, seed=9)

    assert corpus.chunks.numbers.tolist() == chunks
    assert corpus.queries.numbers.tolist() == queries


def test_ids_tell_topic_and_place() -> None:
    """``t03-c07`` and ``t03-q2``; relevant are all chunks of the topic."""
    corpus = generate_synthetic_corpus()
    case = corpus.cases[3 * 5 + 2]

    assert corpus.chunks.ids[3 * 10 + 7] == "t03-c07"
    assert case.id == "t03-q2"
    assert case.relevant == tuple(f"t03-c{place:02}" for place in range(10))
    assert np.array_equal(case.query, corpus.queries.numbers[17])


def test_ids_widen_with_the_corpus_and_stay_in_order() -> None:
    """Ids sort as their numbers do, so that ties by id mean the same at any size."""
    corpus = generate_synthetic_corpus(topics=120, chunks_per_topic=101, queries_per_topic=11, dims=2)

    assert corpus.chunks.ids[-1] == "t119-c100"
    assert corpus.queries.ids[-1] == "t119-q10"
    assert list(corpus.chunks.ids) == sorted(corpus.chunks.ids)


def test_opaque_ids_show_the_same_vectors_in_another_order() -> None:
    """Rows are shuffled and numbered; labels move with them."""
    plain = generate_synthetic_corpus()
    opaque = generate_synthetic_corpus(ids="opaque")
    row = {vector.tobytes(): id_ for id_, vector in zip(opaque.chunks.ids, opaque.chunks.numbers, strict=True)}
    new = {id_: row[vector.tobytes()] for id_, vector in zip(plain.chunks.ids, plain.chunks.numbers, strict=True)}
    queries = {
        vector.tobytes(): relevant for vector, relevant in zip(plain.queries.numbers, plain.relevant, strict=True)
    }

    assert opaque.chunks.ids == tuple(f"c{number:03}" for number in range(240))
    assert opaque.queries.ids == tuple(f"q{number:03}" for number in range(120))
    for vector, relevant in zip(opaque.queries.numbers, opaque.relevant, strict=True):
        assert set(relevant) == {new[id_] for id_ in queries[vector.tobytes()]}


def test_vectors_cannot_be_changed_by_a_target() -> None:
    """A target that normalises in place would change what the next one is measured on."""
    corpus = generate_synthetic_corpus()

    with pytest.raises(ValueError, match="read-only"):
        corpus.cases[0].query[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        corpus.chunks.numbers[0, 0] = 1
