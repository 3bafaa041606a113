"""``--tb``, ``-q`` and ``-v``: how much is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Project


def test_without_texts_the_summary_stays(half_good: Project) -> None:
    """``--tb=no`` leaves the short summary and the section."""
    run = half_good.pytest("sekisho.toml", "--tb=no", "-q")

    assert "FAIL wrong" not in run.out
    assert 'FAILED sekisho.toml::policies::wrong - The answer does not say "30 days".' in run.out
    assert "policies: 2 cases: 1 passed / 0 known / 1 new failures" in run.out


def test_one_line_a_failure(half_good: Project) -> None:
    """``--tb=line`` names file, line and the first sentence."""
    run = half_good.pytest("sekisho.toml", "--tb=line")

    assert 'cases.json:3: The answer does not say "30 days".' in run.out


@pytest.mark.parametrize("style", ["short", "native"])
def test_every_style_shows_the_sentences_alone(half_good: Project, style: str) -> None:
    """There is no traceback to choose."""
    run = half_good.pytest("sekisho.toml", f"--tb={style}")

    assert "Traceback" not in run.out
    assert '- The answer does not say "30 days".' in run.out
    assert "outcomes" not in run.out


def test_each_case_has_a_line_where_asked_for(half_good: Project) -> None:
    """``-v``."""
    run = half_good.pytest("sekisho.toml", "-v")

    assert "sekisho.toml::policies::leave PASSED" in run.out.replace(" <- cases.json", "")


def test_hardly_anything_where_asked_for(half_good: Project) -> None:
    """``-qq`` leaves the section out."""
    run = half_good.pytest("sekisho.toml", "-qq")

    assert "policies: 2 cases" not in run.out
