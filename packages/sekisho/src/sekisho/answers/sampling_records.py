"""What asking a model several times gives back: the samples of each case, and the case's one result."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from sekisho.answers.grounded import Grounding
from sekisho.answers.records import AnswersReport, CaseResult, Failure
from sekisho.answers.sampling import Interval, is_decided, wilson_interval
from sekisho.calling.records import CaseError
from sekisho.core.answers import Answer

if TYPE_CHECKING:
    from sekisho.core.answers import AnswerCase


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """One answer to a case.

    Attributes:
        failures: What it lacks or must not hold; empty where it passes, or where there is no answer.
        answer: What came back.
        error: Why nothing did.
        grounding: What in the answer no context holds; None where there is no answer.
        elapsed_ms: Milliseconds that the target took.
    """

    failures: tuple[Failure, ...] = ()
    answer: Answer | None = None
    error: CaseError | None = None
    grounding: Grounding | None = None
    elapsed_ms: float = 0.0

    @property
    def passed(self) -> bool:
        """Whether everything that the case expects holds."""
        return self.error is None and not self.failures

    @property
    def leaks(self) -> tuple[Failure, ...]:
        """The forbidden texts that appeared."""
        return tuple(failure for failure in self.failures if failure.code == "forbidden_text")


class Judgment(msgspec.Struct, frozen=True, kw_only=True):
    """What a person or another model says about an answer. It is reported beside the verdict and changes nothing.

    Attributes:
        case_id: The case.
        sample: Which of its samples, from 1; None for the case as a whole.
        passed: The verdict, where there is one.
        score: A number, where there is one; shown, never compared.
        note: Why.
    """

    case_id: str
    sample: int | None = None
    passed: bool | None = None
    score: float | None = None
    note: str = ""


class Agreement(NamedTuple):
    """How many verdicts of others agree, of those that could be compared."""

    agree: int
    compared: int


class SampledCase(msgspec.Struct, frozen=True, kw_only=True):
    """A case, asked several times.

    Attributes:
        result: The case as a gate sees it: passed where enough samples pass and none leaks. Else it has every failure
            of every sample, each once, and the answer of the first that leaks or fails. An error only where a sample
            could not be measured and none leaked.
        samples: Every answer, in the order asked.
        wanted: How many samples were to be taken at most.
        needed: How many of them must pass.
        judgments: What others say about it.
    """

    result: CaseResult
    samples: tuple[Sample, ...]
    wanted: int
    needed: int
    judgments: tuple[Judgment, ...] = ()

    @property
    def case(self) -> AnswerCase:
        """The case."""
        return self.result.case

    @property
    def measured(self) -> int:
        """How many samples gave an answer."""
        return sum(sample.error is None for sample in self.samples)

    @property
    def passes(self) -> int:
        """How many samples passed."""
        return sum(sample.passed for sample in self.samples)

    @property
    def interval(self) -> Interval | None:
        """Wilson's interval of the pass rate; None without an answer."""
        return wilson_interval(self.passes, self.measured) if self.measured else None

    @property
    def holds(self) -> bool:
        """Whether enough samples pass and none leaks, whatever a known issue says."""
        return self.result.passed

    @property
    def is_decided(self) -> bool:
        """Whether further samples could not have changed the verdict."""
        failed = self.measured - self.passes
        return is_decided(
            self.passes,
            failed,
            samples=self.wanted,
            needed=self.needed,
            can_leak=bool(self.case.forbid),
            leaked=bool(self.leaks),
        )

    @property
    def leaks(self) -> tuple[tuple[int, Failure], ...]:
        """Every forbidden text that appeared in any sample, with the number of the sample, from 1."""
        return tuple((number, leak) for number, sample in enumerate(self.samples, 1) for leak in sample.leaks)

    @property
    def agreement(self) -> Agreement:
        """How many judgments say the same as the verdict on the sample, or on the case, that they are about."""
        pairs = [(each.passed, self._verdict(each.sample)) for each in self.judgments if each.passed is not None]
        compared = [(theirs, ours) for theirs, ours in pairs if ours is not None]
        return Agreement(sum(theirs == ours for theirs, ours in compared), len(compared))

    def _verdict(self, sample: int | None) -> bool | None:
        """Return whether a sample passed, or the case; None where it was not measured."""
        if sample is None:
            return None if self.result.error else self.holds
        taken = self.samples[sample - 1 : sample]
        return taken[0].passed if taken and taken[0].error is None else None


class SampledReport(msgspec.Struct, frozen=True, kw_only=True):
    """All cases of a suite, each asked several times."""

    cases: tuple[SampledCase, ...]

    @property
    def answers(self) -> AnswersReport:
        """The cases as a gate sees them."""
        return AnswersReport(cases=tuple(case.result for case in self.cases))
