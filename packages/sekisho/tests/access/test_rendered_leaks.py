"""What a page shows of an answer, when marks stand in the middle of what is hidden."""

from __future__ import annotations

import html
import json
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from sekisho.access import evaluate_access
from sekisho.core.answers import Answer, Document
from sekisho.gate.access import judge_access

from . import permission_targets as targets

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

TERMS = "新卒で入社した者の基本給は月額とし等級に応じて別に定める"
PUBLIC = Document("pub", "expense.md", "経費", ("all",), "経費の申請は翌月の初めまでに済ませてください。")
HIDDEN = Document("hid", "給与規程.md", "給与の定め", ("hr",), TERMS)


class Writes(targets.FilteredSearch):
    """Writes a text into answers of those who may not see the hidden document, or cites it."""

    without = None

    def __init__(self, documents: Sequence[Document], *, text: str = "", source: str = "") -> None:
        super().__init__(documents)
        self._text = text
        self._source = source

    def answer(self, question: str, departments: Sequence[str]) -> Answer:
        """Return what the asker reads."""
        found = super().answer(question, departments)
        if "hr" in departments or not self.ranked(question, self._documents):
            return found
        return Answer(f"{found.text} {self._text}", (*found.sources, *([self._source] if self._source else [])))


def in_fives(text: str, before: str, behind: str = "") -> str:
    """Return a text with signs around each five characters."""
    return "".join(f"{before}{text[place : place + 5]}{behind}" for place in range(0, len(text), 5))


@pytest.mark.parametrize(
    "write",
    [
        lambda text: in_fives(text, "**", "**x").replace("x", ""),
        lambda text: in_fives(text, "<b>", "</b>"),
        lambda text: in_fives(text, '<span class="hit">', "</span>"),
        lambda text: in_fives(text, "", "<br>"),
        lambda text: in_fives(text, "\n> "),
        lambda text: "".join(f"&#{ord(char)};" for char in text),
        lambda text: "".join(f"&#x{ord(char):x};" for char in text),
        quote,
        json.dumps,
    ],
    ids=["emphasis", "tags", "spans", "breaks", "quote", "decimal", "hexadecimal", "address", "json"],
)
def test_marks_inside_of_a_passage_hide_nothing(write: Callable[[str], str]) -> None:
    """Whoever reads the page reads the passage."""
    report = evaluate_access(Writes([PUBLIC, HIDDEN], text=write(TERMS)))

    assert {(leak.stage, leak.kind, leak.document_id) for leak in report.leaks} == {("answered", "passage", "hid")}


@pytest.mark.parametrize(
    "source", [f"https://intra.example/{quote('給与規程.md')}#p2", "給与<wbr>規程.md", "**給与**規程.md"]
)
def test_a_source_names_a_document_in_whatever_form_it_is_written(source: str) -> None:
    """The address of a file with a Japanese name is never written in Japanese."""
    report = evaluate_access(Writes([PUBLIC, HIDDEN], source=source))

    assert {(leak.stage, leak.kind) for leak in report.leaks} == {("cited", "name")}


def test_marks_of_a_visible_document_make_no_leak_of_what_another_says_without_them() -> None:
    """The page of the visible document shows the same words."""
    marked = Document(
        "pub", "expense.md", "経費", ("all",), f"定め: {in_fives(TERMS, '<b>', '</b>')} &amp; 12&nbsp;万円"
    )
    hidden = Document("hid", "memo.md", "給与の定め", ("hr",), f"{TERMS} & 12万円")

    report = evaluate_access(targets.FilteredSearch([marked, hidden]))

    assert (report.leaks, report.errors) == ((), ())


def test_who_answers_everything_with_one_hidden_document_leaks_it() -> None:
    """Nonsense as well: an answer that claims to have found something is no polite phrase."""

    class Dumps(targets.FilteredSearch):
        search = None  # type: ignore[assignment]  # a target without that method
        without = None

        def answer(self, question: str, departments: Sequence[str]) -> Answer:  # noqa: ARG002  that is the fault
            return Answer(TERMS)

    report = evaluate_access(Dumps([PUBLIC, HIDDEN]))

    assert {(leak.stage, leak.kind) for leak in report.leaks} == {("answered", "passage")}
    assert judge_access(report)[0] == "failed"


def test_a_refusal_that_stands_in_a_hidden_document_is_a_phrase() -> None:
    """Guidelines for answers may hold the very words of the refusal."""
    guide = Document("guide", "guide.md", "回答の手引き", ("hr",), targets.REFUSAL + "と答える。")

    report = evaluate_access(targets.FilteredSearch([*targets.DOCUMENTS, guide]))

    assert report.leaks == ()


def test_entities_are_read_once() -> None:
    """What a page shows as an entity is none any more."""
    report = evaluate_access(Writes([PUBLIC, HIDDEN], text=html.escape(html.escape("<給与>"))))

    assert report.leaks == ()
