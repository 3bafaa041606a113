from __future__ import annotations

from dataclasses import replace
from math import fsum
from typing import TYPE_CHECKING

import numpy as np
import pytest

from sekisho.corpora import SyntheticCorpus, load_preset
from sekisho.retrievers import RETRIEVERS, exact, fusion, ivf_flat, raptor, two_stage
from sekisho.retrievers.binary import BinaryQuantiser
from sekisho.retrievers.protocols import in_batches

if TYPE_CHECKING:
    from sekisho.retrievers import Retriever
    from sekisho.retrievers.protocols import Bits, Floats


def label_recall(corpus: SyntheticCorpus, retriever: Retriever) -> float:
    """Return the mean share of a query's topic among the ids found."""
    found = in_batches(retriever, corpus.queries.values)
    return fsum(
        len(set(ids) & set(case.relevant)) / len(case.relevant) for ids, case in zip(found, corpus.cases, strict=True)
    ) / len(found)


def overlap(corpus: SyntheticCorpus, retriever: Retriever, k: int = 10) -> float:
    """Return the mean share of the exact neighbours among the ids found."""
    found = in_batches(retriever, corpus.queries.values)
    truth = [set(case.neighbours.ids) for case in corpus.cases if case.neighbours is not None]
    return fsum(len(set(ids) & near) / k for ids, near in zip(found, truth, strict=True)) / len(found)


def test_exact_search_finds_97_to_98_percent_on_the_seed_corpus(seed_corpus: SyntheticCorpus) -> None:
    """The corpus is neither saturated nor out of reach."""
    assert 0.97 <= label_recall(seed_corpus, exact(seed_corpus)) <= 0.98


@pytest.mark.parametrize("name", ["seed", "calibrated", "near-duplicates"])
def test_exact_search_is_the_corpus_s_own_truth(name: str) -> None:
    """Neighbours computed by the corpora, in another way, are the ids that exact search returns."""
    corpus = load_preset(name)

    assert overlap(corpus, exact(corpus, 10)) == 1.0


def test_two_stages_with_40_candidates_lose_five_percent(seed_corpus: SyntheticCorpus) -> None:
    """Quantisation shows, and most of it is made good again."""
    assert label_recall(seed_corpus, two_stage(seed_corpus, 10)) == pytest.approx(0.92, abs=0.01)


def test_dropping_the_second_stage_shows(seed_corpus: SyntheticCorpus) -> None:
    """The order of the bits alone is far worse."""
    assert label_recall(seed_corpus, two_stage(seed_corpus, 10, rerank=False)) == pytest.approx(0.66, abs=0.01)


@pytest.mark.parametrize("name", ["seed", "calibrated", "nested", "near-duplicates", "skewed", "real-vectors"])
def test_fusion_is_no_worse_than_two_stages(name: str) -> None:
    """The default pair is worth its cost, by both rulers."""
    corpus = load_preset(name)
    fused, alone = fusion(corpus, 10), two_stage(corpus, 10)

    assert label_recall(corpus, fused) >= label_recall(corpus, alone)
    assert overlap(corpus, fused) >= overlap(corpus, alone)


@pytest.mark.parametrize("name", ["seed", "calibrated", "real-vectors"])
@pytest.mark.parametrize("retriever", ["exact", "ivf_flat", "fusion", "raptor"])
def test_healthy_retrievers_pass_the_default_gate(name: str, retriever: str) -> None:
    """What has no fault stays above 0.6 with room to spare."""
    corpus = load_preset(name)

    assert label_recall(corpus, RETRIEVERS[retriever](corpus, 10)) >= 0.8


def test_more_probes_come_closer_to_the_truth(seed_corpus: SyntheticCorpus) -> None:
    """One list of fifteen is not enough, all of them are exact search."""
    few, some, most = (overlap(seed_corpus, ivf_flat(seed_corpus, 10, probes=probes)) for probes in (1, 4, 15))

    assert few < some < most == 1.0


def test_the_tree_keeps_most_of_the_truth(seed_corpus: SyntheticCorpus) -> None:
    """Half of an answer comes from summaries, and it is nearly the exact one."""
    assert overlap(seed_corpus, raptor(seed_corpus, 10)) >= 0.98


def test_a_common_offset_blinds_the_bits_unless_centred() -> None:
    """Compared with the mean of the corpus, a component says something again."""
    corpus = load_preset("offset")

    assert overlap(corpus, two_stage(corpus, 10)) < 0.3
    assert overlap(corpus, two_stage(corpus, 10, centred=True)) > 0.95


class _AtLeast(BinaryQuantiser):
    def encode(self, unit: Floats) -> Bits:
        return np.packbits(unit >= self.threshold, axis=-1)


def test_zeros_tell_above_from_at_least_on_one_side() -> None:
    """A bit is set above 0; where it is set at 0 as well, every bit is set here, and no other corpus shows it."""
    zeros, calibrated = load_preset("zeros"), load_preset("calibrated")
    healthy = two_stage(zeros, 10)
    other = _AtLeast(0.0)

    assert overlap(zeros, healthy) > 0.9
    assert overlap(zeros, replace(healthy, documents=other)) < 0.3
    assert overlap(zeros, replace(healthy, documents=other, queries=other)) < 0.3
    assert overlap(calibrated, replace(two_stage(calibrated, 10), documents=other)) > 0.9
