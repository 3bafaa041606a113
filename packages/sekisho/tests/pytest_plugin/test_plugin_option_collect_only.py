"""``--collect-only`` and ``--deselect``: nothing runs that should not."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conftest import Project


def test_collecting_makes_no_target(project: Project) -> None:
    """Its module is imported, no more."""
    run = project.pytest("sekisho.toml", "--collect-only")

    assert run.code == 0
    assert project.log() == []
    assert "viewpoint" not in run.out
    assert "cases:" not in run.out


def test_a_deselected_case_is_not_asked(project: Project) -> None:
    """The others are."""
    run = project.pytest("sekisho.toml", "--deselect", "sekisho.toml::policies::plan")

    assert run.last == "2 passed, 1 deselected"
    assert project.log() == ["open", "ask", "ask", "close"]
