"""Retrieval cases: run them through a target and measure what comes back."""

from sekisho.calling import CaseError
from sekisho.core.records import EvalCase, Neighbours
from sekisho.retrieval.evaluate import evaluate_retrieval, evaluate_retrieval_async
from sekisho.retrieval.records import CaseResult, EvalReport, Finding, Structure

__all__ = [
    "CaseError",
    "CaseResult",
    "EvalCase",
    "EvalReport",
    "Finding",
    "Neighbours",
    "Structure",
    "evaluate_retrieval",
    "evaluate_retrieval_async",
]
