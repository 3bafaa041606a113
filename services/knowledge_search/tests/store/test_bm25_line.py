"""Lexical search reaches the published line on real collections."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from knowledge_search.domain import Page, ParsedDocument, Piece, Scope
from knowledge_search.store import Database, LexicalStrategy, PostgresStore

if TYPE_CHECKING:
    from .conftest import WordEmbedder

DATA = Path(os.environ.get("SHARED_DATA", Path(__file__).parents[5] / "shared" / "data"))
LINES = {"debian-faq/ja": (0.728, 0.462), "debian-faq/en": (0.714, 0.470), "xquad-en": (0.993, 0.952)}
"""Recall@10, and MRR within the first ten."""


@pytest.mark.shared_data
@pytest.mark.skipif(not DATA.is_dir(), reason="the real collections are not here")
@pytest.mark.parametrize("name", LINES)
def test_lexical_search_reaches_the_line_of_plain_bm25(name: str, database_url: str, embedder: WordEmbedder) -> None:
    """A search below that is broken."""
    folder = DATA / name
    corpus = [json.loads(line) for line in (folder / "corpus.jsonl").read_text().splitlines()]
    queries = [json.loads(line) for line in (folder / "queries.jsonl").read_text().splitlines()][:400]
    relevant = dict(line.split("\t")[:2] for line in (folder / "qrels.tsv").read_text().splitlines()[1:])
    ranks = []
    with Database(database_url, readers=1, writers=1) as database:
        store = PostgresStore(database, embedder)
        for each in corpus:
            title = (each["title"],) if each.get("title") else ()
            piece = Piece(text=each["text"], title_path=title, start=0, end=len(each["text"]))
            store.replace(
                source=each["_id"], department="all", content_hash="-", pieces=[piece],
                document=ParsedDocument(title="-", pages=(Page(text="-"),), media_type="text/plain"),
                vectors=embedder.embed_passages([piece.searchable]),
            )  # fmt: skip
        strategy = LexicalStrategy(database, embedder)
        for query in queries:
            found = [hit.chunk.source for hit in strategy.search(query["text"], Scope.of(), 10)]
            wanted = relevant[query["_id"]]
            ranks.append(found.index(wanted) + 1 if wanted in found else 0)
    recall = sum(map(bool, ranks)) / len(ranks)
    reciprocal = sum(1 / rank for rank in ranks if rank) / len(ranks)

    assert recall >= LINES[name][0] - 0.0005
    assert reciprocal >= LINES[name][1] - 0.0005
