"""A run: which suites, prepared one and all before the first of them runs, and the verdict over them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from sekisho import ranking
from sekisho.app.baseline_finding import gone_suites, how_to_accept, load_baseline, refuse_without_baseline
from sekisho.app.facts import run_facts
from sekisho.app.inputs import load_tools
from sekisho.app.prepared import Progress, Selection
from sekisho.app.settings import CollectionFiles, RetrievalSuite
from sekisho.app.suites import prepare_suite, refuse_unknown_cases, run_suites
from sekisho.core.errors import ConfigurationError
from sekisho.core.messages import note
from sekisho.core.text import did_you_mean
from sekisho.gate import RunResult, exit_code, overall

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sekisho.app.configuration import Configuration
    from sekisho.app.settings import SuiteSettings
    from sekisho.gate import Verdict


class Overrides(msgspec.Struct, frozen=True, kw_only=True):
    """What the command line sets over the configuration; None leaves it as configured."""

    k: int | None = None
    min_recall: float | None = None
    target: str | None = None


def run_check(
    configuration: Configuration,
    *,
    names: Sequence[str] = (),
    overrides: Overrides | None = None,
    selection: Selection | None = None,
    fail_fast: bool = False,
    on_progress: Progress | None = None,
) -> RunResult:
    """Run the named suites, or all that are not manual, and return the results with their verdict.

    Raises:
        SekishoError: Anything that is wrong before a suite runs, for any of them.
    """
    selection = selection or Selection()
    suites = select_suites(configuration, names)
    if overrides:
        _refuse_idle(overrides, suites)
        suites = [_overridden(suite, overrides) for suite in suites]
    load_tools_of(suites)
    measures_otherwise = bool(overrides and (overrides.k is not None or overrides.min_recall is not None))
    compares = configuration.path is not None and not measures_otherwise
    baseline = load_baseline(configuration) if compares else {}
    if compares:
        refuse_without_baseline(configuration, suites, baseline)
    prepared = [prepare_suite(suite, root=configuration.root, selection=selection) for suite in suites]
    refuse_unknown_cases(prepared, selection)
    unselected = tuple(each.suite.name for each in prepared if names and not each.selected)
    prepared = [each for each in prepared if each.selected]
    facts = run_facts(configuration.root)
    if baseline:
        from sekisho.app.baselines import judged_documents, with_comparisons  # noqa: PLC0415  only where there is one

        documents = judged_documents(prepared, baseline)
        results = run_suites(prepared, fail_fast=fail_fast, on_progress=on_progress)
        results = with_comparisons(prepared, results, documents, baseline)
    else:
        results = run_suites(prepared, fail_fast=fail_fast, on_progress=on_progress)
    everything = not (names or selection.case_ids or selection.tags)
    gone = gone_suites(configuration, baseline) if everything else ()
    verdict: Verdict = "failed" if gone else overall([result.verdict for result in results])
    advice = how_to_accept(results) if compares else None
    return RunResult(
        verdict=verdict,
        exit_code=exit_code(verdict),
        suites=tuple(results),
        not_run=tuple(each.suite.name for each in prepared[len(results) :]),
        facts=facts,
        baseline=note("compare.overridden") if measures_otherwise else advice,
        gone=gone,
        unselected=unselected,
    )


def select_suites(configuration: Configuration, names: Sequence[str]) -> list[SuiteSettings]:
    """Return the named suites in the order named, or all that are not manual.

    Raises:
        ConfigurationError: A name that no suite has, or no suite at all.
    """
    known = {suite.name: suite for suite in configuration.suites}
    for name in names:
        if name not in known:
            meant = did_you_mean(name, known)
            code = "app.unknown_suite_meant" if meant else "app.unknown_suite"
            raise ConfigurationError(code, name=name, meant=meant, known=", ".join(known))
    if names:
        return [known[name] for name in dict.fromkeys(names)]
    suites = [suite for suite in configuration.suites if not suite.manual]
    if not suites:
        raise ConfigurationError("app.only_manual", known=", ".join(known))
    return suites


def load_tools_of(suites: Sequence[SuiteSettings]) -> None:
    """Import what the corpora of suites are made with, before a target's folder comes first on the import path."""
    if any(isinstance(suite, RetrievalSuite) and not isinstance(suite.corpus, CollectionFiles) for suite in suites):
        load_tools()


def _refuse_idle(overrides: Overrides, suites: Sequence[SuiteSettings]) -> None:
    """Raise where an option would change nothing: no selected suite has what it overrides, or a threshold of 0."""
    retrieval = [suite for suite in suites if isinstance(suite, RetrievalSuite)]
    if overrides.min_recall is not None and ranking.gate_holds(0.0, overrides.min_recall):
        raise ConfigurationError("app.gate_nothing", key="--min-recall")
    if overrides.min_recall is not None and all(suite.min_recall is None for suite in retrieval):
        raise ConfigurationError("app.no_gate", suites=", ".join(suite.name for suite in suites))
    if overrides.k is not None and not retrieval:
        raise ConfigurationError("app.no_cut_off", suites=", ".join(suite.name for suite in suites))


def _overridden(suite: SuiteSettings, overrides: Overrides) -> SuiteSettings:
    if overrides.target is not None:
        suite = msgspec.structs.replace(suite, target=overrides.target)
    if not isinstance(suite, RetrievalSuite):
        return suite
    changes: dict[str, float] = {}
    if overrides.k is not None:
        changes["k"] = overrides.k
    if overrides.min_recall is not None and suite.min_recall is not None:
        changes["min_recall"] = overrides.min_recall
    return msgspec.structs.replace(suite, **changes)
