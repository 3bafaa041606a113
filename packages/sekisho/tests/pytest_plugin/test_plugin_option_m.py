"""``-m``: tags of cases and suites as markers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Project


@pytest.mark.parametrize(
    ("expression", "count"),
    [("people", 1), ("nightly", 3), ("not people", 2), ("hr-only", 1), ("人事", 1), ("sekisho", 3)],
)
def test_tags_are_markers(project: Project, expression: str, count: int) -> None:
    """Registered while they are collected, so that strict markers do not mind."""
    text = (project.root / "cases.json").read_text(encoding="utf-8")
    project.write("cases.json", text.replace('"people"', '"people", "hr-only", "人事"'))

    run = project.pytest("sekisho.toml", "--strict-markers", "--collect-only", "-q", "-m", expression)

    assert run.out.count("sekisho.toml::") == count


def test_no_tag_changes_how_a_case_runs(good: Project) -> None:
    """A tag named like a marker that does something, or that no expression can name, is selected with ``-k``."""
    tags = ["skip", "xfail", "parametrize", "usefixtures", "_own", "two words", "a:b", "not", "a(b)", "parametrise"]
    text = (good.root / "cases.json").read_text(encoding="utf-8")
    good.write("cases.json", text.replace('["people"]', json.dumps(tags)))

    run = good.pytest("sekisho.toml", "--strict-markers")
    selected = good.pytest("sekisho.toml", "-k", "skip and xfail")

    assert run.last == "2 passed"
    assert selected.last == "1 passed, 1 deselected"


def test_a_marker_of_the_project_stays_what_it_is(good: Project) -> None:
    """A tag that the project has registered is that marker."""
    good.write("pytest.ini", "[pytest]\nmarkers = people: about people\n")

    run = good.pytest("sekisho.toml", "--strict-markers", "-m", "people")

    assert run.last == "1 passed, 1 deselected"


def test_the_marker_of_all_items_is_listed(project: Project) -> None:
    """So that ``-m "not sekisho"`` can be found."""
    run = project.pytest("--markers")

    assert "@pytest.mark.sekisho:" in run.out
