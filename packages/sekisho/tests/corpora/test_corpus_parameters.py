from __future__ import annotations

import math

import numpy as np
import pytest

from sekisho.core.errors import CorpusError
from sekisho.corpora import SeedWarning, generate_synthetic_corpus
from sekisho.corpora.generate import build_corpus
from sekisho.corpora.normals import TABLE_PEAK
from sekisho.corpora.parameters import parts, resolve_parameters

GRID = {"layout": "grid-v1", "jitter": "normal", "centres": "raw"}


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"topics": 0}, "too_small"),
        ({"chunks_per_topic": -1}, "too_small"),
        ({"queries_per_topic": 0}, "too_small"),
        ({"dims": 0}, "too_small"),
        ({"dims": 96.0}, "not_whole"),
        ({"topics": True}, "not_whole"),
        ({"topics": "24"}, "not_whole"),
        ({"seed": None}, "not_whole"),
        ({"noise": math.nan}, "bad_noise"),
        ({"noise": math.inf}, "bad_noise"),
        ({"noise": 10**400}, "bad_noise"),
        ({"noise": -0.1}, "bad_noise"),
        ({"noise": "0.2"}, "bad_noise"),
        ({"noise": True}, "bad_noise"),
        ({"noise": np.array([0.2])}, "bad_noise"),
        ({"offset": None, **GRID}, "bad_number"),
        ({"centres": "units"}, "misspelt_word"),
        ({"centres": 1}, "unknown_word"),
        ({"jitter": ["normal"]}, "unknown_word"),
        ({"layout": "grid"}, "misspelt_word"),
        ({"topic": 24}, "misspelt_argument"),
        ({"xyz": 24}, "unknown_argument"),
        ({"noise": "auto"}, "auto_needs_normal"),
        ({"noise": "auto", "layout": "grid-v1"}, "auto_needs_normal"),
        ({"jitter": "normal"}, "needs_grid"),
        ({"offset": 1}, "needs_grid"),
        ({"components": "nonnegative"}, "needs_grid"),
        ({**GRID, "parents": 3}, "parents_and_spread"),
        ({**GRID, "spread": 0.3}, "parents_and_spread"),
        ({**GRID, "copy_noise": 0.3}, "copy_noise_alone"),
        ({**GRID, "noise": 1.7}, "beyond_grid"),
        ({**GRID, "noise": 0.5, "offset": 5}, "beyond_grid"),
        ({**GRID, "noise": 0.1, "centres": "unit", "parents": 2, "spread": 9}, "beyond_grid"),
        ({**GRID, "noise": "auto", "dims": 1536}, "beyond_grid"),
        ({**GRID, "noise": "auto", "dims": 13}, "no_automatic_noise"),
        ({**GRID, "noise": "auto", "topics": 1, "chunks_per_topic": 1}, "no_automatic_noise"),
        ({"topics": 2**20, "dims": 4096}, "too_many_draws"),
        ({"topics": 2**17, "dims": 1024}, "too_large"),
        ({**GRID, "topics": 2**17, "dims": 1024}, "too_large"),
        ({**GRID, "parents": 2**31, "spread": 0.5, "dims": 1}, "too_large"),
        ({"dims": 2**200}, "too_long"),
        ({"seed": 10**5000}, "too_long"),
        ({"noise": 10**5000}, "bad_noise"),
        ({"noise": 1e308}, "not_finite"),
        ({"noise": 1e154}, "not_finite"),
        ({**GRID, "topics": 2**20, "dims": 4096}, "too_many_draws"),
    ],
)
def test_what_makes_no_corpus_is_refused(arguments: dict[str, object], code: str) -> None:
    """Every argument is checked before anything is drawn, and the error says which and what, in both languages."""
    with pytest.raises(CorpusError) as caught:
        build_corpus(resolve_parameters(arguments))

    assert caught.value.code == f"corpora.{code}"
    assert caught.value.render("en")
    assert caught.value.render("ja")


def test_misspelt_choice_names_the_right_one() -> None:
    """The message helps without the documentation."""
    with pytest.raises(CorpusError, match="centres must be one of unit, raw, not 'units': did you mean 'unit'"):
        generate_synthetic_corpus(centres="units")


@pytest.mark.parametrize(("dims", "chunks", "noise"), [(96, 240, 0.7506), (96, 2400, 0.6475), (384, 240, 1.2084)])
def test_automatic_noise_is_the_rule_and_is_stored(dims: int, chunks: int, noise: float) -> None:
    """The resolved number stands in the corpus's parameters, on the grid's 1/65536."""
    resolved = resolve_parameters({**GRID, "noise": "auto", "dims": dims, "topics": chunks // 10})
    rule = math.sqrt((math.sqrt(dims) / (1.1 * math.sqrt(2 * math.log(chunks))) - 1) / 3)

    assert resolved.noise == pytest.approx(noise, abs=1e-4)
    assert abs(resolved.noise - rule) <= 2**-17
    assert (resolved.noise * 65536).is_integer()


def test_unit_centres_hold_what_raw_ones_do_not() -> None:
    """At 1536 dims the rule's noise for raw centres passes 16 bits; for unit centres it does not."""
    resolved = resolve_parameters({**GRID, "centres": "unit", "noise": "auto", "dims": 1536})

    assert 0.05 < resolved.noise < 0.15


def test_the_largest_noise_overflows_nowhere() -> None:
    """The products fit into 32 bits and the components into 16, where the check lets the noise pass."""
    largest = (32767 - 4096) / TABLE_PEAK - 1e-6
    product = TABLE_PEAK * parts(resolve_parameters({**GRID, "noise": largest}).noise)

    assert product < 2**31
    assert 4096 + (product >> 16) <= 32767
    with pytest.raises(CorpusError, match="int16 ends at 32767"):
        resolve_parameters({**GRID, "noise": largest + 1e-3})


def test_numpy_numbers_are_numbers() -> None:
    """Arguments often come out of arrays; the fingerprint is that of plain numbers."""
    corpus = generate_synthetic_corpus(topics=np.int64(24), noise=np.float64(0.2), dims=np.int32(96))

    assert corpus.fingerprint == generate_synthetic_corpus().fingerprint
    assert type(corpus.parameters["topics"]) is int


def test_wrapped_seed_is_the_same_corpus_with_a_warning() -> None:
    """The warning shows the caller's line."""
    with pytest.warns(SeedWarning) as caught:
        corpus = generate_synthetic_corpus(seed=2**32 + 42)

    assert corpus.fingerprint == generate_synthetic_corpus().fingerprint
    assert caught[0].filename == __file__


@pytest.mark.parametrize("change", [{"seed": 43}, {"noise": 0.21}, {"centres": "raw"}, {"ids": "opaque"}, {"dims": 97}])
def test_fingerprint_changes_with_every_argument(change: dict[str, object]) -> None:
    """Two corpora share a fingerprint only if they share all."""
    assert generate_synthetic_corpus(**change).fingerprint != generate_synthetic_corpus().fingerprint


def test_degenerate_corpora_work() -> None:
    """One topic, one chunk, one component; no noise at all."""
    corpus = generate_synthetic_corpus(topics=1, chunks_per_topic=1, queries_per_topic=1, dims=1, noise=0)

    assert corpus.cases[0].neighbours.ids == ("t00-c00",)
    assert abs(corpus.chunks.numbers[0, 0]) == 1


def test_a_corpus_that_memory_does_not_hold_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """As any other that cannot be made."""

    def full(_parameters: object) -> None:
        raise MemoryError

    monkeypatch.setattr("sekisho.corpora.generate.draw_seed_layout", full)
    with pytest.raises(CorpusError) as caught:
        generate_synthetic_corpus()

    assert caught.value.code == "corpora.no_memory"
