"""The sentences of a report: verdict, what the numbers say together, direction, what was not measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sekisho.core.messages import Note, note

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sekisho.gate import RuleOutcome, RunResult, SuiteResult
    from sekisho.retrieval import CaseResult, EvalReport

NOTEWORTHY = 0.02
"""A difference between two means that a sentence is made about; below it they count as level."""
APART = 0.05
"""A gap between two metrics of one suite that a sentence is made about."""
SATURATED = 0.995
"""From this mean recall on a corpus no longer tells a good search from a worse one."""
ON_TOP = 0.9
"""From this mean reciprocal rank on, a relevant document stands first as a rule."""
LEGEND = ("recall", "precision", "mrr", "map", "ndcg", "overlap")


def verdict_sentence(run: RunResult) -> Note:
    """Return the verdict in one sentence, with the suites that decide it."""
    deciding = [suite.name for suite in run.suites if suite.verdict == run.verdict]
    return note(f"report.verdict_{run.verdict}", suites=", ".join(deciding), count=len(run.suites))


def failed_rules(suite: SuiteResult) -> list[Note]:
    """Return a sentence for each rule that does not hold or could not be decided."""
    return [_rule_sentence(rule) for rule in suite.gate if rule.holds is not True]


def _rule_sentence(rule: RuleOutcome) -> Note:
    if rule.holds is None:
        return note("report.rule_open", rule=rule.rule, threshold=number(rule.threshold))
    if rule.rule.startswith("structure."):
        return note(f"report.rule_{rule.rule.replace('.', '_')}", count=int(rule.value or 0))
    return note("report.rule_below", rule=rule.rule, value=number(rule.value), threshold=number(rule.threshold))


def number(value: float | None) -> str:
    """Return a number in full, as it was compared."""
    return "-" if value is None else repr(float(value))


def reading(report: EvalReport) -> Note | None:
    """Return what the metrics of one suite say together, or None where nothing was measured."""
    recall, ndcg, overlap = report.mean_recall, report.mean_ndcg, report.mean_overlap
    if recall is None or ndcg is None:
        return None
    k = report.k
    if not recall:
        return note("report.reading_nothing", k=k)
    if overlap is not None and overlap < recall - APART:
        return note("report.reading_overlap", k=k)
    if ndcg < recall - APART:
        return note("report.reading_order", k=k)
    if recall < 1 - APART:
        on_top = report.mrr is not None and report.mrr >= ON_TOP
        code = "report.reading_left_out_in_order" if on_top else "report.reading_left_out"
        return note(code, k=k, percent=f"{100 * (1 - recall):.0f}")
    return note("report.reading_good", k=k)


def direction(name: str, report: EvalReport, reference_name: str, reference: EvalReport) -> Note:
    """Return in one sentence how a strategy differs from the reference, by recall first and order second."""
    values = {"name": name, "reference": reference_name}
    if report.mean_recall is None or reference.mean_recall is None or report.errors or reference.errors:
        return note("report.direction_unmeasured", **values)  # the means are over different cases
    recall = report.mean_recall - reference.mean_recall
    order = (report.mean_ndcg or 0.0) - (reference.mean_ndcg or 0.0)
    numbers = f"recall {recall:+.3f}, nDCG {order:+.3f}"
    overlap = 0.0
    if report.mean_overlap is not None and reference.mean_overlap is not None:
        overlap = report.mean_overlap - reference.mean_overlap
        numbers += f", overlap {overlap:+.3f}"
    values["numbers"] = numbers
    if abs(recall) >= NOTEWORTHY:
        return note("report.direction_less" if recall < 0 else "report.direction_more", **values)
    if abs(order) >= NOTEWORTHY:
        return note("report.direction_lower" if order < 0 else "report.direction_higher", **values)
    if abs(overlap) >= NOTEWORTHY:
        return note("report.direction_other_neighbours" if overlap < 0 else "report.direction_closer", **values)
    return note("report.direction_level", **values)


def not_measured(suite: SuiteResult) -> Note:
    """Return what a suite of this kind cannot say."""
    return note(f"report.not_measured_{suite.corpus['kind']}")


def saturated(suites: Sequence[SuiteResult]) -> bool:
    """Tell whether every strategy scores so high that the corpus tells none from another."""
    recalls = [suite.report.mean_recall for suite in suites]
    return len(recalls) > 1 and all(recall is not None and recall >= SATURATED for recall in recalls)


def error_sentence(case: CaseResult, *, redact: bool) -> Note:
    """Return why a case could not be measured; with ``redact`` without the words of the exception, which may quote."""
    assert case.error is not None  # noqa: S101  asked about cases with an error only
    if redact and case.error.kind != "timeout":
        return note(f"report.error_{case.error.kind}")
    return case.error.reason


def worst_first(report: EvalReport) -> list[CaseResult]:
    """Return the cases with something to mend: errors, then by recall, nDCG and overlap, lowest first."""

    def badness(case: CaseResult) -> tuple[bool, float, float, float, str]:
        overlap = 1.0 if case.overlap is None else case.overlap
        return (case.error is None, case.recall or 0.0, case.ndcg or 0.0, overlap, case.id)

    imperfect = [case for case in report.cases if case.error or (case.recall or 0.0) < 1]
    return sorted(imperfect, key=badness)
