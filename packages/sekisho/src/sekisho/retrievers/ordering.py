"""The exact order of candidates: by cosine as real numbers, then by row number.

Scores are computed with a bound on their error. Two scores that lie further apart than the bound allows are in their
true order; the few that do not are compared as fractions of whole numbers, which have no error. So the order depends on
the vectors alone, not on BLAS, its threads or the processor.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from operator import mul
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from sekisho.retrievers.protocols import Pairs

if TYPE_CHECKING:
    from sekisho.retrievers.protocols import Floats, RowNumbers, Scanned
    from sekisho.retrievers.space import CosineSpace, Queries

_PAIRS = 2**18
"""Components that are multiplied at a time when candidates are scored again."""


def error_bound(dims: int, kind: type[np.float32 | np.float64]) -> float:
    """Return how far a computed cosine may lie from the true one, whatever the order of its sum.

    A sum of ``d`` products of unit vectors is off by at most ``d*u/(1 - d*u)``, ``u`` the unit roundoff (N. J. Higham,
    Accuracy and Stability of Numerical Algorithms, 2002, section 3.1, with the Cauchy-Schwarz inequality); rounding the
    vectors and their float64 lengths adds a few more ``u``. The last term covers subnormal components.
    """
    unit_roundoff = float(np.finfo(kind).eps) / 2
    float64_roundoff = 2.0**-53
    relative = (dims + 6) * unit_roundoff + (dims + 12) * float64_roundoff
    return relative / (1 - relative) + 1e-30


def rescored(space: CosineSpace, queries: Queries, which: RowNumbers, rows: RowNumbers) -> Pairs:
    """Return the pairs of query ``which[i]`` and row ``rows[i]`` with their cosine in float64."""
    scores = np.empty(len(rows))
    step = max(1, _PAIRS // space.dims)
    for start in range(0, len(rows), step):
        part = slice(start, start + step)
        values = space.rows[rows[part]].astype(np.float64)
        scores[part] = np.einsum("ij,ij->i", values, queries.unit[which[part]])
    scores /= space.lengths[rows]
    return Pairs(which, rows, scores)


def ordered(space: CosineSpace, query: Floats, rows: RowNumbers, scores: Scanned, k: int) -> RowNumbers:
    """Return the best ``k`` of some rows in exact order.

    Args:
        space: The vectors.
        query: One query as given, shape ``(dims,)``.
        rows: Row numbers, in any order, each once.
        scores: Their cosines with the query, computed in float64.
        k: How many to return; all where there are fewer.
    """
    error = error_bound(space.dims, np.float64)
    if len(rows) > k:
        kth = np.partition(scores, len(rows) - k)[len(rows) - k]
        kept = np.flatnonzero(scores >= kth - 2 * error)
        rows, scores = rows[kept], scores[kept]
    by_score = np.lexsort((rows, -scores))
    rows, scores = rows[by_score], scores[by_score]
    return _settled(space, query, rows, scores[:-1] - scores[1:] <= 2 * error)[:k]


def ordered_many(space: CosineSpace, queries: Queries, pairs: Pairs, k: int) -> list[RowNumbers]:
    """Return, for each query, the best ``k`` of its rows in exact order; the scores are computed in float64."""
    error = error_bound(space.dims, np.float64)
    which, rows, scores = pairs
    by_score = np.lexsort((rows, -scores, which))
    which, rows, scores = which[by_score], rows[by_score], scores[by_score]
    starts = np.searchsorted(which, np.arange(len(queries.given) + 1)).tolist()
    close = scores[:-1] - scores[1:] <= 2 * error
    found = []
    for number, (start, stop) in enumerate(pairwise(starts)):
        found.append(_settled(space, queries.given[number], rows[start:stop], close[start : max(start, stop - 1)])[:k])
    return found


def _settled(space: CosineSpace, query: Floats, rows: RowNumbers, close: npt.NDArray[np.bool_]) -> RowNumbers:
    """Return rows sorted by score with every run of scores too close to tell apart put in exact order."""
    if not close.any():
        return rows
    runs = np.split(rows, np.flatnonzero(~close) + 1)
    return np.concatenate([_exactly(space, query, run) if len(run) > 1 else run for run in runs])


def _exactly(space: CosineSpace, query: Floats, rows: RowNumbers) -> RowNumbers:
    values = space.rows[rows]
    if (values == values[0]).all():
        return np.sort(rows)
    keys = exact_cosines(values, query)
    pairs = sorted(zip(keys, rows.tolist(), strict=True), key=lambda pair: (-pair[0], pair[1]))
    return np.asarray([row for _, row in pairs], dtype=np.intp)


def exact_cosines(values: npt.NDArray[np.generic], query: Floats) -> list[Fraction]:
    """Return, for each row, a fraction that orders as its cosine with the query does.

    It is ``s * abs(s) / n`` for the dot product ``s`` and the squared length ``n`` of the row: the cosine's square with
    its sign, times the squared length of the query, which is the same for all rows. A row of zeros has 0.
    """
    query_numbers = _whole_numbers(query)
    known: dict[bytes, Fraction] = {}
    keys = []
    for value in values:
        name = value.tobytes()
        if name not in known:
            numbers = _whole_numbers(value)
            dot = sum(map(mul, numbers, query_numbers))
            square = sum(map(mul, numbers, numbers))
            known[name] = Fraction(dot * abs(dot), square) if square else Fraction(0)
        keys.append(known[name])
    return keys


def _whole_numbers(value: npt.NDArray[np.generic]) -> list[int]:
    """Return a vector times a power of two that makes every component whole."""
    if value.dtype.kind in "iu":
        whole: list[int] = value.tolist()
        return whole
    mantissas, exponents = np.frexp(value.astype(np.float64))
    lowest = int(exponents.min())
    shifts = (exponents - lowest).tolist()
    return [int(mantissa * 2.0**53) << shift for mantissa, shift in zip(mantissas.tolist(), shifts, strict=True)]
