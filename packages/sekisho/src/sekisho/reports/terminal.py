"""The report for people at a terminal or in a build log."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from sekisho.core.messages import message
from sekisho.core.text import printable
from sekisho.reports import wording

if TYPE_CHECKING:
    from sekisho.core.messages import Language
    from sekisho.gate import RunResult, SuiteResult, Verdict
    from sekisho.retrieval import CaseResult

WIDTH_IN_A_PIPE = 120
WORST_CASES = 5
"""Cases shown of a suite that does not pass; a suite that passes shows fewer."""
_WORST_WHEN_PASSED = 2
_IDS_SHOWN = 6
_COLOURS: dict[Verdict, str] = {"passed": "green", "failed": "bold red", "not_measured": "yellow", "reported": "cyan"}
_ASCII = str.maketrans(
    {"≥": ">=", "·": "-", "…": "...", "–": "-", "—": "-", "’": "'", "“": '"', "”": '"', "×": "x", "→": "->"}
)


class Terminal:
    """Writes one report to a stream, in one language, without colour or box characters where it cannot show them.

    Args:
        stream: Where to.
        language: ``en`` or ``ja``.
    """

    def __init__(self, stream: IO[str], *, language: Language) -> None:
        self._language = language
        width = None if stream.isatty() else WIDTH_IN_A_PIPE
        self.console = Console(file=stream, width=width, highlight=False, markup=False, emoji=False)
        self._ascii = not self.console.encoding.lower().startswith("utf")

    def say(self, code: str, /, **values: object) -> str:
        """Return a sentence, with signs that the stream cannot encode written in ASCII."""
        return self.safe(message(code, self._language, **values))

    def safe(self, text: str) -> str:
        """Return text as this stream can show it."""
        if not self._ascii:
            return text
        encoding = self.console.encoding
        return text.translate(_ASCII).encode(encoding, "backslashreplace").decode(encoding)

    def line(self, text: str = "", *, indent: int = 0, style: str = "") -> None:
        """Write a paragraph, wrapped with its indent kept."""
        self.console.print(Padding(Text(self.safe(text), style=style), (0, 0, 0, indent), expand=False) if text else "")

    def metrics_table(self, suites: list[SuiteResult], *, best: bool) -> Table:
        """Return the metrics of several suites side by side; with ``best`` the highest of each column is marked."""
        names = list(dict.fromkeys(name for suite in suites for name in suite.report.metrics))
        table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
        table.add_column(self.say("report.column_suite" if not best else "report.column_target"), overflow="fold")
        for name in names:
            table.add_column(name, justify="right", no_wrap=True)
        if not best:
            table.add_column(self.say("report.column_gate"), overflow="fold")
            table.add_column(self.say("report.column_verdict"), no_wrap=True)
        highest = {name: max((_value(suite, name) for suite in suites), default=0.0) for name in names}
        for suite in suites:
            cells = [Text(self.safe(printable(suite.name)))]
            for name in names:
                value = suite.report.metrics.get(name)
                is_best = best and value is not None and value == highest[name]
                cells.append(
                    Text(_rounded(value) + ("*" if is_best else " " if best else ""), style="bold" if is_best else "")
                )
            if not best:
                cells.append(Text(self._gate_cell(suite)))
                cells.append(Text(self.say(f"report.{suite.verdict}"), style=_COLOURS[suite.verdict]))
            table.add_row(*cells)
        return table

    def _gate_cell(self, suite: SuiteResult) -> str:
        for rule in suite.gate:
            if rule.rule.startswith("recall@"):
                return self.safe(f"{rule.rule} ≥ {rule.threshold:g}")
        return self.say("report.no_gate")

    def table(self, table: Table) -> None:
        """Write a table; its lines end where their text ends."""
        with self.console.capture() as captured:
            self.console.print(table)
        self.console.out("\n".join(line.rstrip() for line in captured.get().splitlines()), highlight=False)

    def notes(self, suite: SuiteResult) -> None:
        """Write a suite's warnings."""
        for warning in suite.warnings:
            self.line(self.say("report.warning", text=warning.render(self._language)), indent=2, style="yellow")

    def legend(self, suites: list[SuiteResult]) -> None:
        """Write what each metric means, and what suites of these kinds cannot say."""
        with_overlap = any(suite.report.mean_overlap is not None for suite in suites)
        self.line(self.say("report.legend"), style="bold")
        for name in wording.LEGEND:
            if name != "overlap" or with_overlap:
                self.line(self.say(f"report.legend_{name}"), indent=2)
        self.line(self.say("report.not_measured_head"), style="bold")
        for code in dict.fromkeys(wording.not_measured(suite).code for suite in suites):
            self.line(self.say(code), indent=2)


def write_run(run: RunResult, terminal: Terminal) -> None:
    """Write the report of a run: the metrics, then each suite with its worst cases, the legend, the verdict last."""
    suites = list(run.suites)
    terminal.table(terminal.metrics_table(suites, best=False))
    for suite in suites:
        _write_suite(suite, terminal)
    terminal.line()
    terminal.legend(suites)
    if run.not_run:
        terminal.line(terminal.say("report.not_run", suites=", ".join(run.not_run)), style="yellow")
    sentence = wording.verdict_sentence(run)
    terminal.line()
    terminal.line(terminal.say(sentence.code, **sentence.values), style=_COLOURS[run.verdict])


def _write_suite(suite: SuiteResult, terminal: Terminal) -> None:
    terminal.line()
    facts = suite.corpus
    head = terminal.say(
        "report.suite_head",
        name=suite.name,
        target=suite.target,
        corpus=str(facts["name"]),
        documents=facts["documents"],
        queries=len(suite.report.cases),
        fingerprint=suite.fingerprints["corpus"][:12],
    )
    terminal.line(head, style="bold")
    for failed in wording.failed_rules(suite):
        terminal.line(terminal.say(failed.code, **failed.values), indent=2, style=_COLOURS["failed"])
    sentence = wording.reading(suite.report)
    if sentence:
        terminal.line(terminal.say(sentence.code, **sentence.values), indent=2)
    terminal.notes(suite)
    _write_structure(suite, terminal)
    _write_cases(suite, terminal)


def _write_structure(suite: SuiteResult, terminal: Terminal) -> None:
    for kind in suite.report.structure.__struct_fields__:
        for finding in getattr(suite.report.structure, kind)[:WORST_CASES]:
            text = terminal.say(
                f"report.finding_{kind}",
                case=finding.case_id,
                ids=_some(finding.ids),
                count=finding.count,
                k=suite.report.k,
            )
            terminal.line(text, indent=2)


def _write_cases(suite: SuiteResult, terminal: Terminal) -> None:
    cases = wording.worst_first(suite.report)
    if not cases:
        return
    shown = cases[: _WORST_WHEN_PASSED if suite.verdict == "passed" else WORST_CASES]
    terminal.line(terminal.say("report.worst_cases", shown=len(shown), count=len(cases)), indent=2)
    for case in shown:
        _write_case(case, suite, terminal)
    if len(cases) > len(shown):
        terminal.line(terminal.say("report.more_cases", count=len(cases) - len(shown)), indent=4, style="dim")


def _write_case(case: CaseResult, suite: SuiteResult, terminal: Terminal) -> None:
    asked = printable(case.query) if isinstance(case.query, str) and not suite.redact else ""
    head = f"{printable(case.id)}: {asked}" if asked else printable(case.id)
    if case.error:
        text = case.error.kind if suite.redact else case.error.message
        terminal.line(terminal.say("report.case_error", head=head, text=text), indent=4, style="yellow")
        place = _last_frame(case.error.traceback)
        if place and not suite.redact:
            terminal.line(printable(place), indent=6, style="dim")
        return
    k = suite.report.k
    numbers = f"recall@{k} {_rounded(case.recall)}  ndcg@{k} {_rounded(case.ndcg)}"
    if case.overlap is not None:
        numbers += f"  overlap@{k} {_rounded(case.overlap)}"
    terminal.line(f"{head}   {numbers}", indent=4)
    ranks = ", ".join(f"{printable(id_)} @{rank}" for id_, rank in list(case.ranks.items())[:_IDS_SHOWN])
    for code, value in (
        ("report.case_missed", _some(case.missed)),
        ("report.case_got", _some(case.retrieved[:k])),
        ("report.case_ranks", ranks + (" …" if len(case.ranks) > _IDS_SHOWN else "")),
    ):
        terminal.line(terminal.say(code, ids=value or "-"), indent=6, style="dim")


def _some(ids: tuple[str, ...]) -> str:
    more = len(ids) - _IDS_SHOWN
    return ", ".join(printable(id_) for id_ in ids[:_IDS_SHOWN]) + (f" … (+{more})" if more > 0 else "")


def _last_frame(traceback: str) -> str:
    frames = [line.strip() for line in traceback.splitlines() if line.lstrip().startswith("File ")]
    return frames[-1] if frames else ""


def _value(suite: SuiteResult, name: str) -> float:
    value = suite.report.metrics.get(name)
    return -1.0 if value is None else value


def _rounded(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"
