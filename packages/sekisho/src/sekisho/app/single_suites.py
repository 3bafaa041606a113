"""One suite of a project run by itself, beside its baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sekisho.app.baseline_finding import load_baseline, refuse_without_baseline
from sekisho.app.suites import run_suites

if TYPE_CHECKING:
    from sekisho.app.configuration import Configuration
    from sekisho.app.prepared import PreparedSuite
    from sekisho.gate import SuiteResult


def run_single_suite(prepared: PreparedSuite, configuration: Configuration) -> SuiteResult:
    """Run a suite, and judge it against its baseline where it has one.

    What Holm's adjustment counts is this suite alone; ``sekisho check`` counts all suites of a run.

    Raises:
        SekishoError: The suite refuses to run, has a ``max_drop`` and no baseline, or the baseline cannot be used.
    """
    baseline = load_baseline(configuration)
    refuse_without_baseline(configuration, [prepared.suite], baseline)
    if prepared.suite.name not in baseline:
        return run_suites([prepared])[0]
    from sekisho.app.baselines import judged_documents, with_comparisons  # noqa: PLC0415  only where there is one

    documents = judged_documents([prepared], baseline)
    return with_comparisons([prepared], run_suites([prepared]), documents, baseline)[0]
