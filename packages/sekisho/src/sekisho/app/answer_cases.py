"""Answer cases from Python: run one or all against a target, today."""

from __future__ import annotations

import datetime as dt
import os
from typing import TYPE_CHECKING

from sekisho.answers import evaluate_answers
from sekisho.core.answers import EVERYONE
from sekisho.core.errors import RetrievalError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sekisho.answers import CaseResult
    from sekisho.core.answers import AnswerCase


def run_case(case: AnswerCase, target: object, *, suite: str | None = None, exact: bool = False) -> CaseResult:
    """Return one case, asked and judged; see :func:`run_all`."""
    return run_all([case], target, suite=suite, exact=exact)[0]


def run_all(
    cases: Sequence[AnswerCase],
    target: object,
    *,
    suite: str | None = None,
    exact: bool = False,
    everyone: str = EVERYONE,
    concurrency: int = 1,
    timeout_s: float | None = None,
) -> tuple[CaseResult, ...]:
    """Return every case, asked and judged, in the order given.

    ``assert not has_regression(results), summarize(results)`` makes a test of them.

    Args:
        cases: At least one, ids unique; from ``load_cases``.
        target: An object with ``answer(question, departments)``, or such a function, sync or async. The answer has
            ``text``, ``sources``, ``found`` and ``contexts`` (each with ``document_id`` and ``text``).
        suite: A name, for known issues that apply to named suites only.
        exact: Whether texts are compared character by character.
        everyone: The department that every asker has.
        concurrency: How many questions are under way at once.
        timeout_s: Seconds after which a question is given up; None waits for ever.

    Raises:
        RetrievalError: No case, an id that comes twice, or the path of a file in place of its cases; or an async target
            inside a running event loop.
        TargetError: The target has no ``answer``.
    """
    if isinstance(cases, (str, os.PathLike)):
        raise RetrievalError("answers.path_for_cases", path=os.fsdecode(cases))
    today = dt.datetime.now(dt.UTC).date()
    return evaluate_answers(
        cases,
        target,
        today=today,
        suite=suite,
        exact=exact,
        everyone=everyone,
        concurrency=concurrency,
        timeout_s=timeout_s,
    ).cases
