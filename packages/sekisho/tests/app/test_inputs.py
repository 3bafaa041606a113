"""What a suite is measured on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sekisho.app.inputs import load_inputs
from sekisho.app.settings import CollectionFiles, RetrievalSuite
from sekisho.core.errors import SekishoError

if TYPE_CHECKING:
    from pathlib import Path

SMALL = {"topics": 2, "chunks_per_topic": 3, "queries_per_topic": 2, "dims": 8}


def suite(corpus: object, **settings: object) -> RetrievalSuite:
    """Return a suite on a corpus."""
    return RetrievalSuite(name="search", target="m:f", corpus=corpus, **settings)


def test_a_preset_is_found_by_its_name() -> None:
    """With what a report says about it."""
    inputs = load_inputs(suite("seed"))

    assert inputs.facts["name"] == "seed"
    assert (inputs.facts["documents"], inputs.facts["queries"]) == (240, 120)
    assert inputs.facts["parameters"]["seed"] == 42
    assert len(inputs.fingerprints["corpus"]) == 64


def test_a_corpus_of_its_own_takes_parameters() -> None:
    """Every document that a result may hold is known."""
    inputs = load_inputs(suite(SMALL, k=3))

    assert inputs.documents == frozenset(inputs.corpus.chunks.ids)
    assert len(inputs.cases) == 4
    assert all(case.neighbours is not None and case.neighbours.k == 3 for case in inputs.cases)


def test_a_preset_takes_another_seed_in_the_file() -> None:
    """It is a corpus of its own, with a fingerprint of its own."""
    one, other = load_inputs(suite({"preset": "seed"})), load_inputs(suite({"preset": "seed", "seed": 7}))

    assert one.fingerprints != other.fingerprints
    assert other.facts["parameters"]["seed"] == 7


@pytest.mark.parametrize(
    ("corpus", "words"),
    [
        ("calibratd", "calibrated"),
        ({"preset": "calibratd"}, "calibrated"),
        ({"preset": "seed", "topics": 3}, "topics"),
        ({"preset": 3}, "corpus.preset"),
        ({"preset": "real-vectors", "seed": 3}, "seed"),
        ({"topcs": 3}, "topics"),
        ({"seeed": 3}, "seed"),
        ({"topics": "three"}, "topics"),
        ({"topics": 2.0}, "topics"),
        ({"topics": True}, "topics"),
        ({"topics": 0}, "topics"),
        ({"topics": 10**30}, "random numbers"),
        ({"noise": float("nan")}, "noise"),
        ({"noise": float("inf")}, "noise"),
        ({"noise": -1}, "noise"),
        ({"noise": "aut"}, "noise"),
        ({"centres": "units"}, "unit"),
        ({"seed": "x"}, "seed"),
        ({"seed": 1.5}, "seed"),
    ],
)
def test_a_corpus_that_cannot_be_made_is_refused(corpus: object, words: str) -> None:
    """With the word that is wrong, or the one that was meant, in both languages."""
    with pytest.raises(SekishoError) as caught:
        load_inputs(suite(corpus))

    assert words in str(caught.value)
    assert caught.value.render("ja")


def test_a_seed_beyond_32_bits_is_a_warning_in_the_report() -> None:
    """Not a line of Python's on standard error."""
    inputs = load_inputs(suite({**SMALL, "seed": 2**32 + 42}))

    assert [warning.code for warning in inputs.warnings] == ["corpora.seed_wraps"]


@pytest.fixture
def collection(tmp_path: Path) -> CollectionFiles:
    """Return the files of a small collection."""
    (tmp_path / "c.jsonl").write_text('{"_id": "d1", "text": "猫"}\n{"_id": "d2", "text": "犬"}\n', encoding="utf-8")
    (tmp_path / "q.jsonl").write_text('{"_id": "q1", "text": "ねこ"}\n', encoding="utf-8")
    (tmp_path / "r.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\n", encoding="utf-8")
    return CollectionFiles(corpus=tmp_path / "c.jsonl", queries=tmp_path / "q.jsonl", qrels=tmp_path / "r.tsv")


def test_a_collection_is_read_from_its_files(collection: CollectionFiles) -> None:
    """Queries are text, and there are no exact neighbours to compare with."""
    inputs = load_inputs(suite(collection))

    assert inputs.facts["kind"] == "collection"
    assert [(case.id, case.query, case.neighbours) for case in inputs.cases] == [("q1", "ねこ", None)]
    assert inputs.documents == {"d1", "d2"}


def test_judgments_of_documents_that_do_not_exist_are_refused_unless_allowed(collection: CollectionFiles) -> None:
    """Every metric would silently be too low."""
    collection.qrels.write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td9\t1\n", encoding="utf-8")

    with pytest.raises(SekishoError, match="d9"):
        load_inputs(suite(collection))
    assert load_inputs(suite(collection, allow_missing=True)).warnings
