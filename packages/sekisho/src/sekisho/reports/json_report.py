"""The report for programs: ``sekisho.report/1``, in which only ``run`` differs between two runs of one commit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from sekisho.core.messages import Language, Note
    from sekisho.gate import RunResult, SuiteResult
    from sekisho.retrieval import CaseResult, EvalReport, Structure

SCHEMA = "sekisho.report/1"


def run_document(run: RunResult, *, language: Language) -> dict[str, Any]:
    """Return a run as the document of the report. Sentences in it are in ``language``; numbers are not rounded."""
    return {
        "schema": SCHEMA,
        "verdict": run.verdict,
        "exit_code": run.exit_code,
        "suites": [_suite(suite, language) for suite in run.suites],
        "not_run": list(run.not_run),
        "run": {
            **run.facts,
            "elapsed_ms": {
                suite.name: {case.id: case.elapsed_ms for case in suite.report.cases} for suite in run.suites
            },
        },
    }


def encode(document: object) -> bytes:
    """Return a document as indented JSON in UTF-8, with a line break at its end."""
    return msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"


def _suite(suite: SuiteResult, language: Language) -> dict[str, Any]:
    return {
        "name": suite.name,
        "kind": suite.kind,
        "target": suite.target,
        "verdict": suite.verdict,
        "gate": [
            {"rule": rule.rule, "value": rule.value, "threshold": rule.threshold, "holds": rule.holds}
            for rule in suite.gate
        ],
        "metrics": suite.report.metrics,
        "corpus": suite.corpus,
        "fingerprints": suite.fingerprints,
        "structure": _structure(suite.report.structure),
        "cases": [_case(case, suite.report, redact=suite.redact) for case in suite.report.cases],
        "warnings": [_note(warning, language) for warning in suite.warnings],
    }


def _structure(structure: Structure) -> dict[str, Any]:
    return {
        kind: [{"case": finding.case_id, "ids": finding.ids, "count": finding.count} for finding in findings]
        for kind in structure.__struct_fields__
        for findings in (getattr(structure, kind),)
    }


def _case(case: CaseResult, report: EvalReport, *, redact: bool) -> dict[str, Any]:
    document: dict[str, Any] = {"id": case.id, "status": "error" if case.error else "measured"}
    if isinstance(case.query, str) and not redact:
        document["query"] = case.query
    if case.error:
        traceback = "" if redact else case.error.traceback
        text = case.error.kind if redact else case.error.message
        document["error"] = {"kind": case.error.kind, "message": text, "traceback": traceback}
        return document
    k = report.k
    metrics = {
        f"recall@{k}": case.recall,
        f"precision@{k}": case.precision,
        "rr": case.reciprocal_rank,
        "ap": case.average_precision,
        f"ndcg@{k}": case.ndcg,
    }
    if case.overlap is not None:
        metrics[f"overlap@{k}"] = case.overlap
    return document | {
        "metrics": metrics,
        "relevant": case.relevant,
        "retrieved": case.retrieved,
        "missed": case.missed,
        "ranks": case.ranks,
        "error": None,
    }


def _note(warning: Note, language: Language) -> dict[str, str]:
    return {"code": warning.code, "message": warning.render(language)}
