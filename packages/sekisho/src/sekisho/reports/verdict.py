"""The last line of a report: the verdict with its numbers, and how to run one case again."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, NamedTuple

from sekisho.core.messages import message
from sekisho.core.text import apart, compared, printable, shorten
from sekisho.reports.wording import worst_first

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sekisho.answers import CaseResult
    from sekisho.answers.records import AnswersReport
    from sekisho.core.messages import Language
    from sekisho.gate import RetrievalSuiteResult, RuleOutcome, RunResult, SuiteResult

_LONGEST_WORD = 200
"""A command that holds a longer name or id is not shown: cut short it would be a wrong one."""
_LONGEST_ID = 60
_IDS_SHOWN = 3
ALONE = "target"
"""The name of the one suite of a run without a configuration."""


class Verdict(NamedTuple):
    """The end of a report.

    Attributes:
        text: The verdict in words.
        label: What the command does, in words, to be put behind the text; empty where there is no command.
        command: Runs the worst case again; to be copied.
    """

    text: str
    label: str = ""
    command: str = ""


def verdict_text(run: RunResult, language: Language, *, options: Sequence[str] = ()) -> str:
    """Return the verdict over a run on one line, with the suites that decide it and a command at its end.

    Args:
        run: The run.
        language: Of the sentence.
        options: What ``sekisho check`` was called with apart from suites and cases; one case is run again with it.
    """
    text, label, command = verdict_of(run, language, options=options)
    return f"{text}{label} {command}" if command else text


def verdict_of(run: RunResult, language: Language, *, options: Sequence[str] = ()) -> Verdict:
    """Return the same as :func:`verdict_text` in its parts."""
    deciding = [suite for suite in run.suites if suite.verdict == run.verdict]
    if run.gone and not deciding:
        return Verdict(message("compare.verdict_gone", language, names=", ".join(run.gone)))
    if run.verdict != "failed":
        names = ", ".join(suite.name for suite in deciding)
        return Verdict(message(f"report.verdict_{run.verdict}", language, suites=names))
    named = [message("report.verdict_suite", language, name=suite.name, numbers=_numbers(suite)) for suite in deciding]
    suites = ", ".join(named)
    if open_ := [suite.name for suite in run.suites if suite.verdict == "not_measured"]:
        suites = message("report.verdict_also_open", language, suites=suites, names=", ".join(open_))
    text = message(_code(deciding), language, suites=suites)
    command = next(filter(None, (_again(suite, options) for suite in _worst_first(deciding))), None)
    if command is None:
        return Verdict(text)
    code = "report.verdict_again" if " --case " in command else "report.verdict_again_suite"
    return Verdict(text, message(code, language), command)


def _worst_first(deciding: Sequence[SuiteResult]) -> list[SuiteResult]:
    """Return suites by what happened: a case that shows what it must not, a leak, other answers, search."""

    def rank(suite: SuiteResult) -> int:
        if suite.kind == "answers":
            return 0 if _shows(suite) else 2
        return 1 if suite.kind == "access" else 3

    return sorted(deciding, key=rank)


def _shows(suite: SuiteResult) -> bool:
    """Tell whether a new failure of a suite is that something appears which must not."""
    return suite.kind == "answers" and any(map(_is_leak, suite.report.new_failures))


def _is_leak(result: CaseResult) -> bool:
    return any(failure.code == "forbidden_text" for failure in result.failures)


def _failing_ids(report: AnswersReport) -> list[str]:
    """Return the new failures, first those that show what they must not."""
    return [case.id for case in sorted(report.new_failures, key=lambda case: not _is_leak(case))]


def _code(deciding: Sequence[SuiteResult]) -> str:
    """Return the sentence for the worst that happened: a leak, then answers, then search, then another ruler."""
    failing = {rule.rule for suite in deciding for rule in _failing(suite) if not rule.rule.startswith("baseline.")}
    kinds = {rule.partition(".")[0] for rule in failing}
    if "access" in kinds:
        return "report.verdict_leaked"
    if any(map(_shows, deciding)):
        return "report.verdict_shown"
    if "answers" in kinds:
        return "report.verdict_answers"
    if not failing:
        return "report.verdict_ruler"
    if all(rule.startswith("drop.") for rule in failing):
        return "report.verdict_dropped"
    below = any(not rule.startswith("structure.") for rule in failing)
    return "report.verdict_failed" if below else "report.verdict_malformed"


def _chance(suite: SuiteResult, rule: str) -> str:
    """Return the adjusted p of a drop that fails although it is within ``max_drop``."""
    rulers = suite.comparison.rulers if suite.comparison else ()
    found = [ruler.finding.p_adjusted for ruler in rulers if ruler.finding and f"drop.{ruler.name}" == rule]
    return f"{found[0]:.2g}" if found else "-"


def _failing(suite: SuiteResult) -> list[RuleOutcome]:
    return [rule for rule in suite.gate if rule.holds is False]


def _numbers(suite: SuiteResult) -> str:
    """Return the rules that fail, in signs that need no language, and the first cases that make them fail."""
    texts = []
    for rule in _failing(suite):
        if rule.rule.startswith("drop."):
            drop = apart(rule.threshold, rule.value or 0.0)[1]
            within = (rule.value or 0.0) <= rule.threshold
            why = f"p {_chance(suite, rule.rule)}" if within else f"max_drop {rule.threshold:g}"
            texts.append(f"{rule.rule} {drop} ({why})")
        elif rule.rule.startswith("recall@"):
            value, threshold = compared(rule.value or 0.0, rule.threshold)
            texts.append(f"{rule.rule} {value} < {threshold}")
        else:
            most = f" > {rule.threshold:g}" if rule.threshold else ""
            texts.append(f"{rule.rule}: {rule.value or 0:g}{most}")
    if suite.kind == "answers" and (ids := _failing_ids(suite.report)):
        named = ", ".join(printable(shorten(id_, _LONGEST_ID)) for id_ in ids[:_IDS_SHOWN])
        more = len(ids) - _IDS_SHOWN
        texts.append(f"{named}, … (+{more})" if more > 0 else named)
    return ", ".join(texts)


def _again(suite: SuiteResult, options: Sequence[str]) -> str | None:
    """Return the command for the worst case of a suite; None where only a new baseline would help."""
    if all(rule.rule.startswith("baseline.") for rule in _failing(suite)):
        return None
    if suite.kind == "access":
        ids: list[str] = []
    elif suite.kind == "answers":
        ids = _failing_ids(suite.report)
    else:
        ids = _worst_ids(suite)
    alone = "--target" in options and suite.name == ALONE
    name = [] if alone else [suite.name]
    case = ["--case", *ids[:1]] if ids else []
    words = ["sekisho", "check", *name, *options, *case]
    if (not ids and suite.kind != "access") or any(len(word) > _LONGEST_WORD for word in words):
        return None
    return shlex.join(words)


def _worst_ids(suite: RetrievalSuiteResult) -> list[str]:
    structure = suite.report.structure
    kinds = [rule.rule.partition(".")[2] for rule in _failing(suite) if rule.rule.startswith("structure.")]
    malformed = [finding.case_id for kind in kinds for finding in getattr(structure, kind)]
    below = len(kinds) < len(_failing(suite))
    worst = [case.id for case in worst_first(suite.report)]
    if suite.comparison is not None and any(rule.rule.startswith("drop.") for rule in _failing(suite)):
        worst = [change.id for change in suite.comparison.changes if change.weight > 0] + worst
    return [*worst, *malformed] if below else [*malformed, *worst]
