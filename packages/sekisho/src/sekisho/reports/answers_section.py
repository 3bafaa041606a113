"""A suite of answer cases in the report of a check: its lines, what failing answers say, and where to read on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sekisho.core.answers import FAILURE_CODES
from sekisho.core.text import display_width, printable, shorten
from sekisho.reports.answers_report import case_line, case_style, sentences_of, totals, viewpoints
from sekisho.reports.error_groups import Unmeasured, grouped, write_groups
from sekisho.reports.terminal import cut

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sekisho.answers import CaseResult
    from sekisho.core.errors import Location
    from sekisho.gate import AnswersSuiteResult
    from sekisho.reports.terminal import Terminal

_EVIDENCE_INDENT = 6
_LONGEST_ANSWER = 160
_SHORTEST_ANSWER = 10
_LONGEST_PLACE = 120


def write_answers(suite: AnswersSuiteResult, terminal: Terminal) -> None:
    """Write a suite of answer cases: a line a case, each failure below it, the totals, the viewpoints."""
    results = suite.report.cases
    head = terminal.say("answers.suite_head", name=suite.name, target=suite.target, cases=suite.cases_name)
    terminal.line(head, hang=2, style="bold")
    shared = [group for group in grouped(_unmeasured(results)) if len(group) > 1]
    said_below = {case.id for group in shared for case in group}
    for result in results:
        terminal.line(case_line(result, terminal.language), indent=2, hang=2, style=case_style(result))
        for sentence in sentences_of(result):
            if result.id not in said_below or sentence.code not in _REASONS:
                terminal.line("- " + sentence.render(terminal.language), indent=4, hang=2)
        for text in () if result.id in said_below else _evidence(result, terminal, redact=suite.redact):
            terminal.line(text, indent=_EVIDENCE_INDENT, hang=2, style="dim")
    write_groups(shared, terminal, redact=suite.redact)
    for text in (totals(results, terminal.language), viewpoints(results, terminal.language)):
        terminal.line(text, indent=2, hang=2)
    for warning in suite.warnings:
        text = warning.render(terminal.language)
        terminal.line(terminal.say("report.warning", text=text), indent=2, hang=2, style="yellow")
    if codes := _codes(results):
        terminal.line(terminal.say("report.what_to_do", codes=" · ".join(codes)), indent=2, hang=2, style="dim")


_REASONS = frozenset({"answers.error", "answers.redacted_error"})
"""The sentences that say why a case could not be measured."""


def _unmeasured(results: tuple[CaseResult, ...]) -> Iterator[Unmeasured]:
    for result in results:
        if result.error is not None:
            yield Unmeasured(result.id, result.id, result.error.reason, result.error)


def _codes(results: tuple[CaseResult, ...]) -> list[str]:
    """Return the codes of what fails without an excuse, the worst first."""
    found = {failure.code for result in results if result.status == "ng" for failure in result.failures}
    return sorted(found, key=lambda code: (code != "forbidden_text", FAILURE_CODES.index(code)))


def _evidence(result: CaseResult, terminal: Terminal, *, redact: bool) -> list[str]:
    """Return what the answer of a new failure says, and where the case stands."""
    if result.status != "ng":
        return []
    texts = []
    if result.answer is not None and not redact:
        texts.append(_got(result.answer.text, terminal))
    if result.case.where is not None:
        texts.append(place(result.case.where))
    return texts


def _got(text: str, terminal: Terminal) -> str:
    """Return what an answer says on one line, as much of it as a line holds."""
    said = printable(shorten(" ".join(text.split()), _LONGEST_ANSWER)) or "-"
    room = terminal.width - _EVIDENCE_INDENT - display_width(terminal.say("report.answer_got", text=""))
    return terminal.say("report.answer_got", text=cut(said, max(room, _SHORTEST_ANSWER)))


def place(where: Location) -> str:
    """Return a place in a file as a terminal links it: from the folder that the command was called in, if below it."""
    file = Path(where.file)
    here = Path.cwd()
    if file.is_absolute() and file.is_relative_to(here):
        file = file.relative_to(here)
    text = f"{file.as_posix()}:{where.line}" if where.line else file.as_posix()
    return printable(shorten(text, _LONGEST_PLACE))
