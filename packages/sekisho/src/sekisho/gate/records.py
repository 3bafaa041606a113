"""The records that reports are made from: a rule's outcome, a suite's result, a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec

from sekisho.calling.records import CaseError
from sekisho.core.messages import Note
from sekisho.retrieval.records import EvalReport

if TYPE_CHECKING:  # these records are never decoded, which alone would look the names up
    from sekisho.access.records import AccessReport  # noqa: TC004  imported by suites of this kind only
    from sekisho.answers.records import AnswersReport  # noqa: TC004  as above
    from sekisho.compare.records import SuiteComparison  # noqa: TC004  where there is a baseline

Verdict = Literal["passed", "failed", "not_measured", "reported"]
"""``not_measured``: a case could not be measured, so nothing can be said; ``reported``: measured without a gate."""


class RuleOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """One rule of the gate, applied.

    Attributes:
        rule: What is compared, such as ``recall@10`` or ``structure.unknown``.
        value: As measured, unrounded; None where it was not.
        threshold: The least (for a metric) or the most (for a count) that holds.
        holds: None where a case without a measurement leaves it open.
    """

    rule: str
    value: float | None
    threshold: float
    holds: bool | None


class RetrievalSuiteResult(msgspec.Struct, frozen=True, kw_only=True):
    """One suite of retrieval cases.

    Attributes:
        name: As in the configuration.
        target: The target as configured.
        verdict: What the gate says.
        gate: Each rule with its outcome; empty where the gate is switched off.
        report: The measurement.
        corpus: What was searched: ``name``, ``documents``, ``queries``, ``synthetic`` and the like, for the report.
        fingerprints: Name to SHA-256 of what it was measured on.
        warnings: What the reader should know.
        titles: Id to title, of the documents of a text collection that cases missed.
        redact: Whether no text of queries or documents may appear in a report.
        comparison: The suite beside its baseline, where there is one.
    """

    name: str
    target: str
    verdict: Verdict
    gate: tuple[RuleOutcome, ...]
    report: EvalReport
    corpus: Mapping[str, Any]
    fingerprints: Mapping[str, str]
    warnings: tuple[Note, ...] = ()
    titles: Mapping[str, str] = {}
    redact: bool = False
    comparison: SuiteComparison | None = None
    kind: Literal["retrieval"] = "retrieval"


class AnswersSuiteResult(msgspec.Struct, frozen=True, kw_only=True):
    """One suite of answer cases; what it shares with the others means the same there.

    Attributes:
        report: Each case, asked and judged.
        cases_name: The file that the cases come from.
        strict: Whether a known issue that passes fails the gate.
        measured: The report with its texts, where ``report`` has none: for the fingerprints of a baseline, no report.
    """

    name: str
    target: str
    verdict: Verdict
    gate: tuple[RuleOutcome, ...]
    report: AnswersReport
    cases_name: str
    fingerprints: Mapping[str, str]
    warnings: tuple[Note, ...] = ()
    redact: bool = False
    strict: bool = False
    measured: AnswersReport | None = None
    comparison: SuiteComparison | None = None
    kind: Literal["answers"] = "answers"


class AccessSuiteResult(msgspec.Struct, frozen=True, kw_only=True):
    """One permission matrix; what it shares with the others means the same there.

    Attributes:
        report: Each principal with its probes; None where the matrix could not even begin.
        error: Why it could not.
    """

    name: str
    target: str
    verdict: Verdict
    gate: tuple[RuleOutcome, ...]
    report: AccessReport | None
    fingerprints: Mapping[str, str]
    error: CaseError | None = None
    warnings: tuple[Note, ...] = ()
    redact: bool = False
    comparison: SuiteComparison | None = None
    kind: Literal["access"] = "access"


SuiteResult: TypeAlias = RetrievalSuiteResult | AnswersSuiteResult | AccessSuiteResult


class RunResult(msgspec.Struct, frozen=True, kw_only=True):
    """All suites of one run, with the verdict over them.

    Attributes:
        verdict: Over all suites.
        exit_code: 0 passed, 1 failed, 3 not measured.
        suites: In the order they ran.
        not_run: Names of suites that were selected but not run, since an earlier one failed.
        baseline: What there is to say about baselines as a whole, such as how to make one.
        unselected: Suites that were named and of which the selection of cases left nothing.
        gone: Suites of the baseline that a run of everything no longer meets; they fail it until that is accepted.
        facts: Time, commit, versions and machine: what may differ between two runs of one commit.
    """

    verdict: Verdict
    exit_code: int
    suites: tuple[SuiteResult, ...]
    not_run: tuple[str, ...]
    facts: Mapping[str, Any]
    baseline: Note | None = None
    gone: tuple[str, ...] = ()
    unselected: tuple[str, ...] = ()

    @property
    def retrieval(self) -> tuple[RetrievalSuiteResult, ...]:
        """The suites of retrieval cases."""
        return tuple(suite for suite in self.suites if isinstance(suite, RetrievalSuiteResult))
