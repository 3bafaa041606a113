"""Exact search: the truth that every other retriever is measured against."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from sekisho.retrievers.ordering import error_bound, ordered, ordered_many, rescored
from sekisho.retrievers.parameters import whole_number
from sekisho.retrievers.scan import BATCH_QUERIES, scan
from sekisho.retrievers.space import CosineSpace, Queries

if TYPE_CHECKING:
    from sekisho.retrievers.protocols import Corpus, Numbers, RowNumbers


@dataclass(frozen=True, eq=False)
class ExactRetriever:
    """Compares a query with every vector.

    Attributes:
        space: The vectors.
        k: How many ids to return.
    """

    space: CosineSpace
    k: int

    def retrieve(self, query: Numbers) -> list[str]:
        """Return the ids of the nearest chunks of one vector, best first."""
        return self.space.names(best_rows(self.space, self.space.query(query), self.k)[0])

    def retrieve_many(self, queries: Numbers) -> list[list[str]]:
        """Return the same for each row of a table, in far less time."""
        return [self.space.names(rows) for rows in best_rows(self.space, self.space.queries(queries), self.k)]


def best_rows(space: CosineSpace, queries: Queries, k: int) -> list[RowNumbers]:
    """Return the ``k`` nearest rows of each query in exact order."""
    if len(queries.given) == 1 and space.is_small:
        scores = space.unit @ queries.unit[0]
        return [ordered(space, queries.given[0], np.arange(len(space)), scores, k)]
    starts = range(0, len(queries.given), BATCH_QUERIES)
    parts = (Queries(*(table[start : start + BATCH_QUERIES] for table in queries)) for start in starts)
    return list(chain.from_iterable(_best_of_batch(space, part, min(k, len(space))) for part in parts))


def _best_of_batch(space: CosineSpace, queries: Queries, k: int) -> list[RowNumbers]:
    found = scan(space.unit, queries.unit, k, error=error_bound(space.dims, space.scan_type))
    if found is None:
        half = len(queries.given) // 2
        parts = (Queries(*(table[some] for table in queries)) for some in (slice(half), slice(half, None)))
        return [rows for part in parts for rows in _best_of_batch(space, part, k)]
    pairs = found if space.is_small else rescored(space, queries, found.which, found.rows)
    return ordered_many(space, queries, pairs, k)


def exact(corpus: Corpus, k: int = 10) -> ExactRetriever:
    """Return exact search by cosine.

    The order is that of the cosines as real numbers, ties by id ascending (code point). A first pass computes all
    scores with matrix products and keeps what a rigorous bound on their error cannot rule out; those few are scored
    again, and what still lies too close together is compared in whole numbers. The answer is the same for
    :meth:`~ExactRetriever.retrieve` and :meth:`~ExactRetriever.retrieve_many`, on any processor, with any BLAS and any
    number of threads.

    Cost, for n chunks of d components: build O(n d); query O(n d), about 10 candidates scored twice; memory the vectors
    themselves and 4 n d bytes (8 n d in a corpus of up to 2**20 components).

    A vector of zeros has cosine 0 with everything. A ``k`` above the number of chunks returns all of them.

    Source: the bound is that of N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition, 2002, 3.1.

    Args:
        corpus: Anything with ``chunks``.
        k: How many ids to return.

    Raises:
        RetrieverError: ``k`` is no whole number of at least 1, or the corpus is empty or not usable.
    """
    space = CosineSpace.of(corpus)
    retriever = ExactRetriever(space=space, k=whole_number("k", k))
    _ = space.unit
    return retriever
