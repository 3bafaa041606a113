"""Mistakes in the knowledge search that answer cases and the permission matrix must see.

A fault is called with the options of a healthy target, or put into one that is open already with ``inject``.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import psycopg
from psycopg import sql

from eval.knowledge import Knowledge, address_of, with_locks
from eval.targets import answers
from knowledge_search.domain import Scope
from knowledge_search.embed import E5Embedder
from knowledge_search.store.visible import GUARDED, SCHEMA, Locks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from contextlib import AbstractContextManager

    from eval.targets import Embedder
    from knowledge_search.domain import Hit
    from knowledge_search.ports import SearchStrategy
    from knowledge_search.settings import Strategy

_BEYOND_ALL = 2.0
"""The largest cosine distance there is."""


@dataclass(frozen=True)
class Fault:
    """A target factory that gives the knowledge search with one mistake in it.

    Attributes:
        inject: Gives the broken form of an open target on the same database, and leaves the healthy one as it was.
    """

    inject: Callable[[Knowledge], AbstractContextManager[Knowledge]]

    @contextmanager
    def __call__(
        self, documents: str | None = None, *, embedder: Embedder = "hashing", strategy: Strategy = "exact"
    ) -> Iterator[Knowledge]:
        """Give a broken service over a database of its own, see :func:`eval.targets.answers`."""
        with answers(documents, embedder=embedder, strategy=strategy) as healthy, self.inject(healthy) as broken:
            yield broken


@Fault
@contextmanager
def predicate_dropped(healthy: Knowledge) -> Iterator[Knowledge]:
    """A statement written without the condition on departments, read by a role that row-level security does not bind.

    So it is where search was moved to a database user that owns the tables, and somebody then rewrote the query.
    """
    with with_locks(healthy, Locks(predicate=False, row_security=False)) as broken:
        yield broken


@Fault
@contextmanager
def policies_dropped(healthy: Knowledge) -> Iterator[Knowledge]:
    """A migration that switches row-level security off for a bulk load and forgets to switch it on again.

    The statements rely on it alone. A service that starts afterwards would refuse to serve; this one runs already.
    """

    def switch(word: str) -> None:
        statement = sql.SQL("ALTER TABLE {} " + word + " ROW LEVEL SECURITY")
        with psycopg.connect(address_of(healthy.services), autocommit=True) as owner:
            for table in GUARDED:
                owner.execute(statement.format(sql.Identifier(SCHEMA, table)))

    with with_locks(healthy, Locks(predicate=False)) as broken:
        switch("DISABLE")
        try:
            yield broken
        finally:
            switch("ENABLE")


@Fault
@contextmanager
def threshold_ignored(healthy: Knowledge) -> Iterator[Knowledge]:
    """The five nearest passages are handed to the model however far they are: a comparison lost in a refactoring."""
    yield _with_threshold(healthy, _BEYOND_ALL)


@Fault
@contextmanager
def threshold_too_strict(healthy: Knowledge) -> Iterator[Knowledge]:
    """The threshold that was calibrated for E5, kept in the settings when another embedder took its place."""
    yield _with_threshold(healthy, E5Embedder.default_max_distance)


@Fault
@contextmanager
def pages_from_zero(healthy: Knowledge) -> Iterator[Knowledge]:
    """Citations with the page's index, which PDF libraries count from 0, where its number was meant."""
    yield _searched_by(healthy, PagesFromZero(healthy.services.strategy))


@Fault
@contextmanager
def answers_remembered(healthy: Knowledge) -> Iterator[Knowledge]:
    """A cache in front of search whose key is the question alone: whoever asks next gets what the first one may see."""
    yield _searched_by(healthy, Remembering(healthy.services.strategy, {}))


@Fault
@contextmanager
def texts_shifted(healthy: Knowledge) -> Iterator[Knowledge]:
    """Ids and texts read by two statements and put together by position, one of them in another order."""
    scope = Scope.of(*healthy.departments)
    store = healthy.services.store
    chunks = [chunk for record in store.documents(scope) for chunk in store.chunks(record.id, scope)]
    far = max(record.chunks for record in store.documents(scope))  # so that no passage keeps a text of its document
    texts = {chunk.id: chunks[at - far].text for at, chunk in enumerate(chunks)}
    yield _searched_by(healthy, TextsShifted(healthy.services.strategy, texts))


@dataclass
class PagesFromZero:
    """Finds what ``inner`` finds, each passage on the page before."""

    inner: SearchStrategy
    name: str = "pages_from_zero"

    def search(self, query: str, scope: Scope, k: int) -> list[Hit]:
        """Return the hits."""
        hits = self.inner.search(query, scope, k)
        return [
            hit if hit.chunk.page is None else replace(hit, chunk=replace(hit.chunk, page=hit.chunk.page - 1))
            for hit in hits
        ]


@dataclass
class Remembering:
    """Finds what ``inner`` found when the same was asked before, whoever asked."""

    inner: SearchStrategy
    kept: dict[str, list[Hit]]
    name: str = "remembering"

    def search(self, query: str, scope: Scope, k: int) -> list[Hit]:
        """Return the hits."""
        if query not in self.kept:
            self.kept[query] = self.inner.search(query, scope, k)
        return self.kept[query]


@dataclass
class TextsShifted:
    """Finds what ``inner`` finds, each passage with a text by its id in ``texts``."""

    inner: SearchStrategy
    texts: Mapping[int, str]
    name: str = "texts_shifted"

    def search(self, query: str, scope: Scope, k: int) -> list[Hit]:
        """Return the hits."""
        hits = self.inner.search(query, scope, k)
        return [replace(hit, chunk=replace(hit.chunk, text=self.texts[hit.chunk.id])) for hit in hits]


def _searched_by(healthy: Knowledge, strategy: SearchStrategy) -> Knowledge:
    return replace(healthy, services=replace(healthy.services, strategy=strategy))


def _with_threshold(healthy: Knowledge, max_distance: float) -> Knowledge:
    return replace(healthy, services=replace(healthy.services, max_distance=max_distance))
