"""A tree of summaries, searched all at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sekisho.retrievers.exact_search import best_rows
from sekisho.retrievers.ordering import ordered, rescored
from sekisho.retrievers.parameters import whole_number
from sekisho.retrievers.space import CosineSpace, Queries
from sekisho.retrievers.tree import Tree, build_tree

if TYPE_CHECKING:
    from sekisho.retrievers.protocols import Corpus, Numbers, RowNumbers


@dataclass(frozen=True, eq=False)
class RaptorRetriever:
    """Ranks chunks and summaries together; a summary that is hit stands for the chunks below it.

    Attributes:
        space: The vectors of the chunks.
        tree: The summaries; those of an older corpus are a stale tree.
        expansions: How many summaries, the best of a query, are expanded; the others are passed over.
        leaves_per_summary: How many chunks, its best ones for the query, an expanded summary brings.
        k: How many ids to return.
        expand: False returns a summary's own name in place of its chunks, as a system does that forgets the way back.
    """

    space: CosineSpace
    tree: Tree
    expansions: int
    leaves_per_summary: int
    k: int
    expand: bool = True

    @cached_property
    def summaries(self) -> CosineSpace:
        """The vectors of the summaries, in the order of the tree."""
        names = tuple(f"summary:{number}" for number in range(len(self.tree.summaries)))
        vectors = [summary.vector for summary in self.tree.summaries]
        table = np.stack(vectors) if vectors else np.empty((0, self.space.dims))
        return CosineSpace.over(names, table.astype(np.int16))

    @cached_property
    def nodes(self) -> CosineSpace:
        """Chunks, then summaries: on equal scores a chunk stands before a summary."""
        rows = np.concatenate([self.space.rows, self.summaries.rows])
        return CosineSpace.over(self.space.ids + self.summaries.ids, rows)

    def retrieve(self, query: Numbers) -> list[str]:
        """Return the ids found for one vector, best first."""
        return self._found(self.space.query(query))[0]

    def retrieve_many(self, queries: Numbers) -> list[list[str]]:
        """Return the same for each row of a table."""
        return self._found(self.space.queries(queries))

    def _found(self, queries: Queries) -> list[list[str]]:
        chunks = best_rows(self.space, queries, self.k)
        summaries = best_rows(self.summaries, queries, self.expansions) if self.tree.summaries else None
        answers = []
        for number, rows in enumerate(chunks):
            query = Queries(*(table[number : number + 1] for table in queries))
            hit = rows if summaries is None else np.concatenate([rows, summaries[number] + len(self.space)])
            answers.append(self._walked(query, _best(self.nodes, query, hit, len(hit))))
        return answers

    def _walked(self, query: Queries, ranking: RowNumbers) -> list[str]:
        found: dict[str, None] = {}
        for row in ranking.tolist():
            if row < len(self.space) or not self.expand:
                found[self.nodes.ids[row]] = None
            else:
                leaves = self.tree.summaries[row - len(self.space)].leaves
                found.update(dict.fromkeys(self.space.names(_best(self.space, query, leaves, self.leaves_per_summary))))
            if len(found) >= self.k:
                break
        return list(found)[: self.k]


def _best(space: CosineSpace, query: Queries, rows: RowNumbers, k: int) -> RowNumbers:
    scores = rescored(space, query, np.zeros(len(rows), dtype=np.intp), rows).scores
    return ordered(space, query.given[0], rows, scores, k)


def raptor(
    corpus: Corpus,
    k: int,
    *,
    branching: int = 8,
    levels: int = 3,
    expansions: int = 1,
    leaves_per_summary: int | None = None,
) -> RaptorRetriever:
    """Return search in a tree of summaries.

    The tree clusters the chunks, then the clusters, and so on; a summary is the mean of what it summarises (no model
    writes text here: what is under test is the tree). All levels are ranked together ("collapsed tree") by the true
    cosine, ties by id ascending (code point), a chunk before a summary. Going down that ranking, a chunk is taken as it
    is; a summary is expanded to its chunks, by their own exact cosine, best first, without those already taken. Only
    the best ``expansions`` summaries of a query are expanded, the others are passed over, and each brings at most
    ``leaves_per_summary`` chunks. A mean lies nearer to a query than most of what it is the mean of, so summaries come
    first; without these two limits they alone would make up the answer.

    Cost, for n chunks of d components: build O(n**2 d / branching) for each of at most ten rounds of k-means; query
    O(n d) and the chunks below the summaries hit; memory the vectors twice and 8 n d / branching bytes.

    Source: P. Sarthi, S. Abdullah, A. Tuli, S. Khanna, A. Goldie, C. D. Manning, RAPTOR: recursive abstractive
    processing for tree-organized retrieval, 2024. Differences: k-means on whole numbers in place of UMAP and Gaussian
    mixtures, which are not the same on every machine; means in place of written summaries; each chunk below one summary
    of a level.

    Args:
        corpus: Anything with ``chunks``.
        k: How many ids to return; more than there are chunks returns all.
        branching: Nodes below a summary, on average; at least 2.
        levels: At most so many levels of summaries.
        expansions: How many summaries of a query are expanded.
        leaves_per_summary: How many chunks a summary brings, by default half of ``k``, rounded up.

    Raises:
        RetrieverError: A number is not whole or too small, or the corpus is not usable.
    """
    fan, height = whole_number("branching", branching, least=2), whole_number("levels", levels)
    most, depth = whole_number("expansions", expansions), whole_number("k", k)
    bring = -(-depth // 2) if leaves_per_summary is None else whole_number("leaves_per_summary", leaves_per_summary)
    space = CosineSpace.of(corpus)
    tree = build_tree(space, branching=fan, levels=height)
    retriever = RaptorRetriever(space=space, tree=tree, expansions=most, leaves_per_summary=bring, k=depth)
    _ = space.unit, retriever.nodes, retriever.summaries.unit
    return retriever
