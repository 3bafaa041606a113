"""What cannot run: a sentence with its place, never a traceback, never silence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Project


def suite(*lines: str, target: str = "desk:desk") -> str:
    """Return a configuration with one suite."""
    return "\n".join(["[suite.policies]", 'kind = "answers"', f'target = "{target}"', 'cases = "cases.json"', *lines])


@pytest.mark.parametrize(
    ("configuration", "sentence"),
    [
        ("[suite.a", "sekisho.toml: "),
        (suite("concurency = 2"), "sekisho.toml:5"),
        (suite("timeout_s = -1"), "sekisho.toml:5"),
        (suite(target="dsk:desk"), "sekisho.toml:3"),
        (suite(target="desk:dek"), "sekisho.toml:3"),
        ("", "sekisho.toml: "),
    ],
)
def test_a_wrong_configuration_is_a_collection_error(project: Project, configuration: str, sentence: str) -> None:
    """With file and line."""
    project.write("sekisho.toml", configuration)

    run = project.pytest("--sekisho")

    assert run.code == 2
    assert sentence in run.out
    assert "Traceback" not in run.out
    assert "1 error" in run.last


def test_a_wrong_case_file_is_a_collection_error(project: Project) -> None:
    """With file, line and column, and the right spelling."""
    project.write("cases.json", '[\n{"id": "a", "question": "b", "forbidd": ["c"]}\n]')

    run = project.pytest("sekisho.toml")

    assert run.code == 2
    assert "cases.json:2:" in run.out
    assert "forbid" in run.out
    assert "Traceback" not in run.out


def test_a_missing_case_file_is_a_collection_error(project: Project) -> None:
    """It is named."""
    (project.root / "cases.json").unlink()

    run = project.pytest("sekisho.toml")

    assert run.code == 2
    assert "cases.json" in run.out


def test_a_wrong_suite_does_not_hide_another(good: Project) -> None:
    """With pytest's own option the rest runs."""
    text = (good.root / "sekisho.toml").read_text(encoding="utf-8")
    good.write("sekisho.toml", text + suite(target="dsk:desk").replace("policies", "other"))

    run = good.pytest("sekisho.toml", "--continue-on-collection-errors")

    assert run.code == 1
    assert run.last == "2 passed, 1 error"


def test_a_target_that_cannot_be_made_is_an_error_of_each_case(project: Project) -> None:
    """An error, not a failure; it is tried once."""
    project.write("sekisho.toml", suite(target="desk:refused"))

    run = project.pytest("sekisho.toml")

    assert run.code == 1
    assert run.last == "3 errors"
    assert run.out.count("ERROR at setup of") == 3
    assert "RuntimeError: the server is down" in run.out
    assert "Traceback" not in run.out
    assert project.log() == ["refused"]


def test_a_target_that_does_not_answer_is_an_error(project: Project) -> None:
    """It has no method for it."""
    project.write("silent.py", "def make():\n    return object()\n")
    project.write("sekisho.toml", suite(target="silent:make"))

    run = project.pytest("sekisho.toml")

    assert run.last == "3 errors"
    assert "answer" in run.out


def test_a_case_that_raises_is_an_error_and_not_a_failure(project: Project) -> None:
    """The others are measured."""
    project.cases([{"id": "a", "question": "crash", "forbid": ["x"]}, {"id": "b", "question": "b", "forbid": ["x"]}])

    run = project.pytest("sekisho.toml")

    assert run.code == 1
    assert run.last == "1 passed, 1 error"
    assert "ERROR sekisho.toml::policies::a - Could not be measured: RuntimeError: no connection" in run.out
    assert "Traceback" not in run.out
    assert "1 not measured" in run.out


def test_a_case_that_takes_too_long_is_an_error(project: Project) -> None:
    """The time limit of the suite holds."""
    project.write("sekisho.toml", suite("timeout_s = 0.2"))
    project.cases([{"id": "a", "question": "slow", "forbid": ["x"]}])

    run = project.pytest("sekisho.toml")

    assert run.last == "1 error"
    assert "0.2" in run.out


def test_a_target_that_cannot_be_closed_is_an_error_of_its_last_case(good: Project) -> None:
    """The cases keep their outcomes."""
    good.write(
        "closing.py",
        "from contextlib import contextmanager\nfrom desk import Desk\n\n@contextmanager\ndef make():\n"
        "    yield Desk()\n    raise RuntimeError('left open')\n",
    )
    good.write("sekisho.toml", suite(target="closing:make"))

    run = good.pytest("sekisho.toml")

    assert run.code == 1
    assert run.last == "2 passed, 1 error"
    assert "RuntimeError: left open" in run.out
    assert "Traceback" not in run.out
