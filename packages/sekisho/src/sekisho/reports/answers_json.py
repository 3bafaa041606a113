"""A suite of answer cases in the JSON report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sekisho.answers.viewpoints import viewpoint_counts

if TYPE_CHECKING:
    from sekisho.answers import CaseResult
    from sekisho.core.messages import Language
    from sekisho.gate import AnswersSuiteResult


def answers_part(suite: AnswersSuiteResult, language: Language) -> dict[str, Any]:
    """Return what the report says about a suite of answer cases alone; sentences in ``language``."""
    results = suite.report.cases
    return {
        "metrics": {
            "passed": sum(result.passed for result in results),
            "known": len(suite.report.of_status("known")),
            "fixed": len(suite.report.of_status("fixed")),
            "new_failures": len(suite.report.new_failures),
            "errors": len(suite.report.errors),
        },
        "viewpoints": {
            count.viewpoint: {"held": count.held, "asked": count.asked} for count in viewpoint_counts(results)
        },
        "cases": [_case(result, language, redact=suite.redact) for result in results],
    }


def _case(result: CaseResult, language: Language, *, redact: bool) -> dict[str, Any]:
    case, where = result.case, result.case.where
    document: dict[str, Any] = {
        "id": result.id,
        "status": "error" if result.error else result.status,
        "departments": case.departments,
        "file": where.file if where else None,
        "line": where.line if where else None,
        "failures": [
            {"code": failure.code, "where": failure.where, "message": failure.reason.render(language)}
            for failure in result.failures
        ],
        "error": None,
    }
    if not redact:
        document["question"] = case.question
    if result.issue:
        document["known_issue"] = {
            "reason": result.issue.reason,
            "until": result.issue.until.isoformat() if result.issue.until else None,
            "expired": result.expired,
            "link": result.issue.link,
        }
    if result.answer is not None:
        document["found"] = result.answer.found
        if not redact:
            document["answer"] = result.answer.text
            document["sources"] = result.answer.sources
    if result.error is not None:
        document["error"] = {"kind": result.error.kind, "message": result.error.reason.render(language)}
        if not redact:
            document["error"]["traceback"] = result.error.traceback
    return document
