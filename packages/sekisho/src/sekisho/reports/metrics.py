"""The parts that the report of a check and that of a comparison share: metrics side by side, the legend."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sekisho.core.text import printable, shorten
from sekisho.reports import wording
from sekisho.reports.terminal import Cell, Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sekisho.gate import RetrievalSuiteResult, SuiteResult, Verdict
    from sekisho.reports.terminal import Terminal

COLOURS: dict[Verdict, str] = {"passed": "green", "failed": "red", "not_measured": "yellow", "reported": "cyan"}
IDS_SHOWN = 6
_LONGEST_ID = 60
_LONGEST_NAME = 40
_DROPPED_FIRST = ("map", "precision", "mrr", "overlap")
"""Metrics that a narrow table leaves out, one after the other; recall, which gates, and nDCG stay."""


def write_metrics(suites: Sequence[RetrievalSuiteResult], terminal: Terminal) -> list[str]:
    """Write the metrics of each suite with its gate and verdict; in few columns the least telling ones go.

    Returns:
        The names of the metrics that were written.
    """
    names = _names(suites)
    tables = [_metrics(suites, names, terminal, gate_in_full=True)]
    dropped: set[str] = set()
    for family in ("", *_DROPPED_FIRST):
        dropped.update(name for name in names if family and name.partition("@")[0] == family)
        left = [name for name in names if name not in dropped]
        tables.append(_metrics(suites, left, terminal, gate_in_full=False))
    written = terminal.widest(tables)
    return [name for name in names if name in written.head]


def _metrics(
    suites: Sequence[RetrievalSuiteResult], names: Sequence[str], terminal: Terminal, *, gate_in_full: bool
) -> Table:
    head = [terminal.say("report.column_suite"), *names]
    head += [terminal.say("report.column_gate"), terminal.say("report.column_verdict")]
    rows = [
        [
            _name_cell(suite),
            *(Cell(rounded(suite.report.metrics.get(name))) for name in names),
            Cell(_gate(suite, terminal, in_full=gate_in_full)),
            Cell(terminal.say(f"report.word_{suite.verdict}"), COLOURS[suite.verdict]),
        ]
        for suite in suites
    ]
    return Table(head, rows, left=(0, len(head) - 2, len(head) - 1))


def write_metrics_compared(suites: Sequence[RetrievalSuiteResult], terminal: Terminal) -> None:
    """Write the metrics of each target, the highest of each column marked where they differ.

    Means over the cases that happened to be measured are not marked: they would win by crashing on the hard ones.
    """
    names = _names(suites)
    best = {name: _highest(suites, name) for name in names}
    rows = []
    for suite in suites:
        row = [_name_cell(suite)]
        for name in names:
            value = suite.report.metrics.get(name)
            is_best = value is not None and value == best[name] and not suite.report.errors
            row.append(Cell(rounded(value) + ("*" if is_best else " "), "bold" if is_best else ""))
        rows.append(row)
    terminal.table([terminal.say("report.column_target"), *(f"{name} " for name in names)], rows)
    if any(value is not None for value in best.values()):
        whole = not any(suite.report.errors for suite in suites)
        terminal.line(terminal.say("report.compare_best" if whole else "report.compare_best_whole"), style="dim")


def _highest(suites: Sequence[RetrievalSuiteResult], name: str) -> float | None:
    """Return the highest value that some other target does not reach, or None."""
    values = {suite.report.metrics.get(name) for suite in suites if not suite.report.errors} - {None}
    return max(value for value in values if value is not None) if len(values) > 1 else None


def write_legend(
    suites: Sequence[RetrievalSuiteResult], terminal: Terminal, *, shown: Sequence[str] | None = None
) -> None:
    """Write what each metric of the suites means; nothing without a measurement.

    Args:
        suites: The suites.
        terminal: Where to.
        shown: The metrics that the report shows; all where None.
    """
    metrics = [item for suite in suites for item in suite.report.metrics.items()]
    measured = {name for name, value in metrics if value is not None and (shown is None or name in shown)}
    families = {name.partition("@")[0] for name in measured}
    names = [name for name in wording.LEGEND if name in families]
    if not names:
        return
    left = max(map(len, names)) + 2
    terminal.line(terminal.say("report.legend"), style="bold")
    for name in names:
        terminal.line(f"{name:<{left}}{terminal.say(f'report.legend_{name}')}", indent=2, hang=left)


def write_not_measured(suites: Sequence[SuiteResult], terminal: Terminal) -> None:
    """Write what suites of these kinds cannot say."""
    terminal.line(terminal.say("report.not_measured_head"), style="bold")
    for code in dict.fromkeys(wording.not_measured(suite).code for suite in suites):
        terminal.line(terminal.say(code), indent=2)


def rounded(value: float | None) -> str:
    """Return a metric as a report shows it."""
    return "-" if value is None else f"{value:.4f}"


def shown_id(id_: str) -> str:
    """Return an id as a report shows it: on one line, harmless, not endless."""
    return printable(shorten(id_, _LONGEST_ID))


def some_ids(ids: Sequence[str], *, most: int = IDS_SHOWN, notes: Mapping[str, str] | None = None) -> str:
    """Return the first ids, each with its note where it has one, and how many more there are."""
    more = len(ids) - most
    named = [shown_id(id_) + (notes or {}).get(id_, "") for id_ in ids[:most]]
    return ", ".join(named) + (f" … (+{more})" if more > 0 else "")


def _names(suites: Sequence[RetrievalSuiteResult]) -> list[str]:
    return list(dict.fromkeys(name for suite in suites for name in suite.report.metrics))


def _name_cell(suite: RetrievalSuiteResult) -> Cell:
    return Cell(printable(shorten(suite.name, _LONGEST_NAME)))


def _gate(suite: RetrievalSuiteResult, terminal: Terminal, *, in_full: bool) -> str:
    for rule in suite.gate:
        if rule.rule.startswith("recall@"):
            least = f"≥ {rule.threshold:g}"
            return f"{rule.rule} {least}" if in_full else least
    return terminal.say("report.no_gate")
