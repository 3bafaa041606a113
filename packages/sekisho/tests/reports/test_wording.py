"""What the numbers say, in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from sekisho.reports import wording
from sekisho.retrieval import EvalReport, Structure

if TYPE_CHECKING:
    from collections.abc import Callable

    from sekisho.core.messages import Language
    from sekisho.gate import RunResult, SuiteResult


def report(
    recall: float | None, ndcg: float | None = None, overlap: float | None = None, mrr: float = 1.0
) -> EvalReport:
    """Return a report of which only the means count."""
    ndcg = recall if ndcg is None else ndcg
    return EvalReport(
        k=10, mean_recall=recall, mean_precision=recall, mrr=mrr, map=recall, mean_ndcg=ndcg, mean_overlap=overlap,
        cases=(), structure=Structure(),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("measured", "code"),
    [
        (report(None), None),
        (report(0.0), "report.reading_nothing"),
        (report(0.99), "report.reading_good"),
        (report(0.9), "report.reading_left_out_in_order"),
        (report(0.4, mrr=0.3), "report.reading_left_out"),
        (report(0.9, 0.7), "report.reading_order"),
        (report(0.9, overlap=0.7), "report.reading_overlap"),
        (report(0.9, overlap=0.9), "report.reading_left_out_in_order"),
    ],
)
def test_the_metrics_together_make_one_sentence(measured: EvalReport, code: str | None) -> None:
    """The most telling one; good order is claimed only where a relevant document stands first."""
    sentence = wording.reading(measured)

    assert (sentence and sentence.code) == code


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
    make_suite: Callable[..., SuiteResult], kind: str, language: Language
) -> None:
    """No report without its limits."""
    suite = make_suite({key: ["d0"] for key in ("出張の上限は？", "Who approves a trip?", "退職金の計算")})
    suite = msgspec.structs.replace(suite, corpus={**suite.corpus, "kind": kind})

    assert wording.not_measured(suite).render(language)


def test_errors_come_first_then_the_worst(runs: dict[str, RunResult]) -> None:
    """A perfect case is not among them."""
    assert [case.id for case in wording.worst_first(runs["not measured"].suites[0].report)] == ["q2"]
    assert [case.id for case in wording.worst_first(runs["failed"].suites[0].report)] == ["q2", "q3", "q1"]


def test_the_verdict_names_the_suites_that_decide_it(runs: dict[str, RunResult]) -> None:
    """And no other."""
    assert wording.verdict_sentence(runs["not measured"]).values["suites"] == "policies"


def test_a_value_is_shown_as_it_was_compared() -> None:
    """0.5999999999999999 is not 0.6."""
    assert wording.number(0.1 + 0.2) == "0.30000000000000004"
    assert wording.number(None) == "-"
