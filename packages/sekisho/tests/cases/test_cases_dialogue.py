"""The dialogue in which a colleague writes a case."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest

from sekisho.adapters.case_files.adding import open_for_adding
from sekisho.calling import CaseError, Outcome
from sekisho.cli.cases_dialogue import Dialogue
from sekisho.core.answers import Answer, AnswerCase
from sekisho.core.errors import ConfigurationError
from sekisho.core.messages import note

if TYPE_CHECKING:
    from pathlib import Path

    from sekisho.cli.cases_add import Ask


def held(path: Path, *lines: str, ask: Ask | None = None) -> tuple[AnswerCase, str]:
    """Return the case that came of these answers, and all that was written meanwhile."""
    shown = io.StringIO()
    reads = io.StringIO("".join(line + "\n" for line in lines))
    case = Dialogue(open_for_adding(path), "en", reads, shown, ask=ask).case()
    return case, shown.getvalue()


def test_a_case_comes_of_the_answers(tmp_path: Path) -> None:
    """Every key is asked for; empty lines end lists."""
    case, shown = held(
        tmp_path / "c.json",
        "How much?", "sales、 hr", "", "travel.pdf p.2", "", "2,500", "day", "", "secret", "", "travel, daily", "", "y",
    )  # fmt: skip

    assert case == AnswerCase(
        id="how-much", question="How much?", departments=("sales", "hr"), expect_source=("travel.pdf p.2",),
        expect_text=("2,500", "day"), forbid=("secret",), tags=("travel", "daily"),
    )  # fmt: skip
    assert '"expect_text": ["2,500", "day"]' in shown


def test_a_question_that_must_find_nothing_asks_for_no_source(tmp_path: Path) -> None:
    """Both would contradict each other."""
    case, shown = held(tmp_path / "c.json", "Weather?", "", "y", "", "", "own id", "")

    assert case == AnswerCase(id="own id", question="Weather?", expect_not_found=True)
    assert "Expected source" not in shown


def test_a_wrong_answer_is_asked_for_again(tmp_path: Path) -> None:
    """At once, with a sentence that says why."""
    path = tmp_path / "c.json"
    path.write_text('[{"id": "a", "question": "Q?", "forbid": "x"}]', encoding="utf-8")

    case, shown = held(
        path,
        "", " ", "Q?", "", "maybe", "n", "", "", "",  # no question twice, no yes or no, no expectation
        "n", "\u200b", "s", "", "", "", "",  # a source of nothing visible
        "a", "a\tb", "b", "",  # an id that is taken, and one with a control character
    )  # fmt: skip

    assert case == AnswerCase(id="b", question="Q?", expect_source=("s",))
    for sentence in ("empty text", "answer y or n", "expects nothing", "is taken", "control characters"):
        assert sentence in shown


def test_the_answer_of_today_is_shown_before_the_expectations(tmp_path: Path) -> None:
    """It is asked with the departments, and cannot steer the terminal."""
    asked = []

    def ask(question: str, departments: tuple[str, ...]) -> Outcome[Answer]:
        asked.append((question, departments))
        answer = Answer(text="Sorry.\n2,500\x1b[2J", sources=("a.pdf p.1", "b.md"), found=False)
        return Outcome(answer, None, 0.0)

    _, shown = held(tmp_path / "c.json", "Q?", "hr", "y", "", "", "", "", ask=ask)

    assert asked == [("Q?", ("hr",))]
    assert "\n  Sorry.\n  2,500\\x1b[2J\n" in shown
    assert "cites: a.pdf p.1, b.md" in shown
    assert "found nothing" in shown
    assert "\x1b" not in shown


def test_a_system_that_gives_no_answer_says_why(tmp_path: Path) -> None:
    """The case can still be written."""

    def ask(_question: str, _departments: tuple[str, ...]) -> Outcome[Answer]:
        return Outcome(None, CaseError(kind="raised", reason=note("calling.raised", text="OSError: down")), 0.0)

    case, shown = held(tmp_path / "c.json", "Q?", "", "y", "", "", "", "", ask=ask)

    assert case.expect_not_found
    assert "no answer now: OSError: down" in shown


@pytest.mark.parametrize("count", range(8))
def test_input_that_ends_early_gives_no_case(tmp_path: Path, count: int) -> None:
    """Wherever it ends."""
    lines = ["Q?", "", "y", "", "", "", ""][:count]

    if count == len(lines) == 7:
        assert held(tmp_path / "c.json", *lines)[0].id == "q"
        return
    with pytest.raises(ConfigurationError) as caught:
        held(tmp_path / "c.json", *lines)

    assert caught.value.code == "cases.add_ended"


def test_a_case_that_is_declined_is_none(tmp_path: Path) -> None:
    """The last question is whether to write."""
    with pytest.raises(ConfigurationError) as caught:
        held(tmp_path / "c.json", "Q?", "", "y", "", "", "", "n")

    assert caught.value.code == "cases.add_declined"
