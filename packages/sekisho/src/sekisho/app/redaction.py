"""What a redacted suite keeps to itself: whatever could be text of its queries or documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from sekisho.core.answers import Answer, AnswerCase
from sekisho.core.messages import Note, note

if TYPE_CHECKING:
    from collections.abc import Collection

    from sekisho.access import AccessReport, PrincipalResult
    from sekisho.answers import AnswersReport
    from sekisho.answers import CaseResult as AnswerResult
    from sekisho.core.errors import SekishoError
    from sekisho.retrieval import CaseError, CaseResult, EvalReport, Finding

BLANK = "…"
_SHOWN = frozenset({"path", "file", "suite", "k", "best", "threshold", "target", "count", "key", "option", "offered"})
"""Values of a refusal that come from the configuration, not from the data."""
_SHOWN_OF_TARGETS = frozenset({"known", "meant", "names", "name", "module", "root", "kind"})
"""Further ones of a refusal about the target, which has not seen the data yet."""


def redact_refusal(error: SekishoError) -> None:
    """Blank each value of a refusal that could be a text, in place."""
    shown = _SHOWN | _SHOWN_OF_TARGETS if error.code.partition(".")[2].startswith("target_") else _SHOWN
    for name, value in error.values.items():
        if name not in shown and value is not None and not isinstance(value, (bool, int, float)):
            error.values[name] = BLANK


def redacted(report: EvalReport, documents: Collection[str]) -> EvalReport:
    """Return a report without text: ids that the corpus does not hold, which may be anything, and words of errors."""
    structure = report.structure
    kinds = {
        kind: tuple(_finding(finding, documents) for finding in getattr(structure, kind))
        for kind in structure.__struct_fields__
    }
    return msgspec.structs.replace(
        report,
        cases=tuple(_case(case, documents) for case in report.cases),
        structure=msgspec.structs.replace(structure, **kinds),
    )


def _case(case: CaseResult, documents: Collection[str]) -> CaseResult:
    if case.error is not None:
        return msgspec.structs.replace(case, error=redacted_error(case.error))
    return msgspec.structs.replace(case, retrieved=_ids(case.retrieved, documents))


def _finding(finding: Finding, documents: Collection[str]) -> Finding:
    return msgspec.structs.replace(finding, ids=_ids(finding.ids, documents))


def redacted_error(error: CaseError) -> CaseError:
    """Return an error without the words of the target."""
    values = {
        name: value if isinstance(value, (bool, int, float)) else BLANK for name, value in error.reason.values.items()
    }
    return msgspec.structs.replace(error, reason=Note(error.reason.code, values), traceback="")


def _ids(ids: tuple[str, ...], documents: Collection[str]) -> tuple[str, ...]:
    return tuple(id_ if id_ in documents else _stand_in(id_) for id_ in ids)


def _stand_in(id_: str) -> str:
    """Return a name that tells two unknown ids apart and none of what they say."""
    import hashlib  # noqa: PLC0415  loads OpenSSL, which only this function needs

    return f"unknown-{hashlib.sha256(id_.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def redacted_answers(report: AnswersReport) -> AnswersReport:
    """Return a report without text: no question, answer, source or forbidden word, and no words of errors."""
    cases = tuple(_answer_case(result) for result in report.cases)
    return msgspec.structs.replace(report, cases=cases, warnings=(), documents={})


def _answer_case(result: AnswerResult) -> AnswerResult:
    case = result.case
    failures = tuple(
        msgspec.structs.replace(failure, text="", reason=note(f"answers.redacted_{failure.code}"))
        for failure in result.failures
    )
    blank = AnswerCase(
        id=case.id,
        question=BLANK,
        departments=case.departments,
        expect_source=(BLANK,) * len(case.expect_source),
        expect_text=(BLANK,) * len(case.expect_text),
        forbid=(BLANK,) * len(case.forbid),
        expect_not_found=case.expect_not_found,
        tags=case.tags,
        where=case.where,
    )
    answer = result.answer
    return msgspec.structs.replace(
        result,
        case=blank,
        issue=None if result.issue is None else msgspec.structs.replace(result.issue, reason=BLANK, link=""),
        failures=failures,
        answer=None if answer is None else Answer(text=BLANK, sources=(), found=answer.found),
        error=None if result.error is None else redacted_error(result.error),
    )


def redacted_access(report: AccessReport) -> AccessReport:
    """Return a permission matrix without text: no question, no passage, no words of errors; ids stay."""
    return msgspec.structs.replace(
        report,
        principals=tuple(_principal(principal) for principal in report.principals),
        cache=tuple(msgspec.structs.replace(finding, question="") for finding in report.cache),
    )


def _principal(principal: PrincipalResult) -> PrincipalResult:
    return msgspec.structs.replace(
        principal,
        leaks=tuple(
            msgspec.structs.replace(leak, question="", shown="", document_name=None) for leak in principal.leaks
        ),
        errors=tuple(
            msgspec.structs.replace(error, question="", error=redacted_error(error.error)) for error in principal.errors
        ),
    )
