"""Documents are replaced whole, removed without a trace, and never half there."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
import psycopg
import pytest

from knowledge_search.domain import EmbedderError, Page, ParsedDocument, Piece, Scope, ScopeError, StoreError
from knowledge_search.store import LexicalStrategy, Maintenance, PostgresStore
from knowledge_search.store.identity import chunk_id, document_id

if TYPE_CHECKING:
    from knowledge_search.store import Database

    from .conftest import Put, WordEmbedder

TABLES = ("document", "chunk", "chunk_vector", "chunk_bits", "posting", "department_stat", "tree_node")
ALL = Scope.of()
HR = Scope.of("hr")


def contents(database: Database) -> dict[str, list]:
    """Return every row of every table that documents fill."""
    with database.writing() as connection:
        return {
            table: sorted(row[0] for row in connection.execute(f"SELECT ({table}.*)::text FROM {table}").fetchall())  # noqa: S608 - our names
            for table in TABLES
        }


def without_versions(found: dict[str, list]) -> dict[str, list]:
    """Return the contents without what only says when."""
    return {table: rows for table, rows in found.items() if table not in {"document", "department_stat"}}


def test_a_document_is_stored_as_it_was_given(store: PostgresStore) -> None:
    """Text, headings, page and offsets come back; ids follow the reading order."""
    pieces = [
        Piece(text="一枚目", title_path=("規程", "第1条"), start=0, end=3, page=1, page_label="i"),
        Piece(text="三枚目", title_path=(), start=5, end=8, page=3),
    ]
    pages = tuple(Page(text="x", number=number) for number in (1, 2, 3))
    document = ParsedDocument(title="規程", pages=pages, media_type="application/pdf")
    number = store.replace(
        source="rules.pdf", department="hr", document=document, content_hash="abc", pieces=pieces,
        vectors=np.eye(2, 64, dtype=np.float32),
    )  # fmt: skip

    record = store.document(number, HR)
    first, second = store.chunks(number, HR)

    assert (record.source, record.title, record.pages, record.chunks) == ("rules.pdf", "規程", 3, 2)
    assert (record.department, record.media_type, record.content_hash) == ("hr", "application/pdf", "abc")
    assert (first.text, first.title_path, first.page, first.page_label) == ("一枚目", ("規程", "第1条"), 1, "i")
    assert (second.text, second.title_path, second.start, second.end) == ("三枚目", (), 5, 8)
    assert (first.citation, first.id + 1) == ("rules.pdf p.1", second.id)
    assert store.content_hash("rules.pdf") == ("abc", "hr")
    assert store.sources() == ["rules.pdf"]


def test_what_may_not_be_seen_does_not_exist(store: PostgresStore, put: Put) -> None:
    """The same answers for a hidden document as for one that is not there."""
    hidden = put(store, "pay.md", "hr", "月給")

    assert store.documents(ALL) == []
    assert store.document(hidden, ALL) is store.document(hidden + 1, ALL) is None
    assert store.chunks(hidden, ALL) == store.chunks(hidden + 1, ALL) == []
    assert store.chunk(chunk_id(hidden, 0), ALL) is None


def test_ids_tell_nothing_of_other_documents(store: PostgresStore, put: Put) -> None:
    """An id comes from the source alone: not from a counter, whose gaps would count the hidden documents."""
    first = put(store, "a.md", "all", "一")
    put(store, "hidden.md", "hr", "二")
    last = put(store, "b.md", "all", "三")

    assert (first, last) == (document_id("a.md"), document_id("b.md"))
    assert chunk_id(last, 65535) < 2**53


def test_a_replaced_document_keeps_its_id_and_nothing_else(
    store: PostgresStore, put: Put, database: Database, embedder: WordEmbedder
) -> None:
    """The store then is what it would be had the older version never been there."""
    before = put(store, "a.md", "all", "古い本文一", "古い本文二")
    put(store, "b.md", "all", "別の文書")
    after = put(store, "a.md", "all", "新しい本文")
    replaced = without_versions(contents(database))
    store.remove("a.md")
    put(store, "a.md", "all", "新しい本文")

    assert before == after
    assert without_versions(contents(database)) == replaced
    assert [chunk.text for chunk in store.chunks(after, ALL)] == ["新しい本文"]
    assert all("古い" not in hit.chunk.text for hit in LexicalStrategy(database, embedder).search("古い本文", ALL, 9))


def test_a_removed_document_leaves_no_trace(
    store: PostgresStore, put: Put, database: Database, embedder: WordEmbedder
) -> None:
    """No row of any table, not even of what was derived: signs, terms, counts, summaries."""
    put(store, "a.md", "hr", *[f"月給は{number}万円" for number in range(20)])
    maintenance = Maintenance(database, embedder)
    maintenance.run("two_stage")
    maintenance.run("raptor")
    filled = contents(database)

    removed, again = store.remove("a.md"), store.remove("a.md")

    assert all(filled.values())
    assert (removed, again) == (True, False)
    assert contents(database) == {table: [] for table in TABLES}


def test_a_moved_document_takes_everything_with_it(
    store: PostgresStore, put: Put, database: Database, embedder: WordEmbedder
) -> None:
    """Another department: every row is filed there, the counts too, and the old department's summaries are gone."""
    put(store, "a.md", "all", *[f"月給は{number}万円" for number in range(20)])
    Maintenance(database, embedder).run("raptor")
    put(store, "a.md", "hr", *[f"月給は{number}万円" for number in range(20)])

    assert store.documents(ALL) == []
    assert len(store.documents(HR)) == 1
    with database.writing() as connection:
        for table in TABLES:
            found = connection.execute(f"SELECT DISTINCT department FROM {table}").fetchall()  # noqa: S608 - our names
            assert found in ([("hr",)], []), table
        assert connection.execute("SELECT chunks FROM department_stat").fetchall() == [(20,)]


class Breaking:
    """A tokenizer that breaks at the second passage."""

    name = "bigram"

    def __init__(self) -> None:
        self.calls = 0

    def terms(self, text: str) -> list[str]:
        """Return one term, once."""
        self.calls += 1
        if self.calls > 1:
            raise RuntimeError(text)
        return ["term"]


def test_a_crash_in_the_middle_leaves_the_old_version(
    store: PostgresStore, put: Put, database: Database, embedder: WordEmbedder
) -> None:
    """The transaction is undone, to the last row."""
    put(store, "a.md", "all", "古い本文一", "古い本文二")
    before = contents(database)

    with pytest.raises(RuntimeError):
        put(PostgresStore(database, embedder, tokenizer=Breaking()), "a.md", "all", "新しい本文一", "新しい本文二")

    assert contents(database) == before


class Killing(Breaking):
    """A tokenizer under which the server ends the session that writes."""

    def __init__(self, url: str) -> None:
        self.url = url

    def terms(self, text: str) -> list[str]:
        """End the session that is writing, and return a term."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
                " WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid()"
            )
        return [text]


def test_a_session_that_dies_in_the_middle_leaves_the_old_version(
    store: PostgresStore, put: Put, database: Database, database_url: str, embedder: WordEmbedder
) -> None:
    """The caller gets a StoreError, the old version stays, and the next write works."""
    put(store, "a.md", "all", "古い本文")
    before = contents(database)

    with pytest.raises(StoreError):
        put(PostgresStore(database, embedder, tokenizer=Killing(database_url)), "a.md", "all", "新しい本文")

    assert contents(database) == before
    assert put(store, "a.md", "all", "新しい本文") == document_id("a.md")


def test_two_replaces_of_one_source_at_once_leave_one_version(store: PostgresStore, put: Put) -> None:
    """One waits for the other; no mixture, no error, no double."""
    versions = [[f"版{version}の{part}" for part in range(30)] for version in range(6)]
    with ThreadPoolExecutor(6) as pool:
        ids = set(pool.map(lambda texts: put(store, "a.md", "all", *texts), versions))

    assert ids == {document_id("a.md")}
    assert [chunk.text for chunk in store.chunks(ids.pop(), ALL)] in versions
    assert len(store.documents(ALL)) == 1


def test_documents_moving_both_ways_at_once_do_not_block_each_other(
    store: PostgresStore, put: Put, database: Database
) -> None:
    """The counts of two departments are changed in one order, so there is no deadlock, and they add up."""

    def move(number: int) -> None:
        for turn in range(4):
            put(store, f"{number}.md", ("hr", "all")[(number + turn) % 2], "本文一", "本文二")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(move, range(4)))

    with database.writing() as connection:
        counted = connection.execute("SELECT department, chunks FROM department_stat ORDER BY 1").fetchall()
        real = connection.execute("SELECT department, count(*) FROM chunk GROUP BY 1 ORDER BY 1").fetchall()
    assert counted == real


def test_a_reader_never_sees_half_a_document(store: PostgresStore, put: Put) -> None:
    """While a document is replaced over and over, every read shows one whole version."""
    number = put(store, "a.md", "all", *["版0"] * 20)
    stop = threading.Event()
    seen = []

    def watch() -> None:
        while not stop.is_set():
            seen.append({chunk.text for chunk in store.chunks(number, ALL)})

    watcher = threading.Thread(target=watch)
    watcher.start()
    for version in range(1, 12):
        put(store, "a.md", "all", *[f"版{version}"] * 20)
    stop.set()
    watcher.join()

    assert len(seen) > 3
    assert all(len(texts) == 1 for texts in seen)


def test_hostile_text_is_kept_as_text(store: PostgresStore, put: Put) -> None:
    """Quotes, NUL, half a surrogate, statements: stored, found, and nothing else happens."""
    text = "'; DROP TABLE chunk; -- \0 \ud800 \\ {} %s $1 <chunk>"
    number = put(store, "a'; %s <chunk>\0.md", "all", text)

    assert store.chunks(number, ALL)[0].text == "'; DROP TABLE chunk; --  ? \\ {} %s $1 <chunk>"
    assert store.remove("a'; %s <chunk>\0.md")


def test_an_endless_word_can_be_indexed(
    store: PostgresStore, put: Put, database: Database, embedder: WordEmbedder
) -> None:
    """A term is cut to what an index entry can hold, in passage and question alike."""
    word = "x" * 9000
    put(store, "a.md", "all", word)

    assert LexicalStrategy(database, embedder).search(word, ALL, 1)[0].score > 0


def test_a_name_that_is_no_department_is_refused(store: PostgresStore, put: Put) -> None:
    """It is checked before anything is written."""
    with pytest.raises(ScopeError):
        put(store, "a.md", "HR,all", "本文")


def test_vectors_of_another_shape_are_refused(store: PostgresStore) -> None:
    """A passage without its vector would never be found."""
    document = ParsedDocument(title="a", pages=(Page(text="x"),), media_type="text/plain")
    with pytest.raises(ValueError, match="shape"):
        store.replace(
            source="a.md", department="all", document=document, content_hash="h",
            pieces=[Piece(text="x", title_path=(), start=0, end=1)], vectors=np.zeros((2, 64), np.float32),
        )  # fmt: skip


def test_another_embedder_is_refused_everywhere(
    store: PostgresStore, put: Put, database: Database, embedder: WordEmbedder
) -> None:
    """Vectors of two embedders cannot be compared: neither start-up, nor writing, nor searching goes on."""
    put(store, "a.md", "all", "本文")
    other = type(embedder)(fingerprint="words-2")
    stranger = PostgresStore(database, other)

    with pytest.raises(EmbedderError, match="reembed"):
        stranger.prepare()
    with pytest.raises(EmbedderError, match="reembed"):
        put(stranger, "b.md", "all", "本文")
    with pytest.raises(EmbedderError, match="reembed"):
        LexicalStrategy(database, other).search("本文", ALL, 3)


def test_of_two_embedders_that_start_at_once_one_is_refused(database: Database, embedder: WordEmbedder) -> None:
    """The store belongs to the first; the other is told, and never mixes its vectors in."""

    def start(number: int) -> str:
        try:
            return PostgresStore(database, type(embedder)(fingerprint=f"words-{number % 2}")).prepare().fingerprint
        except EmbedderError:
            return "refused"

    with ThreadPoolExecutor(4) as pool:
        outcomes = sorted(pool.map(start, range(4)))

    assert outcomes[:2] == ["refused", "refused"]
    assert outcomes[2] == outcomes[3]


def test_the_threshold_is_kept_with_its_embedder(store: PostgresStore) -> None:
    """None until it is calibrated."""
    assert store.embedder_record().max_distance is None
    store.calibrate(0.25)
    assert store.embedder_record().max_distance == 0.25
