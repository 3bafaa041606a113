"""The cases of one suite, run one by one in any order on a target that is opened once."""

from __future__ import annotations

import datetime as dt
from contextlib import ExitStack
from typing import TYPE_CHECKING

from sekisho.adapters import targets
from sekisho.adapters.case_files import read_case_file
from sekisho.answers import AnswersReport, Failure, evaluate_answers
from sekisho.answers.grounds import grounds_of
from sekisho.answers.status import judged
from sekisho.app.prepared import placed, why_unmeasured
from sekisho.app.redaction import redact_refusal, redacted_answers
from sekisho.app.target_making import TargetMaker, target_maker
from sekisho.calling.asking import asked
from sekisho.calling.event_loop import BoundTarget
from sekisho.calling.methods import method_of
from sekisho.core.errors import RetrievalError, SekishoError, TargetError
from sekisho.core.messages import Note, note

if TYPE_CHECKING:
    from pathlib import Path

    from sekisho.answers import CaseResult
    from sekisho.app.settings import AnswersSuite
    from sekisho.core.answers import AnswerCase


class SingleCases:
    """The cases of one suite, each of which runs when it is asked for.

    The target is made and opened for the first of them, and kept until :meth:`close`. Where that fails it is not tried
    again: every case is then an error for the same reason.

    Args:
        suite: The suite.
        cases: All its cases.
        maker: How its target is made.
        today: The day that ``until`` of a known issue is compared with.
    """

    def __init__(
        self, suite: AnswersSuite, *, cases: tuple[AnswerCase, ...], maker: TargetMaker, today: dt.date
    ) -> None:
        self.suite = suite
        self.cases = cases
        self._maker = maker
        self._today = today
        self._stack = ExitStack()
        self._target: object = None
        self._is_open = False
        self._refusal: SekishoError | None = None
        self._ran: set[str] = set()

    def run(self, case: AnswerCase) -> CaseResult:
        """Return one case, asked and judged; without any text of it where the suite is redacted."""
        modules = targets.own_modules()
        try:
            result = self._run(case)
        finally:
            targets.restore_modules(modules)
        return redacted_answers(AnswersReport(cases=(result,))).cases[0] if self.suite.redact else result

    def close(self) -> tuple[Note, ...]:
        """Close the target, where it is open, and return what the reader should know of the cases that ran.

        Raises:
            TargetError: Closing it failed.
        """
        if not self._is_open:
            return ()
        ran = [case for case in self.cases if case.id in self._ran]
        self._is_open = False
        modules = targets.own_modules()
        try:
            with self._stack:  # which closes it
                warnings = () if self.suite.redact else _warnings(ran, self._target, exact=self.suite.exact)
        except TargetError as error:
            if self.suite.redact:
                redact_refusal(error)
            raise
        finally:
            targets.restore_modules(modules)
            self._target = None
        return warnings

    def _run(self, case: AnswerCase) -> CaseResult:
        suite = self.suite
        try:
            report = evaluate_answers(
                [case],
                _answering(self._opened()),
                today=self._today,
                suite=suite.name,
                exact=suite.exact,
                everyone=suite.everyone,
                timeout_s=suite.timeout_s,
            )
        except (TargetError, RetrievalError) as error:
            return self._unmeasured(case, error)
        self._ran.add(case.id)
        return report.cases[0]

    def _opened(self) -> object:
        if self._refusal is not None:
            raise self._refusal
        if not self._is_open:
            try:
                opening = targets.open_target(self._maker.make(), reference=self._maker.name)
                self._target = self._stack.enter_context(opening)
            except (TargetError, RetrievalError) as error:
                self._refusal = error
                raise
            self._is_open = True
        return self._target

    def _unmeasured(self, case: AnswerCase, error: SekishoError) -> CaseResult:
        why = why_unmeasured("retrieval.not_made", error)
        return judged(
            case,
            (Failure(code="error", reason=note("answers.error", reason=why.reason)),),
            suite=self.suite.name,
            today=self._today,
            answer=None,
            error=why,
            elapsed_ms=0.0,
        )


def prepare_single_cases(suite: AnswersSuite, *, root: Path) -> SingleCases:
    """Read the cases of a suite and import its target.

    Raises:
        SekishoError: The case file or the configuration is wrong, or the target cannot be imported.
    """
    with placed(suite, "cases"):
        cases = read_case_file(suite.cases).cases
    maker = target_maker(suite, root=root, offered={})
    return SingleCases(suite, cases=cases, maker=maker, today=dt.datetime.now(dt.UTC).date())


def _answering(target: object) -> object:
    """Return what answers, without the rest of the target: its documents are looked at once, not for every case."""
    loop = None
    if type(target) is BoundTarget:  # isinstance would ask the target's own class
        target, loop = target
    method = method_of(target, "answer")
    if method is None and callable(target):
        method = target
    if not callable(method):
        raise TargetError("calling.no_method", method="answer", kind=type(target).__name__)
    return BoundTarget(method, loop) if loop is not None else method


def _warnings(cases: list[AnswerCase], target: object, *, exact: bool) -> tuple[Note, ...]:
    with asked(target) as asking:
        return grounds_of(cases, asking, exact=exact).warnings
