"""``-x`` and ``--maxfail``: stopping early."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conftest import Project

WRONG = {"question": "How long is the holiday?", "expect_text": ["30 days"]}


def test_the_first_failure_ends_the_run_and_closes_the_target(project: Project) -> None:
    """The cases that are left are not asked."""
    project.cases([{"id": name, **WRONG} for name in ("one", "two", "three")])

    run = project.pytest("sekisho.toml", "-x")

    assert run.last.startswith("1 failed") or "stopping after 1 failures" in run.out
    assert project.log() == ["open", "ask", "close"]
    assert "1 of 3 cases ran" in run.out


def test_as_many_failures_as_allowed(project: Project) -> None:
    """``--maxfail`` counts cases."""
    project.cases([{"id": name, **WRONG} for name in ("one", "two", "three")])

    project.pytest("sekisho.toml", "--maxfail=2")

    assert project.log() == ["open", "ask", "ask", "close"]
