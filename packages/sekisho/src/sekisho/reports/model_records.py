"""What the report of a run with a real model is made from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from sekisho.answers.sampling_records import SampledCase
from sekisho.gate import AnswersSuiteResult
from sekisho.gate.records import Verdict

ModelMode = Literal["live", "record", "replay"]


class ModelSuite(msgspec.Struct, frozen=True, kw_only=True):
    """One suite of answer cases, each asked several times.

    Attributes:
        result: The suite as any other, one result a case.
        cases: The samples behind them, in the same order.
    """

    result: AnswersSuiteResult
    cases: tuple[SampledCase, ...]


class Recording(msgspec.Struct, frozen=True, kw_only=True):
    """What became of the recording of a run.

    Attributes:
        path: The file.
        exchanges: How many it holds.
        unrecorded: Suite and case of those that could not be measured, so that nothing new is recorded of them.
    """

    path: str
    exchanges: int
    unrecorded: tuple[tuple[str, str], ...] = ()


class Tokens(msgspec.Struct, frozen=True, kw_only=True):
    """What the model's server says that its replies cost.

    Attributes:
        replies: How many replies told.
        prompt: Tokens read.
        completion: Tokens written.
    """

    replies: int
    prompt: int
    completion: int


class ModelRun(msgspec.Struct, frozen=True, kw_only=True):
    """A run with a real model, or with its recorded answers.

    Attributes:
        verdict: ``reported`` where nothing can fail: a live model's answers vary. A replay is judged as the suites say.
        exit_code: 0, 1 for a replay that fails, 3 where a case could not be measured.
        model: Its name.
        mode: Whether the model was asked, asked and recorded, or not asked at all.
        samples: The most answers to a case.
        min_pass_rate: The share of them that must pass.
        suites: In the order they ran.
        tokens: None where nothing told.
        recording: None unless the run was recorded.
        facts: Time, commit, versions and machine: what may differ between two runs of one commit.
    """

    verdict: Verdict
    exit_code: int
    model: str
    mode: ModelMode
    samples: int
    min_pass_rate: float
    suites: tuple[ModelSuite, ...]
    tokens: Tokens | None = None
    recording: Recording | None = None
    facts: Mapping[str, Any] = {}
