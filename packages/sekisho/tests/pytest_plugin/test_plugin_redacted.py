"""A redacted suite: no text of questions, answers or documents in any output."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conftest import Project


def test_no_text_is_shown_anywhere(project: Project) -> None:
    """Neither in failures and errors, nor in what the target printed, nor in the file for build servers."""
    text = (project.root / "sekisho.toml").read_text(encoding="utf-8")
    project.write("sekisho.toml", text + "redact = true\n")
    project.cases(
        [
            {"id": "one", "question": "How long is the holiday?", "expect_text": ["30 days"]},
            {"id": "two", "question": "What is the plan?", "forbid": ["merger"]},
            {"id": "three", "question": "crash", "forbid": ["x"]},
        ]
    )

    run = project.pytest("sekisho.toml", "--junitxml=out.xml", "-rA", "-v")

    assert run.last == "2 failed, 1 error"
    assert "policies: 3 cases: 0 passed / 0 known / 2 new failures / 1 not measured" in run.out
    assert "answers what it should 0/1" in run.out
    both = run.out + (project.root / "out.xml").read_text(encoding="utf-8")
    assert [word for word in ("holiday", "days", "plan", "merger", "no connection", "asked") if word in both] == []


def test_an_error_at_the_end_tells_nothing_either(good: Project) -> None:
    """What a target says while it is closed may quote as well."""
    good.write(
        "closing.py",
        "from contextlib import contextmanager\nfrom desk import Desk\n\n@contextmanager\ndef make():\n"
        "    yield Desk()\n    raise RuntimeError('merger')\n",
    )
    text = (good.root / "sekisho.toml").read_text(encoding="utf-8").replace("desk:opened", "closing:make")
    good.write("sekisho.toml", text + "redact = true\n")

    run = good.pytest("sekisho.toml")

    assert run.last == "2 passed, 1 error"
    assert "merger" not in run.out
