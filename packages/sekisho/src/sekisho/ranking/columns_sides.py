"""The two files that the columnar engine compares, and their rows brought together by query."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Places = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]
Floats = npt.NDArray[np.float64]


class Side(NamedTuple):
    """One file in columns; its rows may come in any order.

    Attributes:
        queries: The query of each block of rows, in the order of the file; one may come again.
        starts: The first row of each block, and behind the last the number of rows.
        hashes: A 64-bit hash of each row's document, made alike on both sides.
        values: Each row's score or grade; finite.
        texts: Returns the documents of the rows asked for.
    """

    queries: Sequence[str]
    starts: Places
    hashes: Words
    values: Floats
    texts: Callable[[Places], Sequence[str]]


class Rows(NamedTuple):
    """The rows of one side, those of one query together.

    Attributes:
        order: The rows of the file in the order of their queries; None where they stand so already.
        queries: The place of each row's query, in that order.
        starts: By the place of a query, where its rows begin in that order; one more at the end.
    """

    order: Places | None
    queries: Places
    starts: Places

    def take(self, column: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return a column in the order of the queries."""
        return column if self.order is None else column[self.order]

    def in_file(self, at: Places) -> Places:
        """Return which rows of the file stand at ``at`` in the order of the queries."""
        return at if self.order is None else self.order[at]


def by_query(side: Side, places: Mapping[str, int]) -> Rows:
    """Return the rows of a side in the order of ``places``, which holds all its queries; stable."""
    blocks = np.fromiter(map(places.__getitem__, side.queries), np.int64, len(side.queries))
    lengths = np.diff(side.starts)
    queries = np.repeat(blocks, lengths)
    order = None
    if (blocks[1:] <= blocks[:-1]).any():
        order = np.argsort(queries, kind="stable")
        queries = queries[order]
    counts = np.zeros(len(places), np.int64)
    np.add.at(counts, blocks, lengths)
    return Rows(order, queries, np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)]))


def to_scores(side: Side, rows: Rows, query: int) -> dict[str, float]:
    """Return document to value for one query."""
    found = rows.in_file(np.arange(rows.starts[query], rows.starts[query + 1]))
    return dict(zip(side.texts(found), side.values[found].tolist(), strict=True))
