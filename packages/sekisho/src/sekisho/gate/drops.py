"""The regression rule over all suites of a run that have a baseline, and the ruler that may not change unseen."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from sekisho.compare.records import SuiteComparison
from sekisho.compare.statistics import Ruler, judge_drops
from sekisho.gate.records import RuleOutcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sekisho.compare.statistics import DropFinding


class DropRule(NamedTuple):
    """What a suite may lose against its baseline.

    Attributes:
        max_drop: Of the mean of recall@k, nDCG@k and overlap@k each; None measures without judging.
        non_inferiority: Whether room for a larger drop fails, too.
    """

    max_drop: float | None = None
    non_inferiority: bool = False


class Compared(NamedTuple):
    """A suite beside its baseline, judged."""

    comparison: SuiteComparison
    outcomes: tuple[RuleOutcome, ...]


def judge_comparisons(comparisons: Sequence[tuple[SuiteComparison, DropRule]]) -> list[Compared]:
    """Return each comparison with the findings of the regression rule, and the outcomes of its rules.

    All rulers of all suites are judged together, since Holm's adjustment counts every look at the data. A suite whose
    own ruler changed fails until that is accepted, and nothing else of it is judged.
    """
    known = [ruler for comparison, _ in comparisons for ruler in comparison.rulers]
    adjusted = judge_drops(
        Ruler(name=ruler.name, comparison=ruler.comparison, max_drop=rule.max_drop)
        for comparison, rule in comparisons
        for ruler in comparison.rulers
    )
    findings = iter(_strict(known, adjusted, comparisons))
    judged = []
    for comparison, rule in comparisons:
        rulers = tuple(msgspec.structs.replace(ruler, finding=next(findings)) for ruler in comparison.rulers)
        whole = msgspec.structs.replace(comparison, rulers=rulers)
        judged.append(Compared(whole, (*_ruler_rule(whole), *_drop_rules(whole, rule))))
    return judged


def _strict(
    rulers: Sequence[object], findings: Sequence[DropFinding], comparisons: Sequence[tuple[SuiteComparison, DropRule]]
) -> list[DropFinding]:
    """Return the findings, failing where a suite wants what is unresolved to fail."""
    wanted = [rule.non_inferiority for comparison, rule in comparisons for _ in comparison.rulers]
    assert len(rulers) == len(findings) == len(wanted)  # noqa: S101  one finding a ruler
    return [
        msgspec.structs.replace(finding, fails=finding.fails or (strict and finding.unresolved))
        for finding, strict in zip(findings, wanted, strict=True)
    ]


def _ruler_rule(comparison: SuiteComparison) -> tuple[RuleOutcome, ...]:
    count = len(comparison.ruler_changes)
    return (RuleOutcome(rule="baseline.ruler", value=float(count), threshold=0.0, holds=not count),)


def _drop_rules(comparison: SuiteComparison, rule: DropRule) -> tuple[RuleOutcome, ...]:
    if rule.max_drop is None:
        return ()
    return tuple(
        RuleOutcome(
            rule=f"drop.{ruler.name}",
            value=ruler.finding.drop,
            threshold=rule.max_drop,
            holds=not ruler.finding.fails,
        )
        for ruler in comparison.rulers
        if ruler.finding is not None
    )
