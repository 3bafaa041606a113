"""Records that several layers exchange. All are frozen; sequences are tuples."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import msgspec


class Neighbours(msgspec.Struct, frozen=True, kw_only=True):
    """The exact nearest neighbours of one query: the truth behind ``overlap@k``.

    Attributes:
        k: The depth they were computed for.
        ids: Every id whose exact score reaches that of the k-th, best first; more than ``k`` where scores tie, fewer
            where the corpus is smaller.
    """

    k: int
    ids: tuple[str, ...]


class EvalCase(msgspec.Struct, frozen=True):
    """One retrieval case: a query and what should come back for it.

    Attributes:
        id: Unique in its suite.
        query: Whatever the target's ``retrieve`` takes: text, a vector, a record.
        relevant: Ids, or id to grade; a grade of at least the relevance threshold (default 1) counts as relevant.
        neighbours: The exact nearest neighbours, where the corpus can tell them.
        tags: For selection.
    """

    id: str
    query: Any
    relevant: Mapping[str, float] | Collection[str]
    neighbours: Neighbours | None = None
    tags: tuple[str, ...] = ()

    @property
    def grades(self) -> Mapping[str, float]:
        """Id to grade: ``relevant`` in one form, where plain ids have grade 1."""
        return self.relevant if isinstance(self.relevant, Mapping) else dict.fromkeys(self.relevant, 1)
