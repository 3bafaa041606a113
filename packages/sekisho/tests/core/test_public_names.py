"""What ``import sekisho`` offers."""

from __future__ import annotations

import subprocess
import sys

import pytest

import sekisho
from sekisho.core import errors

NAMES = [
    "Answer", "AnswerCase", "CaseError", "CaseResult", "Context", "Document", "EvalCase", "EvalReport", "KnownIssue",
    "Metric", "Neighbours", "SekishoError", "SyntheticCorpus", "__version__", "average_precision", "evaluate_retrieval",
    "evaluate_retrieval_async", "generate_synthetic_corpus", "has_regression", "load_cases", "load_preset", "ndcg_at_k",
    "overlap_at_k", "parse_metric", "precision_at_k", "rank_by_score", "recall_at_k", "reciprocal_rank", "run_all",
    "run_case", "success_at_k", "summarize",
]  # fmt: skip


def test_the_exported_names_are_these() -> None:
    """A name added or lost is a decision, written here."""
    assert sorted(sekisho.__all__) == NAMES
    assert dir(sekisho) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_exported_name_is_there(name: str) -> None:
    """A lazy name leads somewhere, and says what it is."""
    value = getattr(sekisho, name)

    assert value.__doc__


def test_an_unknown_name_is_an_attribute_error() -> None:
    """As for any module."""
    with pytest.raises(AttributeError, match="no attribute 'evalute'"):
        _ = sekisho.evalute


def test_the_error_tree_is_drawn_as_it_is() -> None:
    """Every error of the package stands in the drawing, and descends from one base."""
    classes = [value for value in vars(errors).values() if isinstance(value, type) and issubclass(value, Exception)]

    for each in classes:
        assert issubclass(each, errors.SekishoError)
        assert each.__name__ in (errors.__doc__ or "")


def test_the_example_of_the_front_page_runs() -> None:
    """Cases, a function and a number, with the public names alone."""
    cases = [sekisho.EvalCase("q1", "cat", {"a": 2, "b": 1}), sekisho.EvalCase("q2", "dog", ["c"])]

    report = sekisho.evaluate_retrieval(cases, {"cat": ["a", "x"], "dog": ["c"]}.__getitem__, k=2)

    assert report.mean_recall == 0.75


def modules_after(statement: str) -> set[str]:
    """Return the modules that a fresh interpreter has imported after a statement."""
    code = f"import sys; before = set(sys.modules); {statement}; print(*set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_the_package_costs_next_to_nothing() -> None:
    """It brings in no module but itself and what finds modules."""
    assert {name for name in modules_after("import sekisho") if "." not in name} <= {
        "sekisho",
        "importlib",
        "warnings",
        "__future__",
    }


def test_the_bare_metrics_import_nothing_heavy() -> None:
    """A metric is arithmetic on ids."""
    loaded = modules_after("from sekisho import recall_at_k; recall_at_k(['a'], ['a'], 1)")

    assert not loaded & {"numpy", "msgspec", "dataclasses", "click", "rich", "typing", "re"}
