"""What items of every kind share: their place, their payload, and what is shown where they fail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from sekisho.pytest_plugin.outcomes import OutcomeError, shown_as

if TYPE_CHECKING:
    from pathlib import Path

    from sekisho.core.messages import Language
    from sekisho.pytest_plugin.nodes import SuiteNode
    from sekisho.pytest_plugin.payloads import Payload


PAYLOAD = "sekisho"
"""The attribute of a report that carries the payload, between processes as well."""


class SekishoItem(pytest.Item):
    """An item of a suite.

    Attributes:
        payload: What the summary needs of it, once it has run.
    """

    def __init__(self, *, suite_node: SuiteNode, place: Path, line: int | None = None, **arguments: Any) -> None:  # noqa: ANN401  pytest's own
        super().__init__(**arguments)
        self.suite_node = suite_node
        self.payload: Payload | None = None
        self._place = place
        self._line = line

    @property
    def language(self) -> Language:
        """The language of its sentences."""
        return self.suite_node.language

    @property
    def shown_place(self) -> str:
        """The file where it is written, as seen from where pytest was started."""
        folder = self.config.invocation_params.dir
        return str(self._place.relative_to(folder) if self._place.is_relative_to(folder) else self._place)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return the file and the line, counted from 0, where it is written, and its name in headings."""
        line = None if self._line is None else self._line - 1
        return self._place, line, f"{self.suite_node.name}: {self.name}"

    def adjust(self, report: pytest.TestReport, call: pytest.CallInfo[Any]) -> None:
        """Give a report of this item its text and its payload; no output of the target where the suite is redacted."""
        if call.excinfo is not None and isinstance(call.excinfo.value, OutcomeError):
            report.longrepr = shown_as(call.excinfo, call.excinfo.value, path=self._place, line=self._line or 1)
        if self.payload is not None and (report.when == "call" or report.failed):
            vars(report)[PAYLOAD] = self.payload
        if self.suite_node.suite.redact:
            report.sections.clear()
