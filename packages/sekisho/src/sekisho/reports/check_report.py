"""The report of ``sekisho check`` for people: the metrics, then each suite with its worst cases, the verdict last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sekisho.core.text import printable, shorten
from sekisho.reports import wording
from sekisho.reports.metrics import (
    COLOURS,
    IDS_SHOWN,
    rounded,
    shown_id,
    some_ids,
    write_legend,
    write_metrics,
    write_not_measured,
)
from sekisho.reports.verdict import verdict_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sekisho.gate import RetrievalSuiteResult, RunResult, SuiteResult
    from sekisho.reports.terminal import Terminal
    from sekisho.retrieval import CaseResult

WORST_CASES = 5
"""Cases shown of a suite that does not pass; a suite that passes shows fewer."""
_WORST_WHEN_PASSED = 2
_FINDINGS = 3
_IDS_OF_A_REASON = 3
_LONGEST_QUERY = 200
_LONGEST_TITLE = 40


def write_run(run: RunResult, terminal: Terminal, *, options: Sequence[str] = ()) -> None:
    """Write the report of a run; ``options`` are those of the call that running one case again needs."""
    if run.retrieval:
        write_metrics(run.retrieval, terminal)
    for number, suite in enumerate(run.suites):
        if number or run.retrieval:
            terminal.line()
        _write_suite(suite, terminal)
    terminal.line()
    write_legend(run.retrieval, terminal)
    write_not_measured(run.suites, terminal)
    if run.not_run:
        terminal.line()
        terminal.line(terminal.say("report.not_run", suites=", ".join(run.not_run)), style="yellow")
    if run.baseline is not None:
        terminal.line()
        terminal.line(run.baseline.render(terminal.language), style="dim")
    terminal.line()
    verdict = verdict_text(run, terminal.language, options=options)
    terminal.line(verdict, style=COLOURS[run.verdict], whole=True)


def _write_suite(suite: SuiteResult, terminal: Terminal) -> None:
    _write_kind(suite, terminal)
    if suite.comparison is not None:
        from sekisho.reports.baseline_report import write_baseline  # noqa: PLC0415  where there is a baseline

        write_baseline(suite.name, suite.comparison, terminal)


def _write_kind(suite: SuiteResult, terminal: Terminal) -> None:
    if suite.kind == "answers":
        from sekisho.reports.answers_report import write_answers  # noqa: PLC0415  only the kinds that ran

        write_answers(suite, terminal)
    elif suite.kind == "access":
        from sekisho.reports.access_report import write_access  # noqa: PLC0415  as above

        write_access(suite, terminal)
    else:
        _write_retrieval(suite, terminal)


def _write_retrieval(suite: RetrievalSuiteResult, terminal: Terminal) -> None:
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
    terminal.line(head, hang=2, style="bold")
    for failed in wording.failed_rules(suite):
        terminal.line(terminal.say(failed.code, **failed.values), indent=2, style=COLOURS["failed"])
    for sentence in wording.readings(suite.report, failed=suite.verdict == "failed"):
        terminal.line(terminal.say(sentence.code, **sentence.values), indent=2)
    for warning in suite.warnings:
        text = warning.render(terminal.language)
        terminal.line(terminal.say("report.warning", text=text), indent=2, style="yellow")
    _write_structure(suite, terminal)
    _write_errors(suite, terminal)
    _write_cases(suite, terminal)


def _write_structure(suite: RetrievalSuiteResult, terminal: Terminal) -> None:
    repeated = {finding.case_id for finding in suite.report.structure.duplicate}
    for kind in suite.report.structure.__struct_fields__:
        findings = getattr(suite.report.structure, kind)
        if kind == "short":  # a result that repeats ids is short on that account
            findings = [finding for finding in findings if finding.case_id not in repeated]
        for finding in findings[:_FINDINGS]:
            text = terminal.say(
                f"report.finding_{kind}",
                case=shown_id(finding.case_id),
                ids=some_ids(finding.ids),
                count=finding.count,
                k=suite.report.k,
            )
            terminal.line(text, indent=2, hang=2)
        if len(findings) > _FINDINGS:
            more = len(findings) - _FINDINGS
            terminal.line(terminal.say(f"report.findings_{kind}", count=more), indent=2, style="dim")


def _write_cases(suite: RetrievalSuiteResult, terminal: Terminal) -> None:
    cases = wording.worst_first(suite.report)
    if not cases:
        return
    shown = cases[: _WORST_WHEN_PASSED if suite.verdict in {"passed", "reported"} else WORST_CASES]
    terminal.line(terminal.say("report.worst_cases", shown=len(shown), count=len(cases)), indent=2)
    for case in shown:
        _write_case(case, suite, terminal)
    if len(cases) > len(shown):
        terminal.line(terminal.say("report.more_cases", count=len(cases) - len(shown)), indent=4, style="dim")


def _write_errors(suite: RetrievalSuiteResult, terminal: Terminal) -> None:
    """Write each reason once, with its cases."""
    groups = wording.grouped_errors(suite)
    for reason, cases in groups[:WORST_CASES]:
        text = terminal.say(reason.code, **reason.values)
        first = cases[0]
        if first.error and first.error.reason.code != wording.NOT_MADE:
            if len(cases) == 1:
                text = terminal.say("report.case_error", head=_head(first, suite), text=text)
            else:
                ids = some_ids([case.id for case in cases], most=_IDS_OF_A_REASON)
                text = terminal.say("report.cases_error", count=len(cases), text=text, ids=ids)
        terminal.line(text, indent=2, hang=2, style="yellow")
        place = _last_frame(first.error.traceback) if first.error else ""
        if place and not suite.redact:
            terminal.line(printable(shorten(place, _LONGEST_QUERY)), indent=4, style="dim")
    more = sum(len(cases) for _, cases in groups[WORST_CASES:])
    if more:
        terminal.line(terminal.say("report.more_errors", count=more), indent=2, style="dim")


def _write_case(case: CaseResult, suite: RetrievalSuiteResult, terminal: Terminal) -> None:
    k = suite.report.k
    numbers = f"recall@{k} {rounded(case.recall)}  ndcg@{k} {rounded(case.ndcg)}"
    if case.overlap is not None:
        numbers += f"  overlap@{k} {rounded(case.overlap)}"
    terminal.line(f"{_head(case, suite)}   {numbers}", indent=4, hang=2)
    places = sorted(case.ranks.items(), key=lambda place: place[1])
    ranks = ", ".join(f"{shown_id(id_)} @{rank}" for id_, rank in places[:IDS_SHOWN])
    more = f" … (+{len(places) - IDS_SHOWN})" if len(places) > IDS_SHOWN else ""
    for code, value in (
        ("report.case_missed", _with_titles(case.missed, suite)),
        ("report.case_got", some_ids(case.retrieved[:k])),
        ("report.case_ranks", ranks + more),
    ):
        terminal.line(terminal.say(code, ids=value or "-"), indent=6, hang=2, style="dim")


def _with_titles(ids: Sequence[str], suite: RetrievalSuiteResult) -> str:
    """Return the first ids, each with the title of its document where that has one and may be shown."""
    if suite.redact or not suite.titles:
        return some_ids(ids)
    titles = {id_: shorten(" ".join(suite.titles.get(id_, "").split()), _LONGEST_TITLE) for id_ in ids[:IDS_SHOWN]}
    return some_ids(ids, notes={id_: f" ({printable(title)})" for id_, title in titles.items() if title})


def _head(case: CaseResult, suite: RetrievalSuiteResult) -> str:
    if not isinstance(case.query, str) or suite.redact:
        return shown_id(case.id)
    return f"{shown_id(case.id)}: {printable(shorten(case.query, _LONGEST_QUERY))}"


def _last_frame(traceback: str) -> str:
    frames = [line.strip() for line in traceback.splitlines() if line.lstrip().startswith("File ")]
    return frames[-1] if frames else ""
