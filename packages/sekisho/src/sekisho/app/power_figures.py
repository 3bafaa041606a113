"""From the measurements of a suite to what its cases can show."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

from sekisho.answers.sampling import wilson_interval
from sekisho.compare.statistics import SIGNIFICANCE, cases_for_drop, detectable_drop, least_differing, paired
from sekisho.reports import wording
from sekisho.reports.power_records import (
    AnswersPower,
    Extremes,
    RetrievalPower,
    RulerPower,
    SpreadFigures,
    Unmeasured,
)
from sekisho.retrieval import CaseResult

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sekisho.gate import AnswersSuiteResult, RetrievalSuiteResult

ASSUMED_SPREADS: Final = (0.09, 0.15)
"""Between pairs of reference retrievers on the synthetic corpora the differences had standard deviations from the first
to the second. Other systems and questions may lie outside: that is why it is shown as an assumption."""

_ALPHA: Final = 0.05
_ROUNDING: Final = 1e-9
_FEWEST: Final = 2
"""One difference has no spread."""


class _Ruler(NamedTuple):
    """A metric: its name, a case's value, and the highest that any ranking could have for it."""

    name: str
    value: Callable[[CaseResult], float | None]
    best: Callable[[CaseResult], float]


def retrieval_power(runs: Sequence[RetrievalSuiteResult], *, drop: float, power: float) -> RetrievalPower:
    """Return what the cases of a retrieval suite can show.

    Args:
        runs: The suite's own, and that of another target on the same cases where there is one.
        drop: Wanted to show, above 0.
        power: How often, above .05 and below 1.
    """
    own = runs[0]
    pairs = _measured_everywhere(runs)
    rulers = [ruler for ruler in _rulers(own.report.k) if any(ruler.value(case) is not None for case, *_ in pairs)]
    alpha = SIGNIFICANCE / max(len(rulers), 1)
    found = [_ruler_power(ruler, pairs, drop=drop, power=power, alpha=alpha) for ruler in rulers]
    return RetrievalPower(
        name=own.name,
        target=own.target,
        against=runs[1].name if len(runs) > 1 else None,
        k=own.report.k,
        cases=len(own.report.cases),
        measured=len(pairs),
        drop=drop,
        power=power,
        rule_alpha=alpha,
        differing_at_5_percent=least_differing(_ALPHA),
        differing_by_rule=least_differing(alpha),
        rulers=tuple(each for each in found if each is not None),
        extremes=_extremes_of_all(rulers, pairs),
        unmeasured=tuple(
            Unmeasured(run.target if run is own else run.name, case.id, wording.error_sentence(case, redact=run.redact))
            for run in runs
            for case in run.report.errors
        ),
    )


def _measured_everywhere(runs: Sequence[RetrievalSuiteResult]) -> list[tuple[CaseResult, ...]]:
    """Return for each case that no run failed to measure its result in each of them."""
    by_id: list[Mapping[str, CaseResult]] = [{case.id: case for case in run.report.cases} for run in runs]
    rows = [tuple(results[id_] for results in by_id) for id_ in by_id[0] if all(id_ in each for each in by_id)]
    return [row for row in rows if not any(case.error for case in row)]


def _rulers(k: int) -> tuple[_Ruler, ...]:
    """Return the metrics that the regression rule judges."""
    return (
        _Ruler(f"recall@{k}", lambda case: case.recall, lambda case: min(1.0, k / max(len(case.relevant), 1))),
        _Ruler(f"ndcg@{k}", lambda case: case.ndcg, lambda _case: 1.0),
        _Ruler(f"overlap@{k}", lambda case: case.overlap, lambda _case: 1.0),
    )


def _ruler_power(
    ruler: _Ruler, pairs: Sequence[tuple[CaseResult, ...]], *, drop: float, power: float, alpha: float
) -> RulerPower | None:
    """Return the figures of one metric; None where fewer than two cases have it."""
    rows = [(row, tuple(map(ruler.value, row))) for row in pairs]
    known = [
        (row, [value for value in values if value is not None])
        for row, values in rows
        if not any(v is None for v in values)
    ]
    if len(known) < _FEWEST:
        return None
    sides = list(zip(*(values for _, values in known), strict=True))
    means = [math.fsum(side) / len(side) for side in sides]
    compared = paired(sides[0], sides[1]) if len(sides) > 1 else None
    spread = compared.spread if compared else None
    return RulerPower(
        name=ruler.name,
        cases=len(known),
        mean=means[0],
        mean_against=means[1] if compared else None,
        differing=compared.wins + compared.losses if compared else None,
        is_assumed=not spread,
        figures=tuple(
            spread_figures(len(known), each, mean=means[0], drop=drop, power=power, rule_alpha=alpha)
            for each in ((spread,) if spread else ASSUMED_SPREADS)
        ),
        extremes=_extremes_of_all([ruler], [row for row, _ in known]),
    )


def spread_figures(
    cases: int, spread: float, *, mean: float, drop: float, power: float, rule_alpha: float
) -> SpreadFigures:
    """Return the figures for one spread.

    Args:
        cases: At least 2.
        spread: Standard deviation of the differences, above 0.
        mean: The most that can be lost.
        drop: Wanted to show.
        power: How often.
        rule_alpha: Of the strictest step of the rule.
    """

    def visible(alpha: float) -> float | None:
        least = detectable_drop(cases, spread, alpha=alpha, power=power)
        return least if least <= mean and cases >= least_differing(alpha) else None

    return SpreadFigures(
        spread=spread,
        drop_at_5_percent=visible(_ALPHA),
        drop_by_rule=visible(rule_alpha),
        cases_at_5_percent=_needed(drop, spread, alpha=_ALPHA, power=power),
        cases_by_rule=_needed(drop, spread, alpha=rule_alpha, power=power),
    )


def _needed(drop: float, spread: float, *, alpha: float, power: float) -> int:
    return max(cases_for_drop(drop, spread, alpha=alpha, power=power), least_differing(alpha))


def _extremes_of_all(rulers: Sequence[_Ruler], pairs: Sequence[tuple[CaseResult, ...]]) -> Extremes:
    """Return the cases that stand at the ceiling, or at the floor, on each of the metrics in each of the runs."""
    ceiling, floor = [], []
    for row in pairs:
        values = [
            (value, ruler.best(case)) for case in row for ruler in rulers if (value := ruler.value(case)) is not None
        ]
        if values and all(value >= best - _ROUNDING for value, best in values):
            ceiling.append(row[0].id)
        if values and all(value <= _ROUNDING for value, _ in values):
            floor.append(row[0].id)
    return Extremes(ceiling=tuple(ceiling), floor=tuple(floor))


def answers_power(run: AnswersSuiteResult, *, drop: float, power: float) -> AnswersPower:
    """Return what answer cases can show: each that passes is a gate by itself, whatever the others do.

    Where a change breaks a share ``s`` of such questions, at least one of ``n`` cases fails with the probability
    ``1 - (1 - s)^n``.

    Args:
        run: The suite's.
        drop: The share of questions, broken by a change, that is wanted to show.
        power: How often.
    """
    measured = [case for case in run.report.cases if not case.error]
    passing = tuple(case.id for case in measured if case.passed)
    return AnswersPower(
        name=run.name,
        target=run.target,
        cases=len(run.report.cases),
        measured=len(measured),
        drop=drop,
        power=power,
        passing=passing,
        failing=tuple(case.id for case in measured if not case.passed),
        interval=wilson_interval(len(passing), len(measured)) if measured else None,
        visible=-math.expm1(math.log1p(-power) / len(passing)) if passing else None,
        needed=math.ceil(math.log1p(-power) / math.log1p(-drop) - _ROUNDING),
        unmeasured=tuple(Unmeasured(run.target, case.id, case.error.reason) for case in run.report.cases if case.error),
    )
