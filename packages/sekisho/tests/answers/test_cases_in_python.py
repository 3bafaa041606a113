"""Cases made in Python, which no reader of files has checked."""

from __future__ import annotations

from typing import Any

import pytest

from sekisho import Answer, AnswerCase, has_regression, run_all
from sekisho.core.errors import RetrievalError

CASE = AnswerCase(id="c", question="q", expect_text=("x",))


def says_x(_question: str, _departments: list[str]) -> Answer:
    """Answer every question alike."""
    return Answer("x")


@pytest.mark.parametrize(
    ("cases", "code"),
    [
        ([], "answers.no_cases"),
        ([CASE, CASE], "answers.repeated_case"),
        ([{"id": "c"}], "answers.not_a_case"),
        ([AnswerCase(id="c", question="q")], "answers.no_expectation"),
        ([AnswerCase(id="c", question="q", expect_text="翌月7日")], "answers.text_for_list"),  # type: ignore[arg-type]  that is the mistake
        ([AnswerCase(id="c", question="q", forbid=("x",), departments="hr")], "answers.text_for_list"),  # type: ignore[arg-type]  as above
    ],
)
def test_a_case_that_could_not_fail_is_refused(cases: Any, code: str) -> None:  # noqa: ANN401  of the wrong type, too
    """Or whose letters would be taken for texts: each of 翌月7日 stands in many an answer."""
    with pytest.raises(RetrievalError) as caught:
        run_all(cases, says_x)

    assert caught.value.code == code


@pytest.mark.parametrize("options", [{"concurrency": 0}, {"concurrency": 1.5}, {"timeout_s": 0}, {"timeout_s": "1"}])
def test_options_out_of_range_are_refused(options: dict[str, Any]) -> None:
    """No thread at all would be waited for without end."""
    with pytest.raises(RetrievalError):
        run_all([CASE], says_x, **options)


def test_cases_may_come_one_by_one() -> None:
    """From a generator, too."""
    assert [result.status for result in run_all((each for each in [CASE]), says_x)] == ["ok"]  # type: ignore[arg-type]  any iterable will do


def test_no_result_is_a_regression_however_it_comes() -> None:
    """A generator that gives nothing is true in Python."""
    assert has_regression(each for each in ())
    assert not has_regression(each for each in run_all([CASE], says_x))
