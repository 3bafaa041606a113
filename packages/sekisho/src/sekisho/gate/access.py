"""The gate of a permission matrix: a leak fails, and nothing softens that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sekisho.gate.records import RuleOutcome

if TYPE_CHECKING:
    from sekisho.access.records import AccessReport
    from sekisho.gate.records import Verdict

INTERFERENCE = "interference"


def judge_access(report: AccessReport) -> tuple[Verdict, tuple[RuleOutcome, ...]]:
    """Return the verdict on a permission matrix and each rule's outcome.

    One leak fails, whatever else could not be measured; that results change when the hidden documents are gone is a
    leak too. Without a leak, one call that could not be measured, or no probe at all, leaves it open, and it never
    passes. Documents that their own departments do not find, and results that depend on who asked before, fail nothing.
    There is no parameter: no threshold, baseline, option or known issue covers a leak.
    """
    measured = bool(report.documents) and report.probes > 0 and not report.error_count
    interference = sum(leak.kind == INTERFERENCE for leak in report.leaks)
    compared = [principal.interference for principal in report.principals if principal.hidden]
    outcomes = [_rule("access.leaks", report.leak_count, measured=measured)]
    if any(compared) or (compared and None not in compared):  # else it was not measured, and there is nothing to hold
        outcomes.append(_rule("access.interference", max(interference, sum(map(bool, compared))), measured=measured))
    if any(outcome.holds is False for outcome in outcomes):
        return "failed", tuple(outcomes)
    return ("passed" if measured else "not_measured"), tuple(outcomes)


def _rule(rule: str, count: int, *, measured: bool) -> RuleOutcome:
    return RuleOutcome(
        rule=rule,
        value=float(count),
        threshold=0.0,
        holds=False if count else (True if measured else None),
    )
