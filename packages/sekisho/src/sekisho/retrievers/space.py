"""The vectors of a corpus, checked once and put in the order of their ids."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from sekisho.core.errors import RetrieverError
from sekisho.retrievers.protocols import Corpus, Floats, Numbers, RowNumbers, Scanned
from sekisho.retrievers.vectors import MAX_DIMS, in_safe_range, lengths, measured, query_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sekisho.core.vectors import VectorSet

KEPT_TYPES = (np.int8, np.int16, np.float32)
"""Types that are kept as they are; every other is read as float64."""

SMALL_CORPUS = 2**20
"""Components up to which the unit vectors are kept in float64 (8 MB): a query is then one matrix-vector product."""

_BLOCK = 2**18
"""Components of unit vectors that are made at a time (2 MB)."""


class Queries(NamedTuple):
    """Queries, shape ``(n, dims)``: as given, and divided by their length (a query of zeros stays zero)."""

    given: Floats
    unit: Floats


@dataclass(frozen=True, eq=False)
class CosineSpace:
    """Vectors compared by cosine; row numbers follow the ids, so that a tie by id is a tie by row number.

    Attributes:
        ids: Ascending by code point, one a row.
        rows: Shape ``(len(ids), dims)``; int8, int16, float32 or float64.
        lengths: Length of each row, 1 for a row of zeros: its cosine with everything is 0.
    """

    ids: tuple[str, ...]
    rows: npt.NDArray[np.generic]
    lengths: Floats

    @classmethod
    def of(cls, corpus: Corpus) -> CosineSpace:
        """Return the space of a corpus's chunks.

        Raises:
            RetrieverError: No chunks, ids that repeat or are no text, or values that are no table of finite numbers.
        """
        chunks = corpus.chunks
        values = _table(chunks)
        order = _order_of(chunks)
        rows = values if order is None else values[order]
        ids = chunks.ids if order is None else tuple(chunks.ids[number] for number in order.tolist())
        return cls.over(ids, rows)

    @classmethod
    def over(cls, ids: tuple[str, ...], rows: npt.NDArray[np.generic]) -> CosineSpace:
        """Return the space of rows that are finite and stand in the order of their ids."""
        kept = rows if rows.dtype in KEPT_TYPES else in_safe_range(rows.astype(np.float64, copy=False))
        return cls(ids=ids, rows=kept, lengths=lengths(kept))

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def dims(self) -> int:
        """Components of a vector."""
        return int(self.rows.shape[1])

    @property
    def is_small(self) -> bool:
        """Whether the unit vectors are kept in float64."""
        return self.rows.size <= SMALL_CORPUS

    @property
    def scan_type(self) -> type[np.float32 | np.float64]:
        """Precision of the first pass over the vectors: float64 in a small corpus, else float32."""
        return np.float64 if self.is_small else np.float32

    @cached_property
    def unit(self) -> Scanned:
        """The rows divided by their length, in :attr:`scan_type`."""
        return self.unit_rows(None, self.scan_type)

    def unit_rows(self, numbers: RowNumbers | None, kind: type[np.float32 | np.float64]) -> Scanned:
        """Return chosen rows (all of them for None) divided by their length."""
        unit: Scanned = np.empty((len(self) if numbers is None else len(numbers), self.dims), dtype=kind)
        start = 0
        for block in self.unit_blocks(numbers):
            unit[start : start + len(block)] = block
            start += len(block)
        return unit

    def unit_blocks(self, numbers: RowNumbers | None = None) -> Iterator[Floats]:
        """Yield chosen rows (all of them for None) divided by their length, some thousand components at a time."""
        step = max(1, _BLOCK // self.dims)
        for start in range(0, len(self) if numbers is None else len(numbers), step):
            block = slice(start, start + step) if numbers is None else numbers[start : start + step]
            yield self.rows[block].astype(np.float64) / self.lengths[block, None]

    def query(self, query: Numbers) -> Queries:
        """Return one query, checked, as the only row of :class:`Queries`."""
        return _queries(query_rows(query, self.dims, single=True))

    def queries(self, queries: Numbers) -> Queries:
        """Return a table of queries, checked."""
        return _queries(query_rows(queries, self.dims, single=False))

    def names(self, numbers: RowNumbers) -> list[str]:
        """Return the ids of rows."""
        ids = self.ids
        return [ids[number] for number in numbers.tolist()]


def _queries(given: Floats) -> Queries:
    safe, sizes = measured(given)
    return Queries(safe, safe / sizes[:, None])


def _table(chunks: VectorSet) -> npt.NDArray[np.generic]:
    try:
        values = np.asarray(chunks.numbers)
    except ValueError as error:
        raise RetrieverError("retrievers.vectors_type", found="ragged") from error
    if not chunks.ids:
        raise RetrieverError("retrievers.empty_corpus")
    if values.dtype.kind not in "fiu":
        raise RetrieverError("retrievers.vectors_type", found=str(values.dtype))
    is_table = values.ndim == 2  # noqa: PLR2004  rows and components
    if not is_table or values.shape[0] != len(chunks.ids) or not 1 <= values.shape[1] <= MAX_DIMS:
        raise RetrieverError("retrievers.vectors_shape", found=str(values.shape), count=len(chunks.ids), most=MAX_DIMS)
    if values.dtype.kind == "f":
        finite = np.isfinite(values).all(axis=1)
        if not finite.all():
            raise RetrieverError("retrievers.vectors_not_finite", id=chunks.ids[int(np.flatnonzero(~finite)[0])])
    return values


def _order_of(chunks: VectorSet) -> RowNumbers | None:
    """Return the rows in the order of their ids, None where they stand in it already."""
    for row, name in enumerate(chunks.ids):
        if not isinstance(name, str):
            raise RetrieverError("retrievers.id_not_text", row=row, found=type(name).__name__)
    order = sorted(range(len(chunks.ids)), key=chunks.ids.__getitem__)
    for before, after in pairwise(order):
        if chunks.ids[before] == chunks.ids[after]:
            raise RetrieverError("retrievers.duplicate_id", id=chunks.ids[after])
    return None if order == list(range(len(order))) else np.asarray(order, dtype=np.intp)
