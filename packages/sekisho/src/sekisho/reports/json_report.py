"""The report for programs: ``sekisho.report/1``, in which only ``run`` differs between two runs of one commit."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from sekisho.reports import wording

if TYPE_CHECKING:
    from sekisho.core.errors import SekishoError
    from sekisho.core.messages import Language, Note
    from sekisho.gate import RetrievalSuiteResult, RunResult, SuiteResult
    from sekisho.retrieval import CaseResult, EvalReport, Structure

SCHEMA = "sekisho.report/1"
_STEERING = re.compile("[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
"""Control characters that JSON need not escape, zero-width characters and marks of direction."""


def run_document(run: RunResult, *, language: Language) -> dict[str, Any]:
    """Return a run as the document of the report. Sentences in it are in ``language``; numbers are not rounded."""
    return {
        "schema": SCHEMA,
        "verdict": run.verdict,
        "exit_code": run.exit_code,
        "suites": [_suite(suite, language) for suite in run.suites],
        "not_run": list(run.not_run),
        "baseline": None if run.baseline is None else _note(run.baseline, language),
        "gone": list(run.gone),
        "unselected": list(run.unselected),
        "run": {
            **run.facts,
            "elapsed_ms": {
                suite.name: {case.id: case.elapsed_ms for case in suite.report.cases}
                for suite in run.suites
                if suite.kind != "access"
            },
        },
    }


def refusal_document(error: SekishoError, *, language: Language) -> dict[str, Any]:
    """Return the document of a run that never began: what is wrong, where, and what to do."""
    where = error.where
    return {
        "schema": SCHEMA,
        "verdict": "refused",
        "exit_code": 2,
        "suites": [],
        "error": {
            "code": error.code,
            "message": error.render(language),
            "file": where.file if where else None,
            "line": where.line if where else None,
        },
    }


def encode(document: object) -> bytes:
    r"""Return a document as indented JSON in UTF-8, with a line break at its end.

    Characters that could steer a terminal or reorder text are escaped as ``\u009b``, which a parser undoes; half of a
    surrogate pair, which JSON in UTF-8 cannot hold, becomes the text of its escape.
    """
    try:
        encoded = msgspec.json.encode(document)
    except UnicodeEncodeError:
        encoded = msgspec.json.encode(_without_surrogates(msgspec.to_builtins(document)))
    text = msgspec.json.format(encoded, indent=2).decode()
    return _STEERING.sub(lambda match: f"\\u{ord(match[0]):04x}", text).encode() + b"\n"


def _without_surrogates(value: object) -> object:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {_without_surrogates(key): _without_surrogates(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_without_surrogates(item) for item in value]
    return value


def _suite(suite: SuiteResult, language: Language) -> dict[str, Any]:
    if suite.kind == "answers":
        from sekisho.reports.answers_json import answers_part  # noqa: PLC0415  only the kinds that ran

        part = answers_part(suite, language)
    elif suite.kind == "access":
        from sekisho.reports.access_json import access_part  # noqa: PLC0415  as above

        part = access_part(suite, language)
    else:
        part = _retrieval_part(suite, language)
    return {
        "name": suite.name,
        "kind": suite.kind,
        "target": suite.target,
        "verdict": suite.verdict,
        "gate": [
            {"rule": rule.rule, "value": rule.value, "threshold": rule.threshold, "holds": rule.holds}
            for rule in suite.gate
        ],
        "fingerprints": suite.fingerprints,
        **part,
        **_comparison(suite, language),
        "warnings": [_note(warning, language) for warning in suite.warnings],
        "not_measured": [_note(wording.not_measured(suite), language)],
    }


def _comparison(suite: SuiteResult, language: Language) -> dict[str, Any]:
    """Return the suite beside its baseline, where it has one."""
    if suite.comparison is None:
        return {}
    from sekisho.reports.baseline_json import comparison_part  # noqa: PLC0415  only where there is one

    return {"comparison": comparison_part(suite.comparison, language)}


def _retrieval_part(suite: RetrievalSuiteResult, language: Language) -> dict[str, Any]:
    return {
        "metrics": suite.report.metrics,
        "corpus": suite.corpus,
        "structure": _structure(suite.report.structure),
        "cases": [_case(case, suite.report, redact=suite.redact, language=language) for case in suite.report.cases],
    }


def _structure(structure: Structure) -> dict[str, Any]:
    return {
        kind: [{"case": finding.case_id, "ids": finding.ids, "count": finding.count} for finding in findings]
        for kind in structure.__struct_fields__
        for findings in (getattr(structure, kind),)
    }


def _case(case: CaseResult, report: EvalReport, *, redact: bool, language: Language) -> dict[str, Any]:
    document: dict[str, Any] = {"id": case.id, "status": "error" if case.error else "measured"}
    if isinstance(case.query, str) and not redact:
        document["query"] = case.query
    if case.error:
        text = wording.error_sentence(case, redact=redact).render(language)
        document["error"] = {"kind": case.error.kind, "message": text}
        if not redact:
            document["error"]["traceback"] = case.error.traceback
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
    if case.recall_bounds:
        document["recall_bounds"] = case.recall_bounds
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
