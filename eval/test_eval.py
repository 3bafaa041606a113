"""The repository's own gate, run as a user would, and the faults that must turn it red."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from eval import faults
from sekisho import has_regression, load_cases, run_all, summarize
from sekisho.matching import contains

if TYPE_CHECKING:
    from eval.knowledge import Knowledge
    from sekisho import AnswerCase, Document

ROOT = Path(__file__).resolve().parents[1]


def run(*words: str) -> tuple[int, Any]:
    """Run the command in the repository and return its exit code and report."""
    command = [sys.executable, "-m", "sekisho", *words, "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    return done.returncode, json.loads(done.stdout)


def test_every_suite_of_this_repository_passes() -> None:
    """The reference retrievers are healthy on every corpus of the configuration."""
    code, report = run("check")

    assert code == 0
    assert {suite["verdict"] for suite in report["suites"]} == {"passed"}
    assert next(s for s in report["suites"] if s["name"] == "postgres-exact")["metrics"]["overlap@10"] == 1.0


def test_one_flipped_sign_turns_the_default_gate_red() -> None:
    """Ten results a query still come back, and recall is far below the gate."""
    code, report = run("check", "--target", "eval.faults:sign_flipped")

    assert code == 1
    assert report["suites"][0]["gate"][0]["holds"] is False
    assert all(len(case["retrieved"]) == 10 for case in report["suites"][0]["cases"])


@pytest.mark.parametrize(
    ("corpus", "least_fall", "most_fall"), [("raw", 0.0, 0.0), ("seed", 0.2, 0.3), ("calibrated", 0.15, 0.25)]
)
def test_a_dropped_rerank_is_seen_where_the_corpus_is_hard_enough(
    corpus: str, least_fall: float, most_fall: float
) -> None:
    """With raw centres nothing moves; with unit centres and on the calibrated corpus recall falls plainly."""
    code, report = run("compare", "two_stage", "two_stage?rerank=false", "--corpus", corpus)
    healthy, broken = (suite["metrics"]["recall@10"] for suite in report["suites"])

    assert code == 0
    assert least_fall <= healthy - broken <= most_fall


def test_a_target_that_raises_gives_no_verdict() -> None:
    """A crash is not a score: exit code 3, every case an error with its traceback."""
    code, report = run("check", "--target", "eval.faults:raises")
    errors = [case["error"] for case in report["suites"][0]["cases"]]

    assert code == 3
    assert {error["message"] for error in errors} == {"ConnectionError: connection refused"}
    assert "eval/faults/retrieval.py" in errors[0]["traceback"].replace("\\", "/")


@pytest.mark.parametrize("name", faults.__all__)
def test_every_fault_can_be_named_as_a_target(name: str) -> None:
    """As ``eval.faults:<name>``, wherever it is written down."""
    assert callable(getattr(faults, name))


CASE_FILES = ("cases.json", "cases-more.json")


def cases_of(*files: str) -> list[AnswerCase]:
    """Return the answer cases of files of this folder."""
    return [case for file in files for case in load_cases(ROOT / "eval" / file)]


def test_regression_suite_against_sample_docs(healthy: Knowledge) -> None:
    """The seven cases on the sample documents: no new failure; two lines make a test of any case file."""
    results = run_all(cases_of("cases.json"), healthy, suite="policies")

    assert not has_regression(results), summarize(results, lang="en")


def test_case_file_is_valid(healthy: Knowledge) -> None:
    """Ids are unique, and what is forbidden stands in documents that the asker may not see and in no other."""
    cases, documents = cases_of(*CASE_FILES), healthy.documents()
    ids = [case.id for case in cases]

    assert len(cases_of("cases.json")) == 7
    assert len(ids) == len(set(ids))
    for case in cases:
        visible = [one for one in documents if {*case.departments, "all"} & {*one.departments}]
        hidden = [one for one in documents if one not in visible]
        for text in case.forbid:
            assert holding(text, hidden), f"{case.id}: {text} protects nothing"
            assert not holding(text, visible), f"{case.id}: {text} may be seen"


def test_what_cases_expect_stands_in_the_sources_that_they_expect(healthy: Knowledge) -> None:
    """So that a case fails for what the service does, not for what the sample says."""
    documents = healthy.documents()
    for case in cases_of(*CASE_FILES):
        names = {source.partition(" p.")[0] for source in case.expect_source}
        sources = [one for one in documents if one.name in names]

        assert len(sources) == len(names), case.id
        for text in case.expect_text:
            assert holding(text, sources), f"{case.id}: {text}"


def test_cases_touch_every_sample_and_every_kind_of_refusal(healthy: Knowledge) -> None:
    """Each document is expected by a case, each that is hidden from somebody is forbidden to somebody."""
    cases, documents = cases_of(*CASE_FILES), healthy.documents()
    expected = {source.partition(" p.")[0] for case in cases for source in case.expect_source}
    forbidden = [one.name for one in documents if any(text in one.name for case in cases for text in case.forbid)]

    assert expected == {one.name for one in documents}
    assert forbidden == [one.name for one in documents if one.departments != ("all",)]
    for kind in ("off-topic", "missing"):
        refused = [case for case in cases if case.id.startswith(kind)]
        assert refused
        assert all(case.expect_not_found for case in refused)


def holding(text: str, documents: list[Document]) -> list[Document]:
    """Return the documents that a text stands in, as the judgment compares it."""
    return [one for one in documents if any(contains(part, text) for part in (one.name, one.title, one.text))]
