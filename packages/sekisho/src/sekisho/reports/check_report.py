"""The report of ``sekisho check`` for people: the metrics, then each suite with its worst cases, the verdict last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sekisho.core.text import printable, shorten
from sekisho.reports import wording
from sekisho.reports.error_groups import Unmeasured, write_groups
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
from sekisho.reports.verdict import verdict_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sekisho.gate import RetrievalSuiteResult, RunResult, SuiteResult
    from sekisho.reports.terminal import Terminal
    from sekisho.retrieval import CaseResult

WORST_CASES = 5
"""Cases shown of a suite that does not pass; one that passes only says how many are not perfect."""
_HOLDING = frozenset({"passed", "reported"})
_ONLY_OF_MEASUREMENTS = "retrieval.recall_is_precision"
"""A warning about numbers, which says nothing where there are none."""
_FINDINGS = 3
_LONGEST_QUERY = 200
_LONGEST_TITLE = 40


def write_run(run: RunResult, terminal: Terminal, *, options: Sequence[str] = ()) -> None:
    """Write the report of a run; ``options`` are those of the call that running one case again needs."""
    shown = write_metrics(run.retrieval, terminal) if run.retrieval else []
    for number, suite in enumerate(run.suites):
        if number or run.retrieval:
            terminal.line()
        _write_suite(suite, terminal)
    terminal.line()
    write_legend([suite for suite in run.retrieval if suite.verdict not in _HOLDING], terminal, shown=shown)
    write_not_measured(run.suites, terminal)
    if run.unselected:
        terminal.line()
        terminal.line(terminal.say("report.unselected", suites=", ".join(run.unselected)), style="yellow")
    if run.not_run:
        terminal.line()
        terminal.line(terminal.say("report.not_run", suites=", ".join(run.not_run)), style="yellow")
    if run.gone:
        terminal.line()
        text = terminal.say("compare.gone", names=", ".join(run.gone))
        terminal.line(text, style="red")
    if run.baseline is not None:
        terminal.line()
        terminal.line(run.baseline.render(terminal.language), style="dim")
    terminal.line()
    _write_verdict(run, terminal, options)


def _write_verdict(run: RunResult, terminal: Terminal, options: Sequence[str]) -> None:
    """Write the verdict; where lines have a width, its command stands on one of its own, to be copied."""
    text, label, command = verdict_of(run, terminal.language, options=options)
    style = COLOURS[run.verdict]
    if command and not terminal.width_is_known:
        terminal.line(f"{text}{label} {command}", style=style, whole=True)
        return
    terminal.line(f"{text}{label}", style=style, whole=True)
    if command:
        terminal.verbatim(command, indent=2)


def _write_suite(suite: SuiteResult, terminal: Terminal) -> None:
    _write_kind(suite, terminal)
    if suite.comparison is not None:
        from sekisho.reports.baseline_report import write_baseline  # noqa: PLC0415  where there is a baseline

        write_baseline(suite.name, suite.comparison, terminal)


def _write_kind(suite: SuiteResult, terminal: Terminal) -> None:
    if suite.kind == "answers":
        from sekisho.reports.answers_section import write_answers  # noqa: PLC0415  only the kinds that ran

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
    measured = suite.report.mean_recall is not None
    for warning in suite.warnings:
        if warning.code == _ONLY_OF_MEASUREMENTS and not measured:
            continue
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
    if suite.verdict in _HOLDING:
        terminal.line(terminal.say("report.imperfect_cases", count=len(cases), total=len(suite.report.cases)), indent=2)
        return
    shown = cases[:WORST_CASES]
    terminal.line(terminal.say("report.worst_cases", shown=len(shown), count=len(cases)), indent=2)
    for case in shown:
        _write_case(case, suite, terminal)
    if len(cases) > len(shown):
        terminal.line(terminal.say("report.more_cases", count=len(cases) - len(shown)), indent=4, style="dim")


def _write_errors(suite: RetrievalSuiteResult, terminal: Terminal) -> None:
    """Write each reason once, with its cases."""
    groups = [
        [Unmeasured(case.id, _head(case, suite), reason, case.error) for case in cases if case.error]
        for reason, cases in wording.grouped_errors(suite)
    ]
    write_groups(groups, terminal, redact=suite.redact)


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
        if value or code != "report.case_ranks":
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
