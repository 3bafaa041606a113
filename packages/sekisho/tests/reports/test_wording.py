"""What the numbers say, in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from sekisho.reports import wording
from sekisho.reports.verdict import ALONE, verdict_text
from sekisho.retrieval import CaseResult, EvalReport, Finding, Structure

if TYPE_CHECKING:
    from collections.abc import Callable

    from sekisho.core.messages import Language
    from sekisho.gate import RetrievalSuiteResult, RunResult


def report(
    recall: float | None, ndcg: float | None = None, overlap: float | None = None, mrr: float = 1.0, **more: object
) -> EvalReport:
    """Return a report of which only the means count."""
    ndcg = recall if ndcg is None else ndcg
    return EvalReport(
        k=10, mean_recall=recall, mean_precision=recall, mrr=mrr, map=recall, mean_ndcg=ndcg, mean_overlap=overlap,
        **{"cases": (), "structure": Structure(), **more},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("measured", "code"),
    [
        (report(None), None),
        (report(0.99), "report.reading_good"),
        (report(0.9), "report.reading_left_out_in_order"),
        (report(0.4, mrr=0.3), "report.reading_left_out"),
        (report(0.9, 0.7), "report.reading_order"),
        (report(0.9, overlap=0.7), "report.reading_overlap"),
        (report(0.9, overlap=0.9), "report.reading_left_out_in_order"),
    ],
)
def test_the_metrics_together_make_one_sentence(measured: EvalReport, code: str | None) -> None:
    """The most telling one; a relevant document is said to stand on top only where it does."""
    assert [sentence.code for sentence in wording.readings(measured, failed=False)] == ([code] if code else [])


@pytest.mark.parametrize(("measured", "code"), [(report(0.9), "report.reading_left_out"), (report(0.99), None)])
def test_nothing_is_praised_where_the_gate_failed(measured: EvalReport, code: str | None) -> None:
    """What is left out is said, what stands well is not."""
    assert [sentence.code for sentence in wording.readings(measured, failed=True)] == ([code] if code else [])


STRANGERS = Structure(unknown=(Finding(case_id="q1", ids=("x",), count=1),))


@pytest.mark.parametrize(
    ("measured", "code"),
    [
        (report(0.0), "report.reading_nothing"),
        (report(0.0, documents_known=True), "report.reading_nothing_known"),
        (report(0.0, documents_known=True, structure=STRANGERS), "report.reading_nothing"),
        (report(0.0, cases=(CaseResult(id="q1", query="", recall=0.0),)), None),
        (
            report(0.0, documents_known=True, cases=(CaseResult(id="q1", query="", recall=0.0, retrieved=("d1",)),)),
            "report.reading_nothing_known",
        ),
    ],
)
def test_a_recall_of_0_points_to_what_can_be_behind_it(measured: EvalReport, code: str | None) -> None:
    """Ids are doubted only where they may be wrong; where nothing came back at all, the structure says so."""
    assert [sentence.code for sentence in wording.readings(measured, failed=True)] == ([code] if code else [])


@pytest.mark.parametrize(
    ("measured", "said"),
    [(report(0.9, overlap=0.99), True), (report(0.9, overlap=0.98), False), (report(0.96, overlap=1.0), False)],
)
def test_a_hard_corpus_is_told_from_a_lossy_index(measured: EvalReport, *, said: bool) -> None:
    """Where the exact neighbours came back, exact search would have left out as much."""
    codes = [sentence.code for sentence in wording.readings(measured, failed=False)]

    assert ("report.reading_exact" in codes) == said


@pytest.mark.parametrize(
    ("after", "code"),
    [
        (report(None), "report.direction_unmeasured"),
        (report(0.7), "report.direction_less"),
        (report(0.9), "report.direction_more"),
        (report(0.8, 0.7), "report.direction_lower"),
        (report(0.8, 0.9), "report.direction_higher"),
        (report(0.8, overlap=0.7), "report.direction_other_neighbours"),
        (report(0.8, overlap=0.9), "report.direction_closer"),
        (report(0.81), "report.direction_level"),
    ],
)
def test_one_sentence_names_the_direction(after: EvalReport, code: str) -> None:
    """Recall first, then the order, then the neighbours; small differences count as level."""
    assert wording.direction("b", after, "a", report(0.8, overlap=0.8)).code == code


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("kind", ["synthetic", "vectors", "collection"])
def test_every_kind_of_corpus_says_what_it_cannot(
    make_suite: Callable[..., RetrievalSuiteResult], kind: str, language: Language
) -> None:
    """No report without its limits."""
    suite = make_suite({key: ["d0"] for key in ("出張の上限は？", "Who approves a trip?", "退職金の計算")})
    suite = msgspec.structs.replace(suite, corpus={**suite.corpus, "kind": kind})

    assert wording.not_measured(suite).render(language)


def test_the_worst_measured_case_comes_first(runs: dict[str, RunResult]) -> None:
    """Neither a perfect case nor one without a measurement is among them."""
    assert wording.worst_first(runs["not measured"].suites[0].report) == []
    assert [case.id for case in wording.worst_first(runs["failed"].suites[0].report)] == ["q2", "q3", "q1"]


def test_the_verdict_names_the_suites_that_decide_it(runs: dict[str, RunResult]) -> None:
    """And no other."""
    assert verdict_text(runs["not measured"], "en").startswith("NO VERDICT: policies could not")


FAILURES: dict[Language, str] = {
    "en": """\
FAILED: by-vectors (recall@2 0.5000 < 0.6). Search is below the gate; exit code 1. \
One case again: sekisho check by-vectors --case q2""",
    "ja": """\
不合格: by-vectors（recall@2 0.5000 < 0.6）。検索が合格条件を下回っています。終了コード 1。\
1 件だけ再実行: sekisho check by-vectors --case q2""",
}


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_failure_shows_its_numbers_and_the_way_to_one_case(runs: dict[str, RunResult], language: Language) -> None:
    """No change is blamed: there may be none."""
    assert verdict_text(runs["mixed"], language) == FAILURES[language]


def test_the_command_for_one_case_has_the_options_of_the_run(runs: dict[str, RunResult]) -> None:
    """A target without suites is named by its option; words are quoted for a shell."""
    assert "again: sekisho check by-vectors -k 2 --case q2" in verdict_text(runs["mixed"], "en", options=("-k", "2"))
    options = ("--target", "a b:c")
    assert verdict_text(runs["mixed"], "en", options=options).endswith(
        "again: sekisho check by-vectors --target 'a b:c' --case q2"
    )
    alone = tuple(msgspec.structs.replace(suite, name=ALONE) for suite in runs["mixed"].suites)
    assert verdict_text(msgspec.structs.replace(runs["mixed"], suites=alone), "en", options=options).endswith(
        "again: sekisho check --target 'a b:c' --case q2"
    )
    assert "again" not in verdict_text(runs["mixed"], "en", options=("--config", "x" * 500))


def test_malformed_results_alone_are_not_called_a_low_score(
    make_suite: Callable[..., RetrievalSuiteResult], make_run: Callable[..., RunResult]
) -> None:
    """The case to run again is one of them."""
    found = {"出張の上限は？": ["d0", "d1"], "Who approves a trip?": ["d2", "d3", "d3"], "退職金の計算": ["d4", "d5"]}

    text = verdict_text(make_run(make_suite(found), make_suite(found, "other")), "en")

    assert text == (
        "FAILED: policies (structure.duplicate: 1), other (structure.duplicate: 1). Results are malformed; "
        "exit code 1. One case again: sekisho check policies --case q2"
    )
