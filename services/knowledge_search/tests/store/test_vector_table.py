"""Plain vectors, searched by the statements that search the passages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from knowledge_search.store import VectorTable
from knowledge_search.store.strategies.nearest import EXACT, hnsw, ivfflat, two_stage

if TYPE_CHECKING:
    from knowledge_search.store import Database
    from knowledge_search.store.strategies.nearest import Method

METHODS = {"exact": EXACT, "ivfflat": ivfflat(), "hnsw": hnsw(), "two_stage": two_stage()}
GENERATOR = np.random.default_rng(7)
VECTORS = GENERATOR.normal(size=(400, 48)).astype(np.float32) + 0.5
QUERIES = GENERATOR.normal(size=(20, 48)).astype(np.float32) + 0.5
IDS = [f"doc-{number:03}" for number in range(400)]


def expected(queries: np.ndarray, k: int) -> list[list[str]]:
    """Return the nearest by cosine, computed here."""
    unit = VECTORS / np.linalg.norm(VECTORS, axis=1, keepdims=True)
    return [[IDS[at] for at in np.argsort(-(unit @ query), kind="stable")[:k]] for query in queries]


@pytest.mark.parametrize("name", METHODS)
def test_a_method_finds_the_nearest(name: str, database: Database) -> None:
    """Exact search all of them; the others at least nine of ten, without help from exact search."""
    with VectorTable(database, IDS, VECTORS, method=METHODS[name]) as table:
        found = table.retrieve_many(QUERIES)
        one = table.retrieve(QUERIES[0])
        topups = table.topups
    wanted = expected(QUERIES, 10)
    recall = np.mean([len({*ours} & {*theirs}) / 10 for ours, theirs in zip(found, wanted, strict=True)])

    assert one == found[0]
    assert all(len(set(ids)) == 10 for ids in found)
    assert topups == 0
    assert found == wanted if name == "exact" else recall >= 0.9


def test_equal_distances_are_ordered_by_id(database: Database) -> None:
    """Not by arrival; numbers as numbers."""
    with VectorTable(database, [10, 9, 2], np.ones((3, 4), np.float32), k=3) as table:
        assert table.retrieve(np.ones(4)) == [2, 9, 10]


def test_nothing_is_left_behind(database: Database) -> None:
    """The tables go with the corpus."""
    with VectorTable(database, ["a"], np.ones((1, 4), np.float32)):
        pass
    with database.writing() as connection:
        left = connection.execute("SELECT relname FROM pg_class WHERE relname LIKE 'vectors\\_%'").fetchall()

    assert left == []


@pytest.mark.parametrize("ids", [["a"], ["a", "a"]])
def test_ids_that_do_not_fit_are_refused(ids: list[str], database: Database) -> None:
    """One for each vector, each once."""
    with pytest.raises(ValueError, match="ids"):
        VectorTable(database, ids, np.ones((2, 4), np.float32))


@pytest.mark.parametrize("method", [ivfflat(), hnsw()], ids=["ivfflat", "hnsw"])
def test_an_approximate_method_is_measured_by_its_own_index(database: Database, method: Method) -> None:
    """However cheap a scan would be: exact search under another name could not turn a gate red."""
    vectors = np.random.default_rng(7).normal(size=(60, 8)).astype("float32")

    with VectorTable(database, list(range(60)), vectors, method=method) as table, table._reading() as reading:  # noqa: SLF001 - the plan of its own statement
        statement = f"EXPLAIN {table._nearest._statement}"  # noqa: SLF001 - as above
        plan = "\n".join(row[0] for row in reading.rows(statement, vector=vectors[0], k=10))

    assert f"_{method.index}" in plan
    assert "Seq Scan" not in plan
