"""``--sekisho [SUITE]``: which suites run, and what else does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Project

THREE = "".join(
    f"""
[suite.{name}]
kind = "answers"
target = "desk:desk"
cases = "cases.json"
manual = {manual}
"""
    for name, manual in (("first", "false"), ("second", "false"), ("third", "true"))
)


def test_alone_it_runs_the_gate_and_nothing_else(good: Project, plain_test: Callable[[str], None]) -> None:
    """Neither the folder nor ``testpaths`` of the settings bring tests in."""
    plain_test("tests/test_own.py")
    good.write("pytest.ini", "[pytest]\ntestpaths = tests\n")

    run = good.pytest("--sekisho", "-v")

    assert run.last == "2 passed"
    assert "test_own" not in run.out


def test_with_paths_it_runs_both(good: Project, plain_test: Callable[[str], None]) -> None:
    """Paths that somebody wrote stay."""
    plain_test("tests/test_own.py")

    run = good.pytest("tests", "--sekisho")

    assert run.last == "3 passed"


def test_the_configuration_is_found_upward(good: Project) -> None:
    """As the command finds it."""
    (good.root / "deep" / "er").mkdir(parents=True)

    run = good.pytest("--sekisho", folder="deep/er")

    assert run.last == "2 passed"


def test_a_named_configuration_is_not_found_again(good: Project) -> None:
    """The option then adds nothing."""
    good.write("deep/sekisho.toml", THREE.replace('"cases.json"', '"../cases.json"'))

    run = good.pytest("deep/sekisho.toml", "--sekisho", "--collect-only", "-q")

    assert "deep/sekisho.toml::first::leave" in run.out
    assert "policies" not in run.out


@pytest.mark.parametrize(
    ("words", "suites"),
    [
        (("--sekisho",), ["first", "second"]),
        (("--sekisho", "second"), ["second"]),
        (("--sekisho=third",), ["third"]),
        (("--sekisho", "first,third"), ["first", "third"]),
        (("--sekisho", "third", "--sekisho", "first"), ["first", "third"]),
    ],
)
def test_names_choose_suites(good: Project, words: tuple[str, ...], suites: list[str]) -> None:
    """One, several with commas, or the option several times; manual ones run when named."""
    good.write("sekisho.toml", THREE)

    run = good.pytest(*words, "--collect-only", "-q")

    ids = [line for line in run.out.splitlines() if "::" in line]
    assert ids == [f"sekisho.toml::{suite}::{case}" for suite in suites for case in ("leave", "moon")]


def test_an_unknown_suite_is_a_usage_error(project: Project) -> None:
    """With the one that was probably meant."""
    run = project.pytest("--sekisho", "polices")

    assert run.code == 4
    assert "There is no suite 'polices'. Did you mean 'policies'?" in run.out


def test_a_path_taken_for_a_suite_says_where_to_write_it(project: Project, plain_test: Callable[[str], None]) -> None:
    """``--sekisho tests`` is an easy slip."""
    plain_test("tests/test_own.py")

    run = project.pytest("--sekisho", "tests")

    assert run.code == 4
    assert "Write paths before --sekisho" in run.out


def test_no_configuration_is_a_usage_error(project: Project) -> None:
    """There is nothing to run."""
    (project.root / "sekisho.toml").unlink()

    run = project.pytest("--sekisho")

    assert run.code == 4
    assert "There is no sekisho.toml in" in run.out


def test_nothing_selected_is_never_success(project: Project) -> None:
    """Pytest's own code for a run without tests."""
    run = project.pytest("--sekisho", "-k", "nothing-of-that-name")

    assert run.code == 5
    assert project.log() == []
