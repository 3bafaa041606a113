"""From measurements to a verdict: one rule on recall@k, no malformed results, no new failure, no leak."""

from sekisho.gate.records import (
    AccessSuiteResult,
    AnswersSuiteResult,
    RetrievalSuiteResult,
    RuleOutcome,
    RunResult,
    SuiteResult,
    Verdict,
)
from sekisho.gate.retrieval import DEFAULT_MIN_RECALL, RetrievalRule, judge_retrieval
from sekisho.gate.verdict import exit_code, overall

__all__ = [
    "DEFAULT_MIN_RECALL",
    "AccessSuiteResult",
    "AnswersSuiteResult",
    "RetrievalRule",
    "RetrievalSuiteResult",
    "RuleOutcome",
    "RunResult",
    "SuiteResult",
    "Verdict",
    "exit_code",
    "judge_retrieval",
    "overall",
]
