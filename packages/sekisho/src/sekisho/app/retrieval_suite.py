"""A suite of retrieval cases: prepared, run and judged."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from sekisho import ranking
from sekisho.adapters import targets
from sekisho.app.inputs import SuiteInputs, load_inputs
from sekisho.app.prepared import PreparedSuite, Selection, placed, why_unmeasured
from sekisho.app.redaction import redacted
from sekisho.app.settings import RetrievalSuite
from sekisho.app.target_making import TargetMaker, target_maker
from sekisho.calling import Outcome
from sekisho.core.errors import ConfigurationError, RetrievalError, TargetError
from sekisho.core.messages import Note, note
from sekisho.gate import RetrievalRule, RetrievalSuiteResult, judge_retrieval
from sekisho.reports.wording import SATURATED
from sekisho.retrieval import EvalCase, EvalReport, evaluate_retrieval
from sekisho.retrieval.measure import report_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path


class _Prepared(NamedTuple):
    suite: RetrievalSuite
    inputs: SuiteInputs
    cases: tuple[EvalCase, ...]
    maker: TargetMaker


def prepare_retrieval(suite: RetrievalSuite, *, root: Path, selection: Selection) -> PreparedSuite:
    """Import the target, make the corpus and select the cases; no case of the suite may be selected.

    Raises:
        SekishoError: The configuration, the target's import or the files are wrong, or a case has no relevant id.
    """
    with placed(suite, "target"):  # before the corpus, which takes longer
        targets.load_factory(suite.target, root=root)
    with placed(suite, "corpus"):
        inputs = load_inputs(suite)
        _refuse_broken_cases(inputs.cases, suite)
    with placed(suite, "gate"):
        _refuse_unreachable_gate(inputs.cases, suite)
        _refuse_certain_gate(inputs, suite)
    maker = target_maker(suite, root=root, offered={"corpus": inputs.corpus, "k": suite.k})
    cases = selection.ordered(case for case in inputs.cases if selection.takes(case.id, case.tags, suite.tags))
    prepared = _Prepared(suite, inputs, cases, maker)
    return PreparedSuite(
        suite=suite,
        case_ids=frozenset(case.id for case in inputs.cases),
        selected=len(cases),
        run=partial(_run, prepared),
        unmeasured=lambda code, error: _result(prepared, _unmeasured(prepared, code, error)),
        retrieval_cases=cases,
        text_of=partial(_text_of, inputs),
    )


def _text_of(inputs: SuiteInputs, document_id: str) -> str | None:
    """Return title and text of a document of a collection."""
    document = getattr(inputs.corpus, "documents", {}).get(document_id)
    return None if document is None else f"{document.title}\n{document.text}"


def _refuse_broken_cases(cases: Sequence[EvalCase], suite: RetrievalSuite) -> None:
    if not cases:
        raise ConfigurationError("app.no_cases", suite=suite.name)
    least = suite.relevance_threshold
    without = [case.id for case in cases if not any(grade >= least for grade in case.grades.values())]
    if without:
        raise ConfigurationError("app.without_relevant", suite=suite.name, id=without[0], count=len(without))


def _refuse_unreachable_gate(cases: Sequence[EvalCase], suite: RetrievalSuite) -> None:
    """Raise where no ranking at all could hold the gate: with ten relevant ids each, recall@5 ends at 0.5."""
    if suite.min_recall is None:
        return
    counts = [sum(grade >= suite.relevance_threshold for grade in case.grades.values()) for case in cases]
    best = ranking.mean([min(suite.k, count) / count for count in counts])
    if not ranking.gate_holds(best, suite.min_recall):
        raise ConfigurationError(
            "app.gate_unreachable", suite=suite.name, k=suite.k, best=f"{best:.4f}", threshold=f"{suite.min_recall:g}"
        )


def _refuse_certain_gate(inputs: SuiteInputs, suite: RetrievalSuite) -> None:
    """Raise where whoever returns every document holds the gate, whatever the order."""
    if suite.min_recall is not None and suite.k >= len(inputs.documents):
        raise ConfigurationError("app.gate_certain", suite=suite.name, k=suite.k, count=len(inputs.documents))


def _run(prepared: _Prepared, advance: Callable[[int, int], None]) -> RetrievalSuiteResult:
    """Run the cases, judge them, and return the result of the suite."""
    try:
        report = _measure(prepared, advance)
    except (TargetError, RetrievalError) as error:
        report = _unmeasured(prepared, "retrieval.not_made", error)
    return _result(prepared, report)


def _measure(prepared: _Prepared, advance: Callable[[int, int], None]) -> EvalReport:
    suite = prepared.suite
    options: dict[str, Any] = {
        "k": suite.k,
        "concurrency": suite.concurrency,
        "timeout_s": suite.timeout_s,
        "relevance_threshold": suite.relevance_threshold,
        "documents": prepared.inputs.documents,
        "on_progress": advance,
    }
    return targets.with_target(
        prepared.maker.make(),
        reference=prepared.maker.name,
        use=lambda target: evaluate_retrieval(prepared.cases, target, **options),
    )


def _result(prepared: _Prepared, report: EvalReport) -> RetrievalSuiteResult:
    suite, inputs = prepared.suite, prepared.inputs
    verdict, outcomes = judge_retrieval(report, _rule(suite))
    return RetrievalSuiteResult(
        name=suite.name,
        target=prepared.maker.name,
        verdict=verdict,
        gate=outcomes,
        report=redacted(report, inputs.documents) if suite.redact else report,
        corpus=inputs.facts,
        fingerprints=inputs.fingerprints,
        warnings=(*inputs.warnings, *report.warnings, *_warnings(prepared, report)),
        titles=_titles(prepared, report),
        redact=suite.redact,
    )


def _titles(prepared: _Prepared, report: EvalReport) -> dict[str, str]:
    """Return the titles of the documents that cases missed; none where no text may be shown."""
    if prepared.suite.redact:
        return {}
    titles = prepared.inputs.titles
    missed = dict.fromkeys(id_ for case in report.cases if not case.error for id_ in case.missed)
    return {id_: titles[id_] for id_ in missed if id_ in titles}


def _rule(suite: RetrievalSuite) -> RetrievalRule | None:
    if suite.min_recall is None:
        return None
    return RetrievalRule(min_recall=suite.min_recall, tolerate=suite.tolerate, strict_structure=suite.strict_structure)


def _unmeasured(prepared: _Prepared, code: str, error: BaseException) -> EvalReport:
    """Return a report in which no case was measured, with the reason under ``code``."""
    return report_of(
        prepared.cases,
        [Outcome(None, why_unmeasured(code, error), 0.0)] * len(prepared.cases),
        k=prepared.suite.k,
        relevance_threshold=prepared.suite.relevance_threshold,
        documents=prepared.inputs.documents,
    )


def _warnings(prepared: _Prepared, report: EvalReport) -> list[Note]:
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
