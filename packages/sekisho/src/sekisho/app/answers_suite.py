"""A suite of answer cases: prepared, run and judged."""

from __future__ import annotations

import datetime as dt
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from sekisho.adapters import targets
from sekisho.adapters.case_files import read_case_file
from sekisho.answers import evaluate_answers
from sekisho.answers.records import AnswersReport, Failure
from sekisho.answers.status import judged
from sekisho.app.prepared import PreparedSuite, Selection, placed, why_unmeasured
from sekisho.app.redaction import redacted_answers
from sekisho.app.settings import AnswersSuite
from sekisho.app.target_making import TargetMaker, target_maker
from sekisho.core.answers import AnswerCase
from sekisho.core.errors import RetrievalError, TargetError
from sekisho.core.messages import note
from sekisho.gate import AnswersSuiteResult
from sekisho.gate.answers import AnswersRule, judge_answers

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


class _Prepared(NamedTuple):
    suite: AnswersSuite
    cases: tuple[AnswerCase, ...]
    total: int
    fingerprint: str
    maker: TargetMaker
    today: dt.date


def prepare_answers(suite: AnswersSuite, *, root: Path, selection: Selection) -> PreparedSuite:
    """Read the cases, import the target and select; no case of the suite may be selected.

    Raises:
        SekishoError: The case file or the configuration is wrong, or the target cannot be imported.
    """
    with placed(suite, "cases"):
        file = read_case_file(suite.cases)
    maker = target_maker(suite, root=root, offered={})
    fingerprint = _fingerprint(file.cases)
    cases = selection.ordered(case for case in file.cases if selection.takes(case.id, case.tags, suite.tags))
    prepared = _Prepared(suite, cases, len(file.cases), fingerprint, maker, dt.datetime.now(dt.UTC).date())
    return PreparedSuite(
        suite=suite,
        case_ids=frozenset(case.id for case in file.cases),
        selected=len(cases),
        run=partial(_run, prepared),
        unmeasured=lambda code, error: _result(prepared, _unmeasured(prepared, code, error)),
    )


def _fingerprint(cases: tuple[AnswerCase, ...]) -> str:
    """Return the SHA-256 of what the cases say, whatever file and format they stand in."""
    import hashlib  # noqa: PLC0415  loads OpenSSL

    plain = [msgspec.structs.replace(case, where=None) for case in cases]
    return hashlib.sha256(msgspec.json.encode(plain)).hexdigest()


def _run(prepared: _Prepared, advance: Callable[[int, int], None]) -> AnswersSuiteResult:
    suite = prepared.suite
    options: dict[str, Any] = {
        "today": prepared.today,
        "suite": suite.name,
        "exact": suite.exact,
        "everyone": suite.everyone,
        "concurrency": suite.concurrency,
        "timeout_s": suite.timeout_s,
        "on_progress": advance,
    }
    try:
        report = targets.with_target(
            prepared.maker.make(),
            reference=prepared.maker.name,
            use=lambda target: evaluate_answers(prepared.cases, target, **options),
        )
    except (TargetError, RetrievalError) as error:
        report = _unmeasured(prepared, "retrieval.not_made", error)
    return _result(prepared, report)


def _unmeasured(prepared: _Prepared, code: str, error: BaseException) -> AnswersReport:
    """Return a report in which every case is an error, with the reason under ``code``."""
    why = why_unmeasured(code, error)
    failures = (Failure(code="error", reason=note("answers.error", reason=why.reason)),)
    results = [
        judged(
            case,
            failures,
            suite=prepared.suite.name,
            today=prepared.today,
            answer=None,
            error=why,
            elapsed_ms=0.0,
        )
        for case in prepared.cases
    ]
    return AnswersReport(cases=tuple(results))


def _result(prepared: _Prepared, report: AnswersReport) -> AnswersSuiteResult:
    suite = prepared.suite
    rule = AnswersRule(max_known=suite.max_known, strict=suite.strict) if suite.gate else None
    verdict, outcomes = judge_answers(report, rule)
    warnings = list(report.warnings)
    if len(prepared.cases) < prepared.total:
        warnings.append(note("report.partial", count=len(prepared.cases), total=prepared.total))
    return AnswersSuiteResult(
        name=suite.name,
        target=prepared.maker.name,
        verdict=verdict,
        gate=outcomes,
        report=redacted_answers(report) if suite.redact else report,
        cases_name=suite.cases.name,
        fingerprints={"cases": prepared.fingerprint},
        warnings=() if suite.redact else tuple(warnings),
        redact=suite.redact,
        strict=suite.strict,
        measured=report if suite.redact else None,
    )
