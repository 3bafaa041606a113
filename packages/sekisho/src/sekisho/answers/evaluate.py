"""``evaluate_answers``: ask every case of a target and judge what it answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sekisho.answers.checks import check_calls, check_cases
from sekisho.answers.grounds import grounds_of
from sekisho.answers.judge import failures_of
from sekisho.answers.records import AnswersReport, Failure
from sekisho.answers.status import judged
from sekisho.calling.answers import read_answer
from sekisho.calling.asking import asked
from sekisho.calling.methods import method_of
from sekisho.core.answers import EVERYONE
from sekisho.core.messages import note

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Sequence

    from sekisho.answers.records import CaseResult
    from sekisho.calling import Outcome
    from sekisho.calling.asking import Asked
    from sekisho.core.answers import Answer, AnswerCase


def evaluate_answers(
    cases: Sequence[AnswerCase],
    target: object,
    *,
    today: dt.date,
    suite: str | None = None,
    exact: bool = False,
    everyone: str = EVERYONE,
    concurrency: int = 1,
    timeout_s: float | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> AnswersReport:
    """Return what a target answers to each case, judged.

    Args:
        cases: At least one, ids unique.
        target: An object with ``answer(question, departments)``, or such a function, sync or async; it gets the
            departments sorted, each once, with ``everyone`` among them. Where it has ``documents()``, texts of cases
            that stand in no document are warned about.
        today: The day that ``until`` of a known issue is compared with.
        suite: The suite that runs, for known issues that name suites.
        exact: Whether texts are compared without folding.
        everyone: The department that every asker has.
        concurrency: How many questions are under way at once; at least 1.
        timeout_s: Seconds after which a question is given up; the case is then an error. None waits for ever.
        on_progress: Called with (cases done, cases in all) after each case.

    Raises:
        RetrievalError: No case, an id that comes twice, a case that expects nothing or has a text in place of a list;
            or ``concurrency`` or ``timeout_s`` is out of range.
        TargetError: The target has no ``answer``.
    """
    cases = tuple(cases)
    check_cases(cases)
    check_calls(concurrency=concurrency, timeout_s=timeout_s)
    with asked(target) as asking:
        method = _answer_method(asking)
        done = _counter(len(cases), on_progress)
        outcomes = asking.ask_all(
            method,
            [(case.question, principal(case.departments, everyone)) for case in cases],
            read=read_answer,
            concurrency=concurrency,
            timeout_s=timeout_s,
            done=done,
        )
        grounds = grounds_of(cases, asking, exact=exact, timeout_s=timeout_s)
    results = tuple(
        _result(case, outcome, suite=suite, today=today, exact=exact)
        for case, outcome in zip(cases, outcomes, strict=True)
    )
    return AnswersReport(cases=results, warnings=grounds.warnings, documents=grounds.documents)


def ask_once(
    target: object,
    question: str,
    departments: Sequence[str],
    *,
    everyone: str = EVERYONE,
    timeout_s: float | None = None,
) -> Outcome[Answer]:
    """Return what a target answers to one question, or why it gives no answer.

    Raises:
        TargetError: The target has no ``answer``.
    """
    with asked(target) as asking:
        arguments = (question, principal(departments, everyone))
        return asking.ask_all(_answer_method(asking), [arguments], read=read_answer, timeout_s=timeout_s)[0]


def principal(departments: Sequence[str], everyone: str = EVERYONE) -> list[str]:
    """Return what a target gets as the asker's departments: sorted, each once, with everyone's."""
    return sorted({*departments, everyone})


def _answer_method(asking: Asked) -> Callable[..., Any]:
    if method_of(asking.target, "answer") is None and callable(asking.target):
        return asking.target
    return asking.method("answer")


def _counter(total: int, on_progress: Callable[[int, int], None] | None) -> Callable[[], None]:
    count = 0

    def done() -> None:
        nonlocal count
        count += 1
        if on_progress:
            on_progress(count, total)

    return done


def _result(
    case: AnswerCase, outcome: Outcome[Answer], *, suite: str | None, today: dt.date, exact: bool
) -> CaseResult:
    if outcome.value is None:
        assert outcome.error is not None  # noqa: S101  a call gives one or the other
        failures: tuple[Failure, ...] = (
            Failure(code="error", reason=note("answers.error", reason=outcome.error.reason)),
        )
    else:
        failures = failures_of(case, outcome.value, exact=exact)
    return judged(
        case,
        failures,
        suite=suite,
        today=today,
        answer=outcome.value,
        error=outcome.error,
        elapsed_ms=outcome.elapsed_ms,
    )
