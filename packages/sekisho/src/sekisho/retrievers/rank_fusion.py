"""Several rankings made into one by the ranks alone."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from math import fsum
from typing import TYPE_CHECKING

from sekisho.core.errors import RetrieverError
from sekisho.retrievers.inverted_lists import ivf_flat
from sekisho.retrievers.parameters import non_negative, whole_number
from sekisho.retrievers.protocols import Corpus, Numbers, Retriever, in_batches
from sekisho.retrievers.two_stages import two_stage

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

DEFAULT_CONSTANT = 60.0
"""The constant of the paper, in which it was found by pilot runs and changes little between 20 and 100."""


@dataclass(frozen=True, eq=False)
class FusionRetriever:
    """Weighted reciprocal rank fusion.

    Attributes:
        retrievers: Whose rankings are fused; each returns up to ``depth`` ids.
        weights: One for each; a retriever of weight 0 adds nothing, not even ids that only it found.
        constant: Added to every rank: the larger, the less the first ranks stand out.
        depth: How many ids of each ranking count.
        k: How many ids to return.
    """

    retrievers: tuple[Retriever, ...]
    weights: tuple[float, ...]
    constant: float = DEFAULT_CONSTANT
    depth: int = 40
    k: int = 10

    def retrieve(self, query: Numbers) -> list[str]:
        """Return the ids found for one vector, best first."""
        return self._fused([retriever.retrieve(query) for retriever in self.retrievers])

    def retrieve_many(self, queries: Numbers) -> list[list[str]]:
        """Return the same for each row of a table."""
        rankings = [in_batches(retriever, queries) for retriever in self.retrievers]
        return [self._fused(lists) for lists in zip(*rankings, strict=True)]

    def _fused(self, rankings: Iterable[Sequence[str]]) -> list[str]:
        cut = [ranking[: self.depth] for ranking in rankings]
        return fused(cut, self.weights, self.constant)[: self.k]


def fused(rankings: Sequence[Sequence[str]], weights: Sequence[float], constant: float) -> list[str]:
    """Return all ids of several rankings by the sum of ``weight / (constant + rank)``, ranks from 1.

    The sum is rounded once (``math.fsum``), so the order of the rankings changes nothing. Ties by id ascending (code
    point). An id that comes twice in a ranking counts at its first place.
    """
    shares: defaultdict[str, list[float]] = defaultdict(list)
    for ranking, weight in zip(rankings, weights, strict=True):
        if weight:
            for rank, name in enumerate(dict.fromkeys(ranking), start=1):
                shares[name].append(weight / (constant + rank))
    return sorted(shares, key=lambda name: (-fsum(shares[name]), name))


def fusion(
    corpus: Corpus,
    k: int,
    *,
    weights: Sequence[float] = (1.0, 1.0),
    constant: float = DEFAULT_CONSTANT,
    depth: int | None = None,
) -> FusionRetriever:
    """Return the fusion of two approximate searches that miss different chunks: two_stage and ivf_flat.

    Cost: the sum of both, and O(depth log depth) for each query.

    Source: G. V. Cormack, C. L. A. Clarke, S. Büttcher, Reciprocal rank fusion outperforms Condorcet and individual
    rank learning methods, 2009. Ties by id ascending (code point).

    Args:
        corpus: Anything with ``chunks``.
        k: How many ids to return; more than there are chunks returns all that either finds.
        weights: Of two_stage and of ivf_flat; not negative, not all zero.
        constant: Added to every rank; not negative.
        depth: How many ids of each ranking count, at least ``k``; by default ``k``. With longer rankings an id that
            both find far down passes one that a single search finds first.

    Raises:
        RetrieverError: A number is not whole, too small or not finite, the weights are not two, or the corpus is not
            usable.
    """
    wanted = whole_number("k", k)
    deep = wanted if depth is None else whole_number("depth", depth, least=wanted)
    shares = tuple(non_negative("weights", weight) for weight in weights)
    if len(shares) != 2:  # noqa: PLR2004  one for each of the two searches below
        raise RetrieverError("retrievers.weight_count", count=len(shares), needed=2)
    if not any(shares):
        raise RetrieverError("retrievers.weights_zero")
    parts = (two_stage(corpus, deep, candidates=max(40, 4 * deep)), ivf_flat(corpus, deep))
    return FusionRetriever(parts, shares, constant=non_negative("constant", constant), depth=deep, k=wanted)
