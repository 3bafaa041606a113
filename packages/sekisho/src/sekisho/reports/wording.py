"""The sentences of a report: verdict, what the numbers say together, direction, what was not measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sekisho.core.messages import Note, note
from sekisho.core.text import compared

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sekisho.gate import RetrievalSuiteResult, RuleOutcome, SuiteResult
    from sekisho.retrieval import CaseResult, EvalReport

NOTEWORTHY = 0.02
"""A difference between two means that a sentence is made about; below it they count as level."""
APART = 0.05
"""A gap between two metrics of one suite that a sentence is made about."""
SAME_AS_EXACT = 0.99
"""From this mean overlap on, exact search would have brought the same."""
SATURATED = 0.995
"""From this mean recall on a corpus no longer tells a good search from a worse one."""
ON_TOP = 0.9
"""From this mean reciprocal rank on, a relevant document stands first as a rule."""
NOT_MADE = "retrieval.not_made"
"""The reason of every case of a suite whose target could not even be made."""
LEGEND = ("recall", "precision", "mrr", "map", "ndcg", "overlap")


def failed_rules(suite: RetrievalSuiteResult) -> list[Note]:
    """Return a sentence for each rule that does not hold or could not be decided."""
    own = [rule for rule in suite.gate if not rule.rule.startswith(("drop.", "baseline."))]  # told beside the baseline
    return [_rule_sentence(rule) for rule in own if rule.holds is not True]


def _rule_sentence(rule: RuleOutcome) -> Note:
    if rule.holds is None:
        code = "report.rule_unmeasured" if rule.value is None else "report.rule_open"
        return note(code, rule=rule.rule, threshold=f"{rule.threshold:g}")
    if rule.rule.startswith("structure."):
        return note(f"report.rule_{rule.rule.replace('.', '_')}", count=int(rule.value or 0))
    value, threshold = compared(rule.value or 0.0, rule.threshold)
    return note("report.rule_below", rule=rule.rule, value=value, threshold=threshold)


def readings(report: EvalReport, *, failed: bool) -> list[Note]:
    """Return what the metrics of one suite say together; nothing is praised where its gate failed."""
    recall, overlap = report.mean_recall, report.mean_overlap
    first = _nothing(report) if recall == 0 else _reading(report, failed=failed)
    sentences = [first] if first else []
    if recall and recall < 1 - APART and overlap is not None and overlap >= SAME_AS_EXACT:
        sentences.append(note("report.reading_exact"))
    return sentences


def _nothing(report: EvalReport) -> Note | None:
    """Return what may be behind a recall of 0, or None where nothing at all came back, which the structure says."""
    measured = [case for case in report.cases if not case.error]
    if measured and not any(case.retrieved for case in measured):
        return None
    ids_match = report.documents_known and not report.structure.unknown
    return note("report.reading_nothing_known" if ids_match else "report.reading_nothing", k=report.k)


def _reading(report: EvalReport, *, failed: bool) -> Note | None:
    recall, ndcg, overlap = report.mean_recall, report.mean_ndcg, report.mean_overlap
    if recall is None or ndcg is None:
        return None
    k = report.k
    if overlap is not None and overlap < recall - APART:
        return note("report.reading_overlap", k=k)
    if ndcg < recall - APART:
        return note("report.reading_order", k=k)
    if recall < 1 - APART:
        on_top = report.mrr is not None and report.mrr >= ON_TOP and not failed
        code = "report.reading_left_out_in_order" if on_top else "report.reading_left_out"
        return note(code, k=k, percent=f"{100 * (1 - recall):.0f}")
    return None if failed else note("report.reading_good", k=k)


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
    return note(f"report.not_measured_{suite.corpus['kind'] if suite.kind == 'retrieval' else suite.kind}")


def saturated(suites: Sequence[RetrievalSuiteResult]) -> bool:
    """Tell whether every strategy scores so high that the corpus tells none from another."""
    recalls = [suite.report.mean_recall for suite in suites]
    return len(recalls) > 1 and all(recall is not None and recall >= SATURATED for recall in recalls)


def error_sentence(case: CaseResult, *, redact: bool) -> Note:
    """Return why a case could not be measured; with ``redact`` without the words of the exception, which may quote."""
    assert case.error is not None  # noqa: S101  asked about cases with an error only
    if redact and case.error.reason.code == NOT_MADE:
        return note("report.error_not_made")
    if redact and case.error.kind != "timeout":
        return note(f"report.error_{case.error.kind}")
    return case.error.reason


def grouped_errors(suite: RetrievalSuiteResult) -> list[tuple[Note, list[CaseResult]]]:
    """Return the reasons why cases could not be measured, each with its cases, the most frequent first."""
    groups: dict[str, tuple[Note, list[CaseResult]]] = {}
    for case in suite.report.errors:
        reason = error_sentence(case, redact=suite.redact)
        groups.setdefault(str(reason), (reason, []))[1].append(case)
    return sorted(groups.values(), key=lambda group: -len(group[1]))


def worst_first(report: EvalReport) -> list[CaseResult]:
    """Return the measured cases that are not perfect: by recall, nDCG and overlap, lowest first."""

    def badness(case: CaseResult) -> tuple[float, float, float, str]:
        overlap = 1.0 if case.overlap is None else case.overlap
        return (case.recall or 0.0, case.ndcg or 0.0, overlap, case.id)

    imperfect = [case for case in report.cases if not case.error and (case.recall or 0.0) < 1]
    return sorted(imperfect, key=badness)
