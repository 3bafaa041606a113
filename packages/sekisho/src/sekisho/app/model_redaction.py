"""What a run with a model keeps to itself: the text of redacted suites, and every key."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from sekisho.answers.sampling_records import SampledReport
from sekisho.app.redaction import BLANK, redacted_error
from sekisho.core.answers import Answer
from sekisho.core.messages import Note, note

if TYPE_CHECKING:
    from sekisho.adapters.model_recording import Masking
    from sekisho.answers import AnswersReport
    from sekisho.answers.grounded import Grounding
    from sekisho.answers.sampling_records import Sample, SampledCase
    from sekisho.calling.records import CaseError

_OWN = frozenset({"suite", "case", "sample", "number", "host"})
"""Values of a sentence about the model that come from the configuration, or that any report shows."""


def redacted_samples(report: SampledReport, answers: AnswersReport) -> SampledReport:
    """Return samples without text: how many pieces are ungrounded, but not which.

    Args:
        report: The samples.
        answers: The results of the same cases, redacted already.
    """
    return SampledReport(
        cases=tuple(
            msgspec.structs.replace(case, result=result, samples=tuple(map(_redacted, case.samples)))
            for case, result in zip(report.cases, answers.cases, strict=True)
        )
    )


def _redacted(sample: Sample) -> Sample:
    return msgspec.structs.replace(
        sample,
        failures=tuple(
            msgspec.structs.replace(failure, text="", reason=note(f"answers.redacted_{failure.code}"))
            for failure in sample.failures
        ),
        answer=None if sample.answer is None else Answer(text=BLANK, found=sample.answer.found),
        error=None if sample.error is None else _redacted_error(sample.error),
        grounding=None if sample.grounding is None else _counts(sample.grounding),
    )


def _redacted_error(error: CaseError) -> CaseError:
    """Return an error without words of the target; what has to be recorded again is told."""
    blank = redacted_error(error)
    if not error.reason.code.startswith("models."):
        return blank
    kept = {name: value for name, value in error.reason.values.items() if name in _OWN}
    return msgspec.structs.replace(blank, reason=Note(error.reason.code, {**blank.reason.values, **kept}))


def _counts(grounding: Grounding) -> Grounding:
    """Return as many blanks as there were pieces."""
    texts = {name: (BLANK,) * len(getattr(grounding, name)) for name in ("quantities", "dates", "names", "uncited")}
    return msgspec.structs.replace(grounding, **texts)


def without_keys(report: SampledReport, masking: Masking) -> SampledReport:
    """Return a report in which no error quotes a key that the target sent to its model."""
    return SampledReport(cases=tuple(_case_without_keys(case, masking) for case in report.cases))


def _case_without_keys(case: SampledCase, masking: Masking) -> SampledCase:
    if case.result.error is None and not any(sample.error for sample in case.samples):
        return case
    samples = tuple(
        msgspec.structs.replace(sample, error=_masked(sample.error, masking)) if sample.error else sample
        for sample in case.samples
    )
    result = case.result
    if result.error:
        failures = tuple(
            msgspec.structs.replace(failure, reason=_note(failure.reason, masking)) for failure in result.failures
        )
        result = msgspec.structs.replace(result, error=_masked(result.error, masking), failures=failures)
    return msgspec.structs.replace(case, samples=samples, result=result)


def _masked(error: CaseError, masking: Masking) -> CaseError:
    return msgspec.structs.replace(error, reason=_note(error.reason, masking), traceback=masking.text(error.traceback))


def _note(sentence: Note, masking: Masking) -> Note:
    values = {
        name: masking.text(value)
        if isinstance(value, str)
        else _note(value, masking)
        if isinstance(value, Note)
        else value
        for name, value in sentence.values.items()
    }
    return Note(sentence.code, values)
