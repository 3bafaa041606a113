"""A tree of summaries over the chunks: each node stands for the chunks below it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sekisho.retrievers.kmeans import Grid, grid_of, groups_of, k_means, mean_of
from sekisho.retrievers.space import CosineSpace

if TYPE_CHECKING:
    from sekisho.retrievers.protocols import RowNumbers


@dataclass(frozen=True, eq=False)
class Summary:
    """One summary node.

    Attributes:
        level: 1 above the chunks, 2 above those, and so on.
        vector: The mean of the nodes one level below that it summarises, whole numbers on the grid of k-means.
        leaves: Rows of the chunks below it, ascending.
    """

    level: int
    vector: Grid
    leaves: RowNumbers


@dataclass(frozen=True, eq=False)
class Tree:
    """All summary nodes, the lowest level first."""

    summaries: tuple[Summary, ...]


def build_tree(space: CosineSpace, *, branching: int, levels: int) -> Tree:
    """Return the tree over a space.

    Each level is clustered by k-means on whole numbers into a ``branching``-th of its nodes, rounded up; every cluster
    is summarised by its mean, rounded half up. The tree ends after ``levels`` levels, or with a level of at most
    ``branching`` nodes, which needs no further summary.
    """
    grid = grid_of(space)
    leaves = [np.asarray([row], dtype=np.intp) for row in range(len(space))]
    summaries: list[Summary] = []
    for level in range(1, levels + 1):
        if len(grid) <= branching:
            break
        nodes = _summarised(grid, leaves, level, clusters=-(-len(grid) // branching))
        summaries.extend(nodes)
        if len(nodes) == len(grid):
            break
        leaves = [node.leaves for node in nodes]
        grid = _at_unit_length(np.stack([node.vector for node in nodes]))
    return Tree(tuple(summaries))


def _summarised(grid: Grid, leaves: list[RowNumbers], level: int, *, clusters: int) -> list[Summary]:
    found = k_means(grid, clusters)
    nodes = []
    for rows in groups_of(found.nearest(grid)[0], clusters):
        if len(rows):
            below = np.sort(np.concatenate([leaves[row] for row in rows.tolist()]))
            nodes.append(Summary(level=level, vector=mean_of(grid[rows]), leaves=below))
    return nodes


def _at_unit_length(grid: Grid) -> Grid:
    return grid_of(CosineSpace.over(("",) * len(grid), grid))
