"""What a run of answer cases gives back: one record a case, and their counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

import msgspec

from sekisho.calling.records import CaseError
from sekisho.core.answers import Answer, AnswerCase, FailureCode, KnownIssue
from sekisho.core.messages import Note

if TYPE_CHECKING:
    from collections.abc import Iterable

Status = Literal["ok", "ng", "known", "fixed"]
"""``ng`` also where the case could not be measured; ``fixed``: has a known issue and passes."""
Place = Literal["context", "answer", "source"]
"""Where a forbidden text stands: in what the model was given, in what it wrote, in what it cited."""
Viewpoint = Literal["answers", "refuses", "conceals"]
"""Answers what it should, refuses what it should, shows nothing that it must not."""


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a case expects and does not get.

    Attributes:
        code: What kind.
        reason: The sentence.
        where: For a forbidden text, each place that holds it.
        text: The text of the case that it is about; empty where it is about none.
    """

    code: FailureCode
    reason: Note
    where: tuple[Place, ...] = ()
    text: str = ""


class CaseResult(msgspec.Struct, frozen=True, kw_only=True):
    """One case, asked and judged.

    Attributes:
        case: The case.
        status: See :data:`Status`.
        passed: Whether everything that the case expects holds, whatever its known issue says.
        failures: Everything that does not, in the order of the case's keys.
        issue: The known issue, where the case has one that applies to this suite.
        expired: Whether that issue's last day has passed, so that it excuses nothing.
        answer: What came back; None where the case could not be measured.
        error: Why it could not be measured.
        elapsed_ms: Milliseconds that the target took.
    """

    case: AnswerCase
    status: Status
    passed: bool
    failures: tuple[Failure, ...] = ()
    issue: KnownIssue | None = None
    expired: bool = False
    answer: Answer | None = None
    error: CaseError | None = None
    elapsed_ms: float = 0.0

    @property
    def id(self) -> str:
        """The id of the case."""
        return self.case.id


class AnswersReport(msgspec.Struct, frozen=True, kw_only=True):
    """All cases of a run.

    Attributes:
        cases: In the order given.
        warnings: What the reader should know, such as a forbidden text that stands in no document.
        documents: Name of each document to its fingerprint, where the target lists them.
    """

    cases: tuple[CaseResult, ...]
    warnings: tuple[Note, ...] = ()
    documents: Mapping[str, str] = {}

    @property
    def errors(self) -> tuple[CaseResult, ...]:
        """The cases that could not be measured."""
        return tuple(case for case in self.cases if case.error)

    @property
    def new_failures(self) -> tuple[CaseResult, ...]:
        """The measured cases that fail without an excuse."""
        return tuple(case for case in self.cases if case.status == "ng" and not case.error)

    def of_status(self, status: Status) -> tuple[CaseResult, ...]:
        """Return the cases of one status."""
        return tuple(case for case in self.cases if case.status == status)


def has_regression(results: Iterable[CaseResult]) -> bool:
    """Tell whether any case fails without an excuse or could not be measured; no case at all is a regression, too."""
    found = tuple(results)  # a generator without results is true, and still no case at all
    return not found or any(result.status == "ng" for result in found)
