"""Vectors of unit length, computed from elementwise operations in a fixed order: the same bits on every machine.

IEEE 754 rounds ``+ - * / sqrt`` in one way only, so a result depends on nothing but the order of the sums. BLAS and the
reductions of numpy choose that order by processor and by number of threads; the sums here do not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from sekisho.core.errors import RetrieverError

if TYPE_CHECKING:
    from sekisho.retrievers.protocols import Floats, Numbers

MAX_DIMS = 2**16
"""With more dimensions the error bounds of the float32 scan would say too little; no embedding has as many."""

_SAFE_SQUARE = (1e-200, 1e200)
"""Squared lengths between these neither overflow nor lose bits to subnormal numbers."""

_BLOCK = 2**18
"""Components that are brought to unit length at a time: 2 MB of float64, which stay in a core's cache."""


def squared_lengths(values: Floats) -> Floats:
    """Return the sum of squares along the last axis, summed by folding the second half onto the first."""
    squares = values * values
    width = squares.shape[-1]
    while width > 1:
        half = width // 2
        squares[..., :half] += squares[..., width - half : width]
        width -= half
    lengths: Floats = squares[..., 0]
    return lengths


def lengths(values: npt.NDArray[np.generic]) -> Floats:
    """Return the length of each row; 1 for a row of zeros, which so stays zero when it is divided by its length."""
    found = np.empty(len(values))
    step = max(1, _BLOCK // values.shape[1])
    for start in range(0, len(values), step):
        found[start : start + step] = squared_lengths(values[start : start + step].astype(np.float64))
    np.sqrt(found, out=found)
    found[found == 0.0] = 1.0
    return found


def in_safe_range(values: Floats) -> Floats:
    """Return finite rows with those of extreme size multiplied by a power of two, which changes no cosine.

    A component that is more than 2**1000 times smaller than the largest of its row may become zero.
    """
    return _rescaled(values, _squares(values))


def measured(queries: Floats) -> tuple[Floats, Floats]:
    """Return queries in a safe range, and the length of each as :func:`lengths` does.

    Raises:
        RetrieverError: A component is not finite.
    """
    squares = _squares(queries)
    if not _are_safe(squares).all():
        finite = np.isfinite(queries).all(axis=1)
        if not finite.all():
            raise RetrieverError("retrievers.query_not_finite", row=int(np.flatnonzero(~finite)[0]))
        queries = _rescaled(queries, squares)
        return queries, lengths(queries)
    return queries, np.sqrt(squares)


def _squares(values: Floats) -> Floats:
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        return squared_lengths(values)


def _are_safe(squares: Floats) -> npt.NDArray[np.bool_]:
    smallest, largest = _SAFE_SQUARE
    safe: npt.NDArray[np.bool_] = (squares > smallest) & (squares < largest)
    return safe


def _rescaled(values: Floats, squares: Floats) -> Floats:
    extreme = np.flatnonzero(~_are_safe(squares))
    if not len(extreme):
        return values
    rows = values[extreme]
    _, exponents = np.frexp(np.abs(rows).max(axis=1, keepdims=True))
    scaled = values.copy()
    with np.errstate(under="ignore"):
        scaled[extreme] = np.ldexp(rows, -exponents)
    return scaled


def query_rows(queries: Numbers, dims: int, *, single: bool) -> Floats:
    """Return queries as float64, shape ``(n, dims)``.

    Raises:
        RetrieverError: Not numbers, or not of the corpus's dimensions.
    """
    try:
        given = np.asarray(queries)
    except ValueError as error:
        raise RetrieverError("retrievers.query_type", found="ragged") from error
    if given.dtype.kind not in "fiu" and given.size:
        raise RetrieverError("retrievers.query_type", found=str(given.dtype))
    if given.ndim != (1 if single else 2) or given.shape[-1] != dims:
        shape = f"({dims},)" if single else f"(n, {dims})"
        raise RetrieverError("retrievers.query_shape", found=str(given.shape), shape=shape)
    rows: Floats = given.reshape(-1, dims).astype(np.float64, copy=False)
    return rows
