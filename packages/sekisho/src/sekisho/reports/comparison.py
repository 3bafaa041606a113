"""The report of ``sekisho compare``: metrics side by side, direction, and the cases that differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from sekisho.reports import wording
from sekisho.reports.json_report import run_document
from sekisho.reports.metrics import shown_id, some_ids, write_legend, write_metrics_compared, write_not_measured
from sekisho.retrieval import CaseResult

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sekisho.core.messages import Language, Note
    from sekisho.gate import RetrievalSuiteResult, RunResult
    from sekisho.reports.terminal import Terminal

_CASES_SHOWN = 3


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


def differences(reference: RetrievalSuiteResult, other: RetrievalSuiteResult) -> Differences:
    """Return how each case changed from the reference to another target."""
    before = {case.id: case for case in reference.report.cases}
    pairs = [Pair(before[case.id], case) for case in other.report.cases if not case.error and not before[case.id].error]
    pairs.sort(key=lambda pair: (pair.change, pair.after.id))
    wins = sum(pair.change > (0.0, 0.0) for pair in pairs)
    losses = sum(pair.change < (0.0, 0.0) for pair in pairs)
    return Differences(tuple(pairs), wins, len(pairs) - wins - losses, losses)


def write_comparison(run: RunResult, terminal: Terminal) -> None:
    """Write the metrics side by side, then each target against the first, then the legend."""
    reference = run.retrieval[0]
    facts = reference.corpus
    head = terminal.say(
        "report.compare_head",
        count=len(run.retrieval),
        corpus=str(facts["name"]),
        documents=facts["documents"],
        queries=facts["queries"],
        k=reference.report.k,
        fingerprint=reference.fingerprints["corpus"][:12],
    )
    terminal.line(head, hang=2, style="bold")
    write_metrics_compared(run.retrieval, terminal)
    _write_warnings(run.retrieval, terminal)
    terminal.line()
    terminal.line(terminal.say("report.compare_cases", reference=reference.name), style="bold")
    for other in run.retrieval[1:]:
        _write_differences(reference, other, terminal)
    terminal.line()
    write_legend(run.retrieval, terminal)
    write_not_measured(run.retrieval, terminal)


def _write_warnings(suites: Sequence[RetrievalSuiteResult], terminal: Terminal) -> None:
    warnings = {note.render(terminal.language): None for suite in suites for note in suite.warnings if _shared(note)}
    if wording.saturated(suites):
        warnings[terminal.say("report.saturated_all")] = None
    for text in warnings:
        terminal.line(terminal.say("report.warning", text=text), style="yellow")
    for suite in suites:
        errors = suite.report.errors
        if errors:
            sentence = wording.error_sentence(errors[0], redact=suite.redact)
            text = terminal.say(sentence.code, **sentence.values)
            error = errors[0].error
            code = "report.compare_errors"
            if error is not None and error.reason.code == wording.NOT_MADE:
                code = "report.compare_not_made"
            line = terminal.say(code, name=suite.name, count=len(errors), text=text)
            terminal.line(line, style="yellow")


def _shared(warning: Note) -> bool:
    """Tell whether a warning speaks about the corpus; that one target finds everything is no fault of the corpus."""
    return warning.code != "report.saturated_suite"


def _write_differences(reference: RetrievalSuiteResult, other: RetrievalSuiteResult, terminal: Terminal) -> None:
    found = differences(reference, other)
    sentence = wording.direction(other.name, other.report, reference.name, reference.report)
    terminal.line(terminal.say(sentence.code, **sentence.values), indent=2, hang=2)
    if not found.pairs:
        return
    counts = terminal.say("report.compare_counts", wins=found.wins, ties=found.ties, losses=found.losses)
    terminal.line(counts, indent=4)
    for pair in found.pairs[:_CASES_SHOWN]:
        if pair.change >= (0.0, 0.0):
            break
        known = set(pair.before.missed)
        text = terminal.say(
            "report.compare_case",
            case=shown_id(pair.after.id),
            recall=f"{pair.before.recall:.3f} → {pair.after.recall:.3f}",
            ndcg=f"{pair.before.ndcg:.3f} → {pair.after.ndcg:.3f}",
        )
        lost = [id_ for id_ in pair.after.missed if id_ not in known]
        if lost:
            text += terminal.say("report.compare_lost", ids=some_ids(lost))
        terminal.line(text, indent=6, hang=2, style="dim")


def comparison_document(run: RunResult, *, language: Language) -> dict[str, Any]:
    """Return the comparison as a report document, with the differences from the first target added."""
    reference = run.retrieval[0]
    document = run_document(run, language=language)
    document["reference"] = reference.name
    document["differences"] = [
        {
            "target": other.name,
            "direction": wording.direction(other.name, other.report, reference.name, reference.report).render(language),
            "better": found.wins,
            "level": found.ties,
            "worse": found.losses,
            "cases": [
                {"id": pair.after.id, "recall": pair.change[0], "ndcg": pair.change[1]}
                for pair in found.pairs
                if pair.change != (0.0, 0.0)
            ],
        }
        for other in run.retrieval[1:]
        for found in (differences(reference, other),)
    ]
    return document
