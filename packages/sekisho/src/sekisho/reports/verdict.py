"""The last line of a report: the verdict with its numbers, and how to run one case again."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from sekisho.core.messages import message
from sekisho.core.text import compared, printable, shorten
from sekisho.reports.wording import worst_first

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sekisho.core.messages import Language
    from sekisho.gate import RetrievalSuiteResult, RuleOutcome, RunResult, SuiteResult

_LONGEST_WORD = 200
"""A command that holds a longer name or id is not shown: cut short it would be a wrong one."""
_LONGEST_ID = 60
_IDS_SHOWN = 3
ALONE = "target"
"""The name of the one suite of a run without a configuration."""


def verdict_text(run: RunResult, language: Language, *, options: Sequence[str] = ()) -> str:
    """Return the verdict over a run, with the suites that decide it.

    Args:
        run: The run.
        language: Of the sentence.
        options: What ``sekisho check`` was called with apart from suites and cases; one case is run again with it.
    """
    deciding = [suite for suite in run.suites if suite.verdict == run.verdict]
    if run.verdict != "failed":
        return message(f"report.verdict_{run.verdict}", language, suites=", ".join(suite.name for suite in deciding))
    named = [message("report.verdict_suite", language, name=suite.name, numbers=_numbers(suite)) for suite in deciding]
    command = next(filter(None, (_again(suite, options) for suite in deciding)), None)
    whole = " --case " not in (command or "")
    code = "report.verdict_again_suite" if whole else "report.verdict_again"
    again = message(code, language, command=command) if command else ""
    return message(_code(deciding), language, suites=", ".join(named)) + again


def _code(deciding: Sequence[SuiteResult]) -> str:
    """Return the sentence for the worst that happened: a leak, then answers, then search."""
    failing = {rule.rule for suite in deciding for rule in _failing(suite)}
    if failing and all(rule.startswith("baseline.") for rule in failing):
        return "report.verdict_ruler"
    if failing and all(rule.startswith(("drop.", "baseline.")) for rule in failing):
        return "report.verdict_dropped"
    kinds = {suite.kind for suite in deciding}
    if "access" in kinds:
        return "report.verdict_leaked"
    if "answers" in kinds:
        return "report.verdict_answers"
    below = any(not rule.rule.startswith("structure.") for suite in deciding for rule in _failing(suite))
    return "report.verdict_failed" if below else "report.verdict_malformed"


def _failing(suite: SuiteResult) -> list[RuleOutcome]:
    return [rule for rule in suite.gate if rule.holds is False]


def _numbers(suite: SuiteResult) -> str:
    """Return the rules that fail, in signs that need no language, and the first cases that make them fail."""
    texts = []
    for rule in _failing(suite):
        if rule.rule.startswith("drop."):
            texts.append(f"{rule.rule} {rule.value or 0:.4f} (max_drop {rule.threshold:g})")
        elif rule.rule.startswith("recall@"):
            value, threshold = compared(rule.value or 0.0, rule.threshold)
            texts.append(f"{rule.rule} {value} < {threshold}")
        else:
            most = f" > {rule.threshold:g}" if rule.threshold else ""
            texts.append(f"{rule.rule}: {rule.value or 0:g}{most}")
    if suite.kind == "answers" and (ids := [case.id for case in suite.report.new_failures]):
        named = ", ".join(printable(shorten(id_, _LONGEST_ID)) for id_ in ids[:_IDS_SHOWN])
        more = len(ids) - _IDS_SHOWN
        texts.append(f"{named}, … (+{more})" if more > 0 else named)
    return ", ".join(texts)


def _again(suite: SuiteResult, options: Sequence[str]) -> str | None:
    """Return the command for the worst case of a suite."""
    if suite.kind == "access":
        ids: list[str] = []
    elif suite.kind == "answers":
        ids = [case.id for case in suite.report.new_failures]
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
    return [*worst, *malformed] if below else [*malformed, *worst]
