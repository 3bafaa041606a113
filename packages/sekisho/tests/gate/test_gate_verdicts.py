from __future__ import annotations

import math
from typing import TYPE_CHECKING, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sekisho.core.messages import note
from sekisho.gate import DEFAULT_MIN_RECALL, RetrievalRule, RuleOutcome, Verdict, exit_code, judge_retrieval, overall
from sekisho.retrieval import CaseError, CaseResult, EvalReport, Finding, Structure

if TYPE_CHECKING:
    from collections.abc import Sequence

FOUND = (Finding(case_id="c", count=3),)


def report_on(recalls: Sequence[float | None], **found: tuple[Finding, ...]) -> EvalReport:
    """Return a report on cases with these recalls; None stands for a case that could not be measured."""
    error = CaseError(kind="raised", reason=note("calling.raised", text="ValueError"))
    cases = tuple(
        CaseResult(id=str(n), query="q", recall=recall, error=error if recall is None else None)
        for n, recall in enumerate(recalls)
    )
    measured = [recall for recall in recalls if recall is not None]
    mean = math.fsum(measured) / len(measured) if measured else None
    return EvalReport(
        k=10,
        mean_recall=mean,
        mean_precision=mean,
        mrr=mean,
        map=mean,
        mean_ndcg=mean,
        mean_overlap=None,
        cases=cases,
        structure=Structure(**found),
        documents_known=True,
    )


def recall_rule(report: EvalReport, min_recall: float) -> tuple[Verdict, RuleOutcome]:
    """Return the verdict and the outcome of the rule on recall."""
    verdict, outcomes = judge_retrieval(report, RetrievalRule(min_recall=min_recall))
    return verdict, outcomes[0]


def test_120_times_0_7_passes_a_gate_of_0_7() -> None:
    """Whichever way the sum of the cases rounds; value and threshold are given unrounded."""
    for report in (report_on([0.7] * 120), report_on([0.1 * 7] * 120), report_on([0.7 - 1e-13] * 120)):
        verdict, outcome = recall_rule(report, 0.7)

        assert (verdict, outcome.holds) == ("passed", True)
        assert outcome == RuleOutcome(rule="recall@10", value=report.mean_recall, threshold=0.7, holds=True)


@pytest.mark.parametrize("recall", [0.7 - 1e-9, 0.5, 0.0])
def test_a_mean_below_the_threshold_fails(recall: float) -> None:
    """By more than rounding can explain."""
    assert recall_rule(report_on([recall] * 120), 0.7) == (
        "failed",
        RuleOutcome(rule="recall@10", value=pytest.approx(recall), threshold=0.7, holds=False),
    )


def test_the_default_threshold_is_0_6() -> None:
    """The only absolute threshold unless another is written."""
    assert DEFAULT_MIN_RECALL == RetrievalRule().min_recall == 0.6


def test_an_unmeasured_case_leaves_the_rule_open() -> None:
    """However good the measured ones are, a crash never passes; nor does it fail."""
    verdict, outcome = recall_rule(report_on([1.0] * 9 + [None]), 0.6)

    assert verdict == "not_measured"
    assert outcome.holds is None
    assert outcome.value == 1.0


@pytest.mark.parametrize(("measured", "holds"), [(0.2, None), (0.19, False)])
def test_the_rule_fails_where_even_1_for_each_unmeasured_case_could_not_save_it(
    measured: float,
    holds: bool | None,  # noqa: FBT001  a parameter of the test
) -> None:
    """Half the cases at 0.2 and half at 1 give exactly 0.6."""
    verdict, outcome = recall_rule(report_on([measured, None] * 5), 0.6)

    assert outcome.holds is holds
    assert verdict == ("not_measured" if holds is None else "failed")


def test_nothing_measured_is_not_measured() -> None:
    """Neither where every case is an error nor where there is no case, with or without a gate."""
    for report in (report_on([None, None]), report_on([])):
        for rule in (RetrievalRule(min_recall=0.0), RetrievalRule(), None):
            verdict, outcomes = judge_retrieval(report, rule)

            assert verdict == "not_measured"
            assert [outcome.holds for outcome in outcomes[:1]] == [None] * (rule is not None)
            assert exit_code(verdict) == 3


def test_without_a_gate_nothing_fails() -> None:
    """Measured and reported, whatever it is; but a case without a measurement shows."""
    assert judge_retrieval(report_on([0.0], unknown=FOUND), None) == ("reported", ())
    assert judge_retrieval(report_on([0.0, None]), None) == ("not_measured", ())


@pytest.mark.parametrize("kind", ["unknown", "duplicate", "empty"])
def test_a_malformed_result_fails_unless_its_kind_is_tolerated(kind: str) -> None:
    """However high the mean is; a tolerated kind is no rule at all."""
    report = report_on([1.0], **{kind: FOUND * 2})

    verdict, outcomes = judge_retrieval(report, RetrievalRule())
    tolerant, fewer = judge_retrieval(report, RetrievalRule(tolerate=frozenset({kind})))

    assert verdict == "failed"
    assert [outcome for outcome in outcomes if not outcome.holds] == [
        RuleOutcome(rule=f"structure.{kind}", value=2.0, threshold=0.0, holds=False)
    ]
    assert tolerant == "passed"
    assert len(fewer) == len(outcomes) - 1


def test_short_results_fail_only_where_structure_is_strict() -> None:
    """And not even there where they are tolerated."""
    report = report_on([1.0], short=FOUND)
    strict = RetrievalRule(strict_structure=True)
    both = RetrievalRule(strict_structure=True, tolerate=frozenset({"short"}))

    assert [judge_retrieval(report, rule)[0] for rule in (RetrievalRule(), strict, both)] == [
        "passed",
        "failed",
        "passed",
    ]


def test_a_measured_failure_outweighs_an_unmeasured_case() -> None:
    """What was seen to be wrong stays wrong."""
    assert judge_retrieval(report_on([1.0, None], empty=FOUND), RetrievalRule())[0] == "failed"


@given(
    recalls=st.lists(st.none() | st.floats(0, 1)),
    min_recall=st.floats(0, 1),
    empty=st.booleans(),
)
def test_a_pass_has_every_case_measured_and_every_rule_held(
    recalls: list[float | None],
    min_recall: float,
    empty: bool,  # noqa: FBT001  a parameter of the test
) -> None:
    """And a failure names the rule."""
    report = report_on(recalls, empty=FOUND * empty)

    verdict, outcomes = judge_retrieval(report, RetrievalRule(min_recall=min_recall))

    held = [outcome.holds for outcome in outcomes]
    assert (verdict == "passed") == (bool(recalls) and None not in recalls and all(held))
    assert (verdict == "failed") == (False in held)


@pytest.mark.parametrize(
    ("verdicts", "verdict"),
    [
        (["passed", "failed", "not_measured", "reported"], "failed"),
        (["passed", "not_measured", "reported"], "not_measured"),
        (["reported", "passed"], "passed"),
        (["reported"], "reported"),
        (["passed"], "passed"),
        ([], "not_measured"),
    ],
)
def test_the_verdict_over_all_suites_is_the_worst_of_them(verdicts: list[Verdict], verdict: Verdict) -> None:
    """A failure before anything unmeasured; no suite at all is not a pass."""
    assert overall(verdicts) == verdict
    assert overall(verdicts[::-1]) == verdict


def test_exit_codes_are_those_of_the_documentation() -> None:
    """2 never comes from a measurement."""
    assert {verdict: exit_code(verdict) for verdict in get_args(Verdict)} == {
        "passed": 0,
        "reported": 0,
        "failed": 1,
        "not_measured": 3,
    }


def test_what_was_not_measured_is_no_rule() -> None:
    """Without the corpus's ids nothing can be said about unknown ones, and no rule claims that they are absent."""
    report = msgspec.structs.replace(report_on([1.0]), documents_known=False)

    _, outcomes = judge_retrieval(report, RetrievalRule())

    assert [outcome.rule for outcome in outcomes] == ["recall@10", "structure.duplicate", "structure.empty"]
