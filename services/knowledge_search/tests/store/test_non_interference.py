"""What a user may not see cannot influence what he sees."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg

from knowledge_search.domain import Scope
from knowledge_search.store import PostgresStore

if TYPE_CHECKING:
    from knowledge_search.store import Database

    from .conftest import Corpus, Strategies, WordEmbedder

SCOPE = Scope.of("sales")
QUESTIONS = ("等級3の月給はいくら", "値引き7%の承認", "休暇はいつ申請", "該当なし", "")
DETERMINISTIC = ("exact", "lexical", "fusion", "raptor")


def seen(name: str, database: Database, embedder: WordEmbedder, strategies: Strategies) -> str:
    """Return everything that a user of ``sales`` is shown, to the last digit."""
    strategy = strategies[name](database, embedder)
    store = PostgresStore(database, embedder)
    documents = store.documents(SCOPE)
    return repr(
        (
            [strategy.search(question, SCOPE, k) for question in QUESTIONS for k in (1, 5, 100)],
            documents,
            [store.chunks(document.id, SCOPE) for document in documents],
        )
    )


def test_deleting_what_is_hidden_changes_nothing(
    database_url: str, corpus_at: type[Corpus], strategies: Strategies
) -> None:
    """Ids, order, distances, scores, counts and text are equal to the byte, also after the tables were rewritten."""
    corpus = corpus_at(database_url).fill()
    with corpus.open() as database:

        def all_seen() -> dict[str, str]:
            return {name: seen(name, database, corpus.embedder, strategies) for name in DETERMINISTIC}

        before = all_seen()
        PostgresStore(database, corpus.embedder).remove("pay.md")
        after = all_seen()
        with psycopg.connect(database_url, autocommit=True) as connection:
            connection.execute("VACUUM FULL ANALYZE")
        vacuumed = all_seen()

    assert all("値引き" in each for each in before.values())
    assert after == before
    assert vacuumed == before


def test_a_store_that_never_had_what_is_hidden_shows_the_same(
    database_url: str, corpus: Corpus, corpus_at: type[Corpus], strategies: Strategies
) -> None:
    """Documents stored in another order, without the hidden one: no id, count or distance tells the difference."""
    visible = corpus_at(database_url).fill(without="pay.md", reverse=True)
    with corpus.open() as full, visible.open() as less:
        for name in DETERMINISTIC:
            assert seen(name, full, corpus.embedder, strategies) == seen(name, less, visible.embedder, strategies)
