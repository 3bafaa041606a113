"""A corpus of vectors with its queries, and what should come back for each."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Collection, Mapping
from functools import cached_property
from typing import Any

import msgspec
import numpy as np

from sekisho.core.errors import CorpusError
from sekisho.core.records import EvalCase
from sekisho.core.vectors import VectorSet
from sekisho.corpora.checks import whole_number
from sekisho.corpora.neighbours import exact_neighbours

DEPTH = 10
"""How deep the neighbours of :attr:`SyntheticCorpus.cases` go: that of ``overlap@10``."""


class SyntheticCorpus(msgspec.Struct, frozen=True, kw_only=True, eq=False, dict=True):
    """Chunks to search, queries to search with, and two rulers: labels and exact neighbours.

    Attributes:
        chunks: What is searched; rows are in the order of their ids unless the ids tell the topic.
        queries: What is searched for.
        relevant: One a query: the ids that should come back, or id to grade. The same object where topics are.
        parameters: The arguments it was made from, ``noise`` and ``seed`` resolved.
        preset: Its name, where it is one.
        texts: Id to text, of chunks and queries, where the vectors come from texts.
    """

    chunks: VectorSet
    queries: VectorSet
    relevant: tuple[Mapping[str, float] | Collection[str], ...]
    parameters: dict[str, Any]
    preset: str | None = None
    texts: Mapping[str, str] = {}

    @property
    def cases(self) -> tuple[EvalCase, ...]:
        """One case a query, with its exact neighbours down to rank 10 (computed when first asked for)."""
        return self.cases_for(DEPTH)

    def cases_for(self, k: int) -> tuple[EvalCase, ...]:
        """Return one case a query, with its exact neighbours down to rank ``k``; computed once for each ``k``.

        Raises:
            CorpusError: ``k`` is no whole number of at least 1, or there is not enough memory.
        """
        whole_number("k", k, least=1)
        if k not in self._cases:
            try:
                neighbours = exact_neighbours(self.chunks, self.queries, k=k)
            except MemoryError as error:
                raise CorpusError("corpora.no_memory") from error
            self._cases[k] = tuple(
                EvalCase(id=id_, query=query, relevant=relevant, neighbours=near)
                for id_, query, relevant, near in zip(
                    self.queries.ids, self.queries.values, self.relevant, neighbours, strict=True
                )
            )
        return self._cases[k]

    def best_recall(self, k: int) -> float:
        """Return the mean recall@k of a perfect ranking: below 1 where a query has more than ``k`` relevant chunks."""
        counts = [_count_relevant(relevant) for relevant in self.relevant]
        return math.fsum(min(k, count) / count for count in counts if count) / len(counts)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256, in hex, of the arguments, the ids, what is relevant, and the vectors as little-endian bytes."""
        digest = hashlib.sha256(b"sekisho.corpus/1\n")
        described = [self.parameters, self.chunks.ids, self.queries.ids, [_sorted(one) for one in self.relevant]]
        digest.update(msgspec.json.encode(described, order="sorted"))
        for values in (self.chunks.numbers, self.queries.numbers):
            little = np.ascontiguousarray(values, values.dtype.newbyteorder("<"))
            digest.update(f"\n{little.dtype.str}{little.shape}\n".encode())
            digest.update(little.view(np.uint8).data)
        return digest.hexdigest()

    @cached_property
    def _cases(self) -> dict[int, tuple[EvalCase, ...]]:
        return {}


def _count_relevant(relevant: Mapping[str, float] | Collection[str]) -> int:
    return sum(grade >= 1 for grade in relevant.values()) if isinstance(relevant, Mapping) else len(relevant)


def _sorted(relevant: Mapping[str, float] | Collection[str]) -> list[Any]:
    """Return the ids in order, with their grades where they have them."""
    return sorted(relevant.items()) if isinstance(relevant, Mapping) else sorted(relevant)
