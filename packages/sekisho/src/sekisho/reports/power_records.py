"""What the cases of one suite can show: the records that its report is made from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec

from sekisho.core.messages import Note


class Unmeasured(NamedTuple):
    """A case that could not be measured.

    Attributes:
        target: Which target was asked.
        id: The case.
        reason: Why.
    """

    target: str
    id: str
    reason: Note


class Extremes(msgspec.Struct, frozen=True, kw_only=True):
    """The cases that have no room on one side, in every run that was made.

    Attributes:
        ceiling: As good as any result can be: they can show a drop, but no rise.
        floor: Nothing is right: they can show a rise, but no drop.
    """

    ceiling: tuple[str, ...] = ()
    floor: tuple[str, ...] = ()


class SpreadFigures(msgspec.Struct, frozen=True, kw_only=True):
    """What the cases show where the differences of a pair of runs have one spread.

    Attributes:
        spread: Standard deviation of the difference of a case.
        drop_at_5_percent: The smallest drop of the mean that shows with p < .05 on one side, as often as was asked for;
            None where so few cases show none that is possible.
        drop_by_rule: The same at the strictest step of the regression rule.
        cases_at_5_percent: How many cases the wanted drop needs for p < .05.
        cases_by_rule: How many it needs at the strictest step of the rule.
    """

    spread: float
    drop_at_5_percent: float | None
    drop_by_rule: float | None
    cases_at_5_percent: int
    cases_by_rule: int


class RulerPower(msgspec.Struct, frozen=True, kw_only=True):
    """One metric of a suite.

    Attributes:
        name: Such as ``recall@10``.
        cases: How many have a value in every run.
        mean: Of the suite's own target.
        mean_against: Of the other target; None where there is none.
        differing: How many cases differ between both; None as above.
        is_assumed: Whether the spread is the assumption, not measured.
        figures: For the spread measured; for an assumed one, for its lower and its upper end.
        extremes: Cases without room on this metric.
    """

    name: str
    cases: int
    mean: float
    mean_against: float | None
    differing: int | None
    is_assumed: bool
    figures: tuple[SpreadFigures, ...]
    extremes: Extremes


class RetrievalPower(msgspec.Struct, frozen=True, kw_only=True):
    """A suite of retrieval cases.

    Attributes:
        name: As in the configuration.
        target: As configured.
        against: The other target; None where the spread is assumed.
        k: Cut-off of the metrics.
        cases: How many the suite has.
        measured: How many were measured in every run.
        drop: The drop that is wanted to show.
        power: How often it is to show.
        rule_alpha: What p must be below at the strictest step of the rule: .01 over the number of metrics.
        differing_at_5_percent: The fewest cases that must get worse before p < .05 is possible.
        differing_by_rule: The same for ``rule_alpha``.
        rulers: None where fewer than two cases were measured.
        extremes: Cases without room on any of the metrics.
        unmeasured: Cases that could not be measured.
    """

    name: str
    target: str
    against: str | None
    k: int
    cases: int
    measured: int
    drop: float
    power: float
    rule_alpha: float
    differing_at_5_percent: int
    differing_by_rule: int
    rulers: tuple[RulerPower, ...]
    extremes: Extremes
    unmeasured: tuple[Unmeasured, ...]
    kind: Literal["retrieval"] = "retrieval"


class AnswersPower(msgspec.Struct, frozen=True, kw_only=True):
    """A suite of answer cases; what it shares with the other kind means the same.

    Attributes:
        drop: The share of questions, broken by a change, that is wanted to show.
        passing: The cases that pass now: each can break.
        failing: The cases that fail now, excused or not: none of them can break any more.
        interval: Wilson's 95 % interval of the share that passes; None where none was measured.
        visible: The smallest share of broken questions that shows, as often as was asked for; None where none passes.
        needed: How many passing cases ``drop`` needs.
    """

    name: str
    target: str
    cases: int
    measured: int
    drop: float
    power: float
    passing: tuple[str, ...]
    failing: tuple[str, ...]
    interval: tuple[float, float] | None
    visible: float | None
    needed: int
    unmeasured: tuple[Unmeasured, ...]
    kind: Literal["answers"] = "answers"


SuitePower: TypeAlias = RetrievalPower | AnswersPower


class PowerRun(msgspec.Struct, frozen=True, kw_only=True):
    """What ``sekisho power`` found.

    Attributes:
        exit_code: 0, or 3 where a case could not be measured.
        suite: The figures.
        facts: Time, commit, versions and machine.
    """

    exit_code: int
    suite: SuitePower
    facts: Mapping[str, Any]
