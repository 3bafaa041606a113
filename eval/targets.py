"""The targets of this repository's own suites, healthy: reference retrievers, and the SQL of the knowledge search."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal

from sekisho.retrievers import exact, fusion, ivf_flat, raptor, two_stage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from knowledge_search.store import VectorTable
    from knowledge_search.store.strategies.nearest import Method
    from sekisho.corpora import SyntheticCorpus

__all__ = ["exact", "fusion", "ivf_flat", "postgres", "raptor", "two_stage"]
"""Each is called with ``corpus`` and ``k``, and with the ``target_options`` of its suite."""

Strategy = Literal["exact", "ivfflat", "hnsw", "two_stage"]


@contextmanager
def postgres(corpus: SyntheticCorpus, k: int, *, strategy: Strategy = "exact") -> Iterator[VectorTable[str]]:
    """Give the corpus in a table inside PostgreSQL, searched by the statements that serve people."""
    from eval.database import database_url  # noqa: PLC0415  the suites in memory need no database
    from knowledge_search.store import Database, VectorTable  # noqa: PLC0415  as above

    vectors = corpus.chunks.values.astype("float32")
    with (
        database_url() as url,
        Database(url, readers=1, writers=1) as database,
        VectorTable(database, corpus.chunks.ids, vectors, method=_method(strategy), k=k) as table,
    ):
        yield table


def _method(strategy: Strategy) -> Method:
    from knowledge_search.store import EXACT, hnsw, ivfflat, two_stage  # noqa: PLC0415  as above

    methods: dict[Strategy, Callable[[], Method]] = {
        "exact": lambda: EXACT,
        "ivfflat": ivfflat,
        "hnsw": hnsw,
        "two_stage": two_stage,
    }
    return methods[strategy]()
