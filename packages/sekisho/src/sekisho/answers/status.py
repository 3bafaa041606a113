"""What a case's failures mean beside its known issue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sekisho.answers.records import CaseResult
from sekisho.core.answers import EXCUSABLE

if TYPE_CHECKING:
    import datetime as dt

    from sekisho.answers.records import Failure, Status
    from sekisho.calling import CaseError
    from sekisho.core.answers import Answer, AnswerCase


def judged(
    case: AnswerCase,
    failures: tuple[Failure, ...],
    *,
    suite: str | None,
    today: dt.date,
    answer: Answer | None,
    error: CaseError | None,
    elapsed_ms: float,
) -> CaseResult:
    """Return the record of a case from its failures.

    A known issue excuses a case only where it applies to this suite, its last day has not passed, and every failure is
    one that it excuses: those it names, else all but ``forbidden_text`` and ``error``, which nothing excuses.

    Args:
        case: The case.
        failures: What its answer lacks or must not hold; ``error`` where there is none.
        suite: The suite that runs; an issue that names suites applies to those alone.
        today: The day that ``until`` is compared with.
        answer: What came back.
        error: Why nothing did.
        elapsed_ms: How long it took.
    """
    issue = case.known_issue
    if issue is not None and issue.suites and suite not in issue.suites:
        issue = None
    expired = issue is not None and issue.until is not None and issue.until < today
    excused = frozenset(issue.failures or EXCUSABLE).intersection(EXCUSABLE) if issue and not expired else frozenset()
    status: Status = "ng"
    if not failures:
        status = "fixed" if issue else "ok"
    elif all(failure.code in excused for failure in failures):
        status = "known"
    return CaseResult(
        case=case,
        status=status,
        passed=not failures,
        failures=failures,
        issue=issue,
        expired=expired,
        answer=answer,
        error=error,
        elapsed_ms=elapsed_ms,
    )
