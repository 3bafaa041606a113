"""What the fixture ``sekisho`` gives: cases, suites and verdicts for tests of one's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sekisho.core.answers import EVERYONE
from sekisho.core.errors import ConfigurationError, SekishoError
from sekisho.pytest_plugin.language import language_of

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from sekisho.answers import CaseResult
    from sekisho.core.answers import AnswerCase
    from sekisho.gate import SuiteResult


class Sekisho:
    """Judges answers inside a test.

    Args:
        config: Of the test run: its folder, and the language of sentences.
    """

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._language = language_of(config)

    def load_cases(self, path: str | os.PathLike[str]) -> tuple[AnswerCase, ...]:
        """Return the cases of a file; see :func:`sekisho.load_cases`.

        Raises:
            SekishoError: The file cannot be read, or a case in it is not right.
        """
        __tracebackhide__ = True
        from sekisho.adapters.case_files import load_cases  # noqa: PLC0415  only where it is used

        try:
            return load_cases(path)
        except SekishoError as error:
            raise error.with_traceback(None) from None

    def run(
        self,
        cases: Sequence[AnswerCase],
        target: object,
        *,
        suite: str | None = None,
        exact: bool = False,
        everyone: str = EVERYONE,
        concurrency: int = 1,
        timeout_s: float | None = None,
    ) -> tuple[CaseResult, ...]:
        """Return every case, asked and judged; see :func:`sekisho.run_all`.

        Raises:
            SekishoError: No case, an id that comes twice, or a target without ``answer``.
        """
        __tracebackhide__ = True
        from sekisho.app.answer_cases import run_all  # noqa: PLC0415  as above

        try:
            return run_all(
                cases,
                target,
                suite=suite,
                exact=exact,
                everyone=everyone,
                concurrency=concurrency,
                timeout_s=timeout_s,
            )
        except SekishoError as error:
            raise error.with_traceback(None) from None

    def check(
        self,
        cases: Sequence[AnswerCase],
        target: object,
        *,
        suite: str | None = None,
        exact: bool = False,
        everyone: str = EVERYONE,
        concurrency: int = 1,
        timeout_s: float | None = None,
    ) -> tuple[CaseResult, ...]:
        """Return every case as :meth:`run` does, or fail the test with a line a case and each failure below it.

        Raises:
            pytest.fail.Exception: A case fails without an excuse, or could not be measured.
            SekishoError: As :meth:`run`.
        """
        __tracebackhide__ = True
        results = self.run(
            cases,
            target,
            suite=suite,
            exact=exact,
            everyone=everyone,
            concurrency=concurrency,
            timeout_s=timeout_s,
        )
        from sekisho.answers import has_regression  # noqa: PLC0415  as above
        from sekisho.reports.answers_report import summarize  # noqa: PLC0415  as above

        if has_regression(results):
            pytest.fail(summarize(results, lang=self._language))
        return results

    def suite(self, name: str) -> SuiteResult:
        """Run one suite of the configuration found upward from where pytest was started, and return its result.

        ``assert sekisho.suite("policies").verdict == "passed"`` makes a test of it.

        Raises:
            SekishoError: There is no configuration or no such suite, or it cannot begin.
        """
        __tracebackhide__ = True
        try:
            return self._suite(name)
        except SekishoError as error:
            raise error.with_traceback(None) from None

    def _suite(self, name: str) -> SuiteResult:
        from sekisho.app.configuration import find_configuration, load_configuration  # noqa: PLC0415  as above
        from sekisho.app.runs import run_check  # noqa: PLC0415  as above

        folder = self._config.invocation_params.dir
        path = find_configuration(folder) or find_configuration(self._config.rootpath)
        if path is None:
            raise ConfigurationError("app.no_configuration", folder=str(folder))
        return run_check(load_configuration(path), names=[name]).suites[0]
