"""Which cases do not give the same result every time, and what changes them.

Whether something is unstable by itself comes first: where one condition, run twice, gave two results, nothing else is
blamed. Only then does a case that is different under another condition count as changed by that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec

from sekisho.core.messages import Note

Factor = Literal["repetition", "first_run", "hash_seed", "threads", "order", "concurrency"]
"""``first_run``: the run that the report is about gave something else than every later one."""
FACTORS: tuple[Factor, ...] = ("repetition", "first_run", "hash_seed", "threads", "order", "concurrency")

Observation: TypeAlias = Mapping[str, Any]
"""Of one case: aspect to what was seen of it, as in JSON. An aspect that is left out is not compared."""
Observations: TypeAlias = Mapping[str, Mapping[str, Observation]]
"""Name of a suite to id of a case to what was seen of it."""


class Condition(msgspec.Struct, frozen=True, kw_only=True):
    """How a run differed from a plain one.

    Attributes:
        factor: What kind of thing was changed; ``repetition`` where nothing was.
        setting: The one setting, in signs that need no language, such as ``PYTHONHASHSEED=2``.
    """

    factor: Factor
    setting: str


class AuditRun(NamedTuple):
    """One run of all suites, or of those that its condition concerns."""

    condition: Condition
    suites: Observations


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """One aspect of a case that changed.

    Attributes:
        factor: What changed it.
        setting: Under which setting that was seen.
        aspect: Such as ``retrieved_ids``, ``retrieved_order``, ``status``, ``answer``; ``presence`` where the case was
            there in one run only.
        before: In a plain run.
        after: Under the setting.
    """

    factor: Factor
    setting: str
    aspect: str
    before: Any
    after: Any


class UnstableCase(msgspec.Struct, frozen=True, kw_only=True):
    """A case that did not give the same result every time.

    Attributes:
        suite: Its suite.
        id: The case; a principal of a permission matrix.
        changes: At least one; all aspects of the first setting of each factor that changed it.
    """

    suite: str
    id: str
    changes: tuple[Change, ...]

    @property
    def factors(self) -> tuple[Factor, ...]:
        """What changes the case, each factor once."""
        return tuple(dict.fromkeys(change.factor for change in self.changes))


class AuditedCondition(msgspec.Struct, frozen=True, kw_only=True):
    """One condition of an audit.

    Attributes:
        condition: It.
        runs: How many runs it had.
        unmeasured: Why one of them gave no results.
    """

    condition: Condition
    runs: int
    unmeasured: Note | None = None


class AuditReport(msgspec.Struct, frozen=True, kw_only=True):
    """What an audit found.

    Attributes:
        conditions: In the order in which they ran; the plain one first.
        unstable: Cases that changed, in the order of suites and cases.
        compared: Name of each suite to how many results of it were compared.
        hash_seed: Of the run that the report is about; None where it was random and cannot be set again.
        redacted: Suites of which no text may be shown; their changes hold none.
    """

    conditions: tuple[AuditedCondition, ...]
    unstable: tuple[UnstableCase, ...]
    compared: Mapping[str, int]
    hash_seed: str | None = None
    redacted: frozenset[str] = frozenset()

    @property
    def unmeasured(self) -> tuple[AuditedCondition, ...]:
        """The conditions of which a run gave no results."""
        return tuple(each for each in self.conditions if each.unmeasured is not None)

    def of_suite(self, name: str) -> tuple[UnstableCase, ...]:
        """Return the unstable cases of one suite."""
        return tuple(case for case in self.unstable if case.suite == name)


def changing_conditions(runs: Sequence[AuditRun]) -> tuple[Condition, ...]:
    """Return the conditions that seem to change a case; each is worth a second run, which tells chance from cause.

    Args:
        runs: At least one; the first is a plain one.
    """
    plain = runs[0].condition
    found = (
        change
        for suite, case_id in _cases(runs)
        if not (each := _Case(runs, suite, case_id)).changes_by_itself()
        for change in each.changes_by_factors(every_setting=True)
    )
    changing = {(change.factor, change.setting) for change in found}
    conditions = dict.fromkeys(run.condition for run in runs if run.condition != plain)
    return tuple(each for each in conditions if (each.factor, each.setting) in changing)


def unstable_cases(
    runs: Sequence[AuditRun], *, first: Observations | None = None, first_seed_known: bool = False
) -> tuple[UnstableCase, ...]:
    """Return the cases that changed, in the order of suites and cases, each with what changes it.

    Args:
        runs: At least one; the first is a plain one. A condition that comes twice tells chance from cause.
        first: What the run that the report is about saw.
        first_seed_known: Whether that had the hash seed of the plain runs. Where it had not, a difference to it says
            nothing new about a case that the hash seed changes.
    """
    unstable = []
    for suite, case_id in _cases(runs):
        case = _Case(runs, suite, case_id)
        changes = case.changes_by_itself()
        if not changes:
            changes = case.changes_by_factors()
            if first and suite in first and (first_seed_known or all(c.factor != "hash_seed" for c in changes)):
                changes = [*case.changes_to("first_run", "first", first[suite].get(case_id)), *changes]
        if changes:
            unstable.append(UnstableCase(suite=suite, id=case_id, changes=tuple(changes)))
    return tuple(unstable)


def _cases(runs: Sequence[AuditRun]) -> list[tuple[str, str]]:
    found = [(suite, case_id) for run in runs for suite, cases in run.suites.items() for case_id in cases]
    places = {suite: number for number, suite in enumerate(dict.fromkeys(suite for suite, _ in found))}
    return sorted(dict.fromkeys(found), key=lambda each: places[each[0]])


class _Case:
    """One case over all runs of its suite."""

    def __init__(self, runs: Sequence[AuditRun], suite: str, case_id: str) -> None:
        self._seen: dict[Condition, list[Observation | None]] = {}
        for run in runs:
            if suite in run.suites:
                self._seen.setdefault(run.condition, []).append(run.suites[suite].get(case_id))
        self._plain = next(iter(self._seen.values()))[0]

    def changes_by_itself(self) -> list[Change]:
        """Return how two runs under one condition differ; calls at once may race, which is no chance."""
        for condition, seen in self._seen.items():
            if condition.factor == "concurrency":
                continue
            for other in seen[1:]:
                if changes := _changes("repetition", condition.setting, seen[0], other):
                    return changes
        return []

    def changes_by_factors(self, *, every_setting: bool = False) -> list[Change]:
        """Return how the case differs under other conditions, of each factor the first setting that changes it."""
        found: dict[object, list[Change]] = {}
        for condition, seen in self._seen.items():
            key: object = condition if every_setting else condition.factor
            for observation in seen:
                if not found.get(key):
                    found[key] = self.changes_to(condition.factor, condition.setting, observation)
        return [change for changes in found.values() for change in changes]

    def changes_to(self, factor: Factor, setting: str, observation: Observation | None) -> list[Change]:
        """Return how an observation differs from the plain one."""
        return _changes(factor, setting, self._plain, observation)


def _changes(factor: Factor, setting: str, before: Observation | None, after: Observation | None) -> list[Change]:
    if before is None or after is None:
        pairs = [] if before is after else [("presence", before is not None, after is not None)]
    else:
        pairs = [
            (_aspect(name, before[name], after[name]), before[name], after[name])
            for name in before
            if name in after and before[name] != after[name]
        ]
    return [Change(factor=factor, setting=setting, aspect=aspect, before=old, after=new) for aspect, old, new in pairs]


def _aspect(name: str, before: Any, after: Any) -> str:  # noqa: ANN401  whatever was observed
    """Return what changed of a list of ids: which ones, or their order alone."""
    if name != "retrieved":
        return name
    return "retrieved_order" if sorted(before) == sorted(after) else "retrieved_ids"
