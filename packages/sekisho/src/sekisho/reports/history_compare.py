"""Two kept runs for people: metrics beside each other, the cases that differ, worst first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sekisho.core.text import printable, shorten
from sekisho.reports.history_show import case_head, status_word
from sekisho.reports.history_words import is_mean, metric_number, name_of, run_line, verdict_style, verdict_word
from sekisho.reports.terminal import Cell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sekisho.core.history import CaseChange, KeptCase, RunComparison, SuiteChange
    from sekisho.reports.terminal import Terminal

CASES_SHOWN = 20
_SENTENCES_SHOWN = 3
_LONGEST_SENTENCE = 400
_STYLES = {"worse": "red", "removed": "yellow", "new": "cyan", "changed": "yellow", "better": "green"}


def write_run_comparison(comparison: RunComparison, terminal: Terminal) -> None:
    """Write two runs beside each other."""
    before, after = comparison.before, comparison.after
    for code, run in (("history.from", before), ("history.to", after)):
        terminal.line(terminal.say(code, run=run_line(run, terminal)), hang=2, style="bold")
    both = [suite for suite in comparison.suites if suite.before is not None and suite.after is not None]
    differing = [suite for suite in both if _differs(suite)]
    rows = [row for suite in differing for row in _metric_rows(suite)]
    if rows:
        terminal.line()
        head = [terminal.say("history.column_metric"), str(before.number), str(after.number)]
        terminal.table([*head, terminal.say("history.column_difference")], rows)
    for suite in differing:
        terminal.line()
        _write_suite(suite, terminal)
    terminal.line()
    only_before = [suite for suite in comparison.suites if suite.after is None]
    only_after = [suite for suite in comparison.suites if suite.before is None]
    _write_names("history.suites_same", [suite for suite in both if suite not in differing], terminal)
    _write_names("history.suites_only_before", only_before, terminal, style="yellow")
    _write_names("history.suites_only_after", only_after, terminal, style="yellow")
    verdict = terminal.say(
        "history.verdicts", before=verdict_word(before.verdict, terminal), after=verdict_word(after.verdict, terminal)
    )
    terminal.line(verdict, style=verdict_style(after.verdict), whole=True)


def _differs(suite: SuiteChange) -> bool:
    """Tell whether there is anything to say about a suite."""
    moved = any(metric.before != metric.after for metric in suite.metrics)
    return moved or bool(suite.cases) or bool(suite.ruler_changed) or suite.before != suite.after


def _write_names(code: str, suites: Sequence[SuiteChange], terminal: Terminal, *, style: str = "") -> None:
    if suites:
        names = ", ".join(name_of(suite.name) for suite in suites)
        terminal.line(terminal.say(code, suites=names), hang=2, style=style)


def _metric_rows(suite: SuiteChange) -> list[list[Cell]]:
    rows = []
    for metric in suite.metrics:
        difference = None
        if metric.before is not None and metric.after is not None:
            difference = metric.after - metric.before
        rows.append(
            [
                Cell(f"{name_of(suite.name)} {name_of(metric.name)}"),
                Cell(metric_number(metric.name, metric.before)),
                Cell(metric_number(metric.name, metric.after)),
                Cell(_signed(metric.name, difference), "bold" if difference else "dim"),
            ]
        )
    return rows


def _signed(name: str, difference: float | None) -> str:
    if difference is None:
        return "-"
    if not difference:
        return "="
    return f"{difference:+.4f}" if is_mean(name) else f"{difference:+g}"


def _write_suite(suite: SuiteChange, terminal: Terminal) -> None:
    name = name_of(suite.name)
    counts = {direction: sum(case.direction == direction for case in suite.cases) for direction in _STYLES}
    words = [
        terminal.say("history.count", word=terminal.say(f"history.direction_{direction}"), count=count)
        for direction, count in counts.items()
        if count
    ]
    words.append(terminal.say("history.count", word=terminal.say("history.as_before"), count=suite.unchanged))
    terminal.line(f"{name}: {' · '.join(words)}", hang=2, style="bold")
    if suite.ruler_changed:
        parts = ", ".join(map(name_of, suite.ruler_changed))
        terminal.line(terminal.say("history.ruler_changed", parts=parts), indent=2, hang=2, style="yellow")
    for change in suite.cases[:CASES_SHOWN]:
        _write_change(change, suite.kind, terminal)
    if len(suite.cases) > CASES_SHOWN:
        more = terminal.say("history.more_changes", count=len(suite.cases) - CASES_SHOWN)
        terminal.line(more, indent=2, style="dim")


def _write_change(change: CaseChange, kind: str, terminal: Terminal) -> None:
    case = change.after or change.before
    if case is None:
        return
    word = terminal.say(f"history.direction_{change.direction}")
    line = f"{word}: {case_head(case, kind, terminal)}   {_moved(change, terminal)}".rstrip()
    terminal.line(line, indent=2, hang=2, style=_STYLES[change.direction])
    for sentence in case.sentences[:_SENTENCES_SHOWN] if change.after else ():
        terminal.line("- " + printable(shorten(sentence, _LONGEST_SENTENCE)), indent=4, hang=2)


def _moved(change: CaseChange, terminal: Terminal) -> str:
    """Return from where to where a case moved: its status, and its recall."""
    before, after = change.before, change.after
    if before is None or after is None:
        there = before or after
        return _recall(there) if there else ""
    parts = []
    if before.status != after.status:
        words = (
            status_word(case.status, terminal) or terminal.say("history.status_measured") for case in (before, after)
        )
        parts.append(" → ".join(words))
    if before.recall != after.recall:
        parts.append(" → ".join(_recall(case) or "-" for case in (before, after)))
    return "  ".join(parts)


def _recall(case: KeptCase) -> str:
    return f"{name_of(case.recall[0])} {case.recall[1]:.4f}" if case.recall else ""
