"""The gate of a retrieval suite."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec

from sekisho import ranking
from sekisho.gate.records import RuleOutcome

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sekisho.gate.records import Verdict
    from sekisho.retrieval.records import EvalReport

DEFAULT_MIN_RECALL = 0.6
"""The one absolute rule: recall@k of at least this."""
FAILING_STRUCTURE = ("unknown", "duplicate", "empty")
"""Malformed results that fail a suite unless it tolerates them; ``short`` fails only where structure is strict."""


class RetrievalRule(msgspec.Struct, frozen=True, kw_only=True):
    """What a retrieval suite must hold.

    Attributes:
        min_recall: The least mean recall@k, in [0, 1].
        tolerate: Kinds of malformed results that do not fail.
        strict_structure: Whether short results fail as well.
    """

    min_recall: float = DEFAULT_MIN_RECALL
    tolerate: frozenset[str] = frozenset()
    strict_structure: bool = False


def judge_retrieval(report: EvalReport, rule: RetrievalRule | None) -> tuple[Verdict, tuple[RuleOutcome, ...]]:
    """Return the verdict on a measurement and each rule's outcome.

    A case that could not be measured leaves the recall rule open, unless the rule would fail even if each of those
    cases had scored 1. A rule that fails on what was measured fails the suite; an open rule never passes it.

    Args:
        report: The measurement.
        rule: What must hold; None where the suite has no gate.
    """
    measured = bool(report.cases) and not report.errors
    if rule is None:
        return ("reported" if measured else "not_measured"), ()
    outcomes = (_recall_rule(report, rule.min_recall), *_structure_rules(report, rule))
    if any(outcome.holds is False for outcome in outcomes):
        return "failed", outcomes
    return ("passed" if measured else "not_measured"), outcomes


def _recall_rule(report: EvalReport, min_recall: float) -> RuleOutcome:
    unmeasured = len(report.errors)
    holds: bool | None = None
    if report.mean_recall is not None and not unmeasured:
        holds = ranking.gate_holds(report.mean_recall, min_recall)
    elif report.mean_recall is not None:
        recalls = [case.recall for case in report.cases if case.recall is not None]
        at_best = (math.fsum(recalls) + unmeasured) / len(report.cases)
        holds = None if ranking.gate_holds(at_best, min_recall) else False
    return RuleOutcome(rule=f"recall@{report.k}", value=report.mean_recall, threshold=min_recall, holds=holds)


def _structure_rules(report: EvalReport, rule: RetrievalRule) -> Iterator[RuleOutcome]:
    kinds = [kind for kind in FAILING_STRUCTURE if kind not in rule.tolerate]
    if not report.documents_known and "unknown" in kinds:
        kinds.remove("unknown")  # not measured, and so nothing to hold
    if rule.strict_structure and "short" not in rule.tolerate:
        kinds.append("short")
    for kind in kinds:
        count = len(getattr(report.structure, kind))
        yield RuleOutcome(rule=f"structure.{kind}", value=float(count), threshold=0.0, holds=count == 0)
