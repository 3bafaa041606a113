"""Answer cases: asked on the path that serves people, judged by words, without a model."""

from sekisho.answers.evaluate import evaluate_answers
from sekisho.answers.records import AnswersReport, CaseResult, Failure, Status, Viewpoint, has_regression
from sekisho.core.answers import Answer, AnswerCase, Context, Document, KnownIssue

__all__ = [
    "Answer",
    "AnswerCase",
    "AnswersReport",
    "CaseResult",
    "Context",
    "Document",
    "Failure",
    "KnownIssue",
    "Status",
    "Viewpoint",
    "evaluate_answers",
    "has_regression",
]
