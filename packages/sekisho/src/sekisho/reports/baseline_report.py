"""A suite beside its baseline, for the reviewer: direction first, then what changed, the worst first."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from sekisho.compare.statistics import SIGNIFICANCE, least_differing
from sekisho.core.messages import Note, note
from sekisho.core.text import apart, printable, shorten
from sekisho.reports.metrics import shown_id, some_ids
from sekisho.reports.terminal import Cell

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
_WORSE, _BETTER = frozenset({"newly_failing", "worse"}), frozenset({"fixed", "better"})
_BAD = _WORSE | {"issue_new", "issue_changed"}


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
    if found := direction(comparison):
        terminal.line(found.render(terminal.language), indent=4, hang=2)
    if comparison.rulers:
        _write_rulers(comparison.rulers, terminal)
        text = terminal.say("compare.lists_changed", count=comparison.lists_changed, total=comparison.common)
        terminal.line(text, indent=4, style="dim")
    _write_changes(comparison, terminal)


def _write_ruler_changes(name: str, comparison: SuiteComparison, terminal: Terminal) -> None:
    terminal.line(terminal.say("compare.ruler_changed", command=shlex.quote(name)), indent=4, hang=2, style="red")
    for difference in comparison.ruler_changes[:_DIFFERENCES_SHOWN]:
        if difference.name.startswith("case."):
            text = terminal.say("compare.case_text", id=shown_id(difference.name.removeprefix("case.")))
        elif difference.name == "cases" and difference.now.isdigit():
            text = terminal.say("compare.cases_left", before=difference.before, now=difference.now)
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
            cases = some_ids(sorted({case for finding in found for case in finding.cases}), most=_IDS_SHOWN)
            command = shlex.quote(name)
            text = terminal.say(f"compare.gold_{kind}", count=len(found), ids=ids, cases=cases, command=command)
            terminal.line(text, indent=4, hang=2, style="yellow")


def direction(comparison: SuiteComparison) -> Note | None:
    """Return in one sentence which way a suite went; None where nothing was compared.

    By recall first, then by order, then by neighbours; without metrics by the cases that got worse or better.
    """
    if comparison.rulers:
        return _direction_of_means(comparison.rulers)
    if comparison.ruler_changes or not comparison.common:
        return None
    worse, better = (sum(change.kind in kinds for change in comparison.changes) for kinds in (_WORSE, _BETTER))
    if not worse and not better:
        return note("compare.direction_cases_level", count=comparison.common)
    if comparison.of_kind("newly_failing") and worse <= better:
        return note("compare.direction_cases_mixed", worse=worse, better=better)
    way = "swapped" if worse == better else "down" if worse > better else "up"
    return note(f"compare.direction_cases_{way}", worse=worse, better=better)


def _direction_of_means(rulers: Sequence[RulerComparison]) -> Note:
    numbers = ", ".join(f"{ruler.name} {ruler.comparison.mean_difference:+.4f}" for ruler in rulers)
    for ruler in rulers:
        change = ruler.comparison.mean_difference
        if abs(change) >= NOTEWORTHY:
            way = "down" if change < 0 else "up"
            return note(f"compare.direction_{ruler.name.partition('@')[0]}_{way}", numbers=numbers)
    swapped = max((ruler.comparison for ruler in rulers), key=lambda found: min(found.wins, found.losses))
    if swapped.wins and swapped.losses:
        return note("compare.direction_swapped", numbers=numbers, lost=swapped.losses, won=swapped.wins)
    changed = any(ruler.comparison.mean_difference for ruler in rulers)
    return note("compare.direction_slight" if changed else "compare.direction_level", numbers=numbers)


def _write_rulers(rulers: Sequence[RulerComparison], terminal: Terminal) -> None:
    """Write each metric, or where no case changed by any, what it would have taken to tell a drop from chance."""
    if not any(ruler.comparison.wins or ruler.comparison.losses for ruler in rulers):
        least = least_differing(SIGNIFICANCE / len(rulers))  # the strictest step of Holm
        terminal.line(terminal.say("compare.level_shows", least=least), indent=4, style="dim")
        return
    columns = ("ruler", "before", "now", "difference", "interval", "p", "counts")
    rows = []
    for ruler in rulers:
        comparison, finding = ruler.comparison, ruler.finding
        interval = comparison.interval
        failing = finding is not None and finding.fails
        rows.append(
            [
                Cell(f"  {ruler.name}"),
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
    sentences = [sentence for ruler in rulers for sentence in _findings_of(ruler)]
    return [*sentences, note("compare.exact_here")] if sentences else []


def _findings_of(ruler: RulerComparison) -> Iterator[Note]:
    found, comparison = ruler.finding, ruler.comparison
    if found is None:
        return
    name = ruler.name
    drop, most = f"{found.drop:.4f}", "-"
    if found.max_drop is not None:
        most = f"{found.max_drop:g}"
        drop = apart(found.max_drop, found.drop)[1] if found.too_large else drop
    if found.too_large:
        yield note("compare.too_large", name=name, drop=drop, max_drop=most)
    elif found.significant:
        code = "compare.significant_alone" if found.max_drop is None else "compare.significant"
        yield note(code, name=name, drop=drop, max_drop=most, p=chance(found.p_adjusted))
    elif found.unresolved:
        code = "compare.unresolved" if found.cases_to_resolve is None else "compare.unresolved_cases"
        yield note(code, name=name, max_drop=most, cases=found.cases_to_resolve, have=comparison.cases)
    elif comparison.smallest_visible is not None:
        least = f"{comparison.smallest_visible:.4f}"
        yield note("compare.smallest_visible", name=name, least=least, cases=comparison.cases)


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
    if comparison.rulers and not comparison.changes:
        terminal.line(terminal.say("compare.unchanged", count=comparison.common), indent=4, style="dim")


def _write_change(change: CaseChange, terminal: Terminal) -> None:
    reason = change.reason.render(terminal.language)
    style = "red" if change.kind in _BAD else "green" if change.kind in _BETTER else ""
    name = shown_id(change.id) if change.id else terminal.say("report.access_nobody")
    terminal.line(f"- {name}: {printable(reason)}", indent=4, hang=2, style=style)
    for detail in change.details:
        terminal.line(detail.render(terminal.language), indent=6, hang=2, style="dim")
