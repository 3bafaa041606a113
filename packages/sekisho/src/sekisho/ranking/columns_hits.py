"""Which rows of a run are judged: a table of slots for each query, so that all look-ups of a query stay close."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sekisho.ranking.columns_sides import Places

if TYPE_CHECKING:
    from sekisho.ranking.columns_sides import Rows, Side, Words

_SLOTS_A_JUDGMENT = 8  # one row in eight or fewer that is not judged hits a taken slot and is compared
_BLOCK = 1 << 17  # rows looked up at a time: what they need fits into the cache
_FEW_LENGTHS = 64  # rankings of few different lengths are sorted as rows of matrices
_QUERY_MIX = np.uint64(0xD1B54A32D192ED03)  # odd; parts the same document of two queries


class ColumnMatches(NamedTuple):
    """Rows of a run that are judged, verified on the texts.

    Attributes:
        at: Where each stands in the run's order of queries.
        qrels_rows: The row of the judgments' file that judges it.
    """

    at: Places
    qrels_rows: Places


def find_matches(run: Side, qrels: Side, run_rows: Rows, qrels_rows: Rows) -> ColumnMatches | None:
    """Return which rows are judged, or None where a document seems to come twice for one query.

    Both sides count their queries alike; the run may have more of them, behind those of the judgments.
    """
    run_hashes: Words = run_rows.take(run.hashes)
    judged: Words = qrels_rows.take(qrels.hashes)
    if _repeats(judged, qrels_rows) or _repeats(run_hashes, run_rows):
        return None
    table = _Slots(judged, qrels_rows)
    parts = [
        table.find(run_hashes[start : start + _BLOCK], run_rows.queries[start : start + _BLOCK], start)
        for start in range(0, len(run_hashes), _BLOCK)
    ]
    at = np.concatenate([found for found, _ in parts])
    rows = qrels_rows.in_file(np.concatenate([found for _, found in parts]))
    same = [ours == theirs for ours, theirs in zip(run.texts(run_rows.in_file(at)), qrels.texts(rows), strict=True)]
    if all(same):
        return ColumnMatches(at, rows)
    return ColumnMatches(at[same], rows[same])


class _Slots:
    """For each query a power of two of slots; a slot holds the last judgment whose hash falls into it, plus 1."""

    def __init__(self, hashes: Words, rows: Rows) -> None:
        counts = np.diff(rows.starts)
        sizes = np.left_shift(1, np.ceil(np.log2(np.maximum(counts, 1))).astype(np.int64)) * _SLOTS_A_JUDGMENT
        self._hashes = hashes
        self._judged_queries = len(counts)
        self._masks = (sizes - 1).astype(np.uint64)
        self._offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
        self._table = np.zeros(int(self._offsets[-1]), np.int32)
        slots = self._slots_of(hashes, rows.queries)
        own = np.arange(1, len(hashes) + 1, dtype=np.int32)
        self._table[slots] = own
        lost = np.flatnonzero(self._table[slots] != own)  # another judgment of the query took the slot
        keys = _keys(hashes[lost], rows.queries[lost])
        order = np.argsort(keys)
        self._lost, self._lost_keys = lost[order], keys[order]

    def _slots_of(self, hashes: Words, queries: Places) -> Places:
        places: Places = self._offsets[queries] + (hashes & self._masks[queries]).astype(np.int64)
        return places

    def find(self, hashes: Words, queries: Places, first: int) -> tuple[Places, Places]:
        """Return which of some rows of a run have the hash of a judgment, counted from ``first``, and of which."""
        inside = int(np.searchsorted(queries, self._judged_queries))  # rows of queries without judgments stand last
        hashes, queries = hashes[:inside], queries[:inside]
        held = self._table[self._slots_of(hashes, queries)]
        taken = np.flatnonzero(held)
        judged = held[taken].astype(np.int64) - 1
        equal = self._hashes[judged] == hashes[taken]
        at, found = taken[equal], judged[equal]
        rest = taken[~equal]
        if len(self._lost) and len(rest):
            keys = _keys(hashes[rest], queries[rest])
            near = np.minimum(np.searchsorted(self._lost_keys, keys), len(self._lost) - 1)
            equal = self._lost_keys[near] == keys
            at = np.concatenate([at, rest[equal]])
            found = np.concatenate([found, self._lost[near[equal]]])
        return at + first, found


def _keys(hashes: Words, queries: Places) -> Words:
    return hashes ^ (queries.astype(np.uint64) * _QUERY_MIX)


def _repeats(hashes: Words, rows: Rows) -> bool:
    """Return whether a query has two rows of one hash."""
    lengths = np.diff(rows.starts)
    different = np.unique(lengths)
    if len(different) > _FEW_LENGTHS:
        keys = np.sort(_keys(hashes, rows.queries))
        return bool((keys[1:] == keys[:-1]).any())
    for length in different.tolist():
        starts = rows.starts[:-1][lengths == length]
        if len(different) == 1:
            matrix = hashes.reshape(-1, max(length, 1)).copy()
        else:
            matrix = hashes[starts[:, None] + np.arange(length)]
        matrix.sort(axis=1)
        if (matrix[:, 1:] == matrix[:, :-1]).any():
            return True
    return False
