"""A run with a real model for people: leaks first, then each case with its pass rate, what it lacks, its grounding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sekisho.core.messages import note
from sekisho.core.text import printable, shorten
from sekisho.reports.answers_report import case_line, sentences_of, totals, viewpoints
from sekisho.reports.metrics import COLOURS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sekisho.answers.grounded import Grounding
    from sekisho.answers.sampling_records import SampledCase
    from sekisho.core.messages import Note
    from sekisho.reports.model_records import ModelRun, ModelSuite
    from sekisho.reports.terminal import Terminal

_STATUS_COLOURS = {"ok": "green", "ng": "red", "known": "yellow", "fixed": "cyan"}
_LONGEST = 80
_IDS_SHOWN = 5


def write_model_run(run: ModelRun, terminal: Terminal) -> None:
    """Write the report of a run."""
    for suite in run.suites:
        _write_suite(suite, run, terminal)
        terminal.line()
    _write_facts(run, terminal)
    terminal.line(terminal.say("models.not_measured_head"), style="bold")
    terminal.line(terminal.say("models.not_measured"), indent=2)
    terminal.line()
    terminal.line(_verdict(run).render(terminal.language), style=COLOURS[run.verdict], whole=True)


def _write_suite(suite: ModelSuite, run: ModelRun, terminal: Terminal) -> None:
    result = suite.result
    head = terminal.say(
        f"models.head_{run.mode}",
        name=result.name,
        target=result.target,
        model=run.model,
        cases=result.cases_name,
        samples=run.samples,
        rate=f"{100 * run.min_pass_rate:g}",
    )
    terminal.line(head, hang=2, style="bold")
    for case in suite.cases:
        for sample, leak in case.leaks:
            text = terminal.say("models.leak", id=_short(case.case.id), sample=sample, text=leak.reason)
            terminal.line(text, indent=2, hang=2, style="red")
    for case in suite.cases:
        style = _STATUS_COLOURS[case.result.status]
        terminal.line(case_line(case.result, terminal.language), indent=2, hang=2, style=style)
        terminal.line(_rate(case, terminal), indent=4)
        for sentence in _sentences(case, redact=result.redact):
            terminal.line("- " + sentence.render(terminal.language), indent=4, hang=2)
    results = [case.result for case in suite.cases]
    terminal.line(totals(results, terminal.language), indent=2)
    terminal.line(viewpoints(results, terminal.language), indent=2, hang=2)
    for sentence in _totals(suite.cases):
        terminal.line(sentence.render(terminal.language), indent=2, hang=2)
    for warning in result.warnings:
        text = terminal.say("report.warning", text=warning.render(terminal.language))
        terminal.line(text, indent=2, hang=2, style="yellow")


def _rate(case: SampledCase, terminal: Terminal) -> str:
    interval = case.interval
    if interval is None:
        return terminal.say("models.rate_none")
    low, high = (f"{bound:.2f}" for bound in interval)
    text = terminal.say("models.rate", passed=case.passes, count=case.measured, low=low, high=high)
    if case.is_decided and len(case.samples) < case.wanted:
        text += " · " + terminal.say("models.decided", count=len(case.samples), wanted=case.wanted)
    return text


def _sentences(case: SampledCase, *, redact: bool) -> Iterator[Note]:
    """Yield what stands below a case: failures by code, the known issue, grounding, judgments."""
    counts: dict[str, int] = {}
    first: dict[str, Note] = {}
    for sample in case.samples:
        for failure in sample.failures:
            first.setdefault(failure.code, failure.reason)
        for code in {failure.code for failure in sample.failures}:
            counts[code] = counts.get(code, 0) + 1
    for kind, reason in first.items():
        yield note("models.failure", count=counts[kind], code=kind, text=reason)
    yield from (each.error.reason for each in case.samples if each.error)
    yield from sentences_of(case.result)[len(case.result.failures) :]
    yield from _grounding([each.grounding for each in case.samples if each.grounding], redact=redact)
    agreement, scores = case.agreement, [each.score for each in case.judgments if each.score is not None]
    if case.judgments:
        shown = ", ".join(f"{score:g}" for score in scores[:_IDS_SHOWN])
        sentence = "models.judged_score" if scores else "models.judged"
        yield note(sentence, agree=agreement.agree, compared=agreement.compared, scores=shown)


def _grounding(groundings: Sequence[Grounding], *, redact: bool) -> Iterator[Note]:
    counts = {kind: sum(len(getattr(each, kind)) for each in groundings) for kind in ("quantities", "dates", "names")}
    pieces = [piece for each in groundings for piece in each.pieces]
    if pieces:
        code = "models.grounding" if redact else "models.grounding_first"
        yield note(code, **counts, first=_short(pieces[0]))
    uncited = [sentence for each in groundings for sentence in each.uncited]
    if uncited:
        code = "models.uncited" if redact else "models.uncited_first"
        yield note(code, count=len(uncited), first=_short(uncited[0]))
    if miscited := sum(len(each.miscited) for each in groundings):
        yield note("models.miscited", count=miscited)


def _totals(cases: Sequence[SampledCase]) -> Iterator[Note]:
    samples = [sample for case in cases for sample in case.samples]
    errors = sum(sample.error is not None for sample in samples)
    passed = sum(sample.passed for sample in samples)
    yield note("models.totals", samples=len(samples) - errors, passed=passed, errors=errors)
    agreements = [case.agreement for case in cases if case.judgments]
    if agreements:
        agree, compared = (sum(column) for column in zip(*agreements, strict=True))
        yield note("models.judged_totals", agree=agree, compared=compared)
    groundings = [sample.grounding for sample in samples if sample.grounding and sample.answer and sample.answer.found]
    if not groundings:
        return
    yield note(
        "models.grounding_totals",
        pieces=sum(len(each.pieces) for each in groundings),
        uncited=sum(len(each.uncited) for each in groundings),
        plain=sum(not each.cites for each in groundings),
        answers=len(groundings),
    )


def _write_facts(run: ModelRun, terminal: Terminal) -> None:
    if run.tokens:
        counts = {name: f"{getattr(run.tokens, name):,}" for name in ("prompt", "completion", "replies")}
        terminal.line(terminal.say("models.tokens", **counts))
    elapsed_ms = sum(case.result.elapsed_ms for suite in run.suites for case in suite.cases)
    terminal.line(terminal.say("models.elapsed", seconds=f"{elapsed_ms / 1000:.1f}"))
    recording = run.recording
    if recording:
        if recording.exchanges:
            terminal.line(terminal.say("models.recorded", path=recording.path, exchanges=recording.exchanges))
        if recording.unrecorded:
            cases = _some([case for _, case in recording.unrecorded])
            terminal.line(terminal.say("models.unrecorded", cases=cases), style="yellow")
    terminal.line()


def _verdict(run: ModelRun) -> Note:
    deciding = [suite for suite in run.suites if suite.result.verdict == run.verdict]
    names = ", ".join(suite.result.name for suite in deciding)
    telling = "errors" if run.verdict == "not_measured" else "new_failures"
    cases = _some([case.id for suite in deciding for case in getattr(suite.result.report, telling)])
    return note(f"models.verdict_{run.verdict}", suites=names, cases=cases)


def _some(ids: Sequence[str]) -> str:
    more = len(ids) - _IDS_SHOWN
    shown = ", ".join(map(_short, ids[:_IDS_SHOWN])) or "-"
    return f"{shown}, … (+{more})" if more > 0 else shown


def _short(text: str) -> str:
    return printable(shorten(" ".join(text.split()), _LONGEST))
