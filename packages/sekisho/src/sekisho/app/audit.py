"""``sekisho check --audit``: the same suites again, with one thing changed at a time, and which cases that changes."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from sekisho.app.audit_child import Request
from sekisho.app.audit_conditions import Plan, fixed_hash_seed, plans
from sekisho.app.audit_observing import observed
from sekisho.app.audit_process import measured_in_child
from sekisho.app.prepared import Selection
from sekisho.app.runs import Overrides, run_check, select_suites
from sekisho.app.settings import AnswersSuite, RetrievalSuite
from sekisho.compare.determinism import (
    AuditedCondition,
    AuditReport,
    AuditRun,
    Change,
    UnstableCase,
    changing_conditions,
    unstable_cases,
)
from sekisho.core.messages import Note
from sekisho.gate import RunResult

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from sekisho.app.configuration import Configuration
    from sekisho.app.prepared import Progress
    from sekisho.app.settings import SuiteSettings

_NOT_MEASURED = 3
_SLOWER = 20
_LEAST_LIMIT_S = 120.0
_TEXTS = frozenset({"answer", "sources", "contexts", "error"})
"""Aspects that hold text of a suite."""


class AuditedRun(NamedTuple):
    """A run as usual, and what the runs after it found.

    Attributes:
        run: The result that the exit code comes from.
        audit: Which cases are unstable.
    """

    run: RunResult
    audit: AuditReport

    @property
    def exit_code(self) -> int:
        """That of the run; 3 instead of 0 where a condition could not be measured. Unstable cases change nothing."""
        return self.run.exit_code or (_NOT_MEASURED if self.audit.unmeasured else 0)


def audit_check(
    configuration: Configuration,
    *,
    names: Sequence[str] = (),
    overrides: Overrides | None = None,
    selection: Selection | None = None,
    on_progress: Progress | None = None,
) -> AuditedRun:
    """Run suites as usual, then in fresh processes under one changed condition after another.

    Where a condition seems to change a case, it and the plain one are run once more: a case that changes by itself is
    then told apart from one that the condition changes, but for cases that change very rarely.

    Args:
        configuration: As for :func:`sekisho.app.runs.run_check`, like the other arguments.
        names: Of suites.
        overrides: What the command line sets.
        selection: Of cases.
        on_progress: Told the condition with the suite, and how many of how many cases are done.

    Raises:
        SekishoError: Anything that is wrong before the first run.
    """
    selection = selection or Selection()
    path = list(sys.path)  # before a target can change it
    began = time.monotonic()
    run = run_check(configuration, names=names, overrides=overrides, selection=selection, on_progress=on_progress)
    limit_s = max(_LEAST_LIMIT_S, _SLOWER * (time.monotonic() - began))
    suites = [_overridden(suite, overrides or Overrides()) for suite in select_suites(configuration, names)]
    hidden = frozenset(suite.name for suite in suites if suite.redact and isinstance(suite, AnswersSuite))
    readable = [msgspec.structs.replace(suite, redact=False) if suite.name in hidden else suite for suite in suites]
    runs = _Runs(
        root=configuration.root,
        selection=selection,
        hidden=hidden,
        path=path,
        limit_s=limit_s,
        on_progress=on_progress,
    )
    runs.run_all(plans(_selected(readable, run), os.environ))
    return AuditedRun(run, _report(runs, run, redacted=frozenset(suite.name for suite in suites if suite.redact)))


def _overridden(suite: SuiteSettings, overrides: Overrides) -> SuiteSettings:
    """Return a suite as the command line sets it, without its gate: that changes no result, and has been checked."""
    if overrides.target is not None:
        suite = msgspec.structs.replace(suite, target=overrides.target)
    if not isinstance(suite, RetrievalSuite):
        return suite
    k = suite.k if overrides.k is None else overrides.k
    return msgspec.structs.replace(suite, k=k, min_recall=None, max_drop=None, non_inferiority=False)


def _selected(suites: Iterable[SuiteSettings], run: RunResult) -> list[SuiteSettings]:
    """Return the suites of which the selection left anything."""
    ran = {suite.name for suite in run.suites}
    return [suite for suite in suites if suite.name in ran]


class _Runs:
    """The runs of an audit so far.

    Attributes:
        measured: Those that gave results.
    """

    def __init__(
        self,
        *,
        root: Path,
        selection: Selection,
        hidden: frozenset[str],
        path: list[str],
        limit_s: float,
        on_progress: Progress | None,
    ) -> None:
        self._root = root
        self._selection = selection
        self._hidden = hidden
        self._path = path
        self._limit_s = limit_s
        self._on_progress = on_progress
        self._number = 0
        self._total = 0
        self._conditions: dict[object, AuditedCondition] = {}
        self.measured: list[AuditRun] = []

    @property
    def conditions(self) -> tuple[AuditedCondition, ...]:
        """Each condition, with how it went."""
        return tuple(self._conditions.values())

    def run_all(self, planned: Sequence[Plan]) -> None:
        """Run the plain plan twice and the others once, then again those that seem to change a case."""
        plain = planned[0]
        self._total = len(planned) + 1
        for plan in (plain, *planned):
            self._run(plan)
            if not self.measured:  # nothing to compare with
                return
        changing = changing_conditions(self.measured)
        if changing:
            again = [plan for plan in planned if plan.condition in changing]
            self._total += len(again) + 1
            for plan in (plain, *again):
                self._run(plan)

    def _run(self, plan: Plan) -> None:
        self._number += 1
        request = Request(
            suites=plan.suites,
            root=self._root,
            selection=self._selection._replace(order=plan.order),
            hidden=self._hidden,
            switch_s=plan.switch_s,
        )
        found = measured_in_child(
            request,
            path=self._path,
            environment=plan.environment,
            limit_s=self._limit_s,
            on_progress=lambda suite, done, total: self._advance(plan, suite, done, total),
        )
        before = self._conditions.get(plan.condition)
        unmeasured = before.unmeasured if before else None
        if isinstance(found, Note):
            unmeasured = unmeasured or found
        else:
            self.measured.append(AuditRun(plan.condition, found))
        runs = before.runs + 1 if before else 1
        self._conditions[plan.condition] = AuditedCondition(condition=plan.condition, runs=runs, unmeasured=unmeasured)

    def _advance(self, plan: Plan, suite: str, done: int, total: int) -> None:
        if self._on_progress:
            self._on_progress(f"{self._number}/{self._total} {plan.condition.setting} {suite}", done, total)


def _report(runs: _Runs, run: RunResult, *, redacted: frozenset[str]) -> AuditReport:
    seed = fixed_hash_seed(os.environ)
    unstable: tuple[UnstableCase, ...] = ()
    if runs.measured:
        unstable = unstable_cases(runs.measured, first=observed(run.suites), first_seed_known=seed is not None)
    return AuditReport(
        conditions=runs.conditions,
        unstable=tuple(_without_text(case) if case.suite in redacted else case for case in unstable),
        compared={name: len(cases) for name, cases in runs.measured[0].suites.items()} if runs.measured else {},
        hash_seed=seed,
        redacted=redacted,
    )


def _without_text(case: UnstableCase) -> UnstableCase:
    return msgspec.structs.replace(case, changes=tuple(map(_blank, case.changes)))


def _blank(change: Change) -> Change:
    return msgspec.structs.replace(change, before=None, after=None) if change.aspect in _TEXTS else change
