"""A permission matrix in the JSON report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sekisho.access import Leak, PrincipalResult
    from sekisho.core.messages import Language
    from sekisho.gate import AccessSuiteResult


def access_part(suite: AccessSuiteResult, language: Language) -> dict[str, Any]:
    """Return what the report says about a permission matrix alone; sentences in ``language``."""
    report = suite.report
    if report is None:
        reason = suite.error.reason.render(language) if suite.error else None
        return {"metrics": {}, "principals": [], "error": {"message": reason}}
    return {
        "metrics": {"probes": report.probes, "leaks": report.leak_count, "errors": report.error_count},
        "documents": report.documents,
        "k": report.k,
        "stages": report.stages,
        "principals": [_principal(principal, language, redact=suite.redact) for principal in report.principals],
        "cache": [
            {
                "principal": finding.principal,
                "after": finding.after,
                "question": finding.question,
                "message": finding.reason.render(language),
            }
            for finding in report.cache
        ],
        "error": None,
    }


def _principal(principal: PrincipalResult, language: Language, *, redact: bool) -> dict[str, Any]:
    return {
        "departments": principal.departments,
        "unrestricted": principal.unrestricted,
        "visible": principal.visible,
        "hidden": principal.hidden,
        "probes": principal.probes,
        "leak_count": principal.leak_count,
        "leaks": [_leak(leak, language) for leak in principal.leaks],
        "recall": principal.recall,
        "unrestricted_recall": principal.unrestricted_recall,
        "starved": principal.starved,
        "interference": principal.interference,
        "error_count": principal.error_count,
        "errors": [
            {
                "question": error.question,
                "method": error.method,
                "message": error.error.reason.render(language),
                **({} if redact else {"traceback": error.error.traceback}),
            }
            for error in principal.errors
        ],
    }


def _leak(leak: Leak, language: Language) -> dict[str, Any]:
    return {
        "code": leak.reason.code,
        "document": leak.document_id,
        "name": leak.document_name,
        "question": leak.question,
        "shown": leak.shown,
        "message": leak.reason.render(language),
    }
