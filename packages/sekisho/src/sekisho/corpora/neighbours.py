"""Exact nearest neighbours by cosine: the truth that ``overlap@k`` measures against.

Whole numbers as floats: where every product and every sum stays below 2**53, a dot product by BLAS is exact, whatever
order or kernel it takes. int16 and int8 satisfy that up to 2**23 dims. float64 is first rounded to whole numbers with
as many bits as still add up exactly: 23 for 96 dims, 21 for 768; the answer is then the exact one for vectors that
differ from the given ones by one part in some millions, and the same on every machine.

A score is dot / √(square of the chunk's length), two operations that IEEE 754 rounds correctly; the query's length
changes no order. Where two scores are so close that the rounding could have swapped them or hidden a tie, they are
compared again in integers of any size.
"""

from __future__ import annotations

import math
from functools import cmp_to_key
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from sekisho.core.records import Neighbours

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sekisho.core.vectors import VectorSet

Floats = npt.NDArray[np.float64]

_EXACT_BITS: Final = 53
_QUERIES: Final = 512
_CHUNKS: Final = 8192
"""A block of 512 queries by 8192 chunks holds 32 MB of scores, and is large enough for BLAS to run at full speed."""

_DOUBT: Final = 2.0**-50
"""Relative distance below which two scores may owe their order to rounding: each is off by less than 2**-52."""


class _Candidates(NamedTuple):
    """Pairs of a query and a chunk, ordered by query, then score descending, then id."""

    queries: npt.NDArray[np.intp]
    rows: npt.NDArray[np.intp]
    scores: Floats
    dots: Floats

    def take(self, where: npt.NDArray[np.generic] | slice) -> _Candidates:
        return _Candidates(self.queries[where], self.rows[where], self.scores[where], self.dots[where])

    def join(self, other: _Candidates) -> _Candidates:
        return _Candidates(
            np.concatenate([self.queries, other.queries]),
            np.concatenate([self.rows, other.rows]),
            np.concatenate([self.scores, other.scores]),
            np.concatenate([self.dots, other.dots]),
        )


def exact_neighbours(chunks: VectorSet, queries: VectorSet, *, k: int) -> tuple[Neighbours, ...]:
    """Return each query's nearest chunks by cosine, with every id whose score ties with the k-th's.

    Args:
        chunks: What is searched; a row of zeros has the score 0.
        queries: Rows to search for.
        k: Depth, at least 1.

    Returns:
        One record a query: ids best first, ties by id ascending.
    """
    by_id = np.array(sorted(range(len(chunks)), key=chunks.ids.__getitem__), np.intp)
    ids = [chunks.ids[row] for row in by_id]
    scale = _scale(chunks.numbers)
    squares = np.concatenate([np.einsum("ij,ij->i", block, block) for block in _blocks(chunks.numbers, by_id, scale)])
    found: list[Neighbours] = []
    asked = _whole(queries.numbers, _scale(queries.numbers))
    for start in range(0, len(queries), _QUERIES):
        block = asked[start : start + _QUERIES]
        candidates = _scan(block, _blocks(chunks.numbers, by_id, scale), squares, k)
        edges: list[int] = np.searchsorted(candidates.queries, np.arange(len(block) + 1)).tolist()
        for first, last in pairwise(edges):
            part = candidates.take(slice(first, last))
            found.append(Neighbours(k=k, ids=tuple(ids[row] for row in _settle(part, squares, k))))
    return tuple(found)


def _scan(asked: Floats, blocks: Iterator[Floats], squares: Floats, k: int) -> _Candidates:
    """Return for each query every chunk that may belong to its k nearest."""
    lengths = np.sqrt(squares)
    lengths[lengths == 0] = 1
    floor = np.full(len(asked), -np.inf)
    kept = _Candidates(np.empty(0, np.intp), np.empty(0, np.intp), np.empty(0), np.empty(0))
    first = 0
    for block in blocks:
        dots = asked @ block.T
        scores = dots / lengths[first : first + len(block)]
        if first == 0 and len(block) > k:
            floor = _below(np.partition(scores, -k, axis=1)[:, -k])
        hits, places = np.nonzero(scores >= floor[:, None])
        found = _Candidates(hits, places + first, scores[hits, places], dots[hits, places])
        kept = _prune(kept.join(found), floor, k)
        first += len(block)
    return kept


def _prune(candidates: _Candidates, floor: Floats, k: int) -> _Candidates:
    """Return the candidates in order without those that can no longer be among the k nearest; raises the floor."""
    order = np.lexsort((candidates.rows, -candidates.scores, candidates.queries))
    ordered = candidates.take(order)
    starts = np.searchsorted(ordered.queries, np.arange(len(floor) + 1))
    full = np.flatnonzero(np.diff(starts) >= k)
    floor[full] = _below(ordered.scores[starts[full] + k - 1])
    return ordered.take(ordered.scores >= floor[ordered.queries])


def _settle(candidates: _Candidates, squares: Floats, k: int) -> list[int]:
    """Return the rows of one query's k nearest and of those that tie with the k-th."""
    rows: list[int] = candidates.rows.tolist()
    scores = candidates.scores
    if len(rows) <= k and not (_below(scores[:-1]) <= scores[1:]).any():
        return rows
    exact = [(int(dot), int(squares[row]) or 1, row) for dot, row in zip(candidates.dots, rows, strict=True)]
    exact.sort(key=lambda entry: entry[2])
    exact.sort(key=cmp_to_key(_compare))
    return [entry[2] for entry in exact if len(exact) <= k or _compare(entry, exact[k - 1]) <= 0]


def _compare(one: tuple[int, int, int], other: tuple[int, int, int]) -> int:
    """Return a negative number where the first scores higher, 0 for a tie: dot·|dot| / square, compared crosswise."""
    left, right = one[0] * abs(one[0]) * other[1], other[0] * abs(other[0]) * one[1]
    return (left < right) - (left > right)


def _below(scores: Floats) -> Floats:
    return scores - np.abs(scores) * _DOUBT


def _scale(values: npt.NDArray[np.generic]) -> int:
    """Return the power of two that turns the values into whole numbers small enough to add up exactly."""
    if values.dtype.kind == "i" or not values.any():
        return 0
    bits = (_EXACT_BITS - (values.shape[1] - 1).bit_length()) // 2
    return int(bits - math.frexp(np.abs(values).max())[1])


def _whole(values: npt.NDArray[np.generic], scale: int) -> Floats:
    """Return the values as whole numbers in float64."""
    floats = values.astype(np.float64)
    return np.rint(np.ldexp(floats, scale)) if values.dtype.kind == "f" else floats


def _blocks(values: npt.NDArray[np.generic], order: npt.NDArray[np.intp], scale: int) -> Iterator[Floats]:
    """Yield the rows in order, some thousand at a time, as whole numbers."""
    for start in range(0, len(order), _CHUNKS):
        yield _whole(values[order[start : start + _CHUNKS]], scale)
