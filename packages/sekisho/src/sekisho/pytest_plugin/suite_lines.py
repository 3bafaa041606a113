"""What a suite that ran as a whole says: in the summary, and where its item fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sekisho.core.messages import message
from sekisho.core.text import printable, shorten
from sekisho.reports.metrics import rounded, some_ids
from sekisho.reports.wording import failed_rules, grouped_errors, worst_first

if TYPE_CHECKING:
    from sekisho.core.messages import Language
    from sekisho.gate import AccessSuiteResult, RetrievalSuiteResult, SuiteResult

_LONGEST_NAME = 80
_LEAKS_SHOWN = 50
_ERRORS_SHOWN = 5


def summary_lines(result: SuiteResult, language: Language) -> list[str]:
    """Return the lines of a suite in the summary, the first of which goes on after its name."""
    if result.kind == "retrieval":
        return _retrieval_summary(result, language)
    if result.kind == "access":
        return _access_summary(result, language)
    raise AssertionError(result.kind)  # a suite of answer cases runs case by case


def sentences_of_suite(result: SuiteResult, language: Language) -> list[str]:
    """Return why a suite fails or could not be measured, at least one sentence."""
    sentences: list[str] = []
    if result.kind == "retrieval":
        sentences = _retrieval_sentences(result, language)
    elif result.kind == "access":
        sentences = _access_sentences(result, language)
    sentences = [*_baseline_sentences(result, language), *sentences]
    return sentences or [message("plugin.not_measured", language)]


def _baseline_sentences(result: SuiteResult, language: Language) -> list[str]:
    """Return what the rules of the baseline say, where one of them fails."""
    comparison = result.comparison
    if comparison is None or not any(
        rule.holds is False and rule.rule.startswith(("drop.", "baseline.")) for rule in result.gate
    ):
        return []
    from sekisho.reports.baseline_report import findings  # noqa: PLC0415  only where a rule of it fails

    sentences = [sentence.render(language) for sentence in findings(comparison.rulers)]
    if comparison.ruler_changes:
        named = some_ids([change.name for change in comparison.ruler_changes])
        sentences.insert(0, message("plugin.ruler_changed", language, names=named, name=result.name))
    return sentences


def _retrieval_summary(result: RetrievalSuiteResult, language: Language) -> list[str]:
    metrics = ", ".join(f"{name} {rounded(value)}" for name, value in result.report.metrics.items())
    rules = [f"{rule.rule} ≥ {rule.threshold:g}" for rule in result.gate if rule.rule.startswith("recall@")]
    line = message(
        "plugin.retrieval",
        language,
        metrics=metrics or "-",
        gate=rules[0] if rules else message("report.no_gate", language),
        verdict=message(f"report.word_{result.verdict}", language),
    )
    return [line, *_warnings(result, language)]


def _access_summary(result: AccessSuiteResult, language: Language) -> list[str]:
    report = result.report
    if report is None:
        return [message("plugin.not_measured", language)]
    lines = [
        message(
            "report.access_totals",
            language,
            probes=report.probes,
            leaks=report.leak_count,
            errors=report.error_count,
        )
    ]
    for principal in report.principals:
        name = ", ".join(principal.departments) or message("report.access_nobody", language)
        lines.append(
            message(
                "plugin.principal",
                language,
                name=shorten(name, _LONGEST_NAME),
                probes=principal.probes,
                leaks=principal.leak_count,
                recall="-" if principal.recall is None else f"{principal.recall:.2f}",
            )
        )
    return [*lines, *_warnings(result, language)]


def _warnings(result: SuiteResult, language: Language) -> list[str]:
    return [message("report.warning", language, text=warning) for warning in result.warnings]


def _retrieval_sentences(result: RetrievalSuiteResult, language: Language) -> list[str]:
    sentences = [rule.render(language) for rule in failed_rules(result)]
    reasons = [reason.render(language) for reason, _ in grouped_errors(result)]
    if result.verdict == "not_measured":  # the reason says more than that a rule is open
        sentences = reasons[:_ERRORS_SHOWN] + sentences
    else:
        sentences += reasons[:_ERRORS_SHOWN]
    worst = worst_first(result.report)
    if worst:
        sentences.append(message("plugin.worst", language, ids=some_ids([case.id for case in worst])))
    return sentences


def _access_sentences(result: AccessSuiteResult, language: Language) -> list[str]:
    report = result.report
    if report is None:
        return [] if result.error is None else [result.error.reason.render(language)]
    sentences = ["- " + leak.reason.render(language) for leak in report.leaks[:_LEAKS_SHOWN]]
    more = report.leak_count - len(sentences)
    if more > 0 and sentences:
        sentences.append(message("plugin.more_leaks", language, count=more))
    for error in report.errors[:_ERRORS_SHOWN]:
        name = ", ".join(error.principal) or message("report.access_nobody", language)
        sentences.append(printable(shorten(name, _LONGEST_NAME)) + ": " + error.error.reason.render(language))
    return sentences
