"""One suite: prepared (everything that can be wrong before it runs), then run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from sekisho import ranking
from sekisho.adapters import targets
from sekisho.app.configuration import SuiteConfiguration
from sekisho.app.inputs import SuiteInputs, load_inputs
from sekisho.app.redaction import redact_refusal, redacted
from sekisho.core.errors import ConfigurationError, RetrievalError, SekishoError, TargetError
from sekisho.core.messages import Note, note
from sekisho.core.text import did_you_mean
from sekisho.gate import RetrievalRule, SuiteResult, exit_code, judge_retrieval
from sekisho.reports.wording import SATURATED
from sekisho.retrieval import CaseError, EvalCase, EvalReport, evaluate_retrieval
from sekisho.retrieval.calling import Outcome
from sekisho.retrieval.exceptions import described, traceback_of
from sekisho.retrieval.measure import report_of

if TYPE_CHECKING:
    from pathlib import Path

Progress = Callable[[str, int, int], None]


class Selection(NamedTuple):
    """Which cases of the selected suites run; empty means all."""

    case_ids: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


class PreparedSuite(NamedTuple):
    """A suite of which nothing can be refused any more."""

    suite: SuiteConfiguration
    inputs: SuiteInputs
    cases: tuple[EvalCase, ...]
    make: Callable[[], Any]


def prepare_suite(suite: SuiteConfiguration, *, root: Path, selection: Selection) -> PreparedSuite:
    """Import the target, make the corpus and select the cases; no case of the suite may be selected.

    Raises:
        SekishoError: The configuration, the target's import or the files are wrong, or a case has no relevant id.
    """
    with _placed(suite, "target"):
        factory = targets.load_factory(suite.target, root=root)
    with _placed(suite, "corpus"):
        inputs = load_inputs(suite)
        _refuse_broken_cases(inputs.cases, suite)
    with _placed(suite, "gate"):
        _refuse_unreachable_gate(inputs.cases, suite)
        _refuse_certain_gate(inputs, suite)
    with _placed(suite, "target_options"):
        make = targets.bind_factory(
            factory,
            reference=suite.target,
            offered={"corpus": inputs.corpus, "k": suite.k},
            options=suite.target_options,
        )
    return PreparedSuite(suite, inputs, select_cases(inputs.cases, suite, selection), make)


@contextmanager
def _placed(suite: SuiteConfiguration, key: str) -> Iterator[None]:
    """Give an error that has no place the one of the key that it is about, and no text where a suite is redacted."""
    try:
        yield
    except SekishoError as error:
        if error.where is None:
            error.where = suite.places.get(key)
        if suite.redact:
            redact_refusal(error)
        raise
    except Exception as error:
        if not suite.redact:
            raise
        raise ConfigurationError("app.redacted_crash", suite=suite.name, kind=type(error).__name__) from None


def _refuse_broken_cases(cases: Sequence[EvalCase], suite: SuiteConfiguration) -> None:
    if not cases:
        raise ConfigurationError("app.no_cases", suite=suite.name)
    least = suite.relevance_threshold
    without = [case.id for case in cases if not any(grade >= least for grade in case.grades.values())]
    if without:
        raise ConfigurationError("app.without_relevant", suite=suite.name, id=without[0], count=len(without))


def _refuse_unreachable_gate(cases: Sequence[EvalCase], suite: SuiteConfiguration) -> None:
    """Raise where no ranking at all could hold the gate: with ten relevant ids each, recall@5 ends at 0.5."""
    if suite.min_recall is None:
        return
    counts = [sum(grade >= suite.relevance_threshold for grade in case.grades.values()) for case in cases]
    best = ranking.mean([min(suite.k, count) / count for count in counts])
    if not ranking.gate_holds(best, suite.min_recall):
        raise ConfigurationError(
            "app.gate_unreachable", suite=suite.name, k=suite.k, best=f"{best:.4f}", threshold=f"{suite.min_recall:g}"
        )


def _refuse_certain_gate(inputs: SuiteInputs, suite: SuiteConfiguration) -> None:
    """Raise where whoever returns every document holds the gate, whatever the order."""
    if suite.min_recall is not None and suite.k >= len(inputs.documents):
        raise ConfigurationError("app.gate_certain", suite=suite.name, k=suite.k, count=len(inputs.documents))


def select_cases(cases: Sequence[EvalCase], suite: SuiteConfiguration, selection: Selection) -> tuple[EvalCase, ...]:
    """Return the cases with one of the selected ids and one of the selected tags (a suite's tags are its cases')."""
    tags = frozenset(selection.tags)
    return tuple(
        case
        for case in cases
        if (not selection.case_ids or case.id in selection.case_ids)
        and (not tags or tags & suite.tags or tags.intersection(case.tags))
    )


def refuse_unknown_cases(prepared: Sequence[PreparedSuite], selection: Selection) -> None:
    """Raise where a selected id is in no suite, or where nothing is selected at all.

    Raises:
        ConfigurationError: With the id that was probably meant.
    """
    known = {case.id for each in prepared for case in each.inputs.cases}
    for case_id in selection.case_ids:
        if case_id not in known:
            meant = did_you_mean(case_id, known)
            code = "app.unknown_case_meant" if meant else "app.unknown_case"
            raise ConfigurationError(code, id=case_id, meant=meant)
    if not any(each.cases for each in prepared):
        raise ConfigurationError("app.nothing_selected", tags=", ".join(selection.tags) or "-")


def run_suites(
    waiting: Sequence[PreparedSuite], *, fail_fast: bool = False, on_progress: Progress | None = None
) -> list[SuiteResult]:
    """Run suites in turn; one that breaks off in an unexpected way takes nothing from those that have finished.

    Raises:
        SekishoError: The first suite refuses to run.
    """
    results: list[SuiteResult] = []
    for prepared in waiting:
        try:
            result = run_suite(prepared, on_progress=on_progress)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a target may even leave this package unable to measure
            if isinstance(error, SekishoError) and not results:
                raise
            result = _result(prepared, _unmeasured(prepared, "retrieval.broke_off", error))
        results.append(result)
        if fail_fast and exit_code(result.verdict):
            break
    return results


def run_suite(prepared: PreparedSuite, *, on_progress: Progress | None = None) -> SuiteResult:
    """Run the cases, judge them, and return the result of the suite."""
    modules = targets.own_modules()
    try:
        report = _measure(prepared, on_progress)
    except (TargetError, RetrievalError) as error:
        report = _unmeasured(prepared, "retrieval.not_made", error)
    finally:
        targets.restore_modules(modules)
    return _result(prepared, report)


def _result(prepared: PreparedSuite, report: EvalReport) -> SuiteResult:
    suite, inputs = prepared.suite, prepared.inputs
    verdict, outcomes = judge_retrieval(report, _rule(suite))
    return SuiteResult(
        name=suite.name,
        kind="retrieval",
        target=suite.target,
        verdict=verdict,
        gate=outcomes,
        report=redacted(report, inputs.documents) if suite.redact else report,
        corpus=inputs.facts,
        fingerprints=inputs.fingerprints,
        warnings=(*inputs.warnings, *report.warnings, *_warnings(prepared, report)),
        titles=_titles(prepared, report),
        redact=suite.redact,
    )


def _titles(prepared: PreparedSuite, report: EvalReport) -> dict[str, str]:
    """Return the titles of the documents that cases missed; none where no text may be shown."""
    if prepared.suite.redact:
        return {}
    titles = prepared.inputs.titles
    missed = dict.fromkeys(id_ for case in report.cases if not case.error for id_ in case.missed)
    return {id_: titles[id_] for id_ in missed if id_ in titles}


def _measure(prepared: PreparedSuite, on_progress: Progress | None) -> EvalReport:
    suite = prepared.suite

    def advance(done: int, total: int) -> None:
        if on_progress:
            on_progress(suite.name, done, total)

    options: dict[str, Any] = {
        "k": suite.k,
        "concurrency": suite.concurrency,
        "timeout_s": suite.timeout_s,
        "relevance_threshold": suite.relevance_threshold,
        "documents": prepared.inputs.documents,
        "on_progress": advance,
    }
    return targets.with_target(
        prepared.make(),
        reference=suite.target,
        use=lambda target: evaluate_retrieval(prepared.cases, target, **options),
    )


def _rule(suite: SuiteConfiguration) -> RetrievalRule | None:
    if suite.min_recall is None:
        return None
    return RetrievalRule(min_recall=suite.min_recall, tolerate=suite.tolerate, strict_structure=suite.strict_structure)


def _unmeasured(prepared: PreparedSuite, code: str, error: BaseException) -> EvalReport:
    """Return a report in which no case was measured, with the reason under ``code``."""
    if isinstance(error, SekishoError):
        told = error.values.get("reason")
        sentence = note(code, text=told) if told else Note(error.code, dict(error.values))
        trace = traceback_of(error.__cause__) if error.__cause__ else ""
    else:
        sentence, trace = note(code, text=described(error)), traceback_of(error)
    why = CaseError(kind="raised", reason=sentence, traceback=trace)
    return report_of(
        prepared.cases,
        [Outcome(None, why, 0.0)] * len(prepared.cases),
        k=prepared.suite.k,
        relevance_threshold=prepared.suite.relevance_threshold,
        documents=prepared.inputs.documents,
    )


def _warnings(prepared: PreparedSuite, report: EvalReport) -> list[Note]:
    warnings = []
    total = len(prepared.inputs.cases)
    if len(prepared.cases) < total:
        warnings.append(note("report.partial", count=len(prepared.cases), total=total))
    if report.mean_recall is not None and report.mean_recall >= SATURATED:
        code = (
            "report.saturated_collection" if prepared.inputs.facts["kind"] == "collection" else "report.saturated_suite"
        )
        warnings.append(note(code, k=report.k, value=f"{report.mean_recall:.3f}"))
    return warnings
