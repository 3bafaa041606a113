"""Corpora of the project, made once for these tests."""

from __future__ import annotations

import pytest

from sekisho.corpora import SyntheticCorpus, load_preset


@pytest.fixture(scope="session")
def seed_corpus() -> SyntheticCorpus:
    """Return the default corpus: 240 chunks, 120 queries, 96 dimensions."""
    return load_preset("seed")
