"""Items of answer cases: one a case."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sekisho.app.single_cases import prepare_single_cases
from sekisho.core.messages import message
from sekisho.core.text import printable, shorten
from sekisho.pytest_plugin.items import SekishoItem
from sekisho.pytest_plugin.marking import mark
from sekisho.pytest_plugin.naming import distinct, node_name
from sekisho.pytest_plugin.open_cases import OpenCases
from sekisho.pytest_plugin.outcomes import ExcusedError, FailedError, OutcomeError, UnmeasuredError
from sekisho.pytest_plugin.payloads import case_payload
from sekisho.reports.answers_report import case_lines, sentences_of

if TYPE_CHECKING:
    from sekisho.answers import CaseResult
    from sekisho.app.settings import AnswersSuite
    from sekisho.core.answers import AnswerCase, KnownIssue
    from sekisho.pytest_plugin.nodes import SuiteNode

_LONGEST_REASON = 300


class CaseItem(SekishoItem):
    """One answer case. It is asked while the item is set up, so that a case without a measurement is an error."""

    def __init__(self, *, case: AnswerCase, suite: AnswersSuite, open_cases: OpenCases, **arguments: Any) -> None:  # noqa: ANN401  pytest's own
        super().__init__(**arguments)
        self.case = case
        self.open_cases = open_cases
        self._suite = suite
        self._result: CaseResult | None = None

    def setup(self) -> None:
        """Ask the case.

        Raises:
            UnmeasuredError: It could not be measured.
        """
        result = self._result = self.open_cases.run(self)
        total = len(self.open_cases.single.cases)
        self.payload = case_payload(result, self.case, suite=self._suite, node=self.suite_node, total=total)
        if result.error is not None:
            raise self._outcome(UnmeasuredError, result)

    def runtest(self) -> None:
        """Pass, or tell what the answer lacks.

        Raises:
            FailedError: It fails without an excuse, or passes although a strict suite lists it as a known issue.
            ExcusedError: It fails as its known issue says.
        """
        result = self._result
        assert result is not None  # noqa: S101  set up before it runs
        if result.status == "fixed" and self._suite.strict and self._suite.gate:
            raise self._outcome(FailedError, result)
        if result.passed:
            return
        if not self._suite.gate:
            reason = message("plugin.no_gate", self.language, reason=sentences_of(result)[0])
            pytest.xfail(reason)  # does nothing under --runxfail
        raise self._outcome(ExcusedError if result.status == "known" else FailedError, result)

    def teardown(self) -> None:
        """Let go of the target."""
        self.open_cases.leave()

    def _outcome(self, kind: type[OutcomeError], result: CaseResult) -> OutcomeError:
        lines = [" " * line.indent + line.text for line in case_lines(result, self.language)]
        lines.append(f"{printable(self.shown_place)}:{self._line}" if self._line else printable(self.shown_place))
        headline = sentences_of(result)[-1 if result.passed else 0].render(self.language)
        return kind("\n".join(lines), headline=headline)


def case_items(node: SuiteNode, suite: AnswersSuite) -> list[pytest.Item]:
    """Return an item for each case of a suite.

    Raises:
        SekishoError: The case file or the target's module is wrong.
    """
    single = prepare_single_cases(suite, root=node.root)
    open_cases = OpenCases(node, single)
    items: list[pytest.Item] = []
    for name, case in zip(distinct(node_name(case.id) for case in single.cases), single.cases, strict=True):
        place = case.where
        item = CaseItem.from_parent(
            node,
            name=name,
            suite_node=node,
            place=Path(place.file) if place else suite.cases,
            line=place.line if place else None,
            case=case,
            suite=suite,
            open_cases=open_cases,
        )
        mark(item, {*suite.tags, *case.tags})
        item.extra_keyword_matches.update((suite.name, case.id))
        issue = case.known_issue
        if issue is not None and (not issue.suites or suite.name in issue.suites):
            reason = _reason(issue)
            item.add_marker(pytest.mark.xfail(raises=ExcusedError, reason=reason, strict=False))
        items.append(item)
    return items


def _reason(issue: KnownIssue) -> str:
    text = f"{issue.reason} ({issue.link})" if issue.link else issue.reason
    return printable(shorten(text, _LONGEST_REASON))
