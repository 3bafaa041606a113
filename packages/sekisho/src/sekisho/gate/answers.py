"""The gate of a suite of answer cases: no new failure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from sekisho.gate.records import RuleOutcome

if TYPE_CHECKING:
    from sekisho.answers.records import AnswersReport
    from sekisho.gate.records import Verdict


class AnswersRule(msgspec.Struct, frozen=True, kw_only=True):
    """What a suite of answer cases must hold beside "no new failure".

    Attributes:
        max_known: The most known issues that may stand; None for any number.
        strict: Whether a known issue that passes fails, so that the list cannot rot.
    """

    max_known: int | None = None
    strict: bool = False


def judge_answers(report: AnswersReport, rule: AnswersRule | None) -> tuple[Verdict, tuple[RuleOutcome, ...]]:
    """Return the verdict on answer cases and each rule's outcome.

    A case that could not be measured leaves "no new failure" open, unless a measured one fails already.

    Args:
        report: The cases, judged.
        rule: What must hold; None where the suite has no gate.
    """
    measured = bool(report.cases) and not report.errors
    if rule is None:
        return ("reported" if measured else "not_measured"), ()
    failing, errors = len(report.new_failures), len(report.errors)
    outcomes = [_rule("answers.new_failures", failing, 0, holds=None if errors and not failing else not failing)]
    if rule.max_known is not None:
        known = len(report.of_status("known"))
        within = known <= rule.max_known
        outcomes.append(_rule("answers.known", known, rule.max_known, holds=None if within and errors else within))
    if rule.strict:
        fixed = len(report.of_status("fixed"))
        outcomes.append(_rule("answers.fixed", fixed, 0, holds=None if errors and not fixed else not fixed))
    if any(outcome.holds is False for outcome in outcomes):
        return "failed", tuple(outcomes)
    return ("passed" if measured else "not_measured"), tuple(outcomes)


def _rule(name: str, value: int, most: int, *, holds: bool | None) -> RuleOutcome:
    return RuleOutcome(rule=name, value=float(value), threshold=float(most), holds=holds)
