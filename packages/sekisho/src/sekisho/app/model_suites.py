"""A suite of answer cases with a real model: prepared, run, its samples kept beside its result."""

from __future__ import annotations

import datetime as dt
import hashlib
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from sekisho.adapters import targets
from sekisho.adapters.case_files import read_case_file
from sekisho.adapters.model_recording import Moment
from sekisho.answers.sampling_records import Judgment, Sample, SampledReport
from sekisho.answers.sampling_run import Sampling, sample_answers, sampled
from sekisho.app.model_redaction import redacted_samples, without_keys
from sekisho.app.prepared import PreparedSuite, Selection, placed, why_unmeasured
from sekisho.app.redaction import redacted_answers
from sekisho.app.settings import AnswersSuite
from sekisho.app.target_making import TargetMaker, target_maker
from sekisho.core.answers import AnswerCase
from sekisho.core.errors import ConfigurationError, RetrievalError, TargetError
from sekisho.core.messages import note
from sekisho.gate import AnswersSuiteResult
from sekisho.gate.answers import AnswersRule, judge_answers
from sekisho.reports.model_records import ModelSuite

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sekisho.adapters.model_recording import ModelProxy
    from sekisho.core.messages import Note
    from sekisho.reports.model_records import ModelMode

_UNKNOWN_OPTION = frozenset({"app.target_option", "app.target_option_meant"})


class Trial:
    """What all suites of a run have in common, and what they leave behind beside their results.

    Attributes:
        judgments: What others say about the cases.
        samples: Suite to its samples.
        recorded: Suite and case of those whose exchanges are worth keeping; an empty case for what is asked while the
            target is made.
        unrecorded: Suite and case of those that could not be measured.
    """

    def __init__(
        self,
        *,
        model: str,
        mode: ModelMode,
        samples: int,
        min_pass_rate: float,
        proxy: ModelProxy | None,
        url_is_needed: bool,
    ) -> None:
        self.model = model
        self.mode = mode
        self.wanted = samples
        self.min_pass_rate = min_pass_rate
        self.proxy = proxy
        self.url_is_needed = url_is_needed
        self.judgments: list[Judgment] = []
        self.samples: dict[str, SampledReport] = {}
        self.recorded: set[tuple[str, str]] = set()
        self.unrecorded: list[tuple[str, str]] = []


class _Prepared(NamedTuple):
    suite: AnswersSuite
    cases: tuple[AnswerCase, ...]
    total: int
    fingerprint: str
    maker: TargetMaker
    trial: Trial
    sampling: Sampling


def prepare_model_suite(suite: AnswersSuite, trial: Trial, *, root: Path, selection: Selection) -> PreparedSuite:
    """Read the cases, import the target and see that it takes a model.

    Raises:
        SekishoError: The case file or the configuration is wrong, the target cannot be imported or takes no model, or
            a redacted suite was to be recorded.
    """
    if suite.redact and trial.mode == "record":
        raise ConfigurationError("models.redacted_recording", suite=suite.name, where=suite.places.get("redact"))
    with placed(suite, "cases"):
        file = read_case_file(suite.cases)
    cases = tuple(case for case in file.cases if selection.takes(case.id, case.tags, suite.tags))
    sampling = Sampling(
        samples=trial.wanted,
        min_pass_rate=trial.min_pass_rate,
        today=dt.datetime.now(dt.UTC).date(),
        suite=suite.name,
        exact=suite.exact,
        everyone=suite.everyone,
        concurrency=suite.concurrency,
        timeout_s=suite.timeout_s,
    )
    plain = [msgspec.structs.replace(case, where=None) for case in file.cases]
    fingerprint = hashlib.sha256(msgspec.json.encode(plain)).hexdigest()
    maker = _maker(suite, trial, root)
    prepared = _Prepared(suite, cases, len(file.cases), fingerprint, maker, trial, sampling)
    return PreparedSuite(
        suite=suite,
        case_ids=frozenset(case.id for case in file.cases),
        selected=len(cases),
        run=lambda advance: _run(prepared, advance),
        unmeasured=lambda code, error: _result(prepared, _unmeasured(prepared, code, error)),
    )


def _maker(suite: AnswersSuite, trial: Trial, root: Path) -> TargetMaker:
    """Return how the target is made with the model; it must take what it is given, or the run would be another one."""
    if not isinstance(suite.target, str):
        raise ConfigurationError("models.table_target", suite=suite.name, where=suite.places.get("target"))
    needed: dict[str, object] = {"model": trial.model}
    offered: dict[str, object] = {}
    if trial.proxy is not None:
        (needed if trial.url_is_needed else offered)["model_url"] = trial.proxy.url
    given = msgspec.structs.replace(suite, target_options={**suite.target_options, **needed})
    try:
        return target_maker(given, root=root, offered=offered)
    except TargetError as error:
        option = error.values.get("option")
        if error.code in _UNKNOWN_OPTION and option in needed:
            code = "models.factory_without_model" if option == "model" else "models.factory_without_url"
            where = suite.places.get("target")
            raise ConfigurationError(code, target=suite.target, suite=suite.name, where=where) from None
        if error.code == "app.target_parameter" and error.values.get("names") == "model_url":
            raise ConfigurationError("models.url_needed") from None
        raise


class _Attribution:
    """Tells the recording which case is asked, and the run which case is worth recording."""

    def __init__(self, suite: str, trial: Trial, proxy: ModelProxy) -> None:
        self._suite = suite
        self._trial = trial
        self._proxy = proxy

    def begin(self, case_id: str, sample: int) -> None:
        self._proxy.tape.begin(Moment(self._suite, case_id, sample))

    def end(self) -> Note | None:
        self._proxy.settle()
        return self._proxy.tape.end()

    def finish(self, case_id: str, *, measured: bool) -> None:
        if measured:
            self._trial.recorded |= {(self._suite, case_id), (self._suite, "")}
        else:
            self._trial.unrecorded.append((self._suite, case_id))
        self.outside()

    def outside(self) -> None:
        """Begin what belongs to no case: making the target, and closing it."""
        self.begin("", 0)


def _run(prepared: _Prepared, advance: Callable[[int, int], None]) -> AnswersSuiteResult:
    trial, suite = prepared.trial, prepared.suite
    watcher = _Attribution(suite.name, trial, trial.proxy) if trial.proxy and trial.mode != "live" else None

    def use(target: object) -> SampledReport:
        missing = watcher.end() if watcher else None
        if missing is not None:
            raise TargetError(missing.code, **missing.values)
        return sample_answers(prepared.cases, target, prepared.sampling, watcher=watcher, on_progress=advance)

    if watcher:
        watcher.outside()
    try:
        report = targets.with_target(prepared.maker.make(), reference=prepared.maker.name, use=use)
    except (TargetError, RetrievalError) as error:
        report = _unmeasured(prepared, "retrieval.not_made", error)
    return _result(prepared, report)


def _unmeasured(prepared: _Prepared, code: str, error: BaseException) -> SampledReport:
    """Return a report in which every case is an error, with the reason under ``code``."""
    sample = Sample(error=why_unmeasured(code, error))
    return SampledReport(cases=tuple(sampled(case, [sample], prepared.sampling) for case in prepared.cases))


def _result(prepared: _Prepared, report: SampledReport) -> AnswersSuiteResult:
    """Return a suite as any other, and keep its samples; only a replay is judged by its gate."""
    suite, trial = prepared.suite, prepared.trial
    if trial.proxy:
        report = without_keys(report, trial.proxy.masking)
    rule = AnswersRule(max_known=suite.max_known, strict=suite.strict) if suite.gate else None
    verdict, outcomes = judge_answers(report.answers, rule if trial.mode == "replay" else None)
    warnings = []
    if len(prepared.cases) < prepared.total:
        warnings.append(note("report.partial", count=len(prepared.cases), total=prepared.total))
    answers = redacted_answers(report.answers) if suite.redact else report.answers
    trial.samples[suite.name] = redacted_samples(report, answers) if suite.redact else report
    return AnswersSuiteResult(
        name=suite.name,
        target=prepared.maker.name,
        verdict=verdict,
        gate=outcomes,
        report=answers,
        cases_name=suite.cases.name,
        fingerprints={"cases": prepared.fingerprint},
        warnings=tuple(warnings),
        redact=suite.redact,
        strict=suite.strict,
    )


def model_suite(result: AnswersSuiteResult, trial: Trial) -> ModelSuite:
    """Return a suite with its samples, and what others say about its cases."""
    cases = tuple(
        msgspec.structs.replace(case, judgments=tuple(each for each in trial.judgments if each.case_id == case.case.id))
        for case in trial.samples[result.name].cases
    )
    return ModelSuite(result=result, cases=cases)
