"""A plain search in numpy, to measure corpora without the package's own retrievers."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pytest

if TYPE_CHECKING:
    from sekisho.corpora import SyntheticCorpus

Rows = npt.NDArray[Any]


def _unit(rows: Rows) -> Rows:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def _scores(corpus: SyntheticCorpus) -> Rows:
    return _unit(corpus.queries.numbers.astype(float)) @ _unit(corpus.chunks.numbers.astype(float)).T


def exact(corpus: SyntheticCorpus, k: int = 10) -> Rows:
    """Return row numbers, best first, ties by row."""
    return np.argsort(-_scores(corpus), axis=1, kind="stable")[:, :k]


def two_stage(
    corpus: SyntheticCorpus, *, centred: bool = False, rerank: bool = True, at_zero: np.ufunc = np.greater, k: int = 10
) -> Rows:
    """Return row numbers by sign bits: the 40 nearest by Hamming distance, then by cosine."""
    chunks, queries = corpus.chunks.numbers.astype(float), corpus.queries.numbers.astype(float)
    mean = chunks.mean(axis=0) if centred else 0.0
    chunk_bits, query_bits = np.where(at_zero(chunks - mean, 0), 1, -1), np.where(queries - mean > 0, 1, -1)
    near = np.argsort(-(query_bits @ chunk_bits.T), axis=1, kind="stable")[:, : 40 if rerank else k]
    order = np.argsort(-np.take_along_axis(_scores(corpus), near, 1), axis=1, kind="stable")
    return np.take_along_axis(near, order[:, :k], 1)


def recall(corpus: SyntheticCorpus, rows: Rows) -> float:
    """Return the mean share of relevant chunks among the rows."""
    ids = np.array(corpus.chunks.ids)
    shares = [
        len(set(ids[found]) & set(relevant)) / len(relevant)
        for found, relevant in zip(rows, corpus.relevant, strict=True)
    ]
    return float(np.mean(shares))


def overlap(corpus: SyntheticCorpus, rows: Rows) -> float:
    """Return the mean share of exact neighbours among the rows."""
    ids = np.array(corpus.chunks.ids)
    shares = [
        len(set(ids[found]) & set(case.neighbours.ids)) / 10 for found, case in zip(rows, corpus.cases, strict=True)
    ]
    return float(np.mean(shares))


@pytest.fixture(scope="session")
def search() -> SimpleNamespace:
    """Return the functions above."""
    return SimpleNamespace(exact=exact, two_stage=two_stage, recall=recall, overlap=overlap)
