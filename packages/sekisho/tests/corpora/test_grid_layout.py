from __future__ import annotations

import hashlib
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sekisho.corpora import Mulberry32, generate_synthetic_corpus
from sekisho.corpora.grid_layout import GridLayout, topic_sizes
from sekisho.corpora.normals import TABLE_PEAK, normal_table
from sekisho.corpora.parameters import resolve_parameters

if TYPE_CHECKING:
    from types import SimpleNamespace

    import numpy.typing as npt

GRID = {"layout": "grid-v1", "jitter": "normal", "centres": "raw"}
ODD = {**GRID, "topics": 5, "chunks_per_topic": 4, "queries_per_topic": 3, "dims": 7, "noise": 0.5}
SHAPES = [
    ODD,
    {**ODD, "jitter": "uniform"},
    {**ODD, "centres": "unit", "noise": 0.1},
    {**ODD, "sizes": "zipf", "copies": 2, "copy_noise": 0.1},
    {**ODD, "parents": 2, "spread": 0.5, "offset": 1.5, "components": "nonnegative", "ids": "opaque"},
]


def digest(values: npt.NDArray[np.int16]) -> str:
    """Return the beginning of the SHA-256 of the little-endian bytes."""
    return hashlib.sha256(values.astype("<i2").tobytes()).hexdigest()[:16]


def test_published_corpus_is_reproduced() -> None:
    """Vectors made by an independent prototype, pinned by their digests."""
    corpus = generate_synthetic_corpus(**GRID, noise=0.2)

    assert corpus.chunks.numbers[0, :4].tolist() == [232, -372, 3016, 138]
    assert digest(corpus.chunks.numbers) == "64975adcc98741ff"
    assert digest(corpus.queries.numbers) == "2d28801682f887f6"


def test_table_is_antisymmetric_and_ends_where_it_says() -> None:
    """Its digest is checked whenever it is built."""
    table = normal_table().astype(int)

    assert np.array_equal(table, -table[::-1])
    assert table.max() == TABLE_PEAK
    assert abs(table.std() / 4096 - 1) < 0.001


def test_a_component_is_the_plain_formula() -> None:
    """Centre plus table entry times factor, shifted down: in plain whole numbers, from single draws."""
    corpus = generate_synthetic_corpus(**ODD)
    table = normal_table()
    draw = Mulberry32(42)
    centres = [[(draw.word() >> 19) - 4096 for _ in range(7)] for _ in range(5)]
    halves = [half for word in (draw.word() for _ in range(123)) for half in (word & 0xFFFF, word >> 16)]

    for row, vector in enumerate(np.concatenate([corpus.chunks.numbers, corpus.queries.numbers]).tolist()):
        topic = row % 5 if row < 20 else (row - 20) % 5
        expected = [centres[topic][i] + (int(table[halves[row * 7 + i]]) * 32768 >> 16) for i in range(7)]
        assert vector == expected


@pytest.mark.parametrize("shape", SHAPES)
def test_any_rows_can_be_made_alone(shape: dict[str, object]) -> None:
    """Shards of every size are slices of the whole."""
    layout = GridLayout(resolve_parameters(shape))
    chunks, queries = layout.chunk_rows(0, 20), layout.query_rows(0, 15)

    for size in (1, 2, 3, 7):
        assert np.array_equal(
            np.concatenate([layout.chunk_rows(a, min(a + size, 20)) for a in range(0, 20, size)]), chunks
        )
        assert np.array_equal(
            np.concatenate([layout.query_rows(a, min(a + size, 15)) for a in range(0, 15, size)]), queries
        )


def test_large_corpus_is_made_in_blocks_without_a_seam() -> None:
    """More components than one block holds, with shuffled rows."""
    arguments = {**GRID, "topics": 600, "noise": 0.5, "ids": "opaque"}
    layout = GridLayout(resolve_parameters(arguments))

    corpus = generate_synthetic_corpus(**arguments)

    rows = {row.tobytes() for row in corpus.chunks.numbers}
    assert rows == {row.tobytes() for row in layout.chunk_rows(0, 6000)}
    assert len(rows) == 6000


def test_unit_centres_have_length_one() -> None:
    """On the grid a length of 1 is 4096 steps, to the rounding of each component."""
    corpus = generate_synthetic_corpus(**{**GRID, "centres": "unit"}, noise=0)

    lengths = np.linalg.norm(corpus.chunks.numbers.astype(float), axis=1)

    assert np.abs(lengths - 4096).max() < 5


def test_automatic_noise_suits_both_kinds_of_centres(search: SimpleNamespace) -> None:
    """The number differs, the difficulty does not."""
    for dims in (96, 384):
        for centres in ("raw", "unit"):
            corpus = generate_synthetic_corpus(
                layout="grid-v1", jitter="normal", centres=centres, noise="auto", dims=dims
            )
            assert 0.86 <= search.recall(corpus, search.exact(corpus)) <= 0.94


def test_the_twin_with_zeros_has_the_same_draws() -> None:
    """Nonnegative components are the signed ones with the negative ones cut to exactly 0."""
    signed = generate_synthetic_corpus(**GRID, noise=0.55)
    cut = generate_synthetic_corpus(**GRID, noise=0.55, components="nonnegative")

    assert np.array_equal(cut.chunks.numbers, np.maximum(signed.chunks.numbers, 0))
    assert 0.4 < (cut.chunks.numbers == 0).mean() < 0.6


def test_offset_is_one_vector_on_everything() -> None:
    """Every chunk and query moves by the same steps."""
    plain = generate_synthetic_corpus(**GRID, noise=0.5)
    moved = generate_synthetic_corpus(**GRID, noise=0.5, offset=1.5)
    steps = np.concatenate([moved.chunks.numbers - plain.chunks.numbers, moved.queries.numbers - plain.queries.numbers])

    assert (steps == steps[0]).all()
    assert set(np.abs(steps[0]).tolist()) == {6144}
    assert 30 < (steps[0] > 0).sum() < 66


def test_copies_lie_close_together() -> None:
    """Five consecutive chunks of a topic share a passage; without copy noise they are equal."""
    corpus = generate_synthetic_corpus(**GRID, noise=0.5, copies=5)
    rows = dict(zip(corpus.chunks.ids, corpus.chunks.numbers.tolist(), strict=True))

    assert rows["t03-c00"] == rows["t03-c04"]
    assert rows["t03-c05"] == rows["t03-c09"]
    assert rows["t03-c04"] != rows["t03-c05"]
    assert rows["t03-c00"] != rows["t04-c00"]


def test_topics_of_one_parent_lie_closer_than_others() -> None:
    """Topics belong to parents in turn."""
    corpus = generate_synthetic_corpus(**GRID, noise=0, parents=6, spread=0.5)
    centres = corpus.chunks.numbers[:24].astype(float)
    distance = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    same = (np.arange(24)[:, None] - np.arange(24)[None]) % 6 == 0

    assert distance[same].max() < distance[~same].min()


@given(topics=st.integers(1, 60), mean=st.integers(1, 30))
def test_zipf_sizes_fall_and_add_up(topics: int, mean: int) -> None:
    """Every topic has a chunk, none has more than the one before it, and none is lost."""
    sizes = topic_sizes(
        resolve_parameters({**GRID, "topics": topics, "chunks_per_topic": mean, "sizes": "zipf"})
    ).tolist()

    assert sum(sizes) == topics * mean
    assert min(sizes) >= 1
    assert sizes == sorted(sizes, reverse=True)


def test_zipf_sizes_follow_the_rank() -> None:
    """The first of 24 topics holds 58 of 240 chunks; ids and labels agree with the sizes."""
    corpus = generate_synthetic_corpus(**GRID, sizes="zipf")
    counts = Counter(id_[:3] for id_ in corpus.chunks.ids)

    assert counts["t00"] == 58
    assert [counts[f"t{topic:02}"] for topic in range(4)] == [58, 30, 20, 15]
    assert {len(relevant) for relevant in corpus.relevant} == set(counts.values())
