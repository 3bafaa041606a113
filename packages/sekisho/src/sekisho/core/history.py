"""Records of runs that were kept: what the store hands out and reports show. Sequences are tuples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec


class KeptSuite(msgspec.Struct, frozen=True):
    """One suite of a kept run, in one line.

    Attributes:
        name: As in the configuration at that time.
        kind: ``retrieval``, ``answers`` or ``access``.
        verdict: What its gate said.
        headline: The metric that stands for the suite in a list; None where nothing was measured.
        value: The value of that metric.
        total: What it is counted out of; None for a mean.
        partial: Whether only some of its cases were selected.
    """

    name: str
    kind: str
    verdict: str
    headline: str | None
    value: float | None
    total: int | None
    partial: bool


class KeptRun(msgspec.Struct, frozen=True):
    """One run in the history.

    Attributes:
        number: Counts from 1 in the order in which runs were kept, whatever the clock said; never given twice.
        time: When it began, ISO 8601 in UTC, to the second.
        commit: The commit that was checked out; None without git.
        branch: The branch; None without git or with a detached head.
        verdict: Over all suites.
        exit_code: What ``sekisho check`` ended with.
        duration_ms: From start to report.
        suites: In the order they ran.
    """

    number: int
    time: str
    commit: str | None
    branch: str | None
    verdict: str
    exit_code: int
    duration_ms: float
    suites: tuple[KeptSuite, ...] = ()


class RunList(msgspec.Struct, frozen=True, kw_only=True):
    """Some runs, newest first, and how many match in all."""

    runs: tuple[KeptRun, ...]
    matching: int


class KeptCase(msgspec.Struct, frozen=True, kw_only=True):
    """One case of a kept run: of retrieval, of answers, or a principal of a permission matrix.

    Attributes:
        id: Of the case; of a principal its departments.
        text: The question, where the report may hold it.
        status: ``measured``, ``ok``, ``ng``, ``known``, ``fixed``, ``leak`` or ``error``.
        metrics: Name to value.
        missed: Relevant ids that did not come back.
        sentences: What was wrong with it, in the language of that run.
        issue: The reason of its known issue.
    """

    id: str
    text: str | None = None
    status: str
    metrics: Mapping[str, float | None] = {}
    missed: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ()
    issue: str | None = None

    @property
    def recall(self) -> tuple[str, float] | None:
        """The name and the value of its recall, where it has one."""
        for name, value in self.metrics.items():
            if name.partition("@")[0] == "recall" and value is not None:
                return name, value
        return None


class KeptRule(msgspec.Struct, frozen=True, kw_only=True):
    """One rule of a gate as it was applied then."""

    rule: str
    value: float | None
    threshold: float | None
    holds: bool | None


class SuiteDetail(msgspec.Struct, frozen=True, kw_only=True):
    """One suite of a kept run, whole.

    Attributes:
        fingerprints: Name to digest of what it was measured on.
        gate: Each rule with its outcome.
        warnings: Sentences, in the language of that run.
    """

    name: str
    kind: str
    target: str
    verdict: str
    metrics: Mapping[str, float | None]
    fingerprints: Mapping[str, str]
    gate: tuple[KeptRule, ...]
    cases: tuple[KeptCase, ...]
    warnings: tuple[str, ...]


class RunDetail(msgspec.Struct, frozen=True, kw_only=True):
    """One kept run, whole.

    Attributes:
        run: Its line in the list.
        suites: In the order they ran.
        not_run: Suites that were selected and not run.
        facts: Versions and machine.
        document: The report as it was kept.
    """

    run: KeptRun
    suites: tuple[SuiteDetail, ...]
    not_run: tuple[str, ...]
    facts: Mapping[str, Any]
    document: Mapping[str, Any]


Direction = Literal["worse", "changed", "better", "new", "removed"]


class CaseChange(msgspec.Struct, frozen=True, kw_only=True):
    """One case whose status or recall differs between two runs; None where a run does not have it."""

    direction: Direction
    before: KeptCase | None
    after: KeptCase | None


class MetricChange(msgspec.Struct, frozen=True, kw_only=True):
    """One metric of two runs; None where it was not measured."""

    name: str
    before: float | None
    after: float | None


class SuiteChange(msgspec.Struct, frozen=True, kw_only=True):
    """One suite of two runs.

    Attributes:
        before: Its verdict in the first run; None where that did not run it.
        after: Its verdict in the second run, likewise.
        ruler_changed: Names of fingerprints that differ: the two did not measure the same thing.
        metrics: Beside each other.
        cases: That differ, worst first.
        unchanged: How many cases do not.
    """

    name: str
    kind: str
    before: str | None
    after: str | None
    ruler_changed: tuple[str, ...]
    metrics: tuple[MetricChange, ...]
    cases: tuple[CaseChange, ...]
    unchanged: int


class RunComparison(msgspec.Struct, frozen=True, kw_only=True):
    """Two runs beside each other."""

    before: KeptRun
    after: KeptRun
    suites: tuple[SuiteChange, ...]


class TrendPoint(msgspec.Struct, frozen=True):
    """One metric in one run.

    Attributes:
        value: None where it was not measured.
        ruler: A digest of what it was measured on; None where that has none.
    """

    run: int
    time: str
    commit: str | None
    value: float | None
    ruler: bytes | None = None


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """Where a sequence changes its level.

    Attributes:
        place: Index of the first value of the new level.
        before: Mean of the values before it.
        after: Mean of the values from it on.
        p: How likely a step as clear would be, were the values in an order by chance; above 0, at most 1.
    """

    place: int
    before: float
    after: float
    p: float


class Trend(msgspec.Struct, frozen=True, kw_only=True):
    """One metric over runs.

    Attributes:
        points: Oldest first, whole suites only.
        step: Where the level changes, with ``place`` an index into the measured points; None where all are equal.
        rulers_changed: Runs from which on something else was measured: another corpus or other cases.
        left_out: How many runs of selected cases only are not among the points.
    """

    suite: str
    metric: str
    points: tuple[TrendPoint, ...]
    step: Step | None
    rulers_changed: tuple[int, ...]
    left_out: int

    @property
    def measured(self) -> tuple[TrendPoint, ...]:
        """The points that have a value."""
        return tuple(point for point in self.points if point.value is not None)
