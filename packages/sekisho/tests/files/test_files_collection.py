"""Three files that must fit together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sekisho.adapters.files import load_text_collection
from sekisho.core.errors import InputFileError
from sekisho.core.messages import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Write = Callable[[str, str | bytes], Path]

CORPUS = "a\tfirst\nb\tsecond\n"
QUERIES = "q1\tone\nq2\ttwo\n"


def _load(write: Write, corpus: str, queries: str, qrels: str, **options: bool):  # noqa: ANN202  the collection
    return load_text_collection(write("c", corpus), write("q", queries), write("r", qrels), **options)


def _refusal(write: Write, corpus: str, queries: str, qrels: str, **options: bool) -> InputFileError:
    with pytest.raises(InputFileError) as caught:
        _load(write, corpus, queries, qrels, **options)
    for language in LANGUAGES:
        assert caught.value.render(language)
    return caught.value


def test_a_collection_becomes_one_case_a_query(write: Write) -> None:
    """The query is its text, the grades stay."""
    found = _load(write, CORPUS, QUERIES, "q1 0 a 1\nq1 0 b 0\nq2 0 b 2\n")

    assert [(case.id, case.query, case.relevant) for case in found.cases] == [
        ("q1", "one", {"a": 1, "b": 0}),
        ("q2", "two", {"b": 2}),
    ]
    assert found.warnings == ()
    assert found.documents["a"].text == "first"


def test_the_fingerprint_is_that_of_the_content(write: Write) -> None:
    """Not of its format or order; a changed text changes it."""
    qrels = "q1 0 a 1\nq2 0 b 2\n"
    first = _load(write, CORPUS, QUERIES, qrels).fingerprint
    again = _load(write, '{"b": "second", "a": "first"}', QUERIES, "q2 0 b 2\nq1 0 a 1.0\n").fingerprint
    other = _load(write, CORPUS.replace("first", "First"), QUERIES, qrels).fingerprint

    assert first == again != other
    assert len(first) == 64


def test_judged_documents_that_do_not_exist_are_refused(write: Write) -> None:
    """Counted and named: every metric would silently be too low."""
    error = _refusal(write, CORPUS, QUERIES, "q1 0 a 1\nq1 0 x 1\nq2 0 y 1\nq2 0 b 1\n")

    assert error.code == "files.unknown_documents_none"
    assert (error.values["count"], error.values["total"]) == (2, 4)
    assert error.values["examples"] == "'x', 'y'"


@pytest.mark.parametrize(
    ("document", "change"),
    [("doc-1", "padding"), ("Doc-01", "case"), ("doc -01", "space"), ("DOC- 1", "all"), ("other", "none")],
)
def test_the_spelling_that_would_match_is_named(write: Write, document: str, change: str) -> None:
    """Zero-padding, letter case and white space, each alone, then together."""
    error = _refusal(write, "doc-01\tx\n", "q\tone\n", f"q\t0\t{document}\t1\n")

    assert error.code == f"files.unknown_documents_{change}"
    assert error.values["matches"] == (change != "none")


def test_judged_queries_without_a_text_are_refused_or_left_out(write: Write) -> None:
    """All of them: always refused, since nothing would be left."""
    qrels = "q1 0 a 1\nq02 0 b 1\n"
    error = _refusal(write, CORPUS, QUERIES, qrels)
    allowed = _load(write, CORPUS, QUERIES, qrels, allow_missing=True)
    nothing = _refusal(write, CORPUS, QUERIES, "x 0 a 1\n", allow_missing=True)

    assert error.code == "files.unknown_queries_padding"
    assert [case.id for case in allowed.cases] == ["q1"]
    assert [note.code for note in allowed.warnings] == ["files.left_out_judged", "files.left_out_unjudged"]
    assert nothing.code == "files.unknown_queries_none"


def test_missing_documents_can_be_left_out(write: Write) -> None:
    """Their judgments go, and a query that then has nothing relevant goes with them."""
    found = _load(write, CORPUS, QUERIES, "q1 0 a 1\nq1 0 x 1\nq2 0 y 1\n", allow_missing=True)

    assert [(case.id, case.relevant) for case in found.cases] == [("q1", {"a": 1})]
    assert [note.code for note in found.warnings] == [
        "files.left_out_documents",
        "files.left_out_without_relevant",
        "files.left_out_unjudged",
    ]
    for note in found.warnings:
        assert note.render("en") != note.render("ja")


def test_a_query_without_a_relevant_document_is_a_broken_case(write: Write) -> None:
    """It is named."""
    error = _refusal(write, CORPUS, QUERIES, "q1 0 a 1\nq2 0 b 0\n")

    assert error.code == "files.without_relevant"
    assert error.values["examples"] == "'q2'"


def test_queries_without_judgments_are_left_out_and_counted(write: Write) -> None:
    """As BEIR's files hold the queries of all splits."""
    found = _load(write, CORPUS, QUERIES, "q1 0 a 1\n")

    assert list(found.queries) == ["q1"]
    assert found.warnings[0].render("en") == "1 of 2 queries have no judgments and were left out."
