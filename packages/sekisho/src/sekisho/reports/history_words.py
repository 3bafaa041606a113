"""The words that the reports of the history share: verdicts, times, numbers, runs in a line."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from sekisho.core.text import printable, shorten
from sekisho.reports.metrics import COLOURS

if TYPE_CHECKING:
    from sekisho.core.history import KeptRun, KeptSuite
    from sekisho.gate import Verdict
    from sekisho.reports.terminal import Terminal

COMMIT_SHOWN = 8
_LONGEST_BRANCH = 24
_LONGEST_NAME = 40
_MINUTE_S = 60


def verdict_word(verdict: str, terminal: Terminal) -> str:
    """Return a verdict in the user's language; one that this version does not know, as it was kept."""
    return terminal.say(f"report.word_{verdict}") if verdict in COLOURS else name_of(verdict)


def verdict_style(verdict: str) -> str:
    """Return the colour of a verdict."""
    return COLOURS.get(cast("Verdict", verdict), "")


def name_of(text: str | None) -> str:
    """Return a name on one line, harmless, not endless."""
    return printable(shorten(text, _LONGEST_NAME)) if text else "-"


def branch_of(run: KeptRun) -> str:
    """Return the branch of a run, shortened."""
    return printable(shorten(run.branch, _LONGEST_BRANCH)) if run.branch else "-"


def commit_of(commit: str | None) -> str:
    """Return the beginning of a commit."""
    return printable(commit[:COMMIT_SHOWN]) if commit else "-"


def time_of(time: str) -> str:
    """Return a time to the minute; in UTC, as the head of its column says."""
    return printable(time[:16].replace("T", " "))


def duration_of(duration_ms: float, terminal: Terminal) -> str:
    """Return a duration in seconds, or in minutes and seconds."""
    seconds = duration_ms / 1000
    if seconds < _MINUTE_S:
        return terminal.say("history.seconds", seconds=f"{seconds:.1f}")
    return terminal.say("history.minutes", minutes=int(seconds // _MINUTE_S), seconds=int(seconds % _MINUTE_S))


def metric_number(name: str, value: float | None) -> str:
    """Return the value of a metric by what it is: means have four decimals, counts none."""
    if value is None:
        return "-"
    return f"{value:.4f}" if is_mean(name) else f"{value:g}"


def is_mean(name: str) -> bool:
    """Tell whether a metric is a mean of values from 0 to 1 and not a count."""
    return name.partition("@")[0] in {"recall", "precision", "mrr", "map", "ndcg", "overlap", "success", "rr", "ap"}


def suite_in_short(suite: KeptSuite, terminal: Terminal) -> str:
    """Return a suite with its headline number."""
    name = name_of(suite.name)
    if suite.value is None or suite.headline is None:
        text = f"{name} -"
    elif suite.total is not None:
        text = f"{name} {suite.value:g}/{suite.total}"
    elif suite.headline == "leaks":
        text = terminal.say("history.leaks", name=name, count=int(suite.value))
    else:
        text = f"{name} {metric_number(suite.headline, suite.value)}"
    return terminal.say("history.partial", suite=text) if suite.partial else text


def run_line(run: KeptRun, terminal: Terminal) -> str:
    """Return a run on one line, without its verdict."""
    return terminal.say(
        "history.run_line",
        number=run.number,
        time=time_of(run.time),
        commit=commit_of(run.commit),
        branch=branch_of(run),
        duration=duration_of(run.duration_ms, terminal),
    )
