"""``--lf`` and ``--ff``: the cases that failed last."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conftest import Project


def test_only_the_failed_case_runs_again(half_good: Project) -> None:
    """Whatever else the suite holds."""
    half_good.pytest("sekisho.toml")

    run = half_good.pytest("sekisho.toml", "--lf")

    assert run.last == "1 failed, 1 deselected"
    assert "1 of 2 cases ran" in run.out


def test_the_failed_case_runs_first_on_one_target(half_good: Project) -> None:
    """Another order opens the target once all the same."""
    half_good.pytest("sekisho.toml")
    half_good.write("log.txt", "")

    run = half_good.pytest("sekisho.toml", "--ff", "-v")

    assert run.out.index("policies::wrong FAILED") < run.out.index("policies::leave PASSED")
    assert half_good.log() == ["open", "ask", "ask", "close"]


def test_a_case_without_a_measurement_runs_again(project: Project) -> None:
    """An error counts as failed."""
    project.cases([{"id": "a", "question": "crash", "forbid": ["x"]}, {"id": "b", "question": "b", "forbid": ["x"]}])
    project.pytest("sekisho.toml")

    run = project.pytest("sekisho.toml", "--lf")

    assert run.last == "1 deselected, 1 error"
