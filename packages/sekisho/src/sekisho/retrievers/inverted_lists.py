"""Inverted lists: a query is compared with the vectors of the nearest clusters only."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from sekisho.core.errors import RetrieverError
from sekisho.retrievers.kmeans import Clusters, grid_of, groups_of, k_means, to_grid
from sekisho.retrievers.list_scan import scan_lists
from sekisho.retrievers.ordering import error_bound, ordered, ordered_many, rescored
from sekisho.retrievers.parameters import whole_number
from sekisho.retrievers.scan import BATCH_QUERIES
from sekisho.retrievers.space import CosineSpace, Queries

if TYPE_CHECKING:
    from sekisho.retrievers.protocols import Corpus, Numbers, RowNumbers, Scanned

_MOST_SCORES = 2**22
"""Scores kept at a time when a batch is answered (16 MB in float32)."""


@dataclass(frozen=True, eq=False)
class IvfFlatRetriever:
    """Compares a query with the vectors of the clusters whose centroids are nearest to it.

    Attributes:
        space: The vectors.
        lists: Row numbers of each cluster: what was put together when the index was built.
        clusters: The centroids by which a query chooses its lists; with those of an older corpus the index is stale.
        probes: How many lists a query looks into. Where these hold fewer than ``k`` vectors it goes on to the next.
        k: How many ids to return.
    """

    space: CosineSpace
    lists: tuple[RowNumbers, ...]
    clusters: Clusters
    probes: int
    k: int

    @cached_property
    def order(self) -> RowNumbers:
        """Row numbers, list by list."""
        return np.concatenate(self.lists)

    @cached_property
    def bounds(self) -> RowNumbers:
        """Where each list starts in :attr:`order`, and its end."""
        return np.cumsum([0, *map(len, self.lists)])

    @cached_property
    def unit(self) -> Scanned:
        """Unit vectors, list by list, so that a list is one piece of memory."""
        return self.space.unit_rows(self.order, self.space.scan_type)

    def retrieve(self, query: Numbers) -> list[str]:
        """Return the ids found for one vector, best first."""
        return self.space.names(self._rows(self.space.query(query)))

    def retrieve_many(self, queries: Numbers) -> list[list[str]]:
        """Return the same for each row of a table; a list that several queries look into is read once."""
        table = self.space.queries(queries)
        widest = max(1, self.probes * max(map(len, self.lists)))
        size = max(1, min(_MOST_SCORES // widest, 4 * BATCH_QUERIES))
        parts = (Queries(*(rows[at : at + size] for rows in table)) for at in range(0, len(table.given), size))
        return [self.space.names(rows) for rows in chain.from_iterable(map(self._rows_of_batch, parts))]

    def _rows(self, query: Queries) -> RowNumbers:
        near = self.clusters.nearness(to_grid(query.unit))[0]
        ranked = np.argsort(-near, kind="stable")
        probed = self._enough(ranked)
        pieces = [slice(self.bounds[number], self.bounds[number + 1]) for number in probed.tolist()]
        rows = np.concatenate([self.order[piece] for piece in pieces])
        if self.space.is_small:
            scores: Scanned = np.concatenate([self.unit[piece] @ query.unit[0] for piece in pieces])
        else:
            scores = rescored(self.space, query, np.zeros(len(rows), dtype=np.intp), rows).scores
        return ordered(self.space, query.given[0], rows, scores, self.k)

    def _enough(self, ranked: RowNumbers) -> RowNumbers:
        """Return the first lists of a ranking: as many as are probed, more where these hold fewer than ``k``."""
        held = np.cumsum(self.bounds[ranked + 1] - self.bounds[ranked])
        needed = int(np.searchsorted(held, min(self.k, len(self.space)))) + 1
        return ranked[: max(self.probes, needed)]

    def _rows_of_batch(self, queries: Queries) -> list[RowNumbers]:
        probed = _nearest_lists(self.clusters.nearness(to_grid(queries.unit)), self.probes)
        wanted = min(self.k, len(self.space))
        full = (self.bounds[probed + 1] - self.bounds[probed]).sum(axis=1) >= wanted
        error = error_bound(self.space.dims, self.space.scan_type)
        some = Queries(*(rows[full] for rows in queries))
        found = scan_lists(self.unit, self.bounds, some.unit, probed[full], k=wanted, error=error)
        rows = self.order[found.rows]
        same = self.space.is_small
        pairs = found._replace(rows=rows) if same else rescored(self.space, some, found.which, rows)
        quick = iter(ordered_many(self.space, some, pairs, wanted))
        singles = (Queries(*(rows[number : number + 1] for rows in queries)) for number in range(len(full)))
        return [next(quick) if ready else self._rows(one) for ready, one in zip(full.tolist(), singles, strict=True)]


def _nearest_lists(near: Scanned, probes: int) -> RowNumbers:
    """Return the ``probes`` nearest lists of each query, ascending by number; equals by the lowest number."""
    count = near.shape[1]
    if probes >= count:
        return np.broadcast_to(np.arange(count), near.shape)
    # Nearness is a whole number below 2**24: with the number of the list as its last digits no two keys are equal,
    # and a partition, which may break ties either way, has one possible result.
    keys = near.astype(np.float64) * count + np.arange(count - 1, -1, -1)
    return np.sort(np.argpartition(keys, count - probes, axis=1)[:, count - probes :], axis=1)


def ivf_flat(corpus: Corpus, k: int, *, lists: int | None = None, probes: int = 4) -> IvfFlatRetriever:
    """Return search in inverted lists: one stage, the vectors themselves, not all of them.

    The clusters come from k-means on whole numbers and are the same on every machine. Lists are chosen by the distance
    of their centroids, equals by the lowest number; what stands in them is ordered as by exact search: by the true
    cosine, ties by id ascending (code point). A query whose lists hold fewer than ``k`` vectors looks into further
    lists until they do.

    Cost, for n chunks of d components and l lists of even size: build O(n d l) for each of at most ten rounds; query
    O(l d + n d probes / l); memory the vectors themselves and 4 n d bytes (8 n d in a small corpus).

    Source: J. Sivic, A. Zisserman, Video Google: a text retrieval approach to object matching in videos, 2003; with
    vectors in the lists: H. Jégou, M. Douze, C. Schmid, Product quantization for nearest neighbor search, 2011.

    Args:
        corpus: Anything with ``chunks``.
        k: How many ids to return; more than there are chunks returns all.
        lists: Number of clusters, by default the square root of the number of chunks, rounded.
        probes: How many lists a query looks into; more than there are means all, which is exact search.

    Raises:
        RetrieverError: A number is not whole or too small, there are more lists than chunks, or the corpus is not
            usable.
    """
    space = CosineSpace.of(corpus)
    chosen_lists = max(1, round(math.sqrt(len(space)))) if lists is None else whole_number("lists", lists)
    if chosen_lists > len(space):
        raise RetrieverError("retrievers.too_many_lists", lists=chosen_lists, count=len(space))
    size, depth = whole_number("probes", probes), whole_number("k", k)
    grid = grid_of(space)
    clusters = k_means(grid, chosen_lists)
    members = tuple(groups_of(clusters.nearest(grid)[0], chosen_lists))
    retriever = IvfFlatRetriever(space=space, lists=members, clusters=clusters, probes=size, k=depth)
    _ = retriever.unit, retriever.bounds
    return retriever
