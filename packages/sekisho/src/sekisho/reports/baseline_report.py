"""A suite beside its baseline, for the reviewer: direction first, then what changed, the worst first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sekisho.core.messages import Note, note
from sekisho.core.text import printable, shorten
from sekisho.reports.metrics import shown_id, some_ids
from sekisho.reports.terminal import Cell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sekisho.compare.records import CaseChange, RulerComparison, SuiteComparison
    from sekisho.reports.terminal import Terminal

NOTEWORTHY = 0.005
"""A difference of means that the direction speaks of; the regression rule lets no smaller one count."""
_CHANGES_SHOWN = 10
_DIFFERENCES_SHOWN = 8
_IDS_SHOWN = 6
_LONGEST_REASON = 200
_LONGEST_VALUE = 80
_COMMIT_DIGITS = 10
_BAD = frozenset({"newly_failing", "worse", "issue_new", "issue_changed"})


def write_baseline(name: str, comparison: SuiteComparison, terminal: Terminal) -> None:
    """Write how a suite differs from its baseline."""
    accepted = comparison.accepted
    commit = (accepted.commit or "-")[:_COMMIT_DIGITS]
    reason = shorten(accepted.reason, _LONGEST_REASON)
    head = terminal.say("compare.head", time=accepted.time, commit=commit, reason=reason)
    terminal.line(head, indent=2, hang=2, style="bold")
    if comparison.ruler_changes:
        _write_ruler_changes(name, comparison, terminal)
    for difference in comparison.made_of_changes:
        before, now = (shorten(each or "-", _LONGEST_VALUE) for each in (difference.before, difference.now))
        text = terminal.say("compare.made_of", name=difference.name, before=before, now=now)
        terminal.line(text, indent=4, hang=2, style="dim")
    for code, ids in (("compare.new", comparison.new), ("compare.removed", comparison.removed)):
        if ids:
            text = terminal.say(code, count=len(ids), ids=some_ids(ids, most=_IDS_SHOWN))
            terminal.line(text, indent=4, hang=2, style="yellow")
    _write_gold(name, comparison, terminal)
    if comparison.rulers:
        terminal.line(direction(comparison.rulers).render(terminal.language), indent=4, hang=2)
        if any(ruler.comparison.wins or ruler.comparison.losses for ruler in comparison.rulers):
            _write_rulers(comparison.rulers, terminal)
        text = terminal.say("compare.lists_changed", count=comparison.lists_changed, total=comparison.common)
        terminal.line(text, indent=4, style="dim")
    _write_changes(comparison, terminal)


def _write_ruler_changes(name: str, comparison: SuiteComparison, terminal: Terminal) -> None:
    terminal.line(terminal.say("compare.ruler_changed", name=name), indent=4, hang=2, style="red")
    for difference in comparison.ruler_changes[:_DIFFERENCES_SHOWN]:
        if difference.name.startswith("case."):
            text = terminal.say("compare.case_text", id=shown_id(difference.name.removeprefix("case.")))
        else:
            before, now = (shorten(each or "-", _LONGEST_VALUE) for each in (difference.before, difference.now))
            text = terminal.say("compare.ruler_of", name=difference.name, before=before, now=now)
        terminal.line(f"- {text}", indent=4, hang=2)
    more = len(comparison.ruler_changes) - _DIFFERENCES_SHOWN
    if more > 0:
        terminal.line(terminal.say("compare.more", count=more), indent=4, style="dim")


def _write_gold(name: str, comparison: SuiteComparison, terminal: Terminal) -> None:
    """Write relevant documents that are no longer what was judged, apart from what search lost."""
    for kind in ("missing", "changed"):
        found = [finding for finding in comparison.gold if finding.kind == kind]
        if found:
            ids = some_ids([finding.id for finding in found], most=_IDS_SHOWN)
            cases = len({case for finding in found for case in finding.cases})
            text = terminal.say(f"compare.gold_{kind}", count=len(found), ids=ids, cases=cases, name=name)
            terminal.line(text, indent=4, hang=2, style="yellow")


def direction(rulers: Sequence[RulerComparison]) -> Note:
    """Return in one sentence which way a suite went: by recall first, then by order, then by neighbours."""
    numbers = ", ".join(f"{ruler.name} {ruler.comparison.mean_difference:+.4f}" for ruler in rulers)
    for ruler in rulers:
        change = ruler.comparison.mean_difference
        if abs(change) >= NOTEWORTHY:
            way = "down" if change < 0 else "up"
            return note(f"compare.direction_{ruler.name.partition('@')[0]}_{way}", numbers=numbers)
    swapped = max(min(ruler.comparison.wins, ruler.comparison.losses) for ruler in rulers)
    if swapped:
        return note("compare.direction_swapped", numbers=numbers, count=swapped)
    changed = any(ruler.comparison.mean_difference for ruler in rulers)
    return note("compare.direction_slight" if changed else "compare.direction_level", numbers=numbers)


def _write_rulers(rulers: Sequence[RulerComparison], terminal: Terminal) -> None:
    columns = ("ruler", "before", "now", "difference", "interval", "p", "counts")
    rows = []
    for ruler in rulers:
        comparison, finding = ruler.comparison, ruler.finding
        interval = comparison.interval
        failing = finding is not None and finding.fails
        rows.append(
            [
                Cell(f"    {ruler.name}"),
                Cell(f"{comparison.mean_before:.4f}"),
                Cell(f"{comparison.mean_after:.4f}"),
                Cell(f"{comparison.mean_difference:+.4f}", "red" if failing else ""),
                Cell("-" if interval is None else f"[{interval.low:+.4f}, {interval.high:+.4f}]"),
                Cell("-" if finding is None else chance(finding.p_adjusted)),
                Cell(f"{comparison.wins}/{comparison.ties}/{comparison.losses}"),
            ]
        )
    terminal.table([terminal.say(f"compare.column_{name}") for name in columns], rows)
    for sentence in findings(rulers):
        terminal.line(sentence.render(terminal.language), indent=4, hang=2)


def findings(rulers: Sequence[RulerComparison]) -> list[Note]:
    """Return what the regression rule says of each ruler, and what these cases could not have shown."""
    sentences = []
    for ruler in rulers:
        found, comparison = ruler.finding, ruler.comparison
        if found is None:
            continue
        values = {"name": ruler.name, "drop": f"{found.drop:.4f}", "p": chance(found.p_adjusted)}
        most = "-" if found.max_drop is None else f"{found.max_drop:g}"
        if found.too_large:
            sentences.append(note("compare.too_large", max_drop=most, **values))
        elif found.significant:
            sentences.append(note("compare.significant", **values))
        elif found.unresolved:
            code = "compare.unresolved" if found.cases_to_resolve is None else "compare.unresolved_cases"
            sentences.append(note(code, max_drop=most, cases=found.cases_to_resolve, have=comparison.cases, **values))
        elif comparison.smallest_visible is not None:
            least = f"{comparison.smallest_visible:.4f}"
            sentences.append(note("compare.smallest_visible", name=ruler.name, least=least, cases=comparison.cases))
    if sentences:
        sentences.append(note("compare.exact_here"))
    return sentences


def chance(p: float) -> str:
    """Return a p value as a report shows it; it is never 0."""
    return "<0.0001" if p < 0.0001 else f"{p:.4f}"  # noqa: PLR2004  four decimals


def _write_changes(comparison: SuiteComparison, terminal: Terminal) -> None:
    if comparison.still_known or comparison.known_more:
        more = f"{comparison.known_more:+d}"
        text = terminal.say("compare.still_known", count=len(comparison.still_known), more=more)
        terminal.line(text, indent=4, style="dim")
    for change in comparison.changes[:_CHANGES_SHOWN]:
        _write_change(change, terminal)
    left = len(comparison.changes) - _CHANGES_SHOWN
    if left > 0:
        terminal.line(terminal.say("compare.more", count=left), indent=4, style="dim")
    if not (comparison.changes or comparison.ruler_changes):
        terminal.line(terminal.say("compare.unchanged", count=comparison.common), indent=4, style="dim")


def _write_change(change: CaseChange, terminal: Terminal) -> None:
    reason = change.reason.render(terminal.language)
    style = "red" if change.kind in _BAD else "green" if change.kind in {"fixed", "better"} else ""
    terminal.line(f"- {shown_id(change.id)}: {printable(reason)}", indent=4, hang=2, style=style)
    for detail in change.details:
        terminal.line(detail.render(terminal.language), indent=6, hang=2, style="dim")
