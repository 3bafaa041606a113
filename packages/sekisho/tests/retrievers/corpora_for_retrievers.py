"""Small corpora, and search in plain Python fractions to compare with."""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from sekisho.core.vectors import VectorSet


@dataclass(frozen=True)
class Chunks:
    """A corpus of chunks alone."""

    chunks: VectorSet


def corpus_of(values: object, ids: tuple[str, ...] | None = None, kind: str = "float64") -> Chunks:
    """Return a corpus of rows, its ids counted backwards so that their order is not that of the rows."""
    table = np.asarray(values, dtype=kind)
    names = tuple(f"c{number:04}" for number in range(len(table), 0, -1)) if ids is None else ids
    return Chunks(VectorSet(ids=names, numbers=table))


def signed_square_cosine(value: npt.ArrayLike, query: npt.ArrayLike) -> Fraction:
    """Return what orders as the cosine does, without any rounding."""
    left = [Fraction(part) for part in np.asarray(value).tolist()]
    right = [Fraction(part) for part in np.asarray(query).tolist()]
    dot = sum((one * other for one, other in zip(left, right, strict=True)), start=Fraction(0))
    square = sum((one * one for one in left), start=Fraction(0))
    return dot * abs(dot) / square if square else Fraction(0)


def by_fractions(corpus: Chunks, query: npt.ArrayLike, k: int, among: set[str] | None = None) -> list[str]:
    """Return the ids in exact order, ties by id."""
    rows = zip(corpus.chunks.ids, corpus.chunks.values, strict=True)
    keys = {name: signed_square_cosine(row, query) for name, row in rows if among is None or name in among}
    return sorted(keys, key=lambda name: (-keys[name], name))[:k]


def full_of_ties(seed: int, *, rows: int, dims: int, kind: str) -> Chunks:
    """Return rows of small whole numbers with zeros, exact copies, multiples and opposites among them."""
    source = random.Random(seed)  # noqa: S311  test data, not secrets
    table = [[source.randint(-2, 2) for _ in range(dims)] for _ in range(rows)]
    for number in range(0, rows, 3):
        other = table[source.randrange(rows)]
        factor = source.choice([1, 1, 2, 3, -1, 0])
        table[number] = [factor * part for part in other]
    return corpus_of(table, kind=kind)


def random_table(seed: int, rows: int, dims: int) -> npt.NDArray[np.float64]:
    """Return numbers in [-1, 1), the same on every machine."""
    source = random.Random(seed)  # noqa: S311  test data, not secrets
    return np.asarray([[source.uniform(-1, 1) for _ in range(dims)] for _ in range(rows)])
