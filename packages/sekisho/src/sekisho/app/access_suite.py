"""A permission matrix: prepared, run and judged. Nothing here can soften what a leak means."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from sekisho.access import AccessReport, evaluate_access
from sekisho.adapters import targets
from sekisho.adapters.case_files import read_case_file
from sekisho.app.prepared import PreparedSuite, Selection, placed, why_unmeasured
from sekisho.app.redaction import redacted_access, redacted_error
from sekisho.app.settings import AccessSuite
from sekisho.app.target_making import TargetMaker, target_maker
from sekisho.core.answers import AnswerCase
from sekisho.core.errors import RetrievalError, TargetError
from sekisho.gate import AccessSuiteResult
from sekisho.gate.access import judge_access

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sekisho.calling import CaseError


_REFUSED = frozenset({"access.no_documents", "calling.no_departments"})
"""Nobody can tell who may see what: wrong input, not a target that is down."""


class _Prepared(NamedTuple):
    suite: AccessSuite
    cases: tuple[AnswerCase, ...]
    maker: TargetMaker


def prepare_access(suite: AccessSuite, *, root: Path, selection: Selection) -> PreparedSuite:
    """Read the cases that probe, and import the target.

    A matrix is whole or not at all: it runs where its suite has a selected tag, and never where cases are selected.

    Raises:
        SekishoError: The case file or the configuration is wrong, or the target cannot be imported.
    """
    cases: tuple[AnswerCase, ...] = ()
    if suite.cases is not None:
        with placed(suite, "cases"):
            cases = read_case_file(suite.cases).cases
    prepared = _Prepared(suite, cases, target_maker(suite, root=root, offered={"k": suite.k}))
    runs = not selection.case_ids and (not selection.tags or bool(suite.tags.intersection(selection.tags)))
    return PreparedSuite(
        suite=suite,
        case_ids=frozenset(),
        selected=int(runs),
        run=partial(_run, prepared),
        unmeasured=lambda code, error: _result(prepared, None, why_unmeasured(code, error)),
    )


def _run(prepared: _Prepared, advance: Callable[[int, int], None]) -> AccessSuiteResult:
    suite = prepared.suite
    options: dict[str, Any] = {
        "principals": suite.principals,
        "everyone": suite.everyone,
        "k": suite.k,
        "cases": prepared.cases,
        "concurrency": suite.concurrency,
        "timeout_s": suite.timeout_s,
        "on_progress": advance,
    }
    try:
        report = targets.with_target(
            prepared.maker.make(),
            reference=prepared.maker.name,
            use=lambda target: evaluate_access(target, **options),
        )
    except (TargetError, RetrievalError) as error:
        if error.code in _REFUSED:
            raise
        return _result(prepared, None, why_unmeasured("retrieval.not_made", error))
    return _result(prepared, report, None)


def _result(prepared: _Prepared, report: AccessReport | None, error: CaseError | None) -> AccessSuiteResult:
    suite = prepared.suite
    verdict, outcomes = ("not_measured", ()) if report is None else judge_access(report)
    if suite.redact:
        report = None if report is None else redacted_access(report)
        error = None if error is None else redacted_error(error)
    return AccessSuiteResult(
        name=suite.name,
        target=prepared.maker.name,
        verdict=verdict,
        gate=outcomes,
        report=report,
        fingerprints={},
        error=error,
        warnings=() if report is None else report.warnings,
        redact=suite.redact,
    )
