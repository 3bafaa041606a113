from __future__ import annotations

from dataclasses import dataclass, replace
from math import fsum
from typing import TYPE_CHECKING

import numpy as np
import pytest

from sekisho.core.errors import RetrieverError
from sekisho.retrievers import (
    BinaryQuantiser,
    Clusters,
    ExactRetriever,
    Retriever,
    Tree,
    exact,
    fusion,
    ivf_flat,
    raptor,
    two_stage,
)
from sekisho.retrievers.protocols import in_batches

if TYPE_CHECKING:
    import numpy.typing as npt

    from sekisho.corpora import SyntheticCorpus


@dataclass(frozen=True, eq=False)
class Flipped(BinaryQuantiser):
    """Has every bit wrong."""

    def encode(self, unit: npt.NDArray[np.float64]) -> npt.NDArray[np.uint8]:
        """Return the opposite bits."""
        return np.packbits(unit < self.threshold, axis=-1)


@dataclass(frozen=True, eq=False)
class Reversed(BinaryQuantiser):
    """Packs bits from the other end of a byte."""

    def encode(self, unit: npt.NDArray[np.float64]) -> npt.NDArray[np.uint8]:
        """Return bits in the other order."""
        return np.packbits(unit >= self.threshold, axis=-1, bitorder="little")


@dataclass(frozen=True, eq=False)
class Halved(BinaryQuantiser):
    """Keeps half of the bits."""

    def encode(self, unit: npt.NDArray[np.float64]) -> npt.NDArray[np.uint8]:
        """Return the first half."""
        return super().encode(unit[:, : unit.shape[1] // 2])


def overlap(corpus: SyntheticCorpus, retriever: Retriever) -> float:
    """Return the mean share of the ten nearest chunks that come back."""
    found = in_batches(retriever, corpus.queries.values)
    truth = exact(corpus).retrieve_many(corpus.queries.values)
    return fsum(len(set(ids) & set(near)) / 10 for ids, near in zip(found, truth, strict=True)) / len(found)


@pytest.mark.parametrize(
    ("quantiser", "most"), [(Flipped(), 0.01), (Reversed(), 0.4), (BinaryQuantiser(0.1), 0.92), (Halved(), 0.9)]
)
def test_a_faulty_quantiser_can_be_put_in(
    quantiser: BinaryQuantiser, most: float, seed_corpus: SyntheticCorpus
) -> None:
    """The bits of documents are made anew, and search gets worse."""
    healthy = two_stage(seed_corpus, 10)
    both = isinstance(quantiser, Halved)

    faulty = replace(healthy, documents=quantiser, queries=quantiser if both else healthy.queries)

    assert overlap(seed_corpus, faulty) < most < overlap(seed_corpus, healthy)


def test_codes_of_two_widths_are_refused(seed_corpus: SyntheticCorpus) -> None:
    """They cannot be compared at all."""
    faulty = replace(two_stage(seed_corpus, 10), documents=Halved())

    with pytest.raises(RetrieverError, match="6 bytes, those of queries 12"):
        faulty.retrieve(seed_corpus.queries.values[0])


def test_the_candidates_can_be_cut(seed_corpus: SyntheticCorpus) -> None:
    """A pool of ten leaves the second stage nothing to mend."""
    healthy = two_stage(seed_corpus, 10)

    assert overlap(seed_corpus, replace(healthy, candidates=10)) < 0.7 < overlap(seed_corpus, healthy)


def test_centroids_can_be_stale(seed_corpus: SyntheticCorpus) -> None:
    """Queries that choose their lists by other centroids look in the wrong ones."""
    healthy = ivf_flat(seed_corpus, 10)

    stale = replace(healthy, clusters=Clusters(healthy.clusters.centroids[::-1].copy()))

    assert overlap(seed_corpus, stale) < 0.5 < overlap(seed_corpus, healthy)


def test_a_list_of_the_index_can_be_lost(seed_corpus: SyntheticCorpus) -> None:
    """Its chunks are never found again."""
    healthy = ivf_flat(seed_corpus, 10)

    lost = replace(healthy, lists=(healthy.lists[0][:0], *healthy.lists[1:]))
    found = {name for ids in lost.retrieve_many(seed_corpus.queries.values) for name in ids}

    assert len(healthy.lists[0])
    assert not found & set(healthy.space.names(healthy.lists[0]))


def test_a_search_of_a_fusion_can_be_lost(seed_corpus: SyntheticCorpus) -> None:
    """What is left is the other search alone."""
    healthy = fusion(seed_corpus, 10)

    lost = replace(healthy, retrievers=healthy.retrievers[:1], weights=(1.0,))

    assert lost.retrieve_many(seed_corpus.queries.values) == in_batches(
        two_stage(seed_corpus, 10), seed_corpus.queries.values
    )


def test_the_constant_of_a_fusion_can_be_wrong(seed_corpus: SyntheticCorpus) -> None:
    """Rankings change."""
    healthy = fusion(seed_corpus, 10)
    queries = seed_corpus.queries.values

    assert replace(healthy, constant=0.0).retrieve_many(queries) != healthy.retrieve_many(queries)


def test_a_tree_can_be_stale(seed_corpus: SyntheticCorpus) -> None:
    """A tree over rows that have moved leads to the wrong chunks."""
    healthy = raptor(seed_corpus, 10)
    moved = [replace(node, leaves=(node.leaves + 60) % len(healthy.space)) for node in healthy.tree.summaries]

    stale = replace(healthy, tree=Tree(tuple(moved)))

    assert overlap(seed_corpus, stale) < 0.7 < overlap(seed_corpus, healthy)


def test_summaries_can_stay_closed(seed_corpus: SyntheticCorpus) -> None:
    """Then their own names come back, which no corpus knows."""
    closed = replace(raptor(seed_corpus, 10), expand=False)

    found = {name for ids in closed.retrieve_many(seed_corpus.queries.values) for name in ids}

    assert any(name.startswith("summary:") for name in found)


def test_parts_may_be_built_by_hand(seed_corpus: SyntheticCorpus) -> None:
    """A retriever is nothing but its parts."""
    built = exact(seed_corpus, 10)

    by_hand = ExactRetriever(space=built.space, k=3)

    assert by_hand.retrieve(seed_corpus.queries.values[0]) == built.retrieve(seed_corpus.queries.values[0])[:3]
