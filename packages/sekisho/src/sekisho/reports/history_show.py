"""One kept run for people: the report again, from what was kept; nothing is run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sekisho.core.text import compared, printable, shorten
from sekisho.reports.history_words import (
    is_mean,
    metric_number,
    name_of,
    run_line,
    verdict_style,
    verdict_word,
)
from sekisho.reports.metrics import shown_id, some_ids

if TYPE_CHECKING:
    from sekisho.core.history import KeptCase, KeptRule, RunDetail, SuiteDetail
    from sekisho.reports.terminal import Terminal

CASES_SHOWN = 20
"""Cases shown of a suite that does not pass; of one that passes, fewer."""
_SHOWN_WHEN_PASSED = 5
_SENTENCES_SHOWN = 5
_LONGEST_TEXT = 200
_LONGEST_SENTENCE = 2000
_METRICS_OF_A_CASE = {"recall", "ndcg", "overlap", "leaks"}
_STYLES = {"ng": "red", "leak": "red", "error": "yellow", "known": "yellow", "fixed": "cyan"}
_RANK = {"leak": 0, "ng": 1, "error": 2, "measured": 3, "fixed": 4, "known": 5}


def write_run_detail(detail: RunDetail, terminal: Terminal) -> None:
    """Write a kept run: each suite with its numbers and the cases that failed, the verdict last."""
    run = detail.run
    terminal.line(run_line(run, terminal), hang=2, style="bold")
    facts = _facts(detail)
    if facts:
        terminal.line(facts, indent=2, hang=2, style="dim")
    for suite in detail.suites:
        terminal.line()
        _write_suite(suite, terminal)
    if detail.not_run:
        terminal.line()
        terminal.line(terminal.say("report.not_run", suites=", ".join(detail.not_run)), style="yellow")
    terminal.line()
    verdict = terminal.say("history.verdict", verdict=verdict_word(run.verdict, terminal), code=run.exit_code)
    terminal.line(verdict, style=verdict_style(run.verdict), whole=True)


def case_head(case: KeptCase, kind: str, terminal: Terminal) -> str:
    """Return the status, the id and the question of a case on one line."""
    if kind == "access":
        id_ = shown_id(case.id) if case.id else terminal.say("report.access_nobody")
    else:
        id_ = shown_id(case.id)
    text = f": {printable(shorten(' '.join(case.text.split()), _LONGEST_TEXT))}" if case.text else ""
    return f"{status_word(case.status, terminal)} {id_}{text}".lstrip()


def status_word(status: str, terminal: Terminal) -> str:
    """Return a status in the user's language; one that only says that there is a number is left out."""
    if status in {"ok", "ng", "known", "fixed"}:
        return terminal.say(f"answers.status_{status}").strip()
    if status in {"leak", "error"}:
        return terminal.say(f"history.status_{status}")
    return "" if status == "measured" else name_of(status)


def status_style(status: str) -> str:
    """Return the colour of a status."""
    return _STYLES.get(status, "")


def _facts(detail: RunDetail) -> str:
    """Return commit, versions and machine, as far as they were kept."""
    texts = [] if detail.run.commit is None else [detail.run.commit]
    for name in ("versions", "machine"):
        part = detail.facts.get(name)
        if isinstance(part, dict):
            texts += [f"{key} {value}" for key, value in part.items() if value is not None]
    return " · ".join(printable(shorten(text, _LONGEST_TEXT)) for text in texts)


def _write_suite(suite: SuiteDetail, terminal: Terminal) -> None:
    head = terminal.say(
        "history.suite_head",
        name=name_of(suite.name),
        kind=name_of(suite.kind),
        target=suite.target or "-",
        verdict=verdict_word(suite.verdict, terminal),
    )
    terminal.line(head, hang=2, style="bold")
    numbers = "  ".join(f"{name_of(name)} {metric_number(name, value)}" for name, value in suite.metrics.items())
    if numbers:
        terminal.line(numbers, indent=2, hang=2)
    for rule in suite.gate:
        if rule.holds is not True:
            terminal.line(_rule(rule, terminal), indent=2, hang=2, style=verdict_style("failed"))
    for warning in suite.warnings:
        terminal.line(terminal.say("report.warning", text=warning), indent=2, hang=2, style="yellow")
    _write_cases(suite, terminal)


def _rule(rule: KeptRule, terminal: Terminal) -> str:
    if rule.value is None or rule.threshold is None:
        return terminal.say("history.rule_open", rule=rule.rule)
    value, threshold = f"{rule.value:g}", f"{rule.threshold:g}"
    if is_mean(rule.rule):
        value, threshold = compared(rule.value, rule.threshold)
    return terminal.say("history.rule", rule=rule.rule, value=value, threshold=threshold)


def _write_cases(suite: SuiteDetail, terminal: Terminal) -> None:
    cases = sorted(filter(_is_noteworthy, suite.cases), key=_worst_first)
    imperfect = [case for case in cases if case.status == "measured"]
    most = _SHOWN_WHEN_PASSED if suite.verdict in {"passed", "reported"} else CASES_SHOWN
    shown = cases[: max(most, len(cases) - len(imperfect))]  # whatever failed, and some that are not perfect
    for case in shown:
        _write_case(case, suite.kind, terminal)
    if len(cases) > len(shown):
        terminal.line(terminal.say("history.more_cases", count=len(cases) - len(shown)), indent=2, style="dim")


def _write_case(case: KeptCase, kind: str, terminal: Terminal) -> None:
    numbers = "  ".join(
        f"{name_of(name)} {metric_number(name, value)}"
        for name, value in case.metrics.items()
        if name.partition("@")[0] in _METRICS_OF_A_CASE
    )
    head = f"{case_head(case, kind, terminal)}   {numbers}".rstrip()
    terminal.line(head, indent=2, hang=2, style=status_style(case.status))
    for sentence in case.sentences[:_SENTENCES_SHOWN]:
        terminal.line("- " + printable(shorten(sentence, _LONGEST_SENTENCE)), indent=4, hang=2)
    if case.issue:
        terminal.line("- " + terminal.say("answers.issue", reason=case.issue), indent=4, hang=2)
    if case.missed:
        terminal.line(terminal.say("report.case_missed", ids=some_ids(case.missed)), indent=4, hang=2, style="dim")


def _is_noteworthy(case: KeptCase) -> bool:
    return case.status not in {"ok", "measured"} or (case.recall is not None and case.recall[1] < 1)


def _worst_first(case: KeptCase) -> tuple[int, float, str]:
    return _RANK.get(case.status, 3), case.recall[1] if case.recall else 0.0, case.id
