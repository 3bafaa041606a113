"""From measurements to a verdict: one rule on recall@k, and no malformed results."""

from sekisho.gate.records import RuleOutcome, RunResult, SuiteResult, Verdict
from sekisho.gate.retrieval import DEFAULT_MIN_RECALL, RetrievalRule, judge_retrieval
from sekisho.gate.verdict import exit_code, overall

__all__ = [
    "DEFAULT_MIN_RECALL",
    "RetrievalRule",
    "RuleOutcome",
    "RunResult",
    "SuiteResult",
    "Verdict",
    "exit_code",
    "judge_retrieval",
    "overall",
]
