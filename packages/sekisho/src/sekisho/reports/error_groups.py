"""Cases that could not be measured, for people: each reason once, with the ids that share it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sekisho.calling.records import CaseError
from sekisho.core.messages import Note
from sekisho.core.text import printable, shorten
from sekisho.reports import wording
from sekisho.reports.metrics import some_ids

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sekisho.reports.terminal import Terminal

REASONS_SHOWN = 5
_IDS_OF_A_REASON = 3
_LONGEST_PLACE = 200


class Unmeasured(NamedTuple):
    """One case without a measurement.

    Attributes:
        id: Of the case.
        head: What one such case alone is called.
        reason: As it may be shown.
        error: The error itself.
    """

    id: str
    head: str
    reason: Note
    error: CaseError


def grouped(cases: Iterable[Unmeasured]) -> list[list[Unmeasured]]:
    """Return cases by their reason, the most frequent first."""
    groups: dict[str, list[Unmeasured]] = {}
    for case in cases:
        groups.setdefault(str(case.reason), []).append(case)
    return sorted(groups.values(), key=lambda group: -len(group))


def write_groups(groups: Sequence[list[Unmeasured]], terminal: Terminal, *, redact: bool) -> None:
    """Write each reason once, with its cases and the line of the target that raised."""
    for group in groups[:REASONS_SHOWN]:
        first = group[0]
        text = first.reason.render(terminal.language)
        if first.error.reason.code != wording.NOT_MADE:
            if len(group) == 1:
                text = terminal.say("report.case_error", head=first.head, text=text)
            else:
                ids = some_ids([case.id for case in group], most=_IDS_OF_A_REASON)
                text = terminal.say("report.cases_error", count=len(group), text=text, ids=ids)
        terminal.line(text, indent=2, hang=2, style="yellow")
        place = _last_frame(first.error.traceback)
        if place and not redact:
            terminal.line(printable(shorten(place, _LONGEST_PLACE)), indent=4, style="dim")
    more = sum(len(group) for group in groups[REASONS_SHOWN:])
    if more:
        terminal.line(terminal.say("report.more_errors", count=more), indent=2, style="dim")


def _last_frame(traceback: str) -> str:
    frames = [line.strip() for line in traceback.splitlines() if line.lstrip().startswith("File ")]
    return frames[-1] if frames else ""
