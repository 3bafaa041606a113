"""The ranks of hits: scores descending, then ids descending; where ties are."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sekisho.ranking.columns_sides import Places
from sekisho.ranking.columns_values import positions

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from sekisho.ranking.columns_sides import Floats, Rows, Side


class ColumnRanks(NamedTuple):
    """Where hits stand.

    Attributes:
        ranks: The rank of each hit, from 1.
        crossing: Cut-off to the judged queries in which a tie crosses it.
        tied: The judged queries in which a hit has the score of another row.
    """

    ranks: Places
    crossing: dict[int, list[int]]
    tied: list[int]


def rank_hits(run: Side, rows: Rows, at: Places, cutoffs: Sequence[int], *, judged: int) -> ColumnRanks:
    """Return the ranks of the rows ``at`` (in the order of queries), and the ties of the first ``judged`` queries."""
    values: Floats = rows.take(run.values)
    end = int(rows.starts[judged])
    queries = rows.queries[:end]
    rises = np.flatnonzero((values[1:end] >= values[: max(end - 1, 0)]) & (queries[1:] == queries[:-1]))
    unsorted = np.unique(queries[rises])
    ranks = at - rows.starts[rows.queries[at]] + 1
    if not len(unsorted):
        return ColumnRanks(ranks, {k: [] for k in cutoffs}, [])
    flags = np.zeros(len(rows.starts), np.bool_)
    flags[unsorted] = True
    mine = np.flatnonzero(flags[queries])
    order, tied_before = _sorted(run, rows, mine, values)
    new_rank = np.zeros(end, np.int64)
    new_rank[order] = positions(rows.queries[order])
    hit = flags[rows.queries[at]]
    ranks[hit] = new_rank[at[hit]]
    in_tie = np.zeros(end, np.bool_)
    in_tie[order] = tied_before | np.append(tied_before[1:], np.False_)
    tied = np.unique(rows.queries[at[hit][in_tie[at[hit]]]])
    return ColumnRanks(ranks, _crossing(rows.queries[order], tied_before, cutoffs), tied.tolist())


def _sorted(run: Side, rows: Rows, mine: Places, values: Floats) -> tuple[Places, npt.NDArray[np.bool_]]:
    """Return the rows ``mine`` ranked within their queries, and for each whether it ties with the one before."""
    order = mine[np.lexsort((-values[mine], rows.queries[mine]))]
    tied = np.zeros(len(order), np.bool_)
    queries, scores = rows.queries[order], values[order]
    tied[1:] = (queries[1:] == queries[:-1]) & (scores[1:] == scores[:-1])
    members = np.flatnonzero(tied | np.append(tied[1:], np.False_))
    if len(members):
        texts = run.texts(rows.in_file(order[members]))
        groups = [*np.flatnonzero(~tied[members]).tolist(), len(members)]
        by_id = [
            place
            for start, stop in pairwise(groups)
            for place in sorted(range(start, stop), key=texts.__getitem__, reverse=True)
        ]
        order[members] = order[members[by_id]]
    return order, tied


def _crossing(queries: Places, tied: npt.NDArray[np.bool_], cutoffs: Sequence[int]) -> dict[int, list[int]]:
    ranks = positions(queries)
    return {k: queries[tied & (ranks == k + 1)].tolist() for k in cutoffs}
