from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np
import pytest

from sekisho.core.errors import CorpusError
from sekisho.corpora import PRESETS, SeedWarning, describe_preset, generate_synthetic_corpus, load_preset

if TYPE_CHECKING:
    from types import SimpleNamespace

FINGERPRINTS = {
    "seed": "fa338c7b2413fa57a4adaa1985633474f7a5bdc7f798a8d15284f491a8b71070",
    "raw": "6ba8891e7c479edb9ded1686aa0ca690609ace70a106cba7f45da246db4a535a",
    "calibrated": "8871e9872815adc1aedf895ddc3a389747c998c468b367ceba99c17c9f0e00ee",
    "calibrated-large": "256bf95b81e65126466f2f625043756d0afed34b2bbf60a479bff63cc32f4262",
    "zeros": "c9ea69b0db02ed4ec5179e0db124219a797c8abf2eb76250ab0225a76446c880",
    "nested": "53693122c27be0e35ae660d52c2fb8080b4eada833d2f6e21b240b9a04a681dd",
    "near-duplicates": "2206d2e717c023f885caf470568ef33a5a2b8ec3adf28627c6dc993bb64ebf36",
    "skewed": "619ac21f1bd08730715cb8c5a2b12d6fa2ffedcab10ac57f38c397c830b25154",
    "offset": "b7aad78f4b4a6f8a371a60b1188037bca1d15c1e52e561a1e5fa618cdd400fbb",
    "real-vectors": "11defc5eff1e3c48cab9dbcc8069077099a3341f464fb3502c44434059323728",
}


def test_fingerprints_are_pinned() -> None:
    """A change of any bit of any preset would make every stored baseline speak about something else."""
    assert {name: load_preset(name).fingerprint for name in PRESETS} == FINGERPRINTS


def test_preset_seed_is_the_default_corpus() -> None:
    """The fingerprint speaks about arguments and data, not about the name."""
    corpus = load_preset("seed")

    assert corpus.fingerprint == generate_synthetic_corpus().fingerprint
    assert corpus.preset == "seed"
    assert corpus.parameters["noise"] == 0.2


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        ("seed", 0.97, 0.98),
        ("raw", 1.0, 1.0),
        ("calibrated", 0.87, 0.94),
        ("calibrated-large", 0.87, 0.94),
        ("zeros", 0.87, 0.96),
        ("nested", 0.87, 0.96),
        ("near-duplicates", 0.87, 0.96),
        ("skewed", 0.87, 0.893),
        ("offset", 0.87, 0.96),
        ("real-vectors", 0.80, 0.86),
    ],
)
def test_exact_search_is_neither_perfect_nor_poor(name: str, low: float, high: float, search: SimpleNamespace) -> None:
    """Damage shows on both rulers only where there is room above and below."""
    corpus = load_preset(name)
    found = search.exact(corpus)

    assert low <= search.recall(corpus, found) <= high
    assert search.overlap(corpus, found) == 1.0


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("name", ["calibrated", "zeros", "nested", "near-duplicates", "offset"])
def test_other_seeds_are_as_hard(name: str, seed: int, search: SimpleNamespace) -> None:
    """The noise suits the shape, not one seed."""
    corpus = load_preset(name, seed=seed)

    assert 0.85 <= search.recall(corpus, search.exact(corpus)) <= 0.97


def test_seed_sees_a_lost_re_ranking_step(search: SimpleNamespace) -> None:
    """The claim behind the default noise of 0.2 holds with unit centres, and fails with raw ones."""
    seed, raw = load_preset("seed"), load_preset("raw")

    assert search.recall(seed, search.two_stage(seed)) == pytest.approx(0.92, abs=0.01)
    assert search.recall(seed, search.two_stage(seed, rerank=False)) == pytest.approx(0.66, abs=0.01)
    assert search.recall(raw, search.two_stage(raw, rerank=False)) == 1.0


def test_zeros_tell_greater_from_greater_or_equal(search: SimpleNamespace) -> None:
    """One side of the sign bits with >= loses nearly all; where no component is 0, nothing shows."""
    zeros, calibrated = load_preset("zeros"), load_preset("calibrated")

    assert search.recall(zeros, search.two_stage(zeros)) > 0.9
    assert search.recall(zeros, search.two_stage(zeros, at_zero=np.greater_equal)) < 0.2
    gap = search.recall(calibrated, search.two_stage(calibrated)) - search.recall(
        calibrated, search.two_stage(calibrated, at_zero=np.greater_equal)
    )
    assert abs(gap) < 0.002


def test_offset_needs_centring(search: SimpleNamespace) -> None:
    """Sign bits of vectors that share an offset say little until their mean is taken off."""
    corpus = load_preset("offset")

    assert search.recall(corpus, search.two_stage(corpus)) == pytest.approx(0.25, abs=0.03)
    assert search.recall(corpus, search.two_stage(corpus, centred=True)) > 0.93


def test_skewed_sizes_cap_recall(search: SimpleNamespace) -> None:
    """A topic of 58 chunks cannot come back in 10 places: the corpus says what the best ranking reaches."""
    corpus = load_preset("skewed")

    assert corpus.best_recall(10) == pytest.approx(0.892, abs=0.001)
    assert corpus.best_recall(58) == 1.0
    assert search.recall(corpus, search.exact(corpus)) <= corpus.best_recall(10)
    assert load_preset("seed").best_recall(5) == 0.5


@pytest.mark.parametrize("name", sorted(set(PRESETS) - {"seed", "raw"}))
def test_ids_off_by_one_are_seen(name: str, search: SimpleNamespace) -> None:
    """The next id is another topic's; with topic-ordered ids nearly all recall would remain."""
    corpus = load_preset(name)
    found = (search.exact(corpus) + 1) % len(corpus.chunks)

    assert search.recall(corpus, found) < 0.1
    assert search.overlap(corpus, found) < 0.1


def test_real_vectors_have_texts_grades_and_two_languages() -> None:
    """Everything a text search needs stands beside the vectors."""
    corpus = load_preset("real-vectors")
    case = corpus.cases[0]

    assert corpus.chunks.numbers.dtype == np.int8
    assert set(corpus.texts) == {*corpus.chunks.ids, *corpus.queries.ids}
    assert set(case.grades) <= set(corpus.chunks.ids)
    assert {grade for one in corpus.cases for grade in one.grades.values()} == {1, 2}
    assert any(text.isascii() for text in corpus.texts.values())
    assert any("の" in text for text in corpus.texts.values())


def test_real_vectors_take_no_arguments() -> None:
    """They are read, and a seed that changes nothing would mislead."""
    with pytest.raises(CorpusError, match="leave out noise, seed"):
        load_preset("real-vectors", seed=1, noise=0.1)


def test_seed_and_arguments_can_be_changed() -> None:
    """Beside the name, in the words of the generator."""
    corpus = load_preset("calibrated", seed=7, topics=30)

    assert corpus.parameters["seed"] == 7
    assert len(corpus.chunks) == 300
    assert corpus.fingerprint != load_preset("calibrated").fingerprint


def test_unknown_names_are_refused_with_the_one_meant() -> None:
    """Presets and arguments alike."""
    with pytest.raises(CorpusError, match="did you mean 'calibrated'"):
        load_preset("calibratd")
    with pytest.raises(CorpusError, match="there are seed, raw, calibrated"):
        load_preset("xyz")
    with pytest.raises(CorpusError, match="did you mean 'noise'"):
        load_preset("seed", nois=1)


def test_warning_about_a_seed_shows_the_callers_line() -> None:
    """Also through a preset."""
    with pytest.warns(SeedWarning) as caught:
        load_preset("calibrated", seed=-1)

    assert caught[0].filename == __file__


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_described(name: str) -> None:
    """One line in each language."""
    assert describe_preset(name) != describe_preset(name, "ja")


def test_neighbours_are_computed_once_and_for_any_depth() -> None:
    """Cases at depth 10 are the same objects each time; another depth has its own."""
    corpus = load_preset("seed")

    assert corpus.cases is corpus.cases
    assert corpus.cases_for(3)[0].neighbours.ids == corpus.cases[0].neighbours.ids[:3]
    with pytest.raises(CorpusError, match="k must be at least 1"):
        corpus.cases_for(0)


def test_default_corpus_is_cheap() -> None:
    """CPU time, with room for a slow machine: 8 ms where it was measured, for 240 chunks and 120 exact searches."""
    warm = load_preset("seed").cases
    start = time.process_time()

    cases = load_preset("seed").cases

    assert time.process_time() - start < 0.1
    assert len(cases) == len(warm)


@pytest.mark.parametrize("name", ["seed", "calibrated", "real-vectors"])
def test_a_plain_product_of_the_vectors_does_not_overflow(name: str) -> None:
    """What a target gets are floating-point numbers, equal to the stored ones up to their step."""
    corpus = load_preset(name)
    chunks, query = corpus.chunks, corpus.cases[0].query

    assert (chunks.values @ query).tolist() == pytest.approx(
        (chunks.numbers.astype(float) @ corpus.queries.numbers[0].astype(float) * chunks.step**2).tolist(), rel=1e-4
    )
    assert np.array_equal(chunks.values.astype(float), chunks.numbers * chunks.step)
    assert not chunks.values.flags.writeable
