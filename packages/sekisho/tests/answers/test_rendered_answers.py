"""Cases compare what a reader of the answer sees, with or without the marks that it is written with."""

from __future__ import annotations

import datetime as dt
import time
from typing import Any
from urllib.parse import quote

import pytest

from sekisho import Answer, AnswerCase, Context
from sekisho.answers import evaluate_answers
from sekisho.calling.rendered import readings, rendered

TODAY = dt.date(2026, 4, 1)


def codes(answer: Answer, *, exact: bool = False, **expectations: Any) -> list[str]:  # noqa: ANN401  any key of a case
    """Return the failures of one case on one answer."""
    case = AnswerCase(id="c", question="q", **expectations)
    report = evaluate_answers([case], lambda _question, _departments: answer, today=TODAY, exact=exact)
    return [failure.code for failure in report.cases[0].failures]


@pytest.mark.parametrize(
    "text",
    [
        "**20**万円です", "`20`万円です", "~~20~~万円です", "<b>20</b>万円です", "20<wbr>万円です",
        "&#50;&#48;万円です", "20&nbsp;万円です", "20&#19975;円です", "20\\u4e07\\u5186です", "\\20万円です",
        "> 20\n> 万円です", quote("20万円"),
    ],
)  # fmt: skip
def test_marks_hide_neither_what_is_expected_nor_what_is_forbidden(text: str) -> None:
    """In the answer, in what the model was given, and in the sources."""
    assert codes(Answer(text), expect_text=("20万円",)) == []
    assert codes(Answer(text), forbid=("20万円",)) == ["forbidden_text"]
    assert codes(Answer("はい", (text,)), forbid=("20万円",), expect_source=("20万円",)) == ["forbidden_text"]
    assert codes(Answer("はい", contexts=(Context("d", text),)), forbid=("20万円",)) == ["forbidden_text"]


@pytest.mark.parametrize(
    "text",
    ["2*3*4万円", "2 * 10 * 4万円", "salary_grade_2", "20% offered", "x < 20 > y", "C:\\temp", "%ff%fe", "R&D; x"],
)
def test_signs_that_are_no_marks_stay(text: str) -> None:
    """Multiplication, names of files, comparisons, percentages."""
    assert readings(text) == (text,)


def test_the_text_itself_counts_as_well() -> None:
    """A case may expect the marks."""
    assert codes(Answer("`<b>` と **R&amp;D**"), expect_text=("<b>", "R&amp;D")) == []


def test_exact_comparison_takes_nothing_away() -> None:
    """Character by character."""
    assert codes(Answer("**20**万円"), exact=True, expect_text=("20万円",)) == ["missing_text"]


@pytest.mark.parametrize(
    "piece", ["*", "**a", "_", "`", "~", "<", "<a ", "</", "<!--", "%41", "&#", "&#x41", "\\", "\\u0041", "> ", " *a"]
)
def test_marks_without_end_are_read_in_linear_time(piece: str) -> None:
    """A million characters of them take no more than two seconds."""
    begins = time.process_time()
    rendered(piece * (1_000_000 // len(piece)))

    assert time.process_time() - begins < 2


def test_documents_that_hang_are_given_up_as_answers_are() -> None:
    """They are wanted for warnings alone, and must not hold the run for ever."""

    class Hangs:
        def answer(self, _question: str, _departments: list[str]) -> Answer:
            return Answer("はい")

        def documents(self) -> list[object]:
            time.sleep(30)
            return []

    case = AnswerCase(id="c", question="q", forbid=("20万円",))
    begins = time.perf_counter()
    report = evaluate_answers([case], Hangs(), today=TODAY, timeout_s=0.2)

    assert time.perf_counter() - begins < 10
    assert [warning.code for warning in report.warnings] == ["answers.documents_unknown"]
    assert report.cases[0].status == "ok"


def test_a_flag_of_another_library_is_named_by_its_library() -> None:
    """``bool`` where true or false is wanted would say nothing."""
    np = pytest.importorskip("numpy")
    case = AnswerCase(id="c", question="q", expect_not_found=True)
    answer = {"text": "", "sources": [], "found": np.False_, "contexts": []}
    report = evaluate_answers([case], lambda _question, _departments: answer, today=TODAY)

    assert "numpy.bool" in str(report.cases[0].failures[0].reason)


def test_a_forbidden_text_of_signs_alone_is_warned_about() -> None:
    """It is never found, so that forbidding it protects nothing; compared exactly, it is."""
    case = AnswerCase(id="c", question="q", forbid=("★★", "x"))
    reports = [
        evaluate_answers([case], lambda _question, _departments: Answer("評価は★★です"), today=TODAY, exact=exact)
        for exact in (False, True)
    ]

    assert [[warning.code for warning in report.warnings] for report in reports] == [["answers.forbid_signs"], []]
    assert [report.cases[0].status for report in reports] == ["ok", "ng"]
