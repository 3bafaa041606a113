"""What a retriever is given and what it is, in the smallest terms, and the types of the arrays in between."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sekisho.core.vectors import VectorSet

Floats: TypeAlias = npt.NDArray[np.float64]
"""Float64, shape ``(rows, dims)`` or ``(rows,)``."""

Scanned: TypeAlias = npt.NDArray[np.floating]
"""Unit vectors or scores in the precision of the first pass, see :attr:`CosineSpace.scan_type`."""

RowNumbers: TypeAlias = npt.NDArray[np.intp]
"""Numbers of rows, shape ``(n,)``."""

Bits: TypeAlias = npt.NDArray[np.uint8]
"""Bits packed eight to a byte, shape ``(rows, bytes)``."""

Numbers: TypeAlias = npt.ArrayLike


class Pairs(NamedTuple):
    """Pairs of a query and a row with their score, three arrays of one length.

    Attributes:
        which: Number of the query.
        rows: Number of the row.
        scores: The score as far as it is known.
    """

    which: RowNumbers
    rows: RowNumbers
    scores: Scanned


class Corpus(Protocol):
    """Anything that has chunks with vectors."""

    @property
    def chunks(self) -> VectorSet:
        """Ids and vectors."""
        ...  # pragma: no cover


class Retriever(Protocol):
    """Finds chunks for a query vector."""

    def retrieve(self, query: Numbers) -> list[str]:
        """Return the ids found for one query, best first."""
        ...  # pragma: no cover


def in_batches(retriever: Retriever, queries: Numbers) -> list[list[str]]:
    """Return what a retriever finds for each row, in one call where it can take many."""
    many = getattr(retriever, "retrieve_many", None)
    if many is not None:
        found: list[list[str]] = many(queries)
        return found
    return [retriever.retrieve(query) for query in _rows(queries)]


def _rows(queries: Numbers) -> Sequence[npt.NDArray[np.generic]]:
    return list(np.asarray(queries))
