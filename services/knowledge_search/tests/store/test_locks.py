"""Each lock alone keeps every read within its scope; without both, the same reads leak."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg
import pytest

from knowledge_search.domain import Scope
from knowledge_search.store import PostgresStore
from knowledge_search.store.visible import GUARDED, Locks

if TYPE_CHECKING:
    from knowledge_search.store import Database

    from .conftest import Corpus, Strategies

HOLDING = {
    "both": Locks(),
    "predicate alone": Locks(row_security=False),
    "row security alone": Locks(predicate=False),
}
NONE = Locks(predicate=False, row_security=False)
SCOPE = Scope.of("sales")
STRATEGIES = ("exact", "ivfflat", "hnsw", "two_stage", "lexical", "fusion", "raptor")
READS = ("documents", "document", "chunks", "chunk", *STRATEGIES)


def read(name: str, database: Database, corpus: Corpus, strategies: Strategies) -> str:
    """Return all that a read shows of the pay table, asked for by someone of another department."""
    store = PostgresStore(database, corpus.embedder)
    everything = Scope.of("hr", "sales")
    if name in STRATEGIES:
        return repr(strategies[name](database, corpus.embedder).search("等級3の月給はいくら", SCOPE, 40))
    if name == "documents":
        return repr(store.documents(SCOPE))
    hidden = next(each.id for each in store.documents(everything) if each.source == "pay.md")
    if name == "document":
        return repr(store.document(hidden, SCOPE))
    if name == "chunks":
        return repr(store.chunks(hidden, SCOPE))
    return repr(store.chunk(store.chunks(hidden, everything)[0].id, SCOPE))


@pytest.mark.parametrize("name", READS)
@pytest.mark.parametrize("locks", HOLDING)
def test_a_read_shows_nothing_of_another_department(
    name: str, locks: str, corpus: Corpus, strategies: Strategies
) -> None:
    """With both locks, and with either one alone, neither text nor title nor source of a hidden document is read."""
    with corpus.open(HOLDING[locks]) as database:
        seen = read(name, database, corpus, strategies)

    assert "pay.md" not in seen
    assert "月給" not in seen


@pytest.mark.parametrize("name", READS)
def test_a_read_without_both_locks_leaks(name: str, corpus: Corpus, strategies: Strategies) -> None:
    """So the tests above can fail: with both locks out, each of these reads shows the hidden document."""
    with corpus.open(NONE) as database:
        seen = read(name, database, corpus, strategies)

    assert "pay.md" in seen


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize("locks", HOLDING)
def test_a_search_finds_all_that_is_visible(name: str, locks: str, corpus: Corpus, strategies: Strategies) -> None:
    """A hidden topic never makes a result come back short: 24 passages are visible, 24 are found."""
    with corpus.open(HOLDING[locks]) as database:
        hits = strategies[name](database, corpus.embedder).search("等級3の月給はいくら", SCOPE, 40)

    assert {hit.chunk.department for hit in hits} == {"all", "sales"}
    assert len({hit.chunk.id for hit in hits}) == len(hits) == 24


@pytest.mark.parametrize("table", GUARDED)
def test_row_security_binds_a_bare_statement(table: str, corpus: Corpus) -> None:
    """A statement that forgets the predicate still reads only the departments of its transaction."""
    with corpus.open() as database, database.reading(SCOPE) as reading:
        departments = {row[0] for row in reading.rows(f"SELECT DISTINCT department FROM {table}")}  # noqa: S608 - our names

    assert departments == {"all", "sales"}


@pytest.mark.parametrize("table", GUARDED)
def test_the_departments_end_with_their_transaction(table: str, corpus: Corpus) -> None:
    """The next user of a pooled connection starts without departments, and without departments there are no rows."""
    with corpus.open() as database:
        with database.reading(Scope.of("hr", "sales")):
            pass
        with database._readers.connection() as connection:  # noqa: SLF001 - what the pool gives
            rows = connection.execute(f"SELECT 1 FROM {table}".encode()).fetchall()  # noqa: S608 - our names

    assert rows == []


@pytest.mark.parametrize("setting", ["{", "hr", "{hr", "{NULL}", "{}"])
def test_departments_that_cannot_be_read_show_nothing(setting: str, corpus: Corpus) -> None:
    """Lock two fails closed: no rows, or an error, but never a row too many."""
    with corpus.open() as database, database.reading(SCOPE) as reading:
        reading.rows("SELECT set_config('app.departments', %(setting)s, true)", setting=setting)
        try:
            rows = reading.rows("SELECT 1 FROM chunk")
        except psycopg.DataError:
            rows = []
            reading.connection.rollback()

    assert rows == []


@pytest.mark.parametrize("table", ["api_key", "audit_log", "migration"])
def test_a_reader_cannot_read_what_serves_the_service(table: str, corpus: Corpus) -> None:
    """Keys and the audit log are closed to the reading role, whatever statement it runs."""
    with (
        corpus.open() as database,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
        database.reading(SCOPE) as reading,
    ):
        reading.rows(f"SELECT 1 FROM {table}")  # noqa: S608 - our names


def test_a_reader_cannot_write(corpus: Corpus) -> None:
    """The reading role may not change a row, and its transactions are read-only besides."""
    with corpus.open() as database, pytest.raises(psycopg.Error), database.reading(SCOPE) as reading:
        reading.rows("DELETE FROM document RETURNING id")


def test_a_tree_node_quotes_one_department_only(corpus: Corpus) -> None:
    """Summaries are made of the passages of their own department, so none can mix them."""
    with corpus.open() as database, database.writing() as connection:
        rows = connection.execute(
            "SELECT n.department, n.text, array_agg(DISTINCT c.department) FROM tree_node n"
            " JOIN chunk c ON c.id = ANY(n.leaf_ids) GROUP BY 1, 2"
        ).fetchall()

    assert {row[0] for row in rows} == {"all", "hr", "sales"}
    for department, text, leaves in rows:
        assert leaves == [department]
        assert ("月給" in text) == (department == "hr")
        assert ("値引き" in text) == (department == "sales")
