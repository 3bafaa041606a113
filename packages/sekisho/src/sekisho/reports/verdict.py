"""The last line of a report: the verdict with its numbers, and how to run one case again."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from sekisho.core.messages import message
from sekisho.core.text import compared
from sekisho.reports.wording import worst_first

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sekisho.core.messages import Language
    from sekisho.gate import RuleOutcome, RunResult, SuiteResult

_LONGEST_WORD = 200
"""A command that holds a longer name or id is not shown: cut short it would be a wrong one."""


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
    below = any(not rule.rule.startswith("structure.") for suite in deciding for rule in _failing(suite))
    code = "report.verdict_failed" if below else "report.verdict_malformed"
    command = _again(deciding[0], options)
    again = message("report.verdict_again", language, command=command) if command else ""
    return message(code, language, suites=", ".join(named)) + again


def _failing(suite: SuiteResult) -> list[RuleOutcome]:
    return [rule for rule in suite.gate if rule.holds is False]


def _numbers(suite: SuiteResult) -> str:
    """Return the rules that fail, in signs that need no language."""
    texts = []
    for rule in _failing(suite):
        value, threshold = compared(rule.value or 0.0, rule.threshold)
        count = f"{rule.value or 0:g}"
        texts.append(
            f"{rule.rule}: {count}" if rule.rule.startswith("structure.") else f"{rule.rule} {value} < {threshold}"
        )
    return ", ".join(texts)


def _again(suite: SuiteResult, options: Sequence[str]) -> str | None:
    """Return the command for the worst case of a suite."""
    structure = suite.report.structure
    kinds = [rule.rule.partition(".")[2] for rule in _failing(suite) if rule.rule.startswith("structure.")]
    malformed = [finding.case_id for kind in kinds for finding in getattr(structure, kind)]
    below = len(kinds) < len(_failing(suite))
    worst = [case.id for case in worst_first(suite.report)]
    ids = [*worst, *malformed] if below else [*malformed, *worst]
    name = [] if "--target" in options else [suite.name]
    words = ["sekisho", "check", *name, *options, "--case", *ids[:1]]
    if not ids or any(len(word) > _LONGEST_WORD for word in words):
        return None
    return shlex.join(words)
