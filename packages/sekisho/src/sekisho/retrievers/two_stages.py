"""Two stages: candidates by single bits, then their exact order."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sekisho.core.errors import RetrieverError
from sekisho.retrievers.binary import BinaryQuantiser, HammingIndex, Quantiser
from sekisho.retrievers.ordering import ordered, ordered_many, rescored
from sekisho.retrievers.parameters import switch, whole_number
from sekisho.retrievers.space import CosineSpace, Queries

if TYPE_CHECKING:
    from sekisho.retrievers.protocols import Corpus, Floats, Numbers, RowNumbers


@dataclass(frozen=True, eq=False)
class TwoStageRetriever:
    """Takes the documents whose bits differ least from the query's, then puts these in exact order.

    Attributes:
        space: The vectors.
        documents: Makes the bits of documents.
        queries: Makes the bits of queries; anything but the same quantiser is a fault, which is how one is injected.
        candidates: How many documents the first stage hands on.
        rerank: False returns the first ``k`` candidates in the order of their bits.
        k: How many ids to return.
    """

    space: CosineSpace
    k: int
    candidates: int
    documents: Quantiser = field(default_factory=BinaryQuantiser)
    queries: Quantiser = field(default_factory=BinaryQuantiser)
    rerank: bool = True

    @cached_property
    def codes(self) -> HammingIndex:
        """The bits of the documents."""
        return HammingIndex.of(np.concatenate([self.documents.encode(block) for block in self.space.unit_blocks()]))

    def retrieve(self, query: Numbers) -> list[str]:
        """Return the ids found for one vector, best first."""
        return self.space.names(self._rows(self.space.query(query))[0])

    def retrieve_many(self, queries: Numbers) -> list[list[str]]:
        """Return the same for each row of a table."""
        return [self.space.names(rows) for rows in self._rows(self.space.queries(queries))]

    def _rows(self, queries: Queries) -> list[RowNumbers]:
        candidates = self.codes.nearest(self.queries.encode(queries.unit), self.candidates)
        if not self.rerank:
            return [rows[: self.k] for rows in candidates]
        if len(candidates) == 1:
            rows = candidates[0]
            scores = self._scores(queries.unit[0], rows)
            return [ordered(self.space, queries.given[0], rows, scores, self.k)]
        which = np.repeat(np.arange(len(candidates)), [len(rows) for rows in candidates])
        rows = np.concatenate(candidates) if candidates else np.empty(0, dtype=np.intp)
        return ordered_many(self.space, queries, rescored(self.space, queries, which, rows), self.k)

    def _scores(self, query: Floats, rows: RowNumbers) -> Floats:
        scores: Floats = (self.space.rows[rows].astype(np.float64) @ query) / self.space.lengths[rows]
        return scores


def centre_of(space: CosineSpace) -> Floats:
    """Return the mean of the unit vectors: as whole numbers of 2**-30, whose sum is the same in every order."""
    total = np.zeros(space.dims, dtype=np.int64)
    for block in space.unit_blocks():
        total += np.rint(block * 2.0**30).astype(np.int64).sum(axis=0)
    return total / len(space) / 2.0**30


def two_stage(
    corpus: Corpus, k: int, *, candidates: int = 40, centred: bool = False, rerank: bool = True
) -> TwoStageRetriever:
    """Return search by binary codes with an exact second stage.

    A component becomes one bit: whether it is above 0, or, where ``centred``, above the mean of the corpus's unit
    vectors. The ``candidates`` documents with the fewest different bits (ties at the cut by id) are put in exact order:
    by the true cosine, ties by id ascending (code point). Without ``rerank`` the order of the bits stays.

    Where all vectors share a common direction, most bits say the same for every document; centring gives them back
    their meaning.

    Cost, for n chunks of d components: build O(n d); query n d / 64 words compared, then O(candidates * d); memory the
    vectors themselves and n d / 8 bytes.

    Source: M. S. Charikar, Similarity estimation techniques from rounding algorithms, 2002 (bits as signs); H. Jégou,
    R. Tavenard, M. Douze, L. Amsaleg, Searching in one billion vectors: re-rank with source coding, 2011 (two stages).

    Args:
        corpus: Anything with ``chunks``.
        k: How many ids to return; more than there are chunks returns all.
        candidates: How many documents the first stage hands on, at least ``k``.
        centred: Compare with the mean of the corpus instead of 0.
        rerank: Whether there is a second stage.

    Raises:
        RetrieverError: A number is not whole or too small, ``candidates`` is below ``k``, or the corpus is not usable.
    """
    depth, pool = whole_number("k", k), whole_number("candidates", candidates)
    if pool < depth:
        raise RetrieverError("retrievers.candidates_below_k", candidates=pool, k=depth)
    second, centre = switch("rerank", rerank), switch("centred", centred)
    return _built(CosineSpace.of(corpus), k=depth, candidates=pool, centred=centre, rerank=second)


def _built(space: CosineSpace, *, k: int, candidates: int, centred: bool, rerank: bool) -> TwoStageRetriever:
    quantiser = BinaryQuantiser(centre_of(space) if centred else 0.0)
    retriever = TwoStageRetriever(
        space=space, k=k, candidates=candidates, documents=quantiser, queries=quantiser, rerank=rerank
    )
    _ = retriever.codes
    return retriever
