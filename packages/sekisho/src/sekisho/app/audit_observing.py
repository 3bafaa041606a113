"""What two runs of one case are compared by: results as plain JSON, without anything that may differ, such as time."""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING, Any

from sekisho.gate import AccessSuiteResult, AnswersSuiteResult

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sekisho.access import AccessReport, PrincipalResult
    from sekisho.answers import CaseResult as AnswerResult
    from sekisho.calling import CaseError
    from sekisho.compare.determinism import Observation, Observations
    from sekisho.core.answers import Answer
    from sekisho.gate import RetrievalSuiteResult, SuiteResult
    from sekisho.retrieval import CaseResult

WHOLE = "-"
"""Stands for a permission matrix that could not even begin."""
_ADDRESS = re.compile("0x[0-9a-fA-F]+")
_DIGEST_CHARACTERS = 16


def observed(suites: Iterable[SuiteResult], *, hidden: frozenset[str] = frozenset()) -> Observations:
    """Return what is compared of each case of each suite.

    Args:
        suites: The results. Those of a suite that was run redacted hold no text, so none is compared.
        hidden: Suites that were run with their text although it may not be shown; digests stand for it.
    """
    found = {suite.name: dict(_cases(suite, hidden=suite.name in hidden)) for suite in suites}
    plain: Observations = json.loads(json.dumps(found))  # tuples become lists, as on the way from another process
    return plain


def _cases(suite: SuiteResult, *, hidden: bool) -> list[tuple[str, Observation]]:
    if isinstance(suite, AccessSuiteResult):
        if suite.report is None:
            return [(WHOLE, {"error": _error(suite.error, shown=not suite.redact)})]
        report = suite.report
        return [(_label(each.departments), _principal(each, report)) for each in report.principals]
    if isinstance(suite, AnswersSuiteResult):
        return [(case.id, _answer_case(case, redacted=suite.redact, hidden=hidden)) for case in suite.report.cases]
    return [(case.id, _retrieval_case(case, suite)) for case in suite.report.cases]


def _retrieval_case(case: CaseResult, suite: RetrievalSuiteResult) -> Observation:
    return {
        "status": "error" if case.error else "measured",
        "retrieved": case.retrieved,
        "recall_bounds": case.recall_bounds,
        "error": _error(case.error, shown=not suite.redact),
    }


def _answer_case(case: AnswerResult, *, redacted: bool, hidden: bool) -> Observation:
    answer = case.answer
    seen: dict[str, Any] = {
        "status": "error" if case.error else case.status,
        "failures": [
            [failure.code, *failure.where, *([] if redacted or hidden else [failure.text])] for failure in case.failures
        ],
        "found": None if answer is None else answer.found,
    }
    if redacted:
        return seen
    texts = {**_texts(answer), "error": _error(case.error, shown=True)}
    return seen | ({name: _digest(text) for name, text in texts.items()} if hidden else texts)


def _texts(answer: Answer | None) -> dict[str, Any]:
    if answer is None:
        return {"sources": None, "answer": None, "contexts": None}
    contexts = [[context.document_id, _digest(context.text)] for context in answer.contexts]
    return {"sources": answer.sources, "answer": answer.text, "contexts": contexts}


def _principal(principal: PrincipalResult, report: AccessReport) -> Observation:
    departments = principal.departments
    return {
        "visible": principal.visible,
        "hidden": principal.hidden,
        "leak_count": principal.leak_count,
        "leaks": sorted([leak.stage, leak.kind, leak.document_id or ""] for leak in principal.leaks),
        "recall": principal.recall,
        "starved": sorted(principal.starved),
        "interference": principal.interference,
        "cache": sorted(_label(finding.after) for finding in report.cache if finding.principal == departments),
        "error_count": principal.error_count,
    }


def _label(departments: tuple[str, ...]) -> str:
    """Return a principal as the configuration writes it."""
    return f"[{', '.join(departments)}]"


def _error(error: CaseError | None, *, shown: bool) -> list[str] | None:
    """Return the kind of an error and its sentence; where an object stands in memory says nothing."""
    if error is None:
        return None
    return [error.kind, _ADDRESS.sub("0x…", error.reason.render("en"))] if shown else [error.kind]


def _digest(value: object) -> str:
    text = json.dumps(value)
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGEST_CHARACTERS]
