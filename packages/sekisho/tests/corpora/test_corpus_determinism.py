from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module

import pytest

PRINT_ALL = """
import hashlib
from sekisho.corpora import PRESETS, load_preset
for name in PRESETS:
    corpus = load_preset(name)
    near = repr([case.neighbours for case in corpus.cases])
    print(name, corpus.fingerprint, hashlib.sha256(near.encode()).hexdigest())
"""


def optional_features() -> list[str]:
    """Return the features of this processor that numpy can do without."""
    core = import_module("numpy._core._multiarray_umath")
    return [name for name in core.__cpu_dispatch__ if core.__cpu_features__.get(name)]


def everything(**environment: str) -> str:
    """Return fingerprint and neighbours of every preset, made in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", PRINT_ALL],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


@pytest.fixture(scope="module")
def here() -> str:
    """Return what this process's environment makes."""
    return everything()


@pytest.mark.parametrize(
    "environment",
    [
        {"OPENBLAS_NUM_THREADS": "1"},
        {"OPENBLAS_NUM_THREADS": "2"},
        {"PYTHONHASHSEED": "1"},
        {"PYTHONHASHSEED": "4242", "LC_ALL": "C"},
    ],
    ids=str,
)
def test_presets_do_not_depend_on_the_environment(environment: dict[str, str], here: str) -> None:
    """Vectors, labels and neighbours: identical bits and order."""
    assert everything(**environment) == here


@pytest.mark.parametrize("count", [1, None], ids=["newest-off", "all-off"])
def test_presets_do_not_depend_on_the_processor(count: int | None, here: str) -> None:
    """With numpy's optional instruction sets switched off, all bits stay."""
    features = optional_features()
    if not features:
        pytest.skip("numpy uses no optional instruction sets on this processor")

    off = " ".join(features[-count:] if count else features)

    assert everything(NPY_DISABLE_CPU_FEATURES=off) == here
