"""How large a drop the cases of a suite can show: the suite run once, and another target on the same cases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from sekisho.app import comparing
from sekisho.app.facts import run_facts
from sekisho.app.inputs import load_tools
from sekisho.app.power_figures import answers_power, retrieval_power
from sekisho.app.prepared import Progress, Selection
from sekisho.app.runs import select_suites
from sekisho.app.settings import AccessSuite, AnswersSuite, CollectionFiles, RetrievalSuite
from sekisho.app.suites import prepare_suite, run_suites
from sekisho.core.errors import ConfigurationError
from sekisho.core.text import did_you_mean
from sekisho.gate import AnswersSuiteResult, RetrievalSuiteResult, exit_code
from sekisho.reports.power_records import PowerRun

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sekisho.app.configuration import Configuration
    from sekisho.gate import SuiteResult, Verdict
    from sekisho.reports.power_records import SuitePower

POWER: Final = 0.8
"""The field's custom."""
DROP: Final = 0.02
"""The drop that is wanted to show where neither the suite nor the command line says another."""
_DROPS: Final = (0.0001, 0.5)
_POWERS: Final = (0.5, 0.99)
_FEWEST: Final = 2


def run_power(
    configuration: Configuration,
    name: str,
    *,
    against: str | None = None,
    drop: float | None = None,
    power: float = POWER,
    on_progress: Progress | None = None,
) -> PowerRun:
    """Run a suite once and return what its cases can show.

    Args:
        configuration: Holds the suite.
        name: Of the suite.
        against: Another target for the same cases, from which the spread of a difference is measured: another retrieval
            suite, whose target is taken; else as for ``sekisho compare``. Without, the spread is assumed.
        drop: Wanted to show; None for the suite's own ``max_drop``, else 0.02.
        power: How often it is to show.
        on_progress: Called with (target or suite, cases done, cases in all).

    Raises:
        SekishoError: There is no such suite, it has no power to tell of, or anything that is wrong before it runs.
    """
    [suite] = select_suites(configuration, [name])
    _refuse_out_of_range("--drop", drop, _DROPS)
    _refuse_out_of_range("--power", power, _POWERS)
    if isinstance(suite, AccessSuite):
        raise ConfigurationError("power.access", suite=name)
    if isinstance(suite, AnswersSuite):
        if against is not None:
            raise ConfigurationError("power.against_answers", suite=name)
        suites: list[AnswersSuite | RetrievalSuite] = [suite]
    else:
        suites = [_without_gate(suite)]
        if against is not None:
            suites.append(_other(suite, against, configuration))
    results = _results(suites, configuration, on_progress)
    found = _power(results, drop=_wanted(suite, drop), power=power)
    verdict: Verdict = "not_measured" if found.unmeasured else "reported"
    return PowerRun(exit_code=exit_code(verdict), suite=found, facts=run_facts(configuration.root))


def _refuse_out_of_range(key: str, value: float | None, span: tuple[float, float]) -> None:
    least, most = span
    if value is not None and not least <= value <= most:
        raise ConfigurationError("app.out_of_range", key=key, value=f"{value:g}", range=f"{least:g} – {most:g}")


def _wanted(suite: AnswersSuite | RetrievalSuite, drop: float | None) -> float:
    """Return the drop that is wanted to show; a suite that allows none has no resolution to ask for."""
    return drop or (suite.max_drop if isinstance(suite, RetrievalSuite) else None) or DROP


def _other(suite: RetrievalSuite, against: str, configuration: Configuration) -> RetrievalSuite:
    """Return the suite with another target; its cases, corpus and limits stay."""
    named = next((each for each in configuration.suites if each.name == against), None)
    if named is not None and not isinstance(named, RetrievalSuite):
        raise ConfigurationError("power.against_kind", name=against, kind=named.kind)
    other = named or _target(against, configuration)
    if (other.target, other.target_options) == (suite.target, suite.target_options):
        raise ConfigurationError("power.against_itself", suite=suite.name, against=against)
    changes = {"name": against, "target": other.target, "target_options": other.target_options, "places": {}}
    return msgspec.structs.replace(_without_gate(suite), **changes)


def _without_gate(suite: RetrievalSuite) -> RetrievalSuite:
    return msgspec.structs.replace(suite, min_recall=None, max_drop=None, non_inferiority=False)


def _target(against: str, configuration: Configuration) -> RetrievalSuite:
    """Return what a word names that is no suite: a reference retriever, or ``module:factory``; options may follow."""
    from sekisho.retrievers import RETRIEVERS  # noqa: PLC0415  only for the names of reference retrievers

    reference = against.partition("?")[0]
    if ":" not in reference and reference not in RETRIEVERS:
        known = [*(each.name for each in configuration.suites if isinstance(each, RetrievalSuite)), *RETRIEVERS]
        meant = did_you_mean(reference, known)
        code = "power.no_such_target_meant" if meant else "power.no_such_target"
        raise ConfigurationError(code, name=reference, meant=meant, known=", ".join(known))
    return comparing.compared_suite(against, "seed", 1)


def _results(
    suites: Sequence[AnswersSuite | RetrievalSuite], configuration: Configuration, on_progress: Progress | None
) -> list[SuiteResult]:
    if any(isinstance(suite, RetrievalSuite) and not isinstance(suite.corpus, CollectionFiles) for suite in suites):
        load_tools()
    prepared = [prepare_suite(suite, root=configuration.root, selection=Selection()) for suite in suites]
    own = prepared[0]
    if own.suite.kind == "retrieval" and len(own.case_ids) < _FEWEST:
        raise ConfigurationError("power.one_case", suite=own.suite.name)
    return run_suites(prepared, on_progress=on_progress)


def _power(results: Sequence[SuiteResult], *, drop: float, power: float) -> SuitePower:
    [own, *_] = results
    if isinstance(own, AnswersSuiteResult):
        return answers_power(own, drop=drop, power=power)
    runs = [result for result in results if isinstance(result, RetrievalSuiteResult)]
    return retrieval_power(runs, drop=drop, power=power)
