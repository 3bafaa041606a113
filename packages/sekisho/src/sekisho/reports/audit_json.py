"""The audit of determinism in the JSON report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sekisho.compare.determinism import AuditedCondition, AuditReport, UnstableCase
    from sekisho.core.messages import Language


def audit_part(audit: AuditReport, language: Language) -> dict[str, Any]:
    """Return what an audit found, for the key ``audit`` of the report; sentences in ``language``."""
    return {
        "hash_seed": audit.hash_seed,
        "conditions": [_condition(each, language) for each in audit.conditions],
        "compared": audit.compared,
        "unstable": [_case(case) for case in audit.unstable],
    }


def _condition(each: AuditedCondition, language: Language) -> dict[str, Any]:
    return {
        "factor": each.condition.factor,
        "setting": each.condition.setting,
        "runs": each.runs,
        "measured": each.unmeasured is None,
        "message": each.unmeasured.render(language) if each.unmeasured else None,
    }


def _case(case: UnstableCase) -> dict[str, Any]:
    return {
        "suite": case.suite,
        "case": case.id,
        "factors": case.factors,
        "changes": [
            {
                "factor": change.factor,
                "setting": change.setting,
                "aspect": change.aspect,
                "before": change.before,
                "after": change.after,
            }
            for change in case.changes
        ],
    }
