"""The shipped collection of real sentence vectors: English and Japanese passages, queries and graded judgments.

``data/README.md`` says where texts and vectors come from.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from sekisho.core.vectors import VectorSet
from sekisho.corpora.synthetic import SyntheticCorpus

_STEP = 2.0**-9
"""About the length that makes the shipped vectors unit vectors (the exact one is in the data's page); no ranking by
cosine depends on it, and a power of two keeps them exact."""

if TYPE_CHECKING:
    import numpy.typing as npt


class RealText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of the collection: a passage, or a query with its judgments."""

    id: str
    language: str
    text: str
    relevant: dict[str, int] = {}


def load_real_vectors(preset: str) -> SyntheticCorpus:
    """Return the collection: int8 vectors, the relevant passages with their grades, and the texts by id."""
    passages, queries = _read_lines("real_passages.jsonl"), _read_lines("real_queries.jsonl")
    with np.load(BytesIO(_read("real_vectors.npz"))) as vectors:
        chunks, asked = vectors["passages"], vectors["queries"]
    return SyntheticCorpus(
        chunks=_vectors(passages, chunks),
        queries=_vectors(queries, asked),
        relevant=tuple(query.relevant for query in queries),
        parameters={"collection": preset},
        preset=preset,
        texts={one.id: one.text for one in (*passages, *queries)},
    )


def _vectors(texts: list[RealText], numbers: npt.NDArray[np.int8]) -> VectorSet:
    numbers.setflags(write=False)
    return VectorSet(ids=tuple(text.id for text in texts), numbers=numbers, step=_STEP)


def _read_lines(name: str) -> list[RealText]:
    return msgspec.json.Decoder(RealText).decode_lines(_read(name))


def _read(name: str) -> bytes:
    from importlib.resources import files  # noqa: PLC0415  no other corpus reads a file

    return files("sekisho.corpora").joinpath("data", name).read_bytes()
