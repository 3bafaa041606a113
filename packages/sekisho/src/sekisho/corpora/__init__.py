"""Corpora to measure search on: synthetic ones, the same bits everywhere, a shipped one of real vectors, and texts.

Names are imported when first used, so that a collection of texts can be read without numpy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sekisho.corpora.generate import generate_synthetic_corpus as generate_synthetic_corpus
    from sekisho.corpora.mulberry32 import Mulberry32 as Mulberry32
    from sekisho.corpora.mulberry32 import SeedWarning as SeedWarning
    from sekisho.corpora.mulberry32 import words as words
    from sekisho.corpora.neighbours import exact_neighbours as exact_neighbours
    from sekisho.corpora.pieces import as_arrays as as_arrays
    from sekisho.corpora.pieces import as_lines as as_lines
    from sekisho.corpora.presets import PRESETS as PRESETS
    from sekisho.corpora.presets import describe_preset as describe_preset
    from sekisho.corpora.presets import load_preset as load_preset
    from sekisho.corpora.synthetic import SyntheticCorpus as SyntheticCorpus
    from sekisho.corpora.text import Document as Document
    from sekisho.corpora.text import TextCorpus as TextCorpus

_HOME = {
    "Document": "text",
    "Mulberry32": "mulberry32",
    "PRESETS": "presets",
    "SeedWarning": "mulberry32",
    "SyntheticCorpus": "synthetic",
    "TextCorpus": "text",
    "as_arrays": "pieces",
    "as_lines": "pieces",
    "describe_preset": "presets",
    "exact_neighbours": "neighbours",
    "generate_synthetic_corpus": "generate",
    "load_preset": "presets",
    "words": "mulberry32",
}

__all__ = sorted(_HOME)  # noqa: PLE0605  the names are the keys above


def __getattr__(name: str) -> object:
    if name not in _HOME:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    value: object = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
