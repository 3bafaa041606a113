"""A permission matrix for people: a line a principal, then what may be the cause, then leaks as sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sekisho.reports.access_leaks import principal_name, write_leaks
from sekisho.reports.terminal import Cell, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sekisho.access import AccessReport, PrincipalResult
    from sekisho.gate import AccessSuiteResult
    from sekisho.reports.terminal import Terminal

_ERRORS_SHOWN = 3
_PAIRS_SHOWN = 3
_STARVED_SHOWN = 5
_COLUMNS = ("principal", "visible", "hidden", "probes", "leaks", "recall", "unrestricted")
_DROPPED_FIRST = ("probes", "visible", "unrestricted")
"""Columns that a narrow table leaves out, one after the other; who asks, what is hidden, and the leaks stay."""


def write_access(suite: AccessSuiteResult, terminal: Terminal) -> None:
    """Write a permission matrix."""
    report = suite.report
    if report is None:
        terminal.line(
            terminal.say("report.access_suite_head_unmeasured", name=suite.name, target=suite.target), style="bold"
        )
        if suite.error is not None:
            terminal.line(suite.error.reason.render(terminal.language), indent=2, hang=2, style="yellow")
        return
    head = terminal.say(
        "report.access_suite_head",
        name=suite.name,
        target=suite.target,
        documents=report.documents,
        principals=len(report.principals),
    )
    terminal.line(head, hang=2, style="bold")
    terminal.widest(_tables(report.principals, terminal))
    _write_cache(report, terminal)
    write_leaks(report, terminal)
    _write_starved(report, terminal)
    _write_errors(report, terminal)
    for warning in suite.warnings:
        text = terminal.say("report.warning", text=warning.render(terminal.language))
        terminal.line(text, indent=2, hang=2, style="yellow")
    total = terminal.say(
        "report.access_totals", probes=report.probes, leaks=report.leak_count, errors=report.error_count
    )
    terminal.line(total, style="red" if report.leak_count else "")
    if report.leak_count:
        kinds = dict.fromkeys("interference" if leak.kind == "interference" else "leaks" for leak in report.leaks)
        terminal.line(terminal.say("report.what_to_do", codes=" · ".join(sorted(kinds, reverse=True))), style="dim")


def _tables(principals: Sequence[PrincipalResult], terminal: Terminal) -> list[Table]:
    """Return the matrix as it is, with shorter heads, and with fewer and fewer columns."""
    full = [terminal.say(f"report.access_column_{name}") for name in _COLUMNS]
    short = [terminal.say(f"report.access_short_{name}") for name in _COLUMNS]
    rows = [_row(principal, terminal) for principal in principals]
    tables = [Table(full, rows), Table([*full[:-1], short[-1]], rows)]
    for count in range(len(_DROPPED_FIRST) + 1):
        kept = [place for place, name in enumerate(_COLUMNS) if name not in _DROPPED_FIRST[:count]]
        tables.append(Table([short[place] for place in kept], [[row[place] for place in kept] for row in rows]))
    return tables


def _row(principal: PrincipalResult, terminal: Terminal) -> list[Cell]:
    leaks = principal.leak_count
    return [
        Cell(principal_name(principal.departments, terminal, unrestricted=principal.unrestricted)),
        Cell(str(principal.visible)),
        Cell(str(principal.hidden)),
        Cell(str(principal.probes)),
        Cell(str(leaks), "red" if leaks else "green"),
        Cell(_share(principal.recall)),
        Cell(_share(principal.unrestricted_recall)),
    ]


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _write_cache(report: AccessReport, terminal: Terminal) -> None:
    """Write once whose result depends on who asked before: it may be where the leaks come from."""
    names = _names(report, terminal)
    unrestricted = {each.departments for each in report.principals if each.unrestricted}
    found = list(dict.fromkeys((finding.principal, finding.after) for finding in report.cache))
    found = [pair for pair in found if pair[0] not in unrestricted] or found  # who sees everything is shown no secret
    pairs = [
        terminal.say("report.access_cache_pair", principal=names[who], after=names[after])
        for who, after in found[:_PAIRS_SHOWN]
    ]
    if pairs:
        more = " …" if len(found) > _PAIRS_SHOWN else ""
        text = terminal.say("report.access_cache", pairs=" · ".join(pairs) + more)
        terminal.line(text, indent=2, hang=2, style="yellow")


def _names(report: AccessReport, terminal: Terminal) -> dict[tuple[str, ...], str]:
    """Return what the table calls each principal."""
    return {
        each.departments: principal_name(each.departments, terminal, unrestricted=each.unrestricted)
        for each in report.principals
    }


def _write_starved(report: AccessReport, terminal: Terminal) -> None:
    for principal in report.principals:
        if principal.starved and principal.recall != principal.unrestricted_recall:
            text = terminal.say(
                "report.access_starved",
                principal=principal_name(principal.departments, terminal),
                ids=", ".join(principal.starved[:_STARVED_SHOWN]),
                k=report.k,
            )
            terminal.line(text, indent=2, hang=2, style="yellow")


def _write_errors(report: AccessReport, terminal: Terminal) -> None:
    """Write each reason once, with those who asked."""
    names = _names(report, terminal)
    groups: dict[tuple[str, str], dict[tuple[str, ...], None]] = {}
    for error in report.errors:
        text = error.error.reason.render(terminal.language)
        groups.setdefault((error.method, text), {})[error.principal] = None
    for (method, text), principals in list(groups.items())[:_ERRORS_SHOWN]:
        shown = " / ".join(names[each] for each in principals)
        sentence = terminal.say("report.access_errors", method=method, text=text, principals=shown)
        terminal.line(sentence, indent=2, hang=2, style="yellow")
    more = len(groups) - _ERRORS_SHOWN
    if more > 0:
        terminal.line(terminal.say("report.more_reasons", count=more), indent=2, style="dim")
