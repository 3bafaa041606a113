"""A kept document read into records, whatever kinds of suites it holds; parts that are not there are left empty.

Documents of other versions of this package are read as well: a key more or less is no damage.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sekisho.core.errors import InputFileError
from sekisho.core.history import KeptCase, KeptRule, KeptRun, RunDetail, SuiteDetail

if TYPE_CHECKING:
    from collections.abc import Mapping


def detail_of(run: KeptRun, document: Mapping[str, Any]) -> RunDetail:
    """Return a run with everything that its document says.

    Raises:
        InputFileError: The document is none.
    """
    try:
        return RunDetail(
            run=run,
            suites=tuple(_suite(suite) for suite in document["suites"]),
            not_run=tuple(map(str, document.get("not_run") or ())),
            facts=document.get("run") or {},
            document=document,
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputFileError("history.broken_run", run=run.number) from error


def _suite(suite: Mapping[str, Any]) -> SuiteDetail:
    kind = str(suite["kind"])
    if kind == "access":
        cases = tuple(_principal(principal) for principal in suite.get("principals") or ())
    elif kind == "answers":
        cases = tuple(_answer_case(case) for case in suite.get("cases") or ())
    else:
        cases = tuple(_retrieval_case(case) for case in suite.get("cases") or ())
    problem = suite.get("error")
    return SuiteDetail(
        name=str(suite["name"]),
        kind=kind,
        target=str(suite.get("target") or ""),
        verdict=str(suite["verdict"]),
        metrics=_metrics(suite.get("metrics")),
        fingerprints={str(name): str(value) for name, value in (suite.get("fingerprints") or {}).items()},
        gate=tuple(_rule(rule) for rule in suite.get("gate") or ()),
        cases=cases,
        warnings=_messages([*([problem] if problem else []), *(suite.get("warnings") or ())]),
    )


def _rule(rule: Mapping[str, Any]) -> KeptRule:
    return KeptRule(
        rule=str(rule["rule"]),
        value=_number(rule.get("value")),
        threshold=_number(rule.get("threshold")),
        holds=rule.get("holds"),
    )


def _retrieval_case(case: Mapping[str, Any]) -> KeptCase:
    error = case.get("error")
    return KeptCase(
        id=str(case["id"]),
        text=_text(case.get("query")),
        status=str(case["status"]),
        metrics=_metrics(case.get("metrics")),
        missed=tuple(map(str, case.get("missed") or ())),
        sentences=_messages([error] if error else []),
    )


def _answer_case(case: Mapping[str, Any]) -> KeptCase:
    error = case.get("error")
    issue = case.get("known_issue") or {}
    return KeptCase(
        id=str(case["id"]),
        text=_text(case.get("question")),
        status=str(case["status"]),
        sentences=_messages([*(case.get("failures") or ()), *([error] if error else [])]),
        issue=_text(issue.get("reason")),
    )


def _principal(principal: Mapping[str, Any]) -> KeptCase:
    """Return a principal as a case: it leaks, could not be measured, or is ok."""
    leaks, errors = principal.get("leak_count") or 0, principal.get("error_count") or 0
    status = "leak" if leaks or principal.get("interference") else "error" if errors else "ok"
    return KeptCase(
        id=", ".join(map(str, principal.get("departments") or ())),
        status=status,
        metrics=_metrics({"leaks": leaks, "recall": principal.get("recall")}),
        sentences=_messages([*(principal.get("leaks") or ()), *(principal.get("errors") or ())]),
    )


def _metrics(metrics: Mapping[str, Any] | None) -> dict[str, float | None]:
    return {str(name): _number(value) for name, value in (metrics or {}).items()}


def _number(value: object) -> float | None:
    return value if isinstance(value, (int, float)) else None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _messages(parts: list[Mapping[str, Any]]) -> tuple[str, ...]:
    return tuple(str(part.get("message") or part.get("code") or "") for part in parts)
