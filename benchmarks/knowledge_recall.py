"""Recall and MRR of the knowledge search on real collections, through its own store and strategies.

Run: ``python benchmarks/knowledge_recall.py FOLDER [--keep /tmp/vectors] [COLLECTION]...``

FOLDER holds the collections (``jsquad/valid`` and so on), each with ``corpus.jsonl``, ``queries.jsonl`` and
``qrels.tsv``. Each passage is one document with one chunk in an embedded PostgreSQL, so that ids are those of the
judgements. Without kept vectors e5 takes about half an hour of CPU; ``--keep`` names a folder outside the repository.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from knowledge_parts import collection, embedder, save, throwaway_server, time_limit

from knowledge_search.domain import Page, ParsedDocument, Piece, Scope
from knowledge_search.store import (
    Database,
    ExactStrategy,
    FusionStrategy,
    LexicalStrategy,
    Maintenance,
    PostgresStore,
)

if TYPE_CHECKING:
    from knowledge_parts import Collection, Kept

    from knowledge_search.ports import Embedder, SearchStrategy
    from knowledge_search.store.postgres import EmbeddedServer

DEPTH = 10
LIMIT_S = 5400
LINES = {
    "jsquad/valid": (0.968, 0.927),
    "debian-faq/ja": (0.728, 0.471),
    "debian-faq/en": (0.714, 0.481),
    "xquad-en": (0.993, 0.953),
}
"""Recall@10 and MRR of a plain BM25 (k1 1.2, b 0.75, words and bigrams) on each collection."""
TARGETS = {
    ("jsquad/valid", "exact, e5"): (0.96, None),
    ("debian-faq/ja", "exact, e5"): (0.78, None),
    ("xquad-en", "exact, e5"): (0.99, None),
    ("jsquad/valid", "fusion, e5"): (0.98, 0.88),
    ("debian-faq/ja", "fusion, e5"): (0.80, None),
    **{(name, "lexical"): (recall, None) for name, (recall, _) in LINES.items()},
}
"""Recall@10 and MRR@10 that are wanted."""


class Quality(NamedTuple):
    """Means over the questions, and the time of one search."""

    recall: float
    reciprocal_rank: float
    wall_ms: float


def measured(strategy: SearchStrategy, given: Collection) -> Quality:
    """Return the quality of the first ten hits."""
    recalls, ranks, scope = [], [], Scope.of()
    start = time.perf_counter()
    for question, text in given.questions:
        relevant = given.relevant[question]
        found = [hit.chunk.source in relevant for hit in strategy.search(text, scope, DEPTH)]
        recalls.append(sum(found) / len(relevant))
        ranks.append(1 / (found.index(True) + 1) if any(found) else 0.0)
    count = len(given.questions)
    wall_ms = (time.perf_counter() - start) / count * 1000
    return Quality(math.fsum(recalls) / count, math.fsum(ranks) / count, wall_ms)


def fill(store: PostgresStore, used: Embedder | Kept, given: Collection) -> None:
    """Store each passage as a document."""
    for number, title, text in given.passages:
        piece = Piece(text=text, title_path=(title,) if title else (), start=0, end=len(text))
        document = ParsedDocument(title=title or number, pages=(Page(text=text),), media_type="text/plain")
        store.replace(
            source=number, department="all", document=document, content_hash=number, pieces=[piece],
            vectors=used.embed_passages([piece.searchable]),
        )  # fmt: skip


def rows(server: EmbeddedServer, name: str, given: Collection, kept: dict[str, Embedder | Kept]) -> None:
    """Print the rows of one collection."""
    for number, (label, used) in enumerate(kept.items()):
        for _, text in given.questions:
            used.embed_query(text)
        url = server.create_database(f"{name.replace('/', '_').replace('-', '_')}_{number}")
        with Database(url) as database:
            fill(PostgresStore(database, used), used, given)
            save(used)
            Maintenance(database, used).analyze()
            strategies: dict[str, SearchStrategy] = {f"exact, {label}": ExactStrategy(database, used)}
            if label == "e5":
                strategies["lexical"] = LexicalStrategy(database, used)
            strategies[f"fusion, {label}"] = FusionStrategy(database, used)
            for title, strategy in strategies.items():
                print(_row(name, title, measured(strategy, given)), flush=True)


def _row(name: str, strategy: str, quality: Quality) -> str:
    recall, rank = TARGETS.get((name, strategy), (None, None))
    line = LINES.get(name, (math.nan, math.nan))
    return (
        f"| {name} | {strategy} | {quality.recall:.4f}{_verdict(quality.recall, recall)} | "
        f"{quality.reciprocal_rank:.4f}{_verdict(quality.reciprocal_rank, rank)} | "
        f"{quality.recall / line[0]:.3f} | {quality.reciprocal_rank / line[1]:.3f} | {quality.wall_ms:.1f} |"
    )


def _verdict(value: float, wanted: float | None) -> str:
    if wanted is None:
        return ""
    return f" (≥ {wanted:.3g})" if value >= wanted else f" (**misses {wanted:.3g}**)"


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("collections", nargs="*", default=list(LINES))
    arguments.add_argument("--keep", type=Path)
    given = arguments.parse_args()
    missing = [name for name in given.collections if not (given.folder / name / "qrels.tsv").is_file()]
    if missing:
        sys.exit(f"{given.folder} does not hold {', '.join(missing)}")
    with time_limit(LIMIT_S), throwaway_server() as server:
        kept = {name: embedder(name, given.keep) for name in ("e5", "hashing")}
        print("| collection | strategy | recall@10 | MRR@10 | recall / BM25 line | MRR / BM25 line | ms a search |")
        print("|---|---|---:|---:|---:|---:|---:|")
        for name in given.collections:
            rows(server, name, collection(given.folder / name), kept)


if __name__ == "__main__":
    main()
