"""Whole audits in processes of their own: healthy suites, and a target for each thing that can go wrong."""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING

import pytest

from sekisho.app.audit import AuditedRun, audit_check
from sekisho.app.configuration import load_configuration
from sekisho.app.prepared import Selection
from sekisho.app.runs import Overrides
from sekisho.core.errors import ConfigurationError
from sekisho.core.messages import LANGUAGES
from sekisho.reports.audit_json import audit_part
from sekisho.reports.audit_report import write_audit
from sekisho.reports.json_report import encode
from sekisho.reports.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sekisho.app.prepared import Progress
    from sekisho.core.messages import Language

BROKEN = ("set_order", "threads", "previous", "buffer", "random_ties", "left_behind")
VARIABLES = (
    "PYTHONHASHSEED", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS",
)  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def _plain_environment() -> Iterator[None]:
    """Take away what a user or a build server may have set."""
    with pytest.MonkeyPatch.context() as patch:
        for name in VARIABLES:
            patch.delenv(name, raising=False)
        yield


@pytest.fixture(scope="module", autouse=True)
def _clean_path() -> Iterator[None]:
    """Leave the import path as it was: targets are imported from the folder of their configuration."""
    before = list(sys.path)
    yield
    sys.path[:] = before
    sys.modules.pop("audited_targets", None)


def audit(folder: Path, *names: str, on_progress: Progress | None = None) -> AuditedRun:
    """Return the audit of suites of the project."""
    return audit_check(load_configuration(folder / "sekisho.toml"), names=names, on_progress=on_progress)


def text_of(done: AuditedRun, language: Language = "en") -> str:
    """Return the report for people."""
    stream = io.StringIO()
    terminal = Terminal(stream, language=language, environment={"COLUMNS": "140"})
    write_audit(done.audit, terminal, verdict=done.run.verdict, exit_code=done.exit_code)
    return stream.getvalue()


@pytest.fixture(scope="module")
def broken(audited_project: Path) -> AuditedRun:
    """Return the audit of every broken target."""
    return audit(audited_project, *BROKEN)


@pytest.fixture(scope="module")
def healthy(audited_project: Path) -> AuditedRun:
    """Return the audit of the healthy suites."""
    return audit(audited_project)


def test_healthy_suites_are_stable_under_every_condition(healthy: AuditedRun) -> None:
    """Vectors, answers and a permission matrix, with a target that prints to standard output."""
    settings = [each.condition.setting for each in healthy.audit.conditions]

    assert healthy.audit.unstable == ()
    assert healthy.audit.unmeasured == ()
    assert healthy.audit.compared == {"vectors": 4, "library": 2, "matrix": 2}
    assert settings[0] == "repetition"
    assert {"order=reversed", "order=shuffled", "concurrency=4", "concurrency=1", "PYTHONHASHSEED=2"} < set(settings)
    assert healthy.exit_code == 0


@pytest.mark.parametrize(
    ("suite", "factor", "aspect"),
    [
        ("set_order", "hash_seed", "retrieved_order"),
        ("threads", "threads", "retrieved_order"),
        ("previous", "order", "retrieved_order"),
        ("buffer", "concurrency", "status"),
        ("random_ties", "repetition", "retrieved_order"),
        ("left_behind", "first_run", "retrieved_order"),
    ],
)
def test_each_broken_target_is_named_with_what_breaks_it(
    broken: AuditedRun, suite: str, factor: str, aspect: str
) -> None:
    """No other factor is blamed, whatever else is broken."""
    cases = broken.audit.of_suite(suite)

    assert cases
    assert {each for case in cases for each in case.factors} == {factor}
    assert {case.changes[0].aspect for case in cases} == {aspect}


def test_every_case_of_a_target_that_always_changes_is_named(broken: AuditedRun) -> None:
    """By id, in the order of the suite."""
    ids = ["t00-q0", "t00-q1", "t01-q0", "t01-q1"]

    assert [case.id for case in broken.audit.of_suite("set_order")] == ids
    assert [case.id for case in broken.audit.of_suite("random_ties")] == ids


def test_unstable_cases_fail_nothing(broken: AuditedRun) -> None:
    """The exit code is that of the run."""
    assert broken.audit.unstable
    assert broken.exit_code == broken.run.exit_code == 0


def test_a_condition_that_changes_cases_is_run_twice(broken: AuditedRun) -> None:
    """So that chance is told from cause."""
    runs = {each.condition.setting: each.runs for each in broken.audit.conditions}

    assert runs["repetition"] == 3
    assert runs["PYTHONHASHSEED=2"] == 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_report_names_suites_cases_and_changes(broken: AuditedRun, language: Language) -> None:
    """In both languages, with a summary in the last line."""
    text = text_of(broken, language)

    assert "t00-q0" in text
    assert "PYTHONHASHSEED=2: " in text
    assert "@1 t0" in text
    assert str(len(broken.audit.unstable)) in text.splitlines()[-1]


def test_the_json_part_holds_every_change(broken: AuditedRun) -> None:
    """With the setting, the aspect and both values."""
    part = audit_part(broken.audit, "en")
    case = next(each for each in part["unstable"] if each["suite"] == "threads")

    assert case["factors"] == ("threads",)
    assert case["changes"][0]["before"] == case["changes"][0]["after"][::-1]
    assert b"threads" in encode(part)


def test_a_redacted_suite_shows_ids_alone(audited_project: Path) -> None:
    """That the answer changed is found, what it said is not told."""
    done = audit(audited_project, "secret")

    told = text_of(done) + encode(audit_part(done.audit, "en")).decode()

    assert [case.id for case in done.audit.unstable] == ["half-day", "salary"]
    assert [change.aspect for change in done.audit.unstable[0].changes] == ["answer"]
    assert "secret words" not in told
    assert "half-day" in told


def test_a_process_that_dies_leaves_its_condition_unmeasured(audited_project: Path) -> None:
    """With its exit code and last words, and exit code 3."""
    done = audit(audited_project, "vanishing")

    assert [each.condition.setting for each in done.audit.unmeasured] == ["PYTHONHASHSEED=2"]
    assert done.exit_code == 3
    assert "code 7" in text_of(done)
    assert "PYTHONHASHSEED=2" in text_of(done).splitlines()[-1]


def test_an_interrupt_ends_the_process_that_runs(audited_project: Path) -> None:
    """Nothing goes on behind the prompt."""
    configuration = load_configuration(audited_project / "sekisho.toml")

    def interrupt(name: str, _done: int, _total: int) -> None:
        if "/" in name:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        audit_check(configuration, names=["slow"], selection=Selection(case_ids=("first",)), on_progress=interrupt)

    with pytest.raises(ProcessLookupError):
        os.kill(int((audited_project / "process").read_text()), 0)


def test_a_selection_and_a_target_of_the_command_line_hold_in_every_run(audited_project: Path) -> None:
    """The processes run what the first run ran."""
    done = audit_check(
        load_configuration(audited_project / "sekisho.toml"),
        names=["vectors"],
        overrides=Overrides(target="audited_targets:threads", k=2, min_recall=0.1),
        selection=Selection(case_ids=("t01-q0",)),
    )

    assert done.audit.compared == {"vectors": 1}
    assert done.audit.unstable[0].factors == ("threads",)


def test_a_refusal_comes_before_any_process(audited_project: Path) -> None:
    """As without the audit."""
    with pytest.raises(ConfigurationError):
        audit(audited_project, "no-such-suite")
