"""Ingest into the real store."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from knowledge_search.domain import Scope
from knowledge_search.embed import HashingEmbedder
from knowledge_search.ingest import FileReport, Ingest
from knowledge_search.parse import FileParser
from knowledge_search.store import Database, ExactStrategy, PostgresStore

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

EVERYTHING = Scope.of("hr", "sales")


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """Give an open database."""
    with Database(database_url, readers=2, writers=3, timeout_s=30) as database:
        yield database


@pytest.fixture
def postgres(database: Database) -> PostgresStore:
    """Give an empty store."""
    store = PostgresStore(database, HashingEmbedder())
    store.prepare()
    return store


def test_the_samples_are_found_where_they_belong(database: Database, postgres: PostgresStore, samples: Path) -> None:
    """A page of the PDF is cited; a department's document is found by it alone; a second run changes nothing."""
    ingest = Ingest(postgres, FileParser(), HashingEmbedder())
    report = ingest.folder(samples, default="all")
    exact = ExactStrategy(database, HashingEmbedder())
    hotel = exact.search("東京23区と大阪市の宿泊費の上限はいくらですか", Scope.of(), 3)
    pay = {scope: exact.search("G1の月給", Scope.of(*scope), 20) for scope in ((), ("hr",))}

    assert (report.count("ingested"), len(postgres.documents(EVERYTHING))) == (11, 11)
    assert hotel[0].chunk.citation == "business-trip.pdf p.3"
    assert hotel[0].chunk.title_path == ("出張旅費規程", "第3章 宿泊費")
    assert [any(hit.chunk.source == "salary-grade.md" for hit in hits) for hits in pay.values()] == [False, True]
    assert ingest.folder(samples, default="all").count("unchanged") == 11


def test_two_ingests_of_one_file_at_once_leave_one_whole_document(postgres: PostgresStore) -> None:
    """Either version, never a mixture, and never two."""
    versions = [("甲の規程。" * 30 + "\n\n") * 40, ("乙の規程。" * 30 + "\n\n") * 30]
    reports: list[FileReport] = []

    def run(text: str) -> None:
        ingest = Ingest(postgres, FileParser(), HashingEmbedder())
        reports.extend(ingest.upload("a.txt", text.encode(), department="hr") for _ in range(3))

    threads = [threading.Thread(target=run, args=(text,)) for text in versions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert {report.status for report in reports} <= {"ingested", "unchanged"}
    (record,) = postgres.documents(EVERYTHING)
    chunks = postgres.chunks(record.id, EVERYTHING)
    assert len(chunks) == record.chunks
    assert len({chunk.text[0] for chunk in chunks}) == 1


def test_a_changed_file_leaves_no_trace_of_the_older_one(postgres: PostgresStore, tmp_path: Path) -> None:
    """Nor does one that moved to another department, or vanished."""
    ingest = Ingest(postgres, FileParser(), HashingEmbedder())
    path = tmp_path / "a.md"
    path.write_text("---\ndepartment: all\n---\n古い本文。", encoding="utf-8")
    (tmp_path / "b.txt").write_text("残る。", encoding="utf-8")
    ingest.folder(tmp_path, default="all")
    path.write_text("---\ndepartment: hr\n---\n新しい本文。", encoding="utf-8")
    ingest.folder(tmp_path, default="all")
    moved = [record.source for record in postgres.documents(Scope.of())]
    (record,) = [record for record in postgres.documents(EVERYTHING) if record.source == "a.md"]
    texts = [chunk.text for chunk in postgres.chunks(record.id, EVERYTHING)]
    path.unlink()
    pruned = ingest.folder(tmp_path, default="all", prune=True)

    assert (moved, texts, pruned.removed) == (["b.txt"], ["新しい本文。"], ("a.md",))
    assert postgres.sources() == ["b.txt"]
