"""A permission matrix for people: a line a principal, then each leak as a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sekisho.core.text import printable, shorten
from sekisho.reports.terminal import Cell

if TYPE_CHECKING:
    from sekisho.access import AccessReport, Leak, PrincipalResult
    from sekisho.gate import AccessSuiteResult
    from sekisho.reports.terminal import Terminal

_LEAKS_SHOWN = 10
_ERRORS_SHOWN = 3
_STARVED_SHOWN = 5
_LONGEST_QUESTION = 120


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
    columns = ("principal", "visible", "hidden", "probes", "leaks", "recall", "unrestricted")
    rows = [_row(principal, terminal) for principal in report.principals]
    terminal.table([terminal.say(f"report.access_column_{name}") for name in columns], rows)
    _write_leaks(report, terminal)
    _write_starved(report, terminal)
    for finding in report.cache[:_ERRORS_SHOWN]:
        terminal.line(finding.reason.render(terminal.language), indent=2, hang=2, style="yellow")
    for error in report.errors[:_ERRORS_SHOWN]:
        text = terminal.say(
            "report.access_probe_error", principal=_named(error.principal, terminal), text=error.error.reason
        )
        terminal.line(text, indent=2, hang=2, style="yellow")
    for warning in suite.warnings:
        text = terminal.say("report.warning", text=warning.render(terminal.language))
        terminal.line(text, indent=2, hang=2, style="yellow")
    total = terminal.say(
        "report.access_totals", probes=report.probes, leaks=report.leak_count, errors=report.error_count
    )
    terminal.line(total, style="red" if report.leak_count else "")


def _row(principal: PrincipalResult, terminal: Terminal) -> list[Cell]:
    leaks = principal.leak_count
    return [
        Cell(printable(_named(principal.departments, terminal, unrestricted=principal.unrestricted))),
        Cell(str(principal.visible)),
        Cell(str(principal.hidden)),
        Cell(str(principal.probes)),
        Cell(str(leaks), "red" if leaks else "green"),
        Cell(_share(principal.recall)),
        Cell(_share(principal.unrestricted_recall)),
    ]


def _named(departments: tuple[str, ...], terminal: Terminal, *, unrestricted: bool = False) -> str:
    if not departments:
        return terminal.say("report.access_nobody")
    name = ", ".join(departments)
    return terminal.say("report.access_unrestricted", name=name) if unrestricted else name


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _write_leaks(report: AccessReport, terminal: Terminal) -> None:
    for leak in report.leaks[:_LEAKS_SHOWN]:
        terminal.line("- " + leak.reason.render(terminal.language), indent=2, hang=2, style="red")
        for text in _evidence(leak, terminal):
            terminal.line(text, indent=4, hang=2, style="dim")
    more = report.leak_count - min(len(report.leaks), _LEAKS_SHOWN)
    if more > 0:
        terminal.line(terminal.say("report.access_more_leaks", count=more), indent=2, style="dim")


def _evidence(leak: Leak, terminal: Terminal) -> list[str]:
    """Return the question that brought it and the piece that shows it, where a report may hold them."""
    texts = []
    if leak.question:
        question = shorten(" ".join(leak.question.split()), _LONGEST_QUESTION)
        texts.append(terminal.say("report.access_leak_question", question=question))
    if leak.shown:
        texts.append(terminal.say("report.access_leak_shown", text=" ".join(leak.shown.split())))
    return texts


def _write_starved(report: AccessReport, terminal: Terminal) -> None:
    for principal in report.principals:
        if principal.starved and principal.recall != principal.unrestricted_recall:
            shown = ", ".join(principal.starved[:_STARVED_SHOWN])
            text = terminal.say(
                "report.access_starved", principal=_named(principal.departments, terminal), ids=shown, k=report.k
            )
            terminal.line(text, indent=2, hang=2, style="yellow")
