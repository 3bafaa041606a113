"""A run of the answer cases with a real model, apart from the gate; or with its recorded answers, as a gate."""

from __future__ import annotations

import errno
import os
from contextlib import ExitStack
from typing import TYPE_CHECKING, NamedTuple

from sekisho.adapters.model_recording import (
    Cassette,
    Masking,
    ModelProxy,
    Tape,
    Upstream,
    past_proxies,
    read_cassette,
    read_judgments,
    write_cassette,
)
from sekisho.app.facts import run_facts
from sekisho.app.model_suites import Trial, model_suite, prepare_model_suite
from sekisho.app.prepared import Selection
from sekisho.app.runs import select_suites
from sekisho.app.settings import AnswersSuite
from sekisho.app.suites import refuse_unknown_cases, run_suites
from sekisho.core.errors import ConfigurationError
from sekisho.gate import exit_code, overall
from sekisho.reports.model_records import ModelMode, ModelRun, Recording, Tokens

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from sekisho.app.configuration import Configuration
    from sekisho.app.prepared import PreparedSuite, Progress

DEFAULT_SAMPLES = 5
MOST_SAMPLES = 100
DEFAULT_MIN_PASS_RATE = 0.8
URL_VARIABLE = "SEKISHO_MODEL_URL"


class _Plan(NamedTuple):
    """What is to be run, checked."""

    mode: ModelMode
    model: str
    samples: int
    min_pass_rate: float
    upstream: Upstream | None
    url_is_given: bool
    cassette: Cassette | None


def run_model_check(
    configuration: Configuration,
    *,
    names: Sequence[str] = (),
    selection: Selection | None = None,
    model: str | None = None,
    samples: int | None = None,
    min_pass_rate: float | None = None,
    record: Path | None = None,
    replay: Path | None = None,
    model_url: str | None = None,
    judgments: Path | None = None,
    on_progress: Progress | None = None,
    environment: Mapping[str, str] | None = None,
) -> ModelRun:
    """Ask every case of the selected answer suites several times and return the samples with what they amount to.

    Each suite's factory gets ``model``, and ``model_url``, where it names it: the address of a server on this machine
    that hands requests on, records them, or answers from the recording. Cases are asked one at a time while recording
    or replaying, since a request does not tell which case it belongs to.

    Args:
        configuration: The suites.
        names: Those that run; all answer suites that are not manual, where it is empty.
        selection: The cases that run.
        model: The name; a replay takes that of the recording.
        samples: The most answers to a case, 1 to 100; 5, or those of the recording.
        min_pass_rate: The share of them that must pass, 0 to 1; 0.8, or that of the recording.
        record: Write what the target asks its model, and the replies, into this file. Recordings of other cases that it
            holds stay.
        replay: Answer from this file alone, without network and key; the suites' own gates then apply.
        model_url: The model's base address; else that of ``SEKISHO_MODEL_URL``.
        judgments: A file with verdicts of others, which are reported beside.
        on_progress: Called with suite, cases done, cases in all.
        environment: Instead of the process's own.

    Raises:
        SekishoError: Anything that is wrong before a suite runs, for any of them.
    """
    if record and replay:
        raise ConfigurationError("models.both")
    variables = os.environ if environment is None else environment
    if replay:
        plan = _replay_plan(replay, model, samples, min_pass_rate, model_url)
    else:
        url = model_url or variables.get(URL_VARIABLE)
        plan = _live_plan(record, model, samples, min_pass_rate, url)._replace(url_is_given=bool(model_url))
    suites = _answer_suites(configuration, names)
    selection = selection or Selection()
    with ExitStack() as stack:
        trial = _trial(plan, stack)
        prepared = [prepare_model_suite(suite, trial, root=configuration.root, selection=selection) for suite in suites]
        refuse_unknown_cases(prepared, selection)
        _read_judgments(judgments, prepared, trial)
        facts = run_facts(configuration.root)
        try:
            results = run_suites([each for each in prepared if each.selected], on_progress=on_progress)
        finally:
            recording = _write_recording(record, plan, trial, prepared)
    verdict = overall([result.verdict for result in results])
    return ModelRun(
        verdict=verdict,
        exit_code=exit_code(verdict),
        model=plan.model,
        mode=plan.mode,
        samples=plan.samples,
        min_pass_rate=plan.min_pass_rate,
        suites=tuple(model_suite(result, trial) for result in results if result.kind == "answers"),
        tokens=_tokens(trial.proxy),
        recording=recording,
        facts=facts,
    )


def _live_plan(
    record: Path | None, model: str | None, samples: int | None, min_pass_rate: float | None, url: str | None
) -> _Plan:
    if not model:
        raise ConfigurationError("models.model_needed")
    plan = _Plan(
        mode="record" if record else "live",
        model=model,
        samples=_whole("--samples", samples, DEFAULT_SAMPLES),
        min_pass_rate=_share("--min-pass-rate", min_pass_rate, DEFAULT_MIN_PASS_RATE),
        upstream=Upstream(url) if url else None,
        url_is_given=False,
        cassette=None,
    )
    if record is None:
        return plan
    if plan.upstream is None:
        raise ConfigurationError("models.url_needed")
    return plan._replace(cassette=_continued(record, plan))


def _continued(record: Path, plan: _Plan) -> Cassette:
    """Return the recording that a run adds to, which must be writable and have been made in the same way."""
    folder = record.absolute().parent
    if not folder.is_dir():
        raise ConfigurationError("app.no_such_folder", path=str(folder))
    if not os.access(folder, os.W_OK):  # better now than after answers that cost money
        raise ConfigurationError("app.cannot_write", path=str(record), reason=os.strerror(errno.EACCES))
    new = Cassette(model=plan.model, samples=plan.samples, min_pass_rate=plan.min_pass_rate)
    if not record.exists():
        return new
    old = read_cassette(record)
    if (old.model, old.samples, old.min_pass_rate) != (new.model, new.samples, new.min_pass_rate):
        raise ConfigurationError(
            "models.other_recording",
            recorded=old.model,
            samples=old.samples,
            rate=f"{old.min_pass_rate:g}",
            model=new.model,
            own_samples=new.samples,
            own_rate=f"{new.min_pass_rate:g}",
        )
    return old


def _replay_plan(
    replay: Path, model: str | None, samples: int | None, min_pass_rate: float | None, url: str | None
) -> _Plan:
    if url:
        raise ConfigurationError("models.url_idle")
    cassette = read_cassette(replay)
    if model and model != cassette.model:
        raise ConfigurationError("models.other_model", recorded=cassette.model, model=model)
    return _Plan(
        mode="replay",
        model=cassette.model,
        samples=_whole("--samples", samples, cassette.samples),
        min_pass_rate=_share("--min-pass-rate", min_pass_rate, cassette.min_pass_rate),
        upstream=None,
        url_is_given=False,
        cassette=cassette,
    )


def _whole(option: str, value: int | None, default: int) -> int:
    number = default if value is None else value
    if not 1 <= number <= MOST_SAMPLES:
        raise ConfigurationError("models.out_of_range", option=option, value=number, range=f"1 – {MOST_SAMPLES}")
    return number


def _share(option: str, value: float | None, default: float) -> float:
    share = default if value is None else value
    if not 0 <= share <= 1:
        raise ConfigurationError("models.out_of_range", option=option, value=share, range="0 – 1")
    return float(share)


def _answer_suites(configuration: Configuration, names: Sequence[str]) -> list[AnswersSuite]:
    """Return the suites that a model can be tried on."""
    selected = select_suites(configuration, names)
    for suite in selected:
        if names and not isinstance(suite, AnswersSuite):
            raise ConfigurationError("models.not_answers", suite=suite.name)
    suites = [suite for suite in selected if isinstance(suite, AnswersSuite)]
    if not suites:
        raise ConfigurationError("models.no_suite", suites=", ".join(suite.name for suite in selected))
    return suites


def _trial(plan: _Plan, stack: ExitStack) -> Trial:
    """Return what all suites have in common, with a server for what they ask the model, where that leads anywhere."""
    proxy = None
    if plan.mode == "replay" or plan.upstream is not None:
        tape = Tape(plan.cassette.exchanges if plan.cassette and plan.mode == "replay" else ())
        stack.enter_context(past_proxies())
        proxy = stack.enter_context(ModelProxy(plan.mode, tape=tape, masking=Masking(), upstream=plan.upstream))
    return Trial(
        model=plan.model,
        mode=plan.mode,
        samples=plan.samples,
        min_pass_rate=plan.min_pass_rate,
        proxy=proxy,
        url_is_needed=plan.mode != "live" or plan.url_is_given,
    )


def _read_judgments(path: Path | None, prepared: Sequence[PreparedSuite], trial: Trial) -> None:
    if path is not None:
        known = frozenset().union(*(each.case_ids for each in prepared))
        trial.judgments.extend(read_judgments(path, known=known))


def _write_recording(
    record: Path | None, plan: _Plan, trial: Trial, prepared: Sequence[PreparedSuite]
) -> Recording | None:
    """Write what was recorded, also of a run that was interrupted: answers cost money."""
    if record is None or plan.cassette is None or trial.proxy is None:
        return None
    cassette = plan.cassette
    if trial.recorded:
        trial.proxy.settle()
        replaced = trial.recorded | _gone(cassette, prepared)
        cassette = cassette.with_recorded(trial.proxy.tape.taken(), recorded=replaced)
        write_cassette(record, cassette)
    return Recording(path=str(record), exchanges=len(cassette.exchanges), unrecorded=tuple(trial.unrecorded))


def _gone(cassette: Cassette, prepared: Sequence[PreparedSuite]) -> set[tuple[str, str]]:
    """Return suite and case of recordings whose case is no longer in its suite's file."""
    ids = {each.suite.name: each.case_ids for each in prepared}
    return {
        (each.suite, each.case)
        for each in cassette.exchanges
        if each.case and each.suite in ids and each.case not in ids[each.suite]
    }


def _tokens(proxy: ModelProxy | None) -> Tokens | None:
    if proxy is None or not proxy.usage.replies:
        return None
    return Tokens(**proxy.usage._asdict())
