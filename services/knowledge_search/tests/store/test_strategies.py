"""What each strategy finds."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest

from knowledge_search.domain import Scope
from knowledge_search.search.tokens import BigramTokenizer
from knowledge_search.store import (
    Database,
    ExactStrategy,
    FusionStrategy,
    HnswStrategy,
    IvfFlatStrategy,
    LexicalStrategy,
    Maintenance,
    PostgresStore,
    RaptorStrategy,
    TwoStageStrategy,
)
from knowledge_search.store.strategies.nearest import hnsw

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from .conftest import Corpus, Dense, Passages, Put, Strategies, WordEmbedder

ALL = Scope.of()
HR = Scope.of("hr")
EVERYTHING = Scope.of("hr", "sales")
QUESTION = "等級3の月給はいくら"
DENSE = (IvfFlatStrategy, HnswStrategy, TwoStageStrategy)
NAMES = ("exact", "ivfflat", "hnsw", "two_stage", "lexical", "fusion", "raptor")


@pytest.fixture(scope="module")
def filled(corpus: Corpus) -> Iterator[Database]:
    """Give the corpus, open with both locks."""
    with corpus.open() as database:
        yield database


@pytest.fixture(scope="module")
def passages(filled: Database, corpus: Corpus) -> Passages:
    """Give every passage with its vector."""
    store = PostgresStore(filled, corpus.embedder)
    chunks = [chunk for each in store.documents(EVERYTHING) for chunk in store.chunks(each.id, EVERYTHING)]
    texts = ["\n".join((" > ".join(chunk.title_path), chunk.text)) for chunk in chunks]
    return chunks, texts, corpus.embedder.embed_passages(texts)


@pytest.mark.parametrize("name", NAMES)
def test_every_hit_carries_the_cosine_distance(
    name: str, filled: Database, corpus: Corpus, strategies: Strategies, passages: Passages
) -> None:
    """Whatever ranked it: 1 - cosine between question and passage, computed here from the vectors."""
    chunks, _, vectors = passages
    cosine = dict(zip((chunk.id for chunk in chunks), vectors @ corpus.embedder.embed_query(QUESTION), strict=True))
    hits = strategies[name](filled, corpus.embedder).search(QUESTION, EVERYTHING, 36)

    assert len(hits) == 36
    for hit in hits:
        assert hit.distance == pytest.approx(1 - cosine[hit.chunk.id], abs=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_scores_fall_from_hit_to_hit(name: str, filled: Database, corpus: Corpus, strategies: Strategies) -> None:
    """Best first, and equal scores by chunk id."""
    hits = strategies[name](filled, corpus.embedder).search(QUESTION, EVERYTHING, 20)
    scores = [hit.score for hit in hits]

    assert scores == sorted(scores, reverse=True)
    assert len({hit.chunk.id for hit in hits}) == 20


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("question", ["", "?!", "zzz", "'; DROP TABLE chunk; -- \0"])
def test_any_question_has_an_answer(
    name: str, question: str, filled: Database, corpus: Corpus, strategies: Strategies
) -> None:
    """Also one without a term, whose vector has no direction: as many passages as are wanted, distances as numbers."""
    hits = strategies[name](filled, corpus.embedder).search(question, HR, 5)

    assert len(hits) == 5
    assert all(0 <= hit.distance <= 2 for hit in hits)


@pytest.mark.parametrize("name", NAMES)
def test_fewer_passages_than_wanted_are_all_found(
    name: str, filled: Database, corpus: Corpus, strategies: Strategies
) -> None:
    """Twelve are visible to all."""
    assert len(strategies[name](filled, corpus.embedder).search(QUESTION, ALL, 50)) == 12


def test_exact_search_ranks_as_numpy_does(filled: Database, corpus: Corpus, passages: Passages) -> None:
    """The distances computed here rise along the result, up to what single precision leaves open."""
    chunks, _, vectors = passages
    cosine = vectors.astype(np.float64) @ corpus.embedder.embed_query(QUESTION).astype(np.float64)
    distance = dict(zip((chunk.id for chunk in chunks), 1 - cosine, strict=True))
    hits = ExactStrategy(filled, corpus.embedder).search(QUESTION, EVERYTHING, 12)
    found = [distance[hit.chunk.id] for hit in hits]

    assert all(after > before - 1e-6 for before, after in pairwise(found))
    assert found == pytest.approx(sorted(distance.values())[:12], abs=1e-6)


def test_equal_passages_are_ordered_by_id(
    store: PostgresStore, put: Put, database: Database, embedder: WordEmbedder
) -> None:
    """Whatever the order in which they came."""
    for source in ("c.md", "a.md", "b.md"):
        put(store, source, "all", "?", "?")
    hits = ExactStrategy(database, embedder).search("同じ", ALL, 6)
    ids = [hit.chunk.id for hit in hits]

    assert all(
        (before.distance, before.chunk.id) < (after.distance, after.chunk.id) for before, after in pairwise(hits)
    )
    assert len(set(ids)) == 6
    assert len({hit.distance for hit in hits}) <= 3


@pytest.mark.parametrize("strategy", DENSE)
def test_an_approximate_strategy_agrees_with_exact_search_here(
    strategy: Dense, filled: Database, corpus: Corpus
) -> None:
    """On 36 passages each of them reaches all, with its index in place."""
    found = strategy(filled, corpus.embedder)
    exact = ExactStrategy(filled, corpus.embedder).search(QUESTION, EVERYTHING, 5)
    hits = found.search(QUESTION, EVERYTHING, 5)

    assert [round(hit.distance, 6) for hit in hits] == [round(hit.distance, 6) for hit in exact]
    assert found.topups == 0


@pytest.mark.parametrize("strategy", DENSE)
def test_an_approximate_strategy_without_its_index_is_exact_search(
    strategy: Dense, store: PostgresStore, put: Put, database: Database, embedder: WordEmbedder
) -> None:
    """Nothing was built: exact search answers, and it is counted."""
    put(store, "a.md", "all", "休暇", "経費", "出張")
    found = strategy(database, embedder)

    assert found.search("休暇", ALL, 2) == ExactStrategy(database, embedder).search("休暇", ALL, 2)
    assert found.topups == 1


def test_the_index_is_used_and_few_rows_have_none(corpus: Corpus) -> None:
    """An index comes with enough rows only; where it is, the statement can walk it."""
    with corpus.open() as database, database.writing() as connection:
        connection.execute("SET LOCAL enable_seqscan = off")
        connection.execute("SET LOCAL enable_sort = off")
        plan = connection.execute(
            "EXPLAIN SELECT chunk_id FROM chunk_vector ORDER BY embedding::vector(64) <=> %s LIMIT 3",
            [np.ones(64, np.float32)],
        ).fetchall()
    assert "chunk_vector_hnsw" in str(plan) or "chunk_vector_ivfflat" in str(plan)
    with corpus.open() as database:
        assert Maintenance(database, corpus.embedder, minimum_rows=36).index("hnsw") == "hnsw"


def test_settings_are_those_of_the_transaction(filled: Database) -> None:
    """They are read back, since an old pgvector would only warn, and they end with the transaction."""
    settings = hnsw(ef_search=77).settings
    with filled.reading(ALL, settings=settings) as reading:
        inside = reading.rows("SELECT current_setting('hnsw.ef_search'), current_setting('hnsw.iterative_scan')")
    with filled.reading(ALL) as reading:
        after = reading.rows("SELECT current_setting('hnsw.ef_search')")

    assert inside == [("77", "relaxed_order")]
    assert after == [("40",)]


def bm25(texts: list[str], question: str) -> list[float]:
    """Return the BM25 score of each text by the formula, k1 1.2 and b 0.75."""
    terms = [BigramTokenizer().terms(text) for text in texts]
    average = sum(map(len, terms)) / len(terms)
    scores = []
    for own in terms:
        counted = Counter(own)
        score = 0.0
        for term in BigramTokenizer().terms(question):
            documents = sum(term in other for other in terms)
            rarity = math.log(1 + (len(texts) - documents + 0.5) / (documents + 0.5))
            weight = counted[term] + 1.2 * (1 - 0.75 + 0.75 * len(own) / average)
            score += rarity * counted[term] * 2.2 / weight
        scores.append(score)
    return scores


@pytest.mark.parametrize("departments", [(), ("hr",), ("hr", "sales")])
def test_lexical_search_is_bm25_over_the_visible_passages(
    departments: tuple[str, ...], filled: Database, corpus: Corpus, passages: Passages
) -> None:
    """Frequencies, number and average length are those of the visible departments: the formula over these alone."""
    scope = Scope.of(*departments)
    chunks, texts, _ = passages
    visible = [at for at, chunk in enumerate(chunks) if chunk.department in scope.departments]
    expected = bm25([texts[at] for at in visible], QUESTION + "等級")
    hits = LexicalStrategy(filled, corpus.embedder).search(QUESTION + "等級", scope, 36)

    assert {hit.chunk.id: pytest.approx(hit.score, abs=1e-6) for hit in hits} == {
        chunks[at].id: score for at, score in zip(visible, expected, strict=True)
    }


def test_fusion_follows_its_weights(filled: Database, corpus: Corpus) -> None:
    """With one ranking weighing nothing, the order is that of the other."""
    dense = FusionStrategy(filled, corpus.embedder, lexical=0).search(QUESTION, EVERYTHING, 9)
    lexical = FusionStrategy(filled, corpus.embedder, dense=0).search(QUESTION, EVERYTHING, 3)

    exact = ExactStrategy(filled, corpus.embedder).search(QUESTION, EVERYTHING, 9)
    ranked = LexicalStrategy(filled, corpus.embedder).search(QUESTION, EVERYTHING, 3)
    assert [hit.chunk.id for hit in dense] == [hit.chunk.id for hit in exact]
    assert [hit.chunk.id for hit in lexical] == [hit.chunk.id for hit in ranked]


def test_a_summary_leads_to_passages(filled: Database, corpus: Corpus) -> None:
    """Asked with a summary's own words, its passages come first: each a real passage with a source."""
    with filled.writing() as connection:
        text, leaves = connection.execute(
            "SELECT text, leaf_ids FROM tree_node WHERE department = 'hr' ORDER BY level, ordinal LIMIT 1"
        ).fetchone()
    hits = RaptorStrategy(filled, corpus.embedder).search(text, HR, 3)

    assert hits[0].chunk.id in leaves
    assert all(hit.chunk.source.endswith(".md") for hit in hits)


def test_a_change_takes_the_tree_of_its_department_only(
    store: PostgresStore, put: Put, database: Database, embedder: WordEmbedder
) -> None:
    """Summaries of the older passages go in the same transaction; the next maintenance builds that one tree."""
    for source, department in (("a.md", "all"), ("b.md", "hr")):
        put(store, source, department, *[f"{department}の規程{number}" for number in range(12)])
    maintenance = Maintenance(database, embedder)
    first = maintenance.run("raptor").trees
    put(store, "c.md", "hr", "新しい規程")
    second = maintenance.run("raptor").trees

    assert (first, second) == (("all", "hr"), ("hr",))


def test_a_tree_of_passages_that_changed_meanwhile_is_not_kept(
    store: PostgresStore, put: Put, database: Database, embedder: WordEmbedder
) -> None:
    """A document is removed while its department's summaries are being written: they do not come back with it."""
    put(store, "a.md", "hr", *[f"月給は{number}万円" for number in range(12)])

    class Removing(type(embedder)):
        def embed_passages(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
            store.remove("a.md")
            return super().embed_passages(texts)

    built = Maintenance(database, Removing()).run("raptor").trees

    assert built == ()
    with database.writing() as connection:
        assert connection.execute("SELECT count(*) FROM tree_node").fetchone() == (0,)


def test_signs_are_kept_for_documents_that_come_later(
    store: PostgresStore, put: Put, database: Database, embedder: WordEmbedder
) -> None:
    """After the mean is known, a new document is found in two stages at once."""
    put(store, "a.md", "all", *[f"規程{number}" for number in range(9)])
    Maintenance(database, embedder).run("two_stage")
    put(store, "b.md", "all", "月給は三十万円")
    strategy = TwoStageStrategy(database, embedder)

    assert strategy.search("月給は三十万円", ALL, 1)[0].chunk.source == "b.md"
    assert strategy.topups == 0


def test_long_vectors_are_stored_and_searched(database_url: str, put: Put, embedder: WordEmbedder) -> None:
    """3,072 dimensions do not fit a page: they are moved out of line, and not indexed, but found."""
    long = type(embedder)(dimensions=3072)
    with Database(database_url, readers=1, writers=1) as database:
        store = PostgresStore(database, long)
        put(store, "a.md", "all", "休暇の申請", "経費の精算")
        built = Maintenance(database, long, minimum_rows=1).index("hnsw")

        assert HnswStrategy(database, long).search("経費の精算", ALL, 1)[0].chunk.text == "経費の精算"
    assert built is None
