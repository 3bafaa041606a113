"""What cases can show, for programs: ``sekisho.power/1``, in which only ``run`` differs between runs of one commit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sekisho.reports.power_records import AnswersPower

if TYPE_CHECKING:
    from sekisho.core.messages import Language
    from sekisho.reports.power_records import Extremes, PowerRun, RetrievalPower, RulerPower

SCHEMA = "sekisho.power/1"


def power_document(run: PowerRun, *, language: Language) -> dict[str, Any]:
    """Return the figures as a document. Sentences in it are in ``language``; numbers are not rounded."""
    suite = run.suite
    part = _answers(suite) if isinstance(suite, AnswersPower) else _retrieval(suite)
    return {
        "schema": SCHEMA,
        "exit_code": run.exit_code,
        "suite": suite.name,
        "kind": suite.kind,
        "target": suite.target,
        "cases": suite.cases,
        "measured": suite.measured,
        "drop": suite.drop,
        "power": suite.power,
        **part,
        "errors": [
            {"target": each.target, "case": each.id, "message": each.reason.render(language)}
            for each in suite.unmeasured
        ],
        "run": run.facts,
    }


def _retrieval(suite: RetrievalPower) -> dict[str, Any]:
    return {
        "against": suite.against,
        "k": suite.k,
        "rule_alpha": suite.rule_alpha,
        "differing_at_5_percent": suite.differing_at_5_percent,
        "differing_by_rule": suite.differing_by_rule,
        "metrics": [_ruler(ruler) for ruler in suite.rulers],
        **_extremes(suite.extremes),
    }


def _ruler(ruler: RulerPower) -> dict[str, Any]:
    return {
        "name": ruler.name,
        "cases": ruler.cases,
        "mean": ruler.mean,
        "mean_against": ruler.mean_against,
        "differing": ruler.differing,
        "spread_is": "assumed" if ruler.is_assumed else "measured",
        "figures": [
            {
                "spread": each.spread,
                "drop_at_5_percent": each.drop_at_5_percent,
                "drop_by_rule": each.drop_by_rule,
                "cases_at_5_percent": each.cases_at_5_percent,
                "cases_by_rule": each.cases_by_rule,
            }
            for each in ruler.figures
        ],
        **_extremes(ruler.extremes),
    }


def _extremes(extremes: Extremes) -> dict[str, Any]:
    return {"at_ceiling": extremes.ceiling, "at_floor": extremes.floor}


def _answers(suite: AnswersPower) -> dict[str, Any]:
    return {
        "passing": suite.passing,
        "failing": suite.failing,
        "pass_rate_interval": suite.interval,
        "visible": suite.visible,
        "needed": suite.needed,
    }
