"""The first pass over many vectors: every row that could be among the best k, and few others."""

from __future__ import annotations

import numpy as np

from sekisho.retrievers.protocols import Floats, Pairs, Scanned

BLOCK_ROWS = 8192
"""Vectors in one matrix product. With 256 queries the scores take 8 MB in float32, about what caches hold."""

BATCH_QUERIES = 256
"""Queries in one matrix product: enough that it is bound by arithmetic, not by memory."""

MOST_PAIRS = 2**21
"""Pairs that several queries together may keep (40 MB); a few thousand are usual."""

_GROUPS_PER_K = 8
_CROWD = 16
"""Pairs are thinned out once there are this many times k of them for each query."""


def reached_by(scores: Scanned, k: int) -> Scanned:
    """Return, for each row of a table, a score that at least ``k`` of its columns reach.

    The k-th best maximum among groups of columns: never above the k-th best score, and far cheaper to find.
    """
    count, width = scores.shape
    if width < k:
        return np.full(count, -np.inf, dtype=scores.dtype)
    size = max(1, width // (_GROUPS_PER_K * k))
    groups = width // size
    best = scores[:, : groups * size].reshape(count, size, groups).max(axis=1)
    kth: Scanned = np.partition(best, groups - k, axis=1)[:, groups - k]
    return kth


def scan(unit: Scanned, queries: Floats, k: int, *, error: float) -> Pairs | None:
    """Return every pair whose score may be among the best ``k`` of its query, grouped by query.

    Where very many rows score alike (thousands of copies of one vector) that can be nearly all pairs. None is returned
    instead of more than :data:`MOST_PAIRS` for several queries; ask for fewer queries then.

    Args:
        unit: Unit vectors, shape ``(rows, dims)``.
        queries: Unit vectors, at most a few hundred.
        k: At most the number of rows.
        error: Bound on the distance of a computed score from the true one. A row whose score lies more than twice the
            bound below the k-th best computed so far cannot be among the best k, however the sums were rounded.
    """
    wanted = queries.astype(unit.dtype)
    least = np.full(len(queries), -np.inf, dtype=unit.dtype)
    kept: list[Pairs] = []
    for start in range(0, len(unit), BLOCK_ROWS):
        scores = wanted @ unit[start : start + BLOCK_ROWS].T
        if start == 0:
            least = below(reached_by(scores, k), error)
        hits = np.flatnonzero(scores >= least[:, None])
        which, rows = np.divmod(hits, scores.shape[1])
        kept.append(Pairs(which, rows + start, scores.ravel()[hits]))
        if sum(len(part.rows) for part in kept) > _CROWD * k * len(queries):
            thinned, least = _thinned(kept, k, least, error)
            if len(thinned.rows) > MOST_PAIRS and len(queries) > 1:
                return None
            kept = [thinned]
    return _thinned(kept, k, least, error)[0]


def below(kth: Scanned, error: float) -> Scanned:
    """Return what a score must reach that may belong among those of at least ``kth``."""
    # The extra hundredth and the step down make up for the rounding of this subtraction itself.
    lowered = kth - kth.dtype.type(2.01 * error)
    least: Scanned = np.nextafter(lowered, kth.dtype.type(-np.inf))
    return least


def _thinned(kept: list[Pairs], k: int, least: Scanned, error: float) -> tuple[Pairs, Scanned]:
    which, rows, scores = (np.concatenate(parts) for parts in zip(*kept, strict=True))
    by_score = np.lexsort((-scores, which))
    which, rows, scores = which[by_score], rows[by_score], scores[by_score]
    bounds = np.searchsorted(which, np.arange(len(least) + 1))
    full = np.flatnonzero(bounds[1:] - bounds[:-1] >= k)
    least = least.copy()
    least[full] = np.maximum(least[full], below(scores[bounds[full] + k - 1], error))
    good = scores >= least[which]
    return Pairs(which[good], rows[good], scores[good]), least
