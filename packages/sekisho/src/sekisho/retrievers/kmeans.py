"""k-means on whole numbers: the same clusters on every machine, with any BLAS and any number of threads.

Unit vectors are brought to a grid of :data:`GRID_BITS` bits. Every product and every partial sum below is then a whole
number under 2**24, which float32 holds exactly: a matrix product has one possible result, in whatever order it is
summed, and ties are real ties.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from sekisho.retrievers.protocols import Floats, RowNumbers
    from sekisho.retrievers.space import CosineSpace

GRID_BITS = 11
"""A unit vector has length 2**11 on the grid. Then ``2*x*c - c*c`` stays below 3 * (2**11 + sqrt(dims))**2 < 2**24 for
up to 65,536 dimensions; sqrt(dims)/2 is what rounding may add to a length, once for a vector and once for a mean."""

ROUNDS = 10
"""At most so many times are the centroids moved."""

ROWS_PER_CENTROID = 256
"""Centroids are found on at most so many vectors each, as in faiss (J. Johnson, M. Douze, H. Jégou, 2017)."""

_BLOCK_ROWS = 4096

Grid = npt.NDArray[np.float32]
"""Whole numbers held as float32, shape ``(rows, dims)``."""


@dataclass(frozen=True, eq=False)
class Clusters:
    """Centroids on the grid.

    Attributes:
        centroids: Shape ``(clusters, dims)``.
    """

    centroids: Grid

    @cached_property
    def squares(self) -> Grid:
        """Squared length of each centroid."""
        squares: Grid = np.einsum("ij,ij->i", self.centroids, self.centroids)
        return squares

    def nearness(self, grid: Grid) -> Grid:
        """Return ``2*x*c - c*c`` for each vector and centroid: the larger, the nearer; exact."""
        near: Grid = grid @ self.centroids.T
        near *= 2
        near -= self.squares
        return near

    def nearest(self, grid: Grid) -> tuple[RowNumbers, Floats]:
        """Return each vector's nearest centroid, the lowest of equals, and the square of its distance."""
        chosen = np.empty(len(grid), dtype=np.intp)
        distances = np.empty(len(grid))
        for start in range(0, len(grid), _BLOCK_ROWS):
            block = grid[start : start + _BLOCK_ROWS]
            near = self.nearness(block)
            best = near.argmax(axis=1)
            chosen[start : start + _BLOCK_ROWS] = best
            distances[start : start + _BLOCK_ROWS] = (
                np.einsum("ij,ij->i", block, block) - near[np.arange(len(block)), best]
            )
        return chosen, distances


def to_grid(unit: Floats) -> Grid:
    """Return unit vectors as whole numbers."""
    grid: Grid = np.rint(unit * float(2**GRID_BITS)).astype(np.float32)
    return grid


def grid_of(space: CosineSpace) -> Grid:
    """Return the unit vectors of a space as whole numbers."""
    grid = np.empty(space.rows.shape, dtype=np.float32)
    start = 0
    for block in space.unit_blocks():
        grid[start : start + len(block)] = to_grid(block)
        start += len(block)
    return grid


def shuffled(count: int) -> RowNumbers:
    """Return the numbers below ``count`` in a fixed order that has nothing to do with theirs.

    Ids often follow the topics of their chunks; centroids started from neighbouring or evenly spaced ids would profit
    from that. The numbers are sorted by a mix of their bits (the finalizer of MurmurHash3, A. Appleby, 2011).
    """
    mixed = np.arange(count, dtype=np.uint32)
    mixed ^= mixed >> np.uint32(16)
    mixed *= np.uint32(0x85EBCA6B)
    mixed ^= mixed >> np.uint32(13)
    mixed *= np.uint32(0xC2B2AE35)
    mixed ^= mixed >> np.uint32(16)
    return np.argsort(mixed, kind="stable")


def k_means(grid: Grid, clusters: int) -> Clusters:
    """Return centroids of vectors on the grid.

    They start at the first vectors of a fixed shuffle and move to the mean of their vectors, rounded half up, until no
    vector changes its centroid, at most :data:`ROUNDS` times. A centroid that loses all its vectors starts again at the
    vector that lies farthest from its own; with fewer distinct vectors than centroids some stay where they are.

    Source: S. P. Lloyd, Least squares quantization in PCM, 1982.
    """
    start = shuffled(len(grid))
    sample = grid[np.sort(start[: ROWS_PER_CENTROID * clusters])]
    found = Clusters(grid[start[:clusters]])
    before = np.full(len(sample), -1, dtype=np.intp)
    for _ in range(ROUNDS):
        chosen, distances = found.nearest(sample)
        if (chosen == before).all():
            break
        found = Clusters(_moved(found.centroids, sample, chosen, distances))
        before = chosen
    return found


def groups_of(chosen: RowNumbers, clusters: int) -> list[RowNumbers]:
    """Return the rows of each cluster, ascending."""
    order = np.argsort(chosen, kind="stable")
    return np.split(order, np.searchsorted(chosen[order], np.arange(1, clusters)))


def mean_of(rows: Grid) -> Grid:
    """Return the mean of vectors on the grid, each component rounded half up."""
    sums = rows.sum(axis=0, dtype=np.float64).astype(np.int64)
    mean: Grid = ((2 * sums + len(rows)) // (2 * len(rows))).astype(np.float32)
    return mean


def _moved(centroids: Grid, grid: Grid, chosen: RowNumbers, distances: Floats) -> Grid:
    moved = centroids.copy()
    empty = []
    for number, rows in enumerate(groups_of(chosen, len(centroids))):
        if len(rows):
            moved[number] = mean_of(grid[rows])
        else:
            empty.append(number)
    if empty:
        farthest = np.argsort(-distances, kind="stable")[: len(empty)]
        for number, row in zip(empty, farthest.tolist(), strict=False):
            if distances[row] > 0:
                moved[number] = grid[row]
    return moved
