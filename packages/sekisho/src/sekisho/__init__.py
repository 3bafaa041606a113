"""Sekisho, the checkpoint on the road: stops a change to a RAG system that makes it worse, before it is merged.

Names are imported when first used, so that ``import sekisho`` costs next to nothing.

PYTEST_DONT_REWRITE (no test asserts in here; without this word pytest warns whoever imports this package before it).
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # importing typing takes longer than the rest of this module
if TYPE_CHECKING:
    from sekisho.adapters.case_files import load_cases as load_cases
    from sekisho.answers import has_regression as has_regression
    from sekisho.app.answer_cases import run_all as run_all
    from sekisho.app.answer_cases import run_case as run_case
    from sekisho.core.answers import Answer as Answer
    from sekisho.core.answers import AnswerCase as AnswerCase
    from sekisho.core.answers import Context as Context
    from sekisho.core.answers import Document as Document
    from sekisho.core.answers import KnownIssue as KnownIssue
    from sekisho.core.errors import SekishoError as SekishoError
    from sekisho.core.records import EvalCase as EvalCase
    from sekisho.core.records import Neighbours as Neighbours
    from sekisho.corpora import SyntheticCorpus as SyntheticCorpus
    from sekisho.corpora import generate_synthetic_corpus as generate_synthetic_corpus
    from sekisho.corpora import load_preset as load_preset
    from sekisho.ranking import Metric as Metric
    from sekisho.ranking import average_precision as average_precision
    from sekisho.ranking import ndcg_at_k as ndcg_at_k
    from sekisho.ranking import overlap_at_k as overlap_at_k
    from sekisho.ranking import parse_metric as parse_metric
    from sekisho.ranking import precision_at_k as precision_at_k
    from sekisho.ranking import rank_by_score as rank_by_score
    from sekisho.ranking import recall_at_k as recall_at_k
    from sekisho.ranking import reciprocal_rank as reciprocal_rank
    from sekisho.ranking import success_at_k as success_at_k
    from sekisho.reports.answers_report import summarize as summarize
    from sekisho.retrieval import CaseError as CaseError
    from sekisho.retrieval import CaseResult as CaseResult
    from sekisho.retrieval import EvalReport as EvalReport
    from sekisho.retrieval import evaluate_retrieval as evaluate_retrieval
    from sekisho.retrieval import evaluate_retrieval_async as evaluate_retrieval_async

__version__ = "0.1.0"

_HOME = {
    "Answer": "sekisho.core.answers",
    "AnswerCase": "sekisho.core.answers",
    "CaseError": "sekisho.retrieval",
    "CaseResult": "sekisho.retrieval",
    "Context": "sekisho.core.answers",
    "Document": "sekisho.core.answers",
    "EvalCase": "sekisho.core.records",
    "EvalReport": "sekisho.retrieval",
    "KnownIssue": "sekisho.core.answers",
    "Metric": "sekisho.ranking",
    "Neighbours": "sekisho.core.records",
    "SekishoError": "sekisho.core.errors",
    "SyntheticCorpus": "sekisho.corpora",
    "average_precision": "sekisho.ranking",
    "evaluate_retrieval": "sekisho.retrieval",
    "evaluate_retrieval_async": "sekisho.retrieval",
    "generate_synthetic_corpus": "sekisho.corpora",
    "has_regression": "sekisho.answers",
    "load_cases": "sekisho.adapters.case_files",
    "load_preset": "sekisho.corpora",
    "ndcg_at_k": "sekisho.ranking",
    "overlap_at_k": "sekisho.ranking",
    "parse_metric": "sekisho.ranking",
    "precision_at_k": "sekisho.ranking",
    "rank_by_score": "sekisho.ranking",
    "recall_at_k": "sekisho.ranking",
    "reciprocal_rank": "sekisho.ranking",
    "run_all": "sekisho.app.answer_cases",
    "run_case": "sekisho.app.answer_cases",
    "success_at_k": "sekisho.ranking",
    "summarize": "sekisho.reports.answers_report",
}

__all__ = ["__version__", *sorted(_HOME)]  # noqa: PLE0604  the names are the keys above


def __getattr__(name: str) -> object:
    if name not in _HOME:
        message = f"module 'sekisho' has no attribute {name!r}"
        raise AttributeError(message)
    value: object = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
