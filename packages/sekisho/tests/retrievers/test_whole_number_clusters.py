from __future__ import annotations

import numpy as np

from sekisho.retrievers import CosineSpace
from sekisho.retrievers.kmeans import Clusters, grid_of, groups_of, k_means, mean_of, shuffled

from .corpora_for_retrievers import corpus_of, random_table


def test_the_grid_holds_whole_numbers_whose_sums_are_exact() -> None:
    """Every value is whole, and the largest sum stays below 2**24."""
    grid = grid_of(CosineSpace.of(corpus_of(random_table(1, 50, 40))))

    assert (grid == np.rint(grid)).all()
    assert 3 * (grid.astype(np.int64) ** 2).sum(axis=1).max() < 2**24


def test_a_mean_is_rounded_half_up() -> None:
    """Also below zero, where rounding half to even or towards zero would differ."""
    mean = mean_of(np.asarray([[1, -1, 2, -2], [2, -2, 3, -1]], dtype=np.float32))

    assert mean.tolist() == [2, -1, 3, -1]


def test_equally_near_centroids_go_to_the_lowest() -> None:
    """A tie is a tie in whole numbers."""
    clusters = Clusters(np.asarray([[9, 9], [0, 2], [2, 0], [0, 2]], dtype=np.float32))

    chosen, distances = clusters.nearest(np.asarray([[1, 1], [0, 2]], dtype=np.float32))

    assert chosen.tolist() == [1, 1]
    assert distances.tolist() == [2, 0]


def test_assignment_equals_plain_integers() -> None:
    """The matrix product on floats is the sum of squares in Python integers."""
    grid = grid_of(CosineSpace.of(corpus_of(random_table(2, 30, 12))))
    clusters = k_means(grid, 6)

    chosen, distances = clusters.nearest(grid)

    rows, centroids = grid.astype(int).tolist(), clusters.centroids.astype(int).tolist()
    for row, number, distance in zip(rows, chosen.tolist(), distances.tolist(), strict=True):
        squares = [sum((one - other) ** 2 for one, other in zip(row, centroid, strict=True)) for centroid in centroids]
        assert (number, distance) == (squares.index(min(squares)), min(squares))


def test_no_cluster_stays_empty_while_vectors_differ() -> None:
    """A centroid that starts beside an equal one finds vectors of its own."""
    values = np.repeat(np.eye(6), 10, axis=0)
    grid = grid_of(CosineSpace.of(corpus_of(values)))

    chosen, distances = k_means(grid, 6).nearest(grid)

    assert sorted(map(len, groups_of(chosen, 6))) == [10] * 6
    assert not distances.any()


def test_more_clusters_than_distinct_vectors_leave_some_empty() -> None:
    """Equal vectors are not torn apart."""
    grid = grid_of(CosineSpace.of(corpus_of([[1.0, 0.0]] * 5)))

    chosen, _ = k_means(grid, 3).nearest(grid)

    assert chosen.tolist() == [0] * 5


def test_the_shuffle_sorts_by_the_finalizer_of_murmurhash3() -> None:
    """The same permutation from plain integers."""

    def mixed(number: int) -> int:
        number = (number ^ number >> 16) * 0x85EBCA6B % 2**32
        number = (number ^ number >> 13) * 0xC2B2AE35 % 2**32
        return number ^ number >> 16

    assert shuffled(1000).tolist() == sorted(range(1000), key=mixed)
