"""The hooks of a test run that asks for suites: collecting them, gathering results, judging and showing them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from sekisho.pytest_plugin.items import PAYLOAD, SekishoItem
from sekisho.pytest_plugin.nodes import ConfigurationNode
from sekisho.pytest_plugin.open_cases import WARNINGS
from sekisho.pytest_plugin.summary import Summary

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from sekisho.core.messages import Language
    from sekisho.pytest_plugin.payloads import Payload
    from sekisho.pytest_plugin.wanted import Wanted

_OUTPUT = "sekisho_warnings"
"""Under this key a worker hands over what closing its targets had to say."""
_QUIETEST = -1
"""At ``-q`` the summary is shown; at ``-qq`` only what fails the run."""


class SekishoSession:
    """One test run in one process; where others run the items, the controlling one gathers what they report."""

    def __init__(self, config: pytest.Config, *, wanted: Wanted, language: Language) -> None:
        self._config = config
        self._wanted = wanted
        self._language = language
        self._summary = Summary(language)

    @property
    def _worker_output(self) -> dict[str, Any] | None:
        """What a worker of pytest-xdist hands over at its end; None in any other process."""
        return getattr(self._config, "workeroutput", None)

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> ConfigurationNode | None:
        """Collect the configurations that are arguments, and no other."""
        if file_path not in self._wanted.by_file:
            return None
        node: ConfigurationNode = ConfigurationNode.from_parent(
            parent, path=file_path, wanted=self._wanted, language=self._language
        )
        return node

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[Any]) -> Generator[None, Any, None]:
        """Let an item of a suite give its report text and payload."""
        outcome = yield
        if isinstance(item, SekishoItem):
            item.adjust(outcome.get_result(), call)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep what an item says of itself, wherever it ran; of one that ran again the last counts."""
        payload: Payload | None = getattr(report, PAYLOAD, None)
        if payload is not None:
            self._summary.add(report.nodeid, payload)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:  # noqa: ANN401, ARG002  as pytest-xdist calls it
        """Keep what closing the targets of a worker had to say."""
        output = getattr(node, "workeroutput", None) or {}  # none of a worker that crashed
        self._summary.warn(output.get(_OUTPUT, {}))

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail the run where its results together break a rule that no single item can."""
        warnings = self._config.stash.get(WARNINGS, {})
        if self._worker_output is not None:
            self._worker_output[_OUTPUT] = warnings
            return
        self._summary.warn(warnings)
        broken = self._summary.broken_rules()
        if broken and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        reporter = self._config.pluginmanager.get_plugin("terminalreporter")
        if broken and reporter is not None and not self._is_shown():
            reporter.ensure_newline()
            for sentence in broken:
                reporter.write_line(sentence, red=True)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Show each suite."""
        if self._is_shown() and self._summary:
            terminalreporter.section("sekisho")
            for line in self._summary.lines():
                terminalreporter.write_line(line.text, **line.markup)

    def _is_shown(self) -> bool:
        option = self._config.option
        return option.verbose >= _QUIETEST and not getattr(option, "no_summary", False)
