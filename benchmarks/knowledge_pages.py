"""Whether the page that a question's answer is cited from is among the first five: PDFs, through ingest and search.

Run: ``python benchmarks/knowledge_pages.py FOLDER [--keep /tmp/vectors] [--misses]``

FOLDER holds ``docs/*.pdf`` and ``questions.jsonl`` with ``question`` and ``citations`` (``file``, ``page``). A question
counts where one of its cited pages is found: among the pages of the first five passages, which is what a reader sees,
and among the first five different pages. Without kept vectors e5 takes some minutes.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from knowledge_parts import embedder, save, throwaway_server, time_limit

from knowledge_search.domain import Scope
from knowledge_search.ingest import Ingest
from knowledge_search.parse import FileParser
from knowledge_search.store import (
    Database,
    ExactStrategy,
    FusionStrategy,
    LexicalStrategy,
    Maintenance,
    PostgresStore,
)

if TYPE_CHECKING:
    from knowledge_parts import Kept

    from knowledge_search.domain import Hit
    from knowledge_search.ingest.ingest import VersionedParser
    from knowledge_search.ports import Embedder, SearchStrategy
    from knowledge_search.store.postgres import EmbeddedServer

FIRST = 5
DEPTH = 50
WANTED = 0.70
LIMIT_S = 2400
Place = tuple[str, int | None]


class Question(NamedTuple):
    """A question and the pages that are cited for its answer."""

    text: str
    cited: frozenset[Place]


def questions(path: Path) -> list[Question]:
    """Read the questions that cite a page."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    read = [Question(each["question"], frozenset((c["file"], c["page"]) for c in each["citations"])) for each in lines]
    return [question for question in read if question.cited]


def places(hits: list[Hit]) -> list[Place]:
    """Return the pages of the passages, in order, repeated as they come."""
    return [(hit.chunk.source, hit.chunk.page) for hit in hits]


def interval(hits: int, count: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a rate (Wilson 1927)."""
    z, rate = 1.959964, hits / count
    middle = (rate + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * math.sqrt(rate * (1 - rate) / count + z * z / (4 * count * count))
    return middle - half, middle + half


def row(title: str, strategy: SearchStrategy, asked: list[Question], *, misses: bool) -> str:
    """Return the row of one strategy."""
    seen = different = 0
    reciprocal = []
    for question in asked:
        found = places(strategy.search(question.text, Scope.of(), DEPTH))
        seen += any(place in question.cited for place in found[:FIRST])
        pages = list(dict.fromkeys(found))
        ranks = [rank for rank, place in enumerate(pages, 1) if place in question.cited]
        different += bool(ranks) and ranks[0] <= FIRST
        reciprocal.append(1 / ranks[0] if ranks else 0.0)
        if misses and not (ranks and ranks[0] <= FIRST):
            print(f"{title}: {question.text!r} cites {sorted(question.cited)}, found {pages[:FIRST]}", file=sys.stderr)
    low, high = interval(different, len(asked))
    verdict = "reached" if different / len(asked) >= WANTED else "**missed**"
    return (
        f"| {title} | {seen}/{len(asked)} = {seen / len(asked):.2f} | {different}/{len(asked)} = "
        f"{different / len(asked):.2f} | {low:.2f} to {high:.2f} | {verdict} | "
        f"{math.fsum(reciprocal) / len(asked):.3f} |"
    )


def measure(server: EmbeddedServer, folder: Path, used: Embedder | Kept, *, misses: bool) -> None:
    """Take the PDFs in and print the rows of one embedder."""
    asked = questions(folder / "questions.jsonl")
    start = time.perf_counter()
    with Database(server.create_database(f"pages_{used.name}")) as database:
        parser = cast("VersionedParser", FileParser())  # its version is read-only
        report = Ingest(PostgresStore(database, used), parser, used).folder(folder / "docs", department="all")
        for question in asked:
            used.embed_query(question.text)
        save(used)
        Maintenance(database, used).analyze()
        chunks = sum(file.chunks for file in report.files)
        wall = time.perf_counter() - start
        print(f"{used.name}: {len(report.files)} PDFs, {chunks} passages, {wall:.0f} s", file=sys.stderr)
        strategies: list[tuple[str, SearchStrategy]] = [
            (f"exact, {used.name}", ExactStrategy(database, used)),
            (f"fusion, {used.name}", FusionStrategy(database, used)),
        ]
        if used.name == "e5":
            strategies.append(("lexical", LexicalStrategy(database, used)))
        for title, strategy in strategies:
            print(row(title, strategy, asked, misses=misses), flush=True)


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--keep", type=Path)
    arguments.add_argument("--misses", action="store_true", help="also name the questions that miss")
    given = arguments.parse_args()
    if not (given.folder / "questions.jsonl").is_file():
        sys.exit(f"{given.folder} holds no questions.jsonl")
    with time_limit(LIMIT_S), throwaway_server() as server:
        print("| strategy | pages of the first 5 passages | first 5 pages | 95 % interval | ≥ .70 | MRR of the page |")
        print("|---|---:|---:|---:|---|---:|")
        for name in ("e5", "hashing"):
            measure(server, given.folder, embedder(name, given.keep), misses=given.misses)


if __name__ == "__main__":
    main()
