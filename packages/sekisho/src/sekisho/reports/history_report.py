"""The history for people: runs in a list, the newest first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sekisho.core.text import display_width
from sekisho.reports.history_words import (
    branch_of,
    commit_of,
    duration_of,
    suite_in_short,
    time_of,
    verdict_style,
    verdict_word,
)
from sekisho.reports.terminal import Cell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sekisho.core.history import KeptSuite, RunList
    from sekisho.reports.terminal import Terminal

_COLUMNS = ("number", "time", "commit", "branch", "verdict", "duration", "suites")
_GAP = 2
_NARROWEST = 16
"""Columns of the last cell; with fewer left, each run is a paragraph of its own."""
_DECIDING = ("failed", "not_measured")


def write_list(listed: RunList, terminal: Terminal, *, suite: str | None = None) -> None:
    """Write runs in a table.

    Args:
        listed: The runs, newest first.
        terminal: Where to.
        suite: Of which suite alone the number is shown.
    """
    if not listed.runs:
        terminal.line(terminal.say("history.no_match"))
        return
    head = [terminal.say(f"history.column_{name}") for name in _COLUMNS]
    rows = [
        [
            Cell(str(run.number)),
            Cell(time_of(run.time)),
            Cell(commit_of(run.commit)),
            Cell(branch_of(run)),
            Cell(verdict_word(run.verdict, terminal), verdict_style(run.verdict)),
            Cell(duration_of(run.duration_ms, terminal)),
        ]
        for run in listed.runs
    ]
    used = [max(display_width(text) for text in column) for column in _texts(head, rows)]
    room = terminal.width - sum(used) - _GAP * len(used)
    if room < _NARROWEST:
        room = terminal.width - display_width(head[-1]) - 2 * _GAP
    for run, row in zip(listed.runs, rows, strict=True):
        shown = [each for each in run.suites if suite is None or each.name == suite]
        row.append(Cell(_suites_in_short(shown, terminal, room=room)))
    terminal.table(head, rows, left=(1, 2, 3, 4, 6))
    terminal.line(terminal.say("history.headlines"), style="dim")
    if listed.matching > len(listed.runs):
        text = terminal.say("history.more_runs", shown=len(listed.runs), count=listed.matching)
        terminal.line(text, style="dim")


def write_no_history(terminal: Terminal) -> None:
    """Write how to get a history."""
    terminal.line(terminal.say("history.none_yet"))


def _texts(head: Sequence[str], rows: Sequence[Sequence[Cell]]) -> list[list[str]]:
    return [[head[place], *(row[place].text for row in rows)] for place in range(len(head) - 1)]


def _suites_in_short(suites: Sequence[KeptSuite], terminal: Terminal, *, room: int) -> str:
    """Return as many suites as fit, those that decide a bad verdict first, and how many more there are."""
    ordered = sorted(suites, key=lambda suite: suite.verdict not in _DECIDING)
    line, best = "", f"… (+{len(ordered)})"
    for shown, suite in enumerate(ordered, start=1):  # no more than fit are put into words: lists can be long
        line += (", " if line else "") + suite_in_short(suite, terminal)
        if display_width(line) > room:
            return best
        more = f"{line} … (+{len(ordered) - shown})"
        if display_width(more) <= room:
            best = more
    return line or "-"
