"""Corpora by name."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from sekisho.core.errors import CorpusError
from sekisho.core.messages import message
from sekisho.corpora.checks import unknown_name
from sekisho.corpora.generate import build_corpus
from sekisho.corpora.parameters import resolve_parameters
from sekisho.corpora.real_vectors import load_real_vectors

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sekisho.core.messages import Language
    from sekisho.corpora.synthetic import SyntheticCorpus

REAL: Final = "real-vectors"
"""The one preset that is read instead of made."""

_CALIBRATED: Final[Mapping[str, object]] = {
    "layout": "grid-v1",
    "jitter": "normal",
    "centres": "raw",
    "noise": "auto",
    "ids": "opaque",
}

PRESETS: Final[Mapping[str, Mapping[str, object]]] = MappingProxyType(
    {
        "seed": {},
        "raw": {"centres": "raw"},
        "calibrated": _CALIBRATED,
        "calibrated-large": {**_CALIBRATED, "topics": 240},
        "zeros": {**_CALIBRATED, "noise": 0.55, "components": "nonnegative"},
        "nested": {**_CALIBRATED, "noise": 0.6, "parents": 6, "spread": 0.7},
        "near-duplicates": {**_CALIBRATED, "noise": 0.78, "copies": 5, "copy_noise": 0.05},
        "skewed": {**_CALIBRATED, "noise": 0.7, "sizes": "zipf"},
        "offset": {**_CALIBRATED, "noise": 0.65, "offset": 1.6},
        REAL: {},
    }
)
"""Name to the arguments that differ from the defaults of :func:`sekisho.corpora.generate_synthetic_corpus`. Where the
noise is a number, it is the one at which exact search finds about 0.9 of the relevant chunks on that shape."""


def load_preset(name: str, *, seed: int | None = None, **overrides: object) -> SyntheticCorpus:
    """Return a corpus by its name.

    Args:
        name: One of :data:`PRESETS`.
        seed: Instead of 42.
        overrides: Arguments of :func:`sekisho.corpora.generate_synthetic_corpus` to change; ``noise="auto"`` and the
            numbers of a preset were chosen for its own shape only.

    Raises:
        CorpusError: The name is unknown, an argument is wrong, or ``real-vectors`` was given any.

    Warns:
        SeedWarning: The seed is outside [0, 2**32).
    """
    if name not in PRESETS:
        raise unknown_name("preset", name, PRESETS)
    given = overrides if seed is None else {**overrides, "seed": seed}
    if name == REAL:
        if given:
            raise CorpusError("corpora.real_is_fixed", names=", ".join(sorted(given)))
        return load_real_vectors(REAL)
    return build_corpus(resolve_parameters({**PRESETS[name], **given}), preset=name)


def describe_preset(name: str, language: Language = "en") -> str:
    """Return one line on a preset: what it holds and what it makes visible."""
    return message(f"corpora.preset_{name.replace('-', '_')}", language)
