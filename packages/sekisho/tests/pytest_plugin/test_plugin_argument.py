"""``pytest sekisho.toml``: what an argument collects, and that nothing else does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Project

MANUAL = """
[suite.staging]
kind = "answers"
target = "desk:desk"
cases = "cases.json"
manual = true
"""


def test_each_case_is_an_item_with_its_id(project: Project) -> None:
    """Node ids are file, suite and case."""
    run = project.pytest("sekisho.toml", "--collect-only", "-q")

    assert run.out.splitlines()[:3] == [f"sekisho.toml::policies::{id_}" for id_ in ("leave", "plan", "moon")]


def test_cases_pass_and_fail(project: Project) -> None:
    """A failing case fails the run, with its sentence and without a traceback."""
    run = project.pytest("sekisho.toml")

    assert run.code == 1
    assert run.last == "1 failed, 2 passed"
    assert "FAIL plan: What is the plan?" in run.out
    assert '- "merger" must not appear, but stands in what the model was given.' in run.out
    assert "Traceback" not in run.out
    assert ".py:" not in run.out


def test_a_failure_names_the_line_of_the_case(project: Project) -> None:
    """As seen from where pytest was started."""
    run = project.pytest("sekisho.toml")

    assert "\ncases.json:3\n" in run.out


def test_a_case_can_be_named_by_its_node_id(project: Project) -> None:
    """As with any test."""
    run = project.pytest("sekisho.toml::policies::moon")

    assert run.last == "1 passed"
    assert project.log() == ["open", "ask", "close"]


def test_a_suite_can_be_named_by_its_node_id(project: Project) -> None:
    """A manual one, too: it is named then."""
    project.write("sekisho.toml", (project.root / "sekisho.toml").read_text(encoding="utf-8") + MANUAL)

    run = project.pytest("sekisho.toml::staging", "--collect-only", "-q")

    assert run.out.splitlines()[:3] == [f"sekisho.toml::staging::{id_}" for id_ in ("leave", "plan", "moon")]


def test_a_manual_suite_does_not_run_unnamed(good: Project) -> None:
    """Only the others do."""
    good.write("sekisho.toml", (good.root / "sekisho.toml").read_text(encoding="utf-8") + MANUAL)

    run = good.pytest("sekisho.toml", "-v")

    assert run.last == "2 passed"
    assert "staging" not in run.out


def test_only_manual_suites_are_an_error(project: Project) -> None:
    """Nothing is left out without a word."""
    project.write("sekisho.toml", MANUAL)

    run = project.pytest("sekisho.toml")

    assert run.code == 2
    assert "Every suite is manual and runs only when named: staging" in run.out


def test_an_unknown_suite_is_a_usage_error(project: Project) -> None:
    """With the one that was probably meant."""
    run = project.pytest("sekisho.toml::polices")

    assert run.code == 4
    assert "There is no suite 'polices'. Did you mean 'policies'?" in run.out


@pytest.mark.parametrize("arguments", [(), (".",), ("test_own.py",)])
def test_a_folder_collects_no_suite(
    project: Project, plain_test: Callable[[str], None], arguments: tuple[str, ...]
) -> None:
    """Unit tests start nothing."""
    plain_test("test_own.py")

    run = project.pytest(*arguments)

    assert run.code == 0
    assert run.last == "1 passed"
    assert project.log() == []


def test_suites_and_tests_run_together(good: Project, plain_test: Callable[[str], None]) -> None:
    """The file may stand beside other paths."""
    plain_test("test_own.py")

    run = good.pytest("test_own.py", "sekisho.toml")

    assert run.last == "3 passed"


def test_a_project_file_with_a_table_is_a_configuration(good: Project) -> None:
    """``[tool.sekisho]`` in pyproject.toml."""
    text = (good.root / "sekisho.toml").read_text(encoding="utf-8").replace("[suite.", "[tool.sekisho.suite.")
    good.write("pyproject.toml", text)

    run = good.pytest("pyproject.toml", "-v")

    assert run.last == "2 passed"
    assert "pyproject.toml::policies::leave" in run.out


def test_a_project_file_without_a_table_is_left_alone(project: Project) -> None:
    """Other tools hand over any file."""
    project.write("pyproject.toml", "[project]\nname = 'own'\n")

    run = project.pytest("pyproject.toml")

    assert "no tests" in run.out or "no match" in run.out
    assert "suite" not in run.out


def test_a_missing_file_is_a_usage_error(project: Project) -> None:
    """As with any path."""
    run = project.pytest("other/sekisho.toml")

    assert run.code == 4


def test_an_id_with_the_sign_of_node_ids_can_be_selected(project: Project) -> None:
    """Two colons in an id are written in another way, and ids that become equal get numbers."""
    question = {"question": "Who owns the moon?", "expect_not_found": True}
    project.cases([{"id": "a::b", **question}, {"id": "a:_:b", **question}])

    listed = project.pytest("sekisho.toml", "--collect-only", "-q")
    run = project.pytest("sekisho.toml::policies::a:_:b#2")

    assert listed.out.splitlines()[:2] == ["sekisho.toml::policies::a:_:b", "sekisho.toml::policies::a:_:b#2"]
    assert run.last == "1 passed"


def test_an_id_with_brackets_can_be_selected(project: Project) -> None:
    """They mark parameters elsewhere."""
    project.cases([{"id": name, "question": "moon?", "expect_not_found": True} for name in ("a[1]", "a[2]")])

    run = project.pytest("sekisho.toml::policies::a[2]")

    assert run.last == "1 passed"
