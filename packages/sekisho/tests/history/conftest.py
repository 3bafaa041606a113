"""Documents of runs made by hand, histories that hold them, and a page to write reports on."""

from __future__ import annotations

import io
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from sekisho.history.keeping import keep
from sekisho.reports.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from sekisho.core.history import KeptRun
    from sekisho.core.messages import Language

COMMIT = "3f2a9c1d" * 5


def retrieval(recalls: Mapping[str, float | None], *, name: str = "search", corpus: str = "c1") -> dict[str, Any]:
    """Return a suite with a case for each recall; None is a case that could not be measured."""
    there = [value for value in recalls.values() if value is not None]
    mean = sum(there) / len(there) if there else None
    return {
        "name": name,
        "kind": "retrieval",
        "target": "my:search",
        "verdict": "passed" if mean is not None and mean >= 0.6 else "failed",
        "gate": [{"rule": "recall@10", "value": mean, "threshold": 0.6, "holds": mean is not None and mean >= 0.6}],
        "fingerprints": {"corpus": corpus},
        "metrics": {"recall@10": mean, "mrr": mean},
        "cases": [_case(id_, recall) for id_, recall in recalls.items()],
        "warnings": [],
    }


def _case(id_: str, recall: float | None) -> dict[str, Any]:
    if recall is None:
        return {"id": id_, "status": "error", "error": {"kind": "exception", "message": "no connection"}}
    return {
        "id": id_,
        "status": "measured",
        "query": f"question {id_}",
        "metrics": {"recall@10": recall, "rr": 1.0, "ndcg@10": recall},
        "missed": [] if recall == 1 else ["d1"],
        "error": None,
    }


def answers(statuses: Mapping[str, str], *, name: str = "policies") -> dict[str, Any]:
    """Return a suite of answer cases with these statuses."""
    new = sum(status == "ng" for status in statuses.values())
    return {
        "name": name,
        "kind": "answers",
        "target": "my:answers",
        "verdict": "failed" if new else "passed",
        "gate": [{"rule": "answers.new_failures", "value": new, "threshold": 0, "holds": not new}],
        "fingerprints": {"cases": "a1"},
        "metrics": {"passed": sum(status in {"ok", "fixed"} for status in statuses.values()), "new_failures": new},
        "cases": [
            {
                "id": id_,
                "status": status,
                "question": f"質問 {id_}",
                "failures": [{"code": "missing_text", "where": [], "message": "「20万円」がありません"}]
                if status in {"ng", "known"}
                else [],
                "known_issue": {"reason": "書式が古い"} if status == "known" else None,
                "error": None,
            }
            for id_, status in statuses.items()
        ],
        "warnings": [],
    }


def access(leaks: int, *, name: str = "access") -> dict[str, Any]:
    """Return a permission matrix of one principal."""
    return {
        "name": name,
        "kind": "access",
        "target": "my:answers",
        "verdict": "failed" if leaks else "passed",
        "gate": [{"rule": "access.leaks", "value": leaks, "threshold": 0, "holds": not leaks}],
        "fingerprints": {},
        "metrics": {"probes": 8, "leaks": leaks, "errors": 0},
        "principals": [
            {
                "departments": [],
                "leak_count": leaks,
                "leaks": [{"code": "cited.id", "message": "hr.md was cited"}] * leaks,
                "recall": 1.0,
                "error_count": 0,
                "errors": [],
            }
        ],
        "error": None,
        "warnings": [],
    }


def document(
    *suites: dict[str, Any], time: str = "2026-01-05T10:00:00+00:00", commit: str | None = COMMIT
) -> dict[str, Any]:
    """Return the document of a run of these suites."""
    failed = any(suite["verdict"] == "failed" for suite in suites)
    return {
        "schema": "sekisho.report/1",
        "verdict": "failed" if failed else "passed",
        "exit_code": int(failed),
        "suites": list(suites),
        "not_run": [],
        "run": {
            "time": time,
            "commit": commit,
            "versions": {"sekisho": "0.1.0"},
            "machine": {"system": "Linux", "cores": 2},
            "elapsed_ms": {suite["name"]: {"q1": 1.25} for suite in suites},
        },
    }


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return where a history is to be."""
    return tmp_path / "history.sqlite3"


@pytest.fixture
def kept(file: Path) -> Callable[..., KeptRun]:
    """Return a function that keeps a document."""

    def kept(kept_document: dict[str, Any], *, branch: str | None = "main", time: str = "2026-01-05") -> KeptRun:
        return keep(file, kept_document, time=time, branch=branch, duration_ms=1234.5)

    return kept


@pytest.fixture
def made() -> SimpleNamespace:
    """Return the functions that make documents."""
    return SimpleNamespace(retrieval=retrieval, answers=answers, access=access, document=document)


@pytest.fixture
def written() -> Callable[..., str]:
    """Return a function that calls a writer of reports and returns what it wrote."""

    def written(
        write: Callable[..., None],
        record: object,
        *,
        language: Language = "en",
        columns: int = 100,
        encoding: str = "utf-8",
        colours: bool = False,
        **options: object,
    ) -> str:
        stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding, newline="")
        environment = {"COLUMNS": str(columns), **({"FORCE_COLOR": "1"} if colours else {"NO_COLOR": "1"})}
        write(record, Terminal(stream, language=language, environment=environment), **options)
        stream.flush()
        return stream.buffer.getvalue().decode(encoding)

    return written
