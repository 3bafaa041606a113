"""The first pass over inverted lists, list by list: each list is multiplied once with all the queries that want it."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from sekisho.retrievers.protocols import Floats, Pairs, RowNumbers, Scanned
from sekisho.retrievers.scan import below, reached_by


class _Layout(NamedTuple):
    """Where the scores of a query's lists stand in its row of the table: side by side, in the order of the lists."""

    lists: RowNumbers
    offsets: RowNumbers
    width: int


def scan_lists(
    unit: Scanned, bounds: RowNumbers, queries: Floats, probed: RowNumbers, *, k: int, error: float
) -> Pairs:
    """Return every pair of a query and a place in its lists that may be among the best ``k`` there.

    Args:
        unit: Unit vectors, list by list.
        bounds: Where each list starts, and the end of the last.
        queries: Unit vectors, a few hundred.
        probed: Shape ``(queries, probes)``: the lists of each query, which together hold at least ``k`` vectors.
        k: How many are wanted.
        error: As in :func:`~sekisho.retrievers.scan.scan`.
    """
    sizes = bounds[probed + 1] - bounds[probed]
    ends = sizes.cumsum(axis=1)
    width = int(ends[:, -1].max(initial=0))
    layout = _Layout(probed, ends - sizes, width)
    scores = _scores(unit, bounds, queries.astype(unit.dtype), layout)
    least = np.maximum(below(reached_by(scores, k), error), np.finfo(unit.dtype).min)
    hits = np.flatnonzero(scores >= least[:, None])
    which, places = np.divmod(hits, max(1, width))
    probe = (ends[which] <= places[:, None]).sum(axis=1)
    rows = bounds[probed[which, probe]] + places - layout.offsets[which, probe]
    return Pairs(which, rows, scores.ravel()[hits])


def _scores(unit: Scanned, bounds: RowNumbers, queries: Scanned, layout: _Layout) -> Scanned:
    scores = np.full((len(queries), layout.width), -np.inf, dtype=unit.dtype)
    by_list = np.argsort(layout.lists, axis=None, kind="stable")
    askers = by_list // layout.lists.shape[1]
    offsets = layout.offsets.ravel()[by_list]
    cuts = np.searchsorted(layout.lists.ravel()[by_list], np.arange(len(bounds))).tolist()
    edges = bounds.tolist()
    for number, (first, last) in enumerate(pairwise(cuts)):
        start, stop = edges[number], edges[number + 1]
        if first == last or start == stop:
            continue
        who = askers[first:last]
        block = queries[who] @ unit[start:stop].T
        size = stop - start
        for row, offset, values in zip(who.tolist(), offsets[first:last].tolist(), block, strict=True):
            scores[row, offset : offset + size] = values
    return scores
