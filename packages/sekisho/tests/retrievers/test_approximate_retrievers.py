from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from sekisho.retrievers import (
    RETRIEVERS,
    BinaryQuantiser,
    Clusters,
    IvfFlatRetriever,
    binary,
    exact,
    ivf_flat,
    raptor,
    scan,
    space,
    two_stage,
)

from .corpora_for_retrievers import by_fractions, corpus_of, full_of_ties, random_table

if TYPE_CHECKING:
    from sekisho.corpora import SyntheticCorpus

FACTORIES = sorted(RETRIEVERS)


@pytest.mark.parametrize("name", FACTORIES)
@pytest.mark.parametrize("kind", ["float64", "int8"])
@pytest.mark.parametrize("k", [1, 10, 40])
def test_many_at_once_equal_one_by_one(name: str, kind: str, k: int) -> None:
    """A batch is only faster, also where most scores tie."""
    corpus = full_of_ties(11, rows=150, dims=5, kind=kind)
    queries = full_of_ties(12, rows=60, dims=5, kind=kind).chunks.values
    retriever = RETRIEVERS[name](corpus, k)

    found = retriever.retrieve_many(queries)

    assert found == [retriever.retrieve(query) for query in queries]
    assert all(len(ids) == len(set(ids)) == k for ids in found)


@pytest.mark.parametrize("name", FACTORIES)
def test_the_size_of_a_corpus_changes_the_way_but_not_the_answer(
    name: str, seed_corpus: SyntheticCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What large corpora do (float32, blocks) gives what small ones do (float64, one product)."""
    queries = seed_corpus.queries.values
    small = RETRIEVERS[name](seed_corpus, 10).retrieve_many(queries)

    monkeypatch.setattr(space, "SMALL_CORPUS", 0)
    monkeypatch.setattr(scan, "BLOCK_ROWS", 50)
    monkeypatch.setattr(binary, "_BLOCK_CODES", 50)
    retriever = RETRIEVERS[name](seed_corpus, 10)
    large = retriever.retrieve_many(queries)

    assert large == small
    assert [retriever.retrieve(query) for query in queries] == small


@pytest.mark.parametrize("name", FACTORIES)
def test_the_order_of_rows_changes_nothing(name: str) -> None:
    """Ids decide where something stands, not the row in which it arrives."""
    values = random_table(5, 80, 6)
    ids = tuple(f"c{number:03}" for number in range(80))
    queries = random_table(6, 20, 6)
    turned = corpus_of(values[::-1], ids[::-1])

    found = RETRIEVERS[name](corpus_of(values, ids), 7).retrieve_many(queries)

    assert RETRIEVERS[name](turned, 7).retrieve_many(queries) == found


@pytest.mark.parametrize("name", FACTORIES)
def test_more_than_the_corpus_holds_returns_every_chunk_once(name: str) -> None:
    """A k above the number of chunks is no error."""
    corpus = corpus_of(random_table(7, 12, 4))

    found = RETRIEVERS[name](corpus, 30).retrieve([1, 0, 0, 0])

    assert sorted(found) == sorted(corpus.chunks.ids)


@pytest.mark.parametrize("name", FACTORIES)
def test_one_chunk_is_a_corpus(name: str) -> None:
    """The smallest corpus works."""
    assert RETRIEVERS[name](corpus_of([[1.0, 2.0]]), 1).retrieve([3.0, 4.0]) == ["c0001"]


@pytest.mark.parametrize("name", FACTORIES)
def test_only_zeros_are_a_corpus(name: str) -> None:
    """Where nothing can be told apart the ids decide."""
    corpus = corpus_of(np.zeros((20, 3)))

    assert RETRIEVERS[name](corpus, 3).retrieve([1.0, 0.0, 0.0]) == ["c0001", "c0002", "c0003"]


def test_probing_every_list_is_exact_search() -> None:
    """Nothing is left out, also where there are more probes than lists."""
    corpus = full_of_ties(13, rows=100, dims=4, kind="float64")
    queries = random_table(14, 30, 4)

    assert ivf_flat(corpus, 9, probes=99).retrieve_many(queries) == exact(corpus, 9).retrieve_many(queries)


def test_equally_near_lists_are_probed_by_the_lowest_number() -> None:
    """A partition that breaks ties as it likes would choose others, and others on another processor."""
    corpus = corpus_of(np.tile([[1.0, 0.0]], (100, 1)))
    built = ivf_flat(corpus, 3)
    one_each = tuple(np.asarray([row], dtype=np.intp) for row in range(99, -1, -1))
    same = Clusters(np.tile(np.asarray([[2048, 0]], dtype=np.float32), (100, 1)))
    retriever = IvfFlatRetriever(space=built.space, lists=one_each, clusters=same, probes=20, k=3)

    found = retriever.retrieve_many([[1.0, 0.0], [0.0, 1.0]])

    assert found == [["c0081", "c0082", "c0083"]] * 2
    assert retriever.retrieve([1.0, 0.0]) == found[0]


def test_lists_hold_every_chunk_once(seed_corpus: SyntheticCorpus) -> None:
    """By default there are as many lists as the square root of the chunks."""
    retriever = ivf_flat(seed_corpus, 10)

    assert len(retriever.lists) == 15
    assert sorted(retriever.order.tolist()) == list(range(240))


def test_short_lists_are_made_up_for_by_further_ones() -> None:
    """A healthy index returns k results where there are k chunks."""
    corpus = corpus_of(random_table(15, 60, 3))

    found = ivf_flat(corpus, 50, lists=30, probes=1).retrieve_many(random_table(16, 25, 3))

    assert {len(ids) for ids in found} == {50}


@pytest.mark.parametrize("centred", [False, True])
def test_candidates_are_the_fewest_different_bits_then_the_lowest_ids(centred: bool) -> None:  # noqa: FBT001  a parameter of the test
    """Both stages equal a search in plain Python."""
    corpus = full_of_ties(17, rows=120, dims=7, kind="int16")
    queries = random_table(18, 25, 7)
    retriever = two_stage(corpus, 5, candidates=20, centred=centred)
    threshold = retriever.queries.threshold if isinstance(retriever.queries, BinaryQuantiser) else 0.0
    lengths = np.sqrt((corpus.chunks.values.astype(float) ** 2).sum(axis=1, keepdims=True))
    bits = corpus.chunks.values / np.where(lengths == 0, 1, lengths) > threshold

    for query in queries:
        asked = query / np.sqrt((query**2).sum()) > threshold
        differing = dict(zip(corpus.chunks.ids, (bits != asked).sum(axis=1).tolist(), strict=True))
        pool = sorted(differing, key=lambda name: (differing[name], name))[:20]

        assert two_stage(corpus, 5, candidates=20, centred=centred, rerank=False).retrieve(query) == pool[:5]
        assert retriever.retrieve(query) == by_fractions(corpus, query, 5, set(pool))


@pytest.mark.parametrize("dims", [1, 7, 8, 63, 64, 65, 192, 193, 700])
def test_codes_of_every_width_are_counted(dims: int) -> None:
    """Neither the padding of a word nor the width of a counter shows."""
    values, query = random_table(19, 40, dims), random_table(20, 1, dims)[0]
    corpus = corpus_of(values)
    differing = ((values >= 0) != (query >= 0)).sum(axis=1).tolist()
    names = sorted(zip(differing, corpus.chunks.ids, strict=True))

    assert two_stage(corpus, 40, rerank=False).retrieve(query) == [name for _, name in names]


@pytest.mark.parametrize("dims", [64, 1000])
@pytest.mark.parametrize("block", [1, 2**14])
def test_codes_that_all_differ_are_counted(dims: int, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The largest distance is neither lost in a small counter nor taken for too far."""
    monkeypatch.setattr(binary, "_BLOCK_CODES", block)
    corpus = corpus_of([[1.0] * dims, [-1.0] * dims])

    assert two_stage(corpus, 2, rerank=False).retrieve([1.0] * dims) == ["c0002", "c0001"]


def test_all_candidates_are_exact_search() -> None:
    """With the whole corpus in the second stage the bits do not matter."""
    corpus = full_of_ties(21, rows=70, dims=4, kind="int8")
    queries = random_table(22, 20, 4)

    assert two_stage(corpus, 6, candidates=70).retrieve_many(queries) == exact(corpus, 6).retrieve_many(queries)


def test_a_summary_brings_its_best_chunks_in_exact_order(seed_corpus: SyntheticCorpus) -> None:
    """The walk down the ranking of all nodes, written out."""
    retriever = raptor(seed_corpus, 10, expansions=2, leaves_per_summary=3)
    corpus = corpus_of(retriever.space.rows, retriever.space.ids)
    summaries = {f"s{number}": summary for number, summary in enumerate(retriever.tree.summaries)}
    vectors = np.stack([summary.vector for summary in summaries.values()])
    everything = corpus_of(np.concatenate([retriever.space.rows, vectors]), (*retriever.space.ids, *summaries))

    for query in seed_corpus.queries.values[:2]:
        expected: dict[str, None] = {}
        left = 2
        for name in by_fractions(everything, query, 999):
            if name in summaries and left:
                left -= 1
                below = {retriever.space.ids[row] for row in summaries[name].leaves}
                expected.update(dict.fromkeys(by_fractions(corpus, query, 3, below)))
            elif name not in summaries:
                expected[name] = None

        assert retriever.retrieve(query) == list(expected)[:10]


def test_every_level_of_the_tree_stands_for_all_chunks(seed_corpus: SyntheticCorpus) -> None:
    """No chunk is lost on the way up, and none is under two summaries of a level."""
    tree = raptor(seed_corpus, 10, levels=9).tree

    for level in {summary.level for summary in tree.summaries}:
        below = [row for summary in tree.summaries if summary.level == level for row in summary.leaves.tolist()]

        assert sorted(below) == list(range(240))


def test_the_tree_ends_where_nothing_is_left_to_summarise(seed_corpus: SyntheticCorpus) -> None:
    """240 chunks by eights: 30 summaries, then 4, of which none is needed above."""
    levels = [summary.level for summary in raptor(seed_corpus, 10, levels=9).tree.summaries]

    assert set(levels) == {1, 2}
    assert levels.count(1) <= 30
    assert levels.count(2) <= 4
