"""Conformance suites that authors of adapters run against them, with any test runner."""

from sekisho.testing.answer_targets import answer_target_checks
from sekisho.testing.records import AnswerSamples, Check, NonconformanceError

__all__ = ["AnswerSamples", "Check", "NonconformanceError", "answer_target_checks"]
