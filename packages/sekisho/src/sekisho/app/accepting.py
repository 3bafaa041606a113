"""``sekisho accept``: measure, and keep what was measured as the baseline, with a reason."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sekisho.adapters.baseline_file import write_baseline
from sekisho.app.baseline_finding import BASELINE_FILE, load_baseline
from sekisho.app.baselines import entry_of, with_comparisons
from sekisho.app.facts import run_facts
from sekisho.app.prepared import Selection
from sekisho.app.runs import select_suites
from sekisho.app.suites import prepare_suite, run_suites
from sekisho.compare.baseline import Accepted
from sekisho.core.errors import BaselineError
from sekisho.gate import RunResult, exit_code, overall

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sekisho.app.configuration import Configuration
    from sekisho.app.prepared import PreparedSuite, Progress
    from sekisho.compare.baseline import SuiteBaseline
    from sekisho.gate import SuiteResult


class Acceptance(NamedTuple):
    """What ``sekisho accept`` did.

    Attributes:
        run: What was measured, beside the baseline that was there before.
        path: The file.
        written: Suites whose measurement was kept; empty where something could not be measured.
        dropped: Suites of the file that the configuration no longer has; taken out where every suite was accepted.
    """

    run: RunResult
    path: Path
    written: tuple[str, ...]
    dropped: tuple[str, ...] = ()


def accept(
    configuration: Configuration, *, names: Sequence[str], reason: str, on_progress: Progress | None = None
) -> Acceptance:
    """Measure suites whole and keep the measurement; with an error in any of them nothing is written.

    Args:
        configuration: Of the project.
        names: Suites; all that are not manual where there is none.
        reason: Why this is the new baseline; not empty.
        on_progress: Called with (suite, cases done, cases in all).

    Raises:
        SekishoError: The reason is empty, or anything that is wrong before a suite runs.
        OSError: The file cannot be written.
    """
    if not reason.strip():
        raise BaselineError("compare.no_reason")
    before = _known(configuration, whole=not names)
    suites = select_suites(configuration, names)
    prepared = [prepare_suite(suite, root=configuration.root, selection=Selection()) for suite in suites]
    facts = run_facts(configuration.root)
    results = run_suites(prepared, on_progress=on_progress)
    accepted = Accepted(
        reason=" ".join(reason.split()), time=facts["time"], commit=facts["commit"], versions=facts["versions"]
    )
    compared = with_comparisons(prepared, results, before)
    verdict = overall([result.verdict for result in compared])
    run = RunResult(verdict=verdict, exit_code=exit_code(verdict), suites=tuple(compared), not_run=(), facts=facts)
    path = configuration.root / BASELINE_FILE
    if any(has_errors(result) for result in results):
        return Acceptance(run, path, ())
    new = _entries(prepared, results, accepted)
    kept = {suite.name for suite in configuration.suites}
    dropped = () if names else tuple(sorted(set(before) - kept))
    write_baseline(path, {name: suite for name, suite in {**before, **new}.items() if name not in dropped})
    return Acceptance(run, path, tuple(new), dropped)


def has_errors(result: SuiteResult) -> bool:
    """Tell whether anything of a suite could not be measured."""
    if result.kind == "access":
        return result.report is None or bool(result.report.error_count)
    return bool(result.report.errors) or not result.report.cases


def _known(configuration: Configuration, *, whole: bool) -> dict[str, SuiteBaseline]:
    """Return the baseline that is there; where all of it is made anew, one that is damaged is taken for none."""
    try:
        return load_baseline(configuration.root)
    except BaselineError as error:
        if not whole or error.code not in {"compare.file_conflict", "compare.file_edited"}:
            raise
        return {}


def _entries(
    prepared: Sequence[PreparedSuite], results: Sequence[SuiteResult], accepted: Accepted
) -> dict[str, SuiteBaseline]:
    entries = {result.name: entry_of(each, result, accepted) for each, result in zip(prepared, results, strict=True)}
    return {name: entry for name, entry in entries.items() if entry is not None}
