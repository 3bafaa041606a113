"""Reference retrievers over vectors: rulers to measure against, and examples of a target.

All compare by cosine, break ties by id ascending (code point), need numpy alone, and return the same ids on every
machine, with any BLAS and any number of threads, one query at a time or many at once. Each factory takes anything that
has ``chunks`` (ids and vectors) and returns an object with ``retrieve(query)`` and ``retrieve_many(queries)``.

The objects are frozen dataclasses made of parts; ``dataclasses.replace`` puts another part in, a faulty one for
example.

Names are imported when first used: a suite pays for its own retriever.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sekisho.retrievers.binary import BinaryQuantiser as BinaryQuantiser
    from sekisho.retrievers.binary import Quantiser as Quantiser
    from sekisho.retrievers.collapsed_tree import RaptorRetriever as RaptorRetriever
    from sekisho.retrievers.collapsed_tree import raptor as raptor
    from sekisho.retrievers.exact_search import ExactRetriever as ExactRetriever
    from sekisho.retrievers.exact_search import exact as exact
    from sekisho.retrievers.inverted_lists import IvfFlatRetriever as IvfFlatRetriever
    from sekisho.retrievers.inverted_lists import ivf_flat as ivf_flat
    from sekisho.retrievers.kmeans import Clusters as Clusters
    from sekisho.retrievers.protocols import Corpus as Corpus
    from sekisho.retrievers.protocols import Retriever as Retriever
    from sekisho.retrievers.rank_fusion import FusionRetriever as FusionRetriever
    from sekisho.retrievers.rank_fusion import fusion as fusion
    from sekisho.retrievers.space import CosineSpace as CosineSpace
    from sekisho.retrievers.tree import Summary as Summary
    from sekisho.retrievers.tree import Tree as Tree
    from sekisho.retrievers.tree import build_tree as build_tree
    from sekisho.retrievers.two_stages import TwoStageRetriever as TwoStageRetriever
    from sekisho.retrievers.two_stages import two_stage as two_stage

    RETRIEVERS: Mapping[str, Callable[..., Retriever]]

_FACTORIES = ("exact", "ivf_flat", "two_stage", "fusion", "raptor")
_HOME = {
    "BinaryQuantiser": "binary",
    "Clusters": "kmeans",
    "Corpus": "protocols",
    "CosineSpace": "space",
    "ExactRetriever": "exact_search",
    "FusionRetriever": "rank_fusion",
    "IvfFlatRetriever": "inverted_lists",
    "Quantiser": "binary",
    "RaptorRetriever": "collapsed_tree",
    "Retriever": "protocols",
    "Summary": "tree",
    "Tree": "tree",
    "TwoStageRetriever": "two_stages",
    "build_tree": "tree",
    "exact": "exact_search",
    "fusion": "rank_fusion",
    "ivf_flat": "inverted_lists",
    "raptor": "collapsed_tree",
    "two_stage": "two_stages",
}

__all__ = ["RETRIEVERS", *sorted(_HOME)]  # noqa: PLE0604  the names are the keys above


def __getattr__(name: str) -> object:
    value: object
    if name == "RETRIEVERS":  # every factory by its name; the catalogue has a line on each, ``retrievers.<name>``
        value = {factory: __getattr__(factory) for factory in _FACTORIES}
    elif name in _HOME:
        value = getattr(import_module(f"sekisho.retrievers.{_HOME[name]}"), name)
    else:
        message = f"module 'sekisho.retrievers' has no attribute {name!r}"
        raise AttributeError(message)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
