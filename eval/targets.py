"""The targets of this repository's own suites, healthy: reference retrievers, and the knowledge search itself."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Literal

from sekisho.retrievers import exact, fusion, ivf_flat, raptor, two_stage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from eval.knowledge import CollectionSearch, Knowledge
    from eval.serving import KnowledgeOverHttp
    from knowledge_search import settings
    from knowledge_search.store import VectorTable
    from knowledge_search.store.strategies.nearest import Method
    from sekisho.corpora import SyntheticCorpus, TextCorpus

__all__ = [
    "answers",
    "answers_over_http",
    "collection",
    "exact",
    "fusion",
    "ivf_flat",
    "postgres",
    "raptor",
    "two_stage",
]
"""Each is called with those of ``corpus``, ``k`` and ``documents`` that it names, and the ``target_options``."""

Strategy = Literal["exact", "ivfflat", "hnsw", "two_stage"]
Embedder = Literal["hashing", "e5"]


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


@contextmanager
def answers(
    documents: str | None = None,
    *,
    embedder: Embedder = "hashing",
    strategy: settings.Strategy = "exact",
    predicate: bool = True,
    row_security: bool = True,
    top_k: int = 5,
    max_distance: float | None = None,
    model: str | None = None,
    model_url: str | None = None,
) -> Iterator[Knowledge]:
    """Give the knowledge search over a database of its own, with documents taken in as in production.

    Args:
        documents: Their folder, from the root of this repository; the samples where it is left out. A document that
            names no department is everyone's.
        embedder: Makes the vectors.
        strategy: Finds passages.
        predicate: Whether the statements ask for the departments; see ``Locks``.
        row_security: Whether the database does; one of the two alone must hold.
        top_k: Passages handed to the model.
        max_distance: Beyond it a passage is not handed to the model; that of the embedder where it is left out.
        model: Writes the answers; the stand-in where it is left out. Its key is that of the service,
            KNOWLEDGE_SEARCH_LLM_KEY, where it needs one.
        model_url: Where it is asked, an OpenAI-compatible interface.
    """
    from eval.database import database_url  # noqa: PLC0415  as above
    from eval.knowledge import SAMPLES, opened, settings_of, with_locks  # noqa: PLC0415  as above
    from knowledge_search.store.visible import Locks  # noqa: PLC0415  as above

    folder = SAMPLES if documents is None else SAMPLES.parent / documents
    changes: dict[str, object] = {"embedder": embedder, "strategy": strategy, "top_k": top_k}
    changes["max_distance"] = max_distance
    if model is not None:
        key = os.environ.get("KNOWLEDGE_SEARCH_LLM_KEY")
        changes |= {"llm": "openai", "llm_model": model, "llm_url": model_url, "llm_key": key}
    with (
        database_url() as url,
        opened(settings_of(url, **changes), folder) as knowledge,
        with_locks(knowledge, Locks(predicate=predicate, row_security=row_security)) as locked,
    ):
        yield locked


@contextmanager
def answers_over_http(
    documents: str | None = None,
    *,
    embedder: Embedder = "hashing",
    strategy: settings.Strategy = "exact",
    predicate: bool = True,
    row_security: bool = True,
) -> Iterator[KnowledgeOverHttp]:
    """Give the same through the HTTP API on a loopback address, asked with one key for each set of departments.

    Args:
        documents: As for :func:`answers`, like the other arguments.
        embedder: Makes the vectors.
        strategy: Finds passages.
        predicate: Whether the statements ask for the departments.
        row_security: Whether the database does.
    """
    from eval.serving import over_http  # noqa: PLC0415  as above

    with (
        answers(
            documents, embedder=embedder, strategy=strategy, predicate=predicate, row_security=row_security
        ) as knowledge,
        over_http(knowledge) as target,
    ):
        yield target


@contextmanager
def collection(
    corpus: TextCorpus, k: int, *, embedder: Embedder = "hashing", strategy: settings.Strategy = "exact"
) -> Iterator[CollectionSearch]:
    """Give search over the texts of a collection, taken in as the service takes in files.

    Args:
        corpus: Its documents.
        k: How many of them are brought.
        embedder: Makes the vectors.
        strategy: Finds passages.
    """
    from eval.database import database_url  # noqa: PLC0415  as above
    from eval.knowledge import CollectionSearch, opened, settings_of  # noqa: PLC0415  as above

    with TemporaryDirectory() as name, database_url() as url:
        folder = Path(name)
        ids = dict(enumerate(corpus.documents))
        for number, id_ in ids.items():
            document = corpus.documents[id_]
            (folder / f"{number}.md").write_text(f"# {document.title}\n\n{document.text}\n", encoding="utf-8")
        with opened(settings_of(url, embedder=embedder, strategy=strategy), folder) as knowledge:
            yield CollectionSearch(knowledge, k, {f"{number}.md": id_ for number, id_ in ids.items()})
