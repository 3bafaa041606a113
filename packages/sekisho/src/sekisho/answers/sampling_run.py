"""Asking every case of a target several times, until each is decided."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import msgspec

from sekisho.answers.evaluate import principal
from sekisho.answers.grounded import grounding_of
from sekisho.answers.judge import failures_of
from sekisho.answers.records import Failure
from sekisho.answers.sampling import is_decided, passes_needed
from sekisho.answers.sampling_records import Sample, SampledCase, SampledReport
from sekisho.answers.status import judged
from sekisho.calling.answers import read_answer
from sekisho.calling.asking import asked
from sekisho.calling.methods import method_of
from sekisho.calling.records import CaseError
from sekisho.core.answers import EVERYONE
from sekisho.core.messages import note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sekisho.calling import Outcome
    from sekisho.calling.asking import Asked
    from sekisho.core.answers import Answer, AnswerCase
    from sekisho.core.messages import Note


class Watcher(Protocol):
    """Whoever must know which case is asked, such as the recording of what the target asks its model."""

    def begin(self, case_id: str, sample: int) -> None:
        """Take note that a sample, counted from 1, is asked for from now on."""

    def end(self) -> Note | None:
        """Return why the answer that came must not be measured, or None."""

    def finish(self, case_id: str, *, measured: bool) -> None:
        """Take note that a case is done, and whether every sample of it could be measured."""


class Sampling(msgspec.Struct, frozen=True, kw_only=True):
    """How cases are asked and judged.

    Attributes:
        samples: The most answers to a case.
        min_pass_rate: The share of them that must pass.
        today: The day that ``until`` of a known issue is compared with.
        suite: The suite that runs, for known issues that name suites.
        exact: Whether texts are compared without folding.
        everyone: The department that every asker has.
        concurrency: How many questions are under way at once; 1 where there is a watcher.
        timeout_s: Seconds after which a question is given up.
    """

    samples: int
    min_pass_rate: float
    today: dt.date
    suite: str | None = None
    exact: bool = False
    everyone: str = EVERYONE
    concurrency: int = 1
    timeout_s: float | None = None


def sample_answers(
    cases: Sequence[AnswerCase],
    target: object,
    sampling: Sampling,
    *,
    watcher: Watcher | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> SampledReport:
    """Return every case, asked until its verdict is certain.

    A sample that could not be measured ends its case: a crash is neither a pass nor a failure. Without a watcher the
    cases are asked in rounds, one sample of each; with one, case by case and one question at a time.

    Raises:
        TargetError: The target has no ``answer``.
    """
    plan = _Plan(sampling, watcher)
    samples: dict[str, list[Sample]] = {case.id: [] for case in cases}
    done = 0
    with asked(target) as asking:
        for batch in _batches(cases, one_by_one=watcher is not None):
            open_cases, number = batch, 0
            while open_cases:
                number += 1
                for case, sample in zip(open_cases, _round(open_cases, number, asking, plan), strict=True):
                    samples[case.id].append(sample)
                still = [case for case in open_cases if not _is_done(case, samples[case.id], plan)]
                done += len(open_cases) - len(still)
                open_cases = still
                if on_progress:
                    on_progress(done, len(cases))
            if watcher:
                watcher.finish(batch[0].id, measured=all(each.error is None for each in samples[batch[0].id]))
    return SampledReport(cases=tuple(sampled(case, samples[case.id], sampling) for case in cases))


class _Plan(NamedTuple):
    sampling: Sampling
    watcher: Watcher | None


def _answer_method(asking: Asked) -> Callable[..., Any]:
    """Return what answers: the method of that name, or the target where it is a function."""
    if method_of(asking.target, "answer") is None and callable(asking.target):
        return asking.target
    return asking.method("answer")


def _batches(cases: Sequence[AnswerCase], *, one_by_one: bool) -> Iterator[list[AnswerCase]]:
    if one_by_one:
        yield from ([case] for case in cases)
    else:
        yield list(cases)


def _round(cases: Sequence[AnswerCase], number: int, asking: Asked, plan: _Plan) -> list[Sample]:
    """Return the sample of this number, from 1, of each case."""
    sampling, watcher = plan.sampling, plan.watcher
    if watcher:
        watcher.begin(cases[0].id, number)
    outcomes = asking.ask_all(
        _answer_method(asking),
        [(case.question, principal(case.departments, sampling.everyone)) for case in cases],
        read=read_answer,
        concurrency=1 if watcher else sampling.concurrency,
        timeout_s=sampling.timeout_s,
    )
    unusable = watcher.end() if watcher else None
    return [
        _sample(case, outcome, unusable, exact=sampling.exact) for case, outcome in zip(cases, outcomes, strict=True)
    ]


def _sample(case: AnswerCase, outcome: Outcome[Answer], unusable: Note | None, *, exact: bool) -> Sample:
    if unusable is not None:  # whatever the target made of it, it did not get what it asked for
        return Sample(error=CaseError(kind="raised", reason=unusable), elapsed_ms=outcome.elapsed_ms)
    answer = outcome.value
    if answer is None:
        return Sample(error=outcome.error, elapsed_ms=outcome.elapsed_ms)
    return Sample(
        failures=failures_of(case, answer, exact=exact),
        answer=answer,
        grounding=grounding_of(answer, case.question),
        elapsed_ms=outcome.elapsed_ms,
    )


def _is_done(case: AnswerCase, samples: Sequence[Sample], plan: _Plan) -> bool:
    if samples[-1].error is not None:
        return True
    most, passed = plan.sampling.samples, sum(sample.passed for sample in samples)
    return is_decided(
        passed,
        len(samples) - passed,
        samples=most,
        needed=passes_needed(most, plan.sampling.min_pass_rate),
        can_leak=bool(case.forbid),
        leaked=any(sample.leaks for sample in samples),
    )


def sampled(case: AnswerCase, samples: Sequence[Sample], sampling: Sampling) -> SampledCase:
    """Return a case with its samples and the result that stands for them."""
    needed = passes_needed(sampling.samples, sampling.min_pass_rate)
    leaking = next((sample for sample in samples if sample.leaks), None)
    error = None if leaking else next((sample.error for sample in samples if sample.error), None)
    answer: Answer | None = None
    failures: tuple[Failure, ...] = ()
    if error is not None:
        failures = (Failure(code="error", reason=note("answers.error", reason=error.reason)),)
    elif leaking is not None or sum(sample.passed for sample in samples) < needed:
        failures = _each_once(samples)
        answer = (leaking or next(sample for sample in samples if not sample.passed)).answer
    else:
        answer = next(sample for sample in samples if sample.passed).answer
    result = judged(
        case,
        failures,
        suite=sampling.suite,
        today=sampling.today,
        answer=answer,
        error=error,
        elapsed_ms=sum(sample.elapsed_ms for sample in samples),
    )
    return SampledCase(result=result, samples=tuple(samples), wanted=sampling.samples, needed=needed)


def _each_once(samples: Sequence[Sample]) -> tuple[Failure, ...]:
    """Return every failure of every sample, in the words of the first sample that has it; forbidden texts first."""
    found: dict[tuple[str, str], Failure] = {}
    for failure in (failure for sample in samples for failure in sample.failures):
        found.setdefault((failure.code, failure.text), failure)
    return tuple(sorted(found.values(), key=lambda failure: failure.code != "forbidden_text"))
