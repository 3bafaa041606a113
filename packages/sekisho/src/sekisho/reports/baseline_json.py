"""A suite beside its baseline, in the JSON report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from sekisho.reports.baseline_report import direction

if TYPE_CHECKING:
    from sekisho.compare.records import CaseChange, RulerComparison, SuiteComparison
    from sekisho.core.messages import Language


def comparison_part(comparison: SuiteComparison, language: Language) -> dict[str, Any]:
    """Return what the report says about a suite beside its baseline; sentences in ``language``."""
    went = direction(comparison)
    return {
        "direction": None if went is None else went.render(language),
        "accepted": msgspec.to_builtins(comparison.accepted),
        "ruler_changes": msgspec.to_builtins(comparison.ruler_changes),
        "made_of_changes": msgspec.to_builtins(comparison.made_of_changes),
        "common": comparison.common,
        "new": comparison.new,
        "removed": comparison.removed,
        "gold": msgspec.to_builtins(comparison.gold),
        "rulers": {ruler.name: _ruler(ruler) for ruler in comparison.rulers},
        "lists_changed": comparison.lists_changed,
        "still_known": comparison.still_known,
        "known_more": comparison.known_more,
        "changes": [_change(change, language) for change in comparison.changes],
    }


def _ruler(ruler: RulerComparison) -> dict[str, Any]:
    comparison, finding = ruler.comparison, ruler.finding
    document: dict[str, Any] = {
        "before": comparison.mean_before,
        "now": comparison.mean_after,
        "difference": comparison.mean_difference,
        "interval": comparison.interval,
        "p_drop": comparison.p_drop,
        "p_two_sided": comparison.p_two_sided,
        "method": comparison.method,
        "effect_size": comparison.effect_size,
        "wins": comparison.wins,
        "ties": comparison.ties,
        "losses": comparison.losses,
        "smallest_visible": comparison.smallest_visible,
    }
    if finding is not None:
        document |= {
            "p_adjusted": finding.p_adjusted,
            "max_drop": finding.max_drop,
            "too_large": finding.too_large,
            "significant": finding.significant,
            "unresolved": finding.unresolved,
            "cases_to_resolve": finding.cases_to_resolve,
            "fails": finding.fails,
        }
    return document


def _change(change: CaseChange, language: Language) -> dict[str, Any]:
    return {
        "case": change.id,
        "kind": change.kind,
        "message": change.reason.render(language),
        "details": [detail.render(language) for detail in change.details],
    }
