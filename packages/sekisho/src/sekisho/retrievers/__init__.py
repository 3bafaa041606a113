"""Reference retrievers over vectors: rulers to measure against, and examples of a target.

All compare by cosine, break ties by id ascending (code point), need numpy alone, and return the same ids on every
machine, with any BLAS and any number of threads, one query at a time or many at once. Each factory takes anything that
has ``chunks`` (ids and vectors) and returns an object with ``retrieve(query)`` and ``retrieve_many(queries)``.

The objects are frozen dataclasses made of parts; ``dataclasses.replace`` puts another part in, a faulty one for
example.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sekisho.retrievers.binary import BinaryQuantiser, Quantiser
from sekisho.retrievers.collapsed_tree import RaptorRetriever, raptor
from sekisho.retrievers.exact_search import ExactRetriever, exact
from sekisho.retrievers.inverted_lists import IvfFlatRetriever, ivf_flat
from sekisho.retrievers.kmeans import Clusters
from sekisho.retrievers.protocols import Corpus, Retriever
from sekisho.retrievers.rank_fusion import FusionRetriever, fusion
from sekisho.retrievers.space import CosineSpace
from sekisho.retrievers.tree import Summary, Tree, build_tree
from sekisho.retrievers.two_stages import TwoStageRetriever, two_stage

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

RETRIEVERS: Mapping[str, Callable[..., Retriever]] = {
    "exact": exact,
    "ivf_flat": ivf_flat,
    "two_stage": two_stage,
    "fusion": fusion,
    "raptor": raptor,
}
"""Every factory by its name; the catalogue has a line on each, ``retrievers.<name>``."""

__all__ = [
    "RETRIEVERS",
    "BinaryQuantiser",
    "Clusters",
    "Corpus",
    "CosineSpace",
    "ExactRetriever",
    "FusionRetriever",
    "IvfFlatRetriever",
    "Quantiser",
    "RaptorRetriever",
    "Retriever",
    "Summary",
    "Tree",
    "TwoStageRetriever",
    "build_tree",
    "exact",
    "fusion",
    "ivf_flat",
    "raptor",
    "two_stage",
]
