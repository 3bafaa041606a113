"""The audit of determinism for people: each suite with its unstable cases, what changed them, and how."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sekisho.core.text import printable, shorten
from sekisho.reports.metrics import IDS_SHOWN, shown_id

if TYPE_CHECKING:
    from sekisho.compare.determinism import AuditReport, Change, UnstableCase
    from sekisho.gate import Verdict
    from sekisho.reports.terminal import Terminal

CASES_SHOWN = 10
_LONGEST_VALUE = 60
_BEFORE_A_DIFFERENCE = 15


def write_audit(audit: AuditReport, terminal: Terminal, *, verdict: Verdict, exit_code: int) -> None:
    """Write what an audit found, its summary in the last line.

    Args:
        audit: What it found.
        terminal: Where to.
        verdict: Of the run that was audited.
        exit_code: Of the command.
    """
    terminal.line()
    runs = sum(each.runs for each in audit.conditions)
    terminal.line(terminal.say("audit.head", runs=runs), style="bold")
    settings = ", ".join(each.condition.setting for each in audit.conditions if each.condition.factor != "repetition")
    terminal.line(terminal.say("audit.conditions", settings=settings), indent=2, hang=2, style="dim")
    if audit.hash_seed is None:
        terminal.line(terminal.say("audit.seed_random"), indent=2, style="dim")
    for suite, count in audit.compared.items():
        _write_suite(suite, count, audit, terminal)
    for each in audit.unmeasured:
        text = terminal.say("audit.unmeasured", setting=each.condition.setting, reason=each.unmeasured)
        terminal.line(text, indent=2, hang=2, style="yellow")
    terminal.line(terminal.say("audit.limits"), indent=2, style="dim")
    terminal.line()
    _write_verdict(audit, terminal, runs=runs, gate=terminal.say(f"report.word_{verdict}"), exit_code=exit_code)


def _write_verdict(audit: AuditReport, terminal: Terminal, *, runs: int, gate: str, exit_code: int) -> None:
    if audit.unmeasured:
        code, style = "audit.verdict_unmeasured", "yellow"
    elif audit.unstable:
        code, style = "audit.verdict_unstable", "yellow"
    else:
        code, style = "audit.verdict_stable", "green"
    text = terminal.say(
        code,
        unstable=len(audit.unstable),
        count=sum(audit.compared.values()),
        runs=runs,
        conditions=", ".join(each.condition.setting for each in audit.unmeasured),
        gate=gate,
        code=exit_code,
    )
    terminal.line(text, style=style, whole=True)


def _write_suite(suite: str, count: int, audit: AuditReport, terminal: Terminal) -> None:
    cases = audit.of_suite(suite)
    if not cases:
        terminal.line(terminal.say("audit.stable", suite=suite, count=count), indent=2)
        return
    terminal.line(terminal.say("audit.unstable", suite=suite, count=count, unstable=len(cases)), indent=2, style="bold")
    for case in cases[:CASES_SHOWN]:
        _write_case(case, terminal, redacted=suite in audit.redacted)
    if len(cases) > CASES_SHOWN:
        terminal.line(terminal.say("audit.more_cases", count=len(cases) - CASES_SHOWN), indent=4, style="dim")


def _write_case(case: UnstableCase, terminal: Terminal, *, redacted: bool) -> None:
    factors = "; ".join(terminal.say(f"audit.factor_{factor}") for factor in case.factors)
    text = terminal.say("audit.case", case=shown_id(case.id), factors=factors)
    terminal.line(text, indent=4, hang=2, style="yellow")
    for change in case.changes:
        terminal.line(_changed(change, terminal, redacted=redacted), indent=6, hang=2, style="dim")


def _changed(change: Change, terminal: Terminal, *, redacted: bool) -> str:
    aspect = terminal.say(f"audit.aspect_{change.aspect}")
    if redacted and change.before is None and change.after is None:
        return terminal.say("audit.change_hidden", setting=change.setting, aspect=aspect)
    before, after = _parts_that_differ(change.before, change.after)
    return terminal.say("audit.change", setting=change.setting, aspect=aspect, before=before, after=after)


def _parts_that_differ(before: Any, after: Any) -> tuple[str, str]:  # noqa: ANN401  whatever was observed
    """Return two values as text, from a little before the first difference on."""
    if isinstance(before, list) and isinstance(after, list):
        start = _first_difference(before, after)
        return _items(before, start), _items(after, start)
    if isinstance(before, str) and isinstance(after, str):
        start = max(0, _first_difference(before, after) - _BEFORE_A_DIFFERENCE)
        return _piece(before, start), _piece(after, start)
    return _word(before), _word(after)


def _first_difference(before: Any, after: Any) -> int:  # noqa: ANN401  two texts or two lists
    pairs = zip(before, after, strict=False)
    return next((place for place, (one, other) in enumerate(pairs) if one != other), min(len(before), len(after)))


def _items(values: list[Any], start: int) -> str:
    """Return some items of a list, with the place of the first, counted from 1."""
    shown = ", ".join(shown_id(_word(value)) for value in values[start : start + IDS_SHOWN])
    more = len(values) - start - IDS_SHOWN
    return f"@{start + 1} {shown or '-'}" + (f" … (+{more})" if more > 0 else "")


def _piece(text: str, start: int) -> str:
    piece = printable(shorten(text[start:], _LONGEST_VALUE))
    return f"«{'…' if start else ''}{piece}»"


def _word(value: Any) -> str:  # noqa: ANN401  whatever was observed
    return printable(
        shorten(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False), _LONGEST_VALUE)
    )
