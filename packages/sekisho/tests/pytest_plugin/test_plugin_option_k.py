"""``-k``: what cases can be selected by."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Project


@pytest.mark.parametrize(
    ("expression", "count"),
    [("leave", 1), ("policies", 3), ("people", 1), ("nightly and not moon", 2), ("given and names", 1)],
)
def test_suite_id_and_tags_are_words(project: Project, expression: str, count: int) -> None:
    """A tag of several words is selected by its words."""
    text = (project.root / "cases.json").read_text(encoding="utf-8")
    project.write("cases.json", text.replace('"people"', '"people", "given names"'))

    run = project.pytest("sekisho.toml", "--collect-only", "-q", "-k", expression)

    assert run.out.count("sekisho.toml::") == count


def test_a_part_of_a_suite_says_that_it_is_one(project: Project) -> None:
    """Numbers over three cases must not be taken for numbers over all."""
    run = project.pytest("sekisho.toml", "-k", "leave or moon")

    assert run.code == 0
    assert "policies: 2 cases: 2 passed" in run.out
    assert "2 of 3 cases ran" in run.out
