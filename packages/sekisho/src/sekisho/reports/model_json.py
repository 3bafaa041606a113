"""A run with a real model in the JSON report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from sekisho.core.messages import note
from sekisho.reports.answers_json import answers_part
from sekisho.reports.json_report import SCHEMA

if TYPE_CHECKING:
    from sekisho.answers.sampling_records import Judgment, Sample, SampledCase
    from sekisho.core.messages import Language
    from sekisho.reports.model_records import ModelRun, ModelSuite

_NOT_MEASURED = note("models.not_measured")


def model_document(run: ModelRun, *, language: Language) -> dict[str, Any]:
    """Return a run as the document of the report; sentences in it are in ``language``, numbers are not rounded.

    Only ``run`` differs between two replays of one recording; ``model`` tells a replay from the run that was recorded.
    """
    return {
        "schema": SCHEMA,
        "verdict": run.verdict,
        "exit_code": run.exit_code,
        "model": {
            "name": run.model,
            "mode": run.mode,
            "samples": run.samples,
            "min_pass_rate": run.min_pass_rate,
            "tokens": msgspec.to_builtins(run.tokens),
            "recording": msgspec.to_builtins(run.recording),
        },
        "suites": [_suite(suite, language) for suite in run.suites],
        "not_run": [],
        "run": {
            **run.facts,
            "elapsed_ms": {
                suite.result.name: {
                    case.case.id: [sample.elapsed_ms for sample in case.samples] for case in suite.cases
                }
                for suite in run.suites
            },
        },
    }


def _suite(suite: ModelSuite, language: Language) -> dict[str, Any]:
    result = suite.result
    part = answers_part(result, language)
    cases = [
        {**plain, **_case(case, language, redact=result.redact)}
        for plain, case in zip(part["cases"], suite.cases, strict=True)
    ]
    return {
        "name": result.name,
        "kind": result.kind,
        "target": result.target,
        "verdict": result.verdict,
        "gate": [msgspec.to_builtins(rule) for rule in result.gate],
        "fingerprints": result.fingerprints,
        **part,
        "cases": cases,
        "warnings": [{"code": each.code, "message": each.render(language)} for each in result.warnings],
        "not_measured": [{"code": _NOT_MEASURED.code, "message": _NOT_MEASURED.render(language)}],
    }


def _case(case: SampledCase, language: Language, *, redact: bool) -> dict[str, Any]:
    return {
        "pass_rate": case.passes / case.measured if case.measured else None,
        "interval": case.interval,
        "passes": case.passes,
        "needed": case.needed,
        "wanted": case.wanted,
        "decided": case.is_decided,
        "leaks": [{"sample": number, "message": leak.reason.render(language)} for number, leak in case.leaks],
        "samples": [_sample(sample, language, redact=redact) for sample in case.samples],
        "judgments": [_judgment(judgment, redact=redact) for judgment in case.judgments],
    }


def _sample(sample: Sample, language: Language, *, redact: bool) -> dict[str, Any]:
    document: dict[str, Any] = {
        "passed": sample.passed,
        "failures": [
            {"code": failure.code, "where": failure.where, "message": failure.reason.render(language)}
            for failure in sample.failures
        ],
        "error": None,
        "grounding": None,
    }
    if sample.error:
        document["error"] = {"kind": sample.error.kind, "message": sample.error.reason.render(language)}
    if sample.grounding:
        found = msgspec.to_builtins(sample.grounding)
        counts = {name: len(value) if isinstance(value, (list, tuple)) else value for name, value in found.items()}
        document["grounding"] = counts if redact else found
    if sample.answer:
        document["found"] = sample.answer.found
        if not redact:
            document["answer"] = sample.answer.text
            document["sources"] = sample.answer.sources
    return document


def _judgment(judgment: Judgment, *, redact: bool) -> dict[str, Any]:
    found: dict[str, Any] = {"sample": judgment.sample, "passed": judgment.passed, "score": judgment.score}
    return found if redact else {**found, "note": judgment.note}
