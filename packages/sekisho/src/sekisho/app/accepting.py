"""``sekisho accept``: measure, and keep what was measured as the baseline, with a reason."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from sekisho.adapters.baseline_file import write_baseline
from sekisho.app.baseline_finding import baseline_path, gone_suites, load_baseline
from sekisho.app.baselines import entry_of, judged_documents, with_comparisons
from sekisho.app.facts import run_facts
from sekisho.app.prepared import Selection
from sekisho.app.runs import load_tools_of, select_suites
from sekisho.app.suites import prepare_suite, run_suites
from sekisho.compare.baseline import Accepted
from sekisho.core.errors import BaselineError, InputFileError
from sekisho.gate import RunResult, exit_code, overall

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sekisho.app.configuration import Configuration
    from sekisho.app.prepared import Progress
    from sekisho.compare.baseline import SuiteBaseline
    from sekisho.gate import SuiteResult


_DAMAGED = frozenset(
    ("files.empty", *(f"compare.file_{how}" for how in ("conflict", "edited", "repeated", "unreadable")))
)
"""Of this format, as far as can be told, and of no more use; a file of a newer one or of somebody else's stays."""


class Acceptance(NamedTuple):
    """What ``sekisho accept`` did.

    Attributes:
        run: What was measured, beside the baseline that was there before.
        path: The file.
        written: Suites whose measurement was kept; empty where something could not be measured.
        unchanged: Those of ``written`` that are as they were, whose reason and time stay.
        dropped: Suites of the file that the configuration no longer has, or no longer runs by itself; taken out where
            every suite was accepted.
    """

    run: RunResult
    path: Path
    written: tuple[str, ...]
    dropped: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()


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
    if not any(char.isprintable() and not char.isspace() for char in reason):
        raise BaselineError("compare.no_reason")
    before = _known(configuration, whole=not names)
    suites = select_suites(configuration, names)
    load_tools_of(suites)
    prepared = [prepare_suite(suite, root=configuration.root, selection=Selection()) for suite in suites]
    documents = judged_documents(prepared, before)
    facts = run_facts(configuration.root)
    results = run_suites(prepared, on_progress=on_progress)
    accepted = Accepted(
        reason=_one_line(reason), time=facts["time"], commit=facts["commit"], versions=facts["versions"]
    )
    compared = with_comparisons(prepared, results, documents, before)
    verdict = overall([result.verdict for result in compared])
    run = RunResult(verdict=verdict, exit_code=exit_code(verdict), suites=tuple(compared), not_run=(), facts=facts)
    path = baseline_path(configuration)
    if any(has_errors(result) for result in results):
        return Acceptance(run, path, ())
    new = {
        result.name: entry
        for each, result, texts in zip(prepared, results, documents, strict=True)
        if (entry := entry_of(each, result, texts, accepted)) is not None
    }
    new = {name: _as_before(entry, before.get(name)) for name, entry in new.items()}
    unchanged = tuple(name for name, entry in new.items() if entry is before.get(name))
    dropped = () if names else gone_suites(configuration, before)
    write_baseline(path, {name: suite for name, suite in {**before, **new}.items() if name not in dropped})
    return Acceptance(run, path, tuple(new), dropped, unchanged)


def _as_before(entry: SuiteBaseline, before: SuiteBaseline | None) -> SuiteBaseline:
    """Return what was accepted before where nothing differs, so that a reason stands on what it speaks of alone."""
    if before is not None and msgspec.structs.replace(entry, accepted=before.accepted) == before:
        return before
    return entry


def absolute_failures(result: SuiteResult) -> bool:
    """Tell whether a suite fails by rules that no baseline changes."""
    own = [rule for rule in result.gate if not rule.rule.startswith(("drop.", "baseline."))]
    return any(rule.holds is False for rule in own)


def has_errors(result: SuiteResult) -> bool:
    """Tell whether anything of a suite could not be measured."""
    if result.verdict == "not_measured":
        return True
    if result.kind == "access":
        return result.report is None or bool(result.report.error_count)
    return bool(result.report.errors) or not result.report.cases


def _known(configuration: Configuration, *, whole: bool) -> dict[str, SuiteBaseline]:
    """Return the baseline that is there; where all of it is made anew, one that is damaged is taken for none."""
    try:
        return load_baseline(configuration)
    except (BaselineError, InputFileError) as error:
        if not whole or error.code not in _DAMAGED:
            raise
        return {}


def _one_line(reason: str) -> str:
    """Return a reason on one line; a byte of the command line that is no text becomes its escape."""
    return " ".join(reason.encode("utf-8", "backslashreplace").decode().split())
