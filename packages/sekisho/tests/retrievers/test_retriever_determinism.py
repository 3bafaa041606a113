from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

PROGRAM = """
import hashlib, sys
from sekisho.corpora import load_preset
from sekisho.retrievers import RETRIEVERS, scan, space

digest = hashlib.sha256()
for preset in ("seed", "calibrated", "near-duplicates"):
    corpus = load_preset(preset)
    for small in (2**20, 0):
        space.SMALL_CORPUS = small
        for name, factory in RETRIEVERS.items():
            retriever = factory(corpus, 10)
            digest.update(repr(retriever.retrieve_many(corpus.queries.values)).encode())
            if name == "ivf_flat":
                digest.update(retriever.clusters.centroids.tobytes())
            if name == "raptor":
                for node in retriever.tree.summaries:
                    digest.update(node.vector.tobytes() + node.leaves.tobytes())
print(digest.hexdigest())
"""

OPTIONAL_FEATURES = np.show_config(mode="dicts")["SIMD Extensions"]["found"]
"""Features of this processor that numpy can do without, the newest last; switching off any other would be an error."""

SURROUNDINGS = {
    "two threads": {"OPENBLAS_NUM_THREADS": "2"},
    "an older kernel": {"OPENBLAS_CORETYPE": "Haswell"},
    "the oldest kernel": {"OPENBLAS_CORETYPE": "Prescott"},
    "without the newest features": {"NPY_DISABLE_CPU_FEATURES": " ".join(OPTIONAL_FEATURES[1:])},
    "without any optional feature": {"NPY_DISABLE_CPU_FEATURES": " ".join(OPTIONAL_FEATURES)},
    "another hash seed": {"PYTHONHASHSEED": "7"},
}


def digest_under(variables: dict[str, str]) -> str:
    """Return the digest of all answers and indexes, computed by a process of its own."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "0", **variables}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True, timeout=300
    )
    return done.stdout.strip()


@pytest.fixture(scope="module")
def usual() -> str:
    """Return the digest under one thread and the processor's own kernels."""
    return digest_under({})


@pytest.mark.parametrize("surroundings", SURROUNDINGS)
def test_answers_and_indexes_are_the_same_under(surroundings: str, usual: str) -> None:
    """Neither threads nor BLAS kernels nor the processor's features decide what is found."""
    assert digest_under(SURROUNDINGS[surroundings]) == usual
