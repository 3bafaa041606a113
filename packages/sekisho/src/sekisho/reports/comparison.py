"""The report of ``sekisho compare``: metrics side by side, direction, and the cases that differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from sekisho.core.text import printable
from sekisho.reports import wording
from sekisho.reports.json_report import run_document
from sekisho.retrieval import CaseResult

if TYPE_CHECKING:
    from sekisho.core.messages import Language
    from sekisho.gate import RunResult, SuiteResult
    from sekisho.reports.terminal import Terminal

SATURATED = 0.995
"""Where every strategy scores this much, the corpus tells none from another."""
_CASES_SHOWN = 3
_IDS_SHOWN = 6


class Pair(NamedTuple):
    """One case under the reference and under another target."""

    before: CaseResult
    after: CaseResult

    @property
    def change(self) -> tuple[float, float]:
        """Difference in recall, then in nDCG."""
        return (
            (self.after.recall or 0.0) - (self.before.recall or 0.0),
            (self.after.ndcg or 0.0) - (self.before.ndcg or 0.0),
        )


class Differences(NamedTuple):
    """The cases measured under both targets, worst change first, and how many went which way."""

    pairs: tuple[Pair, ...]
    wins: int
    ties: int
    losses: int


def differences(reference: SuiteResult, other: SuiteResult) -> Differences:
    """Return how each case changed from the reference to another target."""
    before = {case.id: case for case in reference.report.cases}
    pairs = [Pair(before[case.id], case) for case in other.report.cases if not case.error and not before[case.id].error]
    pairs.sort(key=lambda pair: (pair.change, pair.after.id))
    wins = sum(pair.change > (0.0, 0.0) for pair in pairs)
    losses = sum(pair.change < (0.0, 0.0) for pair in pairs)
    return Differences(tuple(pairs), wins, len(pairs) - wins - losses, losses)


def write_comparison(run: RunResult, terminal: Terminal) -> None:
    """Write the metrics side by side, then each target against the first, then the legend."""
    suites = list(run.suites)
    reference = suites[0]
    facts = reference.corpus
    head = terminal.say(
        "report.compare_head",
        count=len(suites),
        corpus=str(facts["name"]),
        documents=facts["documents"],
        queries=facts["queries"],
        k=reference.report.k,
    )
    terminal.line(head, style="bold")
    terminal.table(terminal.metrics_table(suites, best=True))
    terminal.line(terminal.say("report.compare_best"), style="dim")
    _write_warnings(suites, terminal)
    terminal.line()
    terminal.line(terminal.say("report.compare_cases", reference=reference.name), style="bold")
    for other in suites[1:]:
        _write_differences(reference, other, terminal)
    terminal.line()
    terminal.legend(suites)


def _write_warnings(suites: list[SuiteResult], terminal: Terminal) -> None:
    if wording.saturated(suites, SATURATED):
        terminal.line(terminal.say("report.warning", text=terminal.say("report.saturated_all")), style="yellow")
    shared = [warning for warning in suites[0].warnings if warning.code != "report.saturated_suite"]
    for warning in shared:
        text = terminal.say(warning.code, **warning.values)
        terminal.line(terminal.say("report.warning", text=text), style="yellow")
    for suite in suites:
        errors = suite.report.errors
        if errors and errors[0].error:
            text = terminal.say(
                "report.compare_errors", name=suite.name, count=len(errors), text=errors[0].error.message
            )
            terminal.line(text, style="yellow")


def _write_differences(reference: SuiteResult, other: SuiteResult, terminal: Terminal) -> None:
    found = differences(reference, other)
    sentence = wording.direction(other.name, other.report, reference.name, reference.report)
    terminal.line(terminal.say(sentence.code, **sentence.values), indent=2)
    terminal.line(
        terminal.say("report.compare_counts", name=other.name, wins=found.wins, ties=found.ties, losses=found.losses),
        indent=4,
    )
    for pair in found.pairs[:_CASES_SHOWN]:
        if pair.change >= (0.0, 0.0):
            break
        lost = [id_ for id_ in pair.after.missed if id_ not in set(pair.before.missed)]
        text = terminal.say(
            "report.compare_case",
            case=pair.after.id,
            before=f"{pair.before.recall:.3f}",
            after=f"{pair.after.recall:.3f}",
            ids=", ".join(printable(id_) for id_ in lost[:_IDS_SHOWN]) or "-",
        )
        terminal.line(text, indent=6, style="dim")


def comparison_document(run: RunResult, *, language: Language) -> dict[str, Any]:
    """Return the comparison as a report document, with the differences from the first target added."""
    reference = run.suites[0]
    document = run_document(run, language=language)
    document["reference"] = reference.name
    document["differences"] = [
        {
            "target": other.name,
            "better": found.wins,
            "level": found.ties,
            "worse": found.losses,
            "cases": [
                {"id": pair.after.id, "recall": pair.change[0], "ndcg": pair.change[1]}
                for pair in found.pairs
                if pair.change != (0.0, 0.0)
            ],
        }
        for other in run.suites[1:]
        for found in (differences(reference, other),)
    ]
    return document
