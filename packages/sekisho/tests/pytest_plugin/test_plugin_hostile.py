"""Text of cases, answers and configurations that would steer a terminal or a build server."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

if TYPE_CHECKING:
    from conftest import Project

VISIBLE = "<b>&amp;[red]{0} ::error::x"
"""A text that a case may expect: what cannot be seen is refused there."""
EVIL = "\x1b[2J\x1b]0;owned\x07<b>&amp;\u202e[red]{0}\r\n::error::x"


def test_nothing_of_a_case_steers_the_terminal(project: Project) -> None:
    """Question, reason and texts are shown as escapes; what the target itself prints is its own affair."""
    project.cases(
        [
            {"id": "a<b>&amp;[red]{0}", "question": "holiday " + EVIL, "expect_text": [VISIBLE], "tags": ["<b>[red]"]},
            {"id": "b", "question": "holiday", "expect_text": ["x"], "known_issue": EVIL},
        ]
    )

    run = project.pytest(
        "sekisho.toml", "-v", "-rxf", "--show-capture=no", "--junitxml=out.xml", "--color=no", "-p", "no:cacheprovider"
    )

    assert run.code == 1
    assert "1 xfailed" in run.last
    assert not {"\x1b", "\x07", "\u202e", "\r"}.intersection(run.out)
    assert not any(line.startswith("::error") for line in run.out.splitlines())
    assert ET.parse(project.root / "out.xml").getroot() is not None  # noqa: S314  our own file


def test_a_refused_id_does_not_steer_it_either(project: Project) -> None:
    """The sentence that refuses it shows it."""
    project.cases([{"id": "a" + EVIL, "question": "holiday", "forbid": ["x"]}])

    run = project.pytest("sekisho.toml", "--color=no")

    assert run.code == 2
    assert not {"\x1b", "\x07", "\u202e", "\r"}.intersection(run.out)
    assert not any(line.startswith("::error") for line in run.out.splitlines())


def test_nothing_of_a_suite_name_steers_the_terminal(good: Project) -> None:
    """It is a part of every node id."""
    text = (good.root / "sekisho.toml").read_text(encoding="utf-8")
    good.write("sekisho.toml", text.replace("suite.policies", 'suite."a\\u001b[31m::b"'))

    run = good.pytest("sekisho.toml", "-v", "--color=no")

    assert run.last == "2 passed"
    assert "\x1b" not in run.out
