"""What an answer lacks or must not hold, and what that means beside a known issue."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

import pytest

from sekisho import Answer, AnswerCase, Context, Document, KnownIssue, has_regression, run_all, run_case
from sekisho.answers import evaluate_answers
from sekisho.core.errors import RetrievalError, TargetError

if TYPE_CHECKING:
    from collections.abc import Callable

    from sekisho.answers import CaseResult

TODAY = dt.date(2026, 4, 1)
FOUND = Answer(
    "午前休は12時で終わります。[1]",
    ("vacation.md",),
    found=True,
    contexts=(Context("7", "午前休は12時で終わり、13時から"),),
)
NOTHING = Answer("見つかりませんでした。", (), found=False)


def case(**expectations: Any) -> AnswerCase:  # noqa: ANN401  any key of a case
    """Return a case with some expectations."""
    return AnswerCase(id="c", question="q", **expectations)


def judged(given: AnswerCase, answer: Answer, **options: Any) -> CaseResult:  # noqa: ANN401  any option
    """Return a case, judged on an answer."""
    report = evaluate_answers([given], lambda _question, _departments: answer, today=TODAY, **options)
    return report.cases[0]


def codes(result: CaseResult) -> list[str]:
    """Return the codes of what failed."""
    return [failure.code for failure in result.failures]


@pytest.mark.parametrize(
    ("expectations", "answer", "expected"),
    [
        ({"expect_source": ("vacation.md",), "expect_text": ("１２時",)}, FOUND, []),
        ({"expect_source": ("expense.md",)}, FOUND, ["missing_source"]),
        ({"expect_source": ("vacation.md", "expense.md", "faq.md")}, FOUND, ["missing_source", "missing_source"]),
        ({"expect_text": ("13時", "12時", "14時")}, FOUND, ["missing_text", "missing_text"]),
        ({"expect_text": ("12時",)}, NOTHING, ["not_found"]),
        ({"expect_source": ("vacation.md",)}, NOTHING, ["not_found"]),
        ({"expect_not_found": True}, NOTHING, []),
        ({"expect_not_found": True}, FOUND, ["found_unexpectedly"]),
        ({"forbid": ("20万円",)}, NOTHING, []),
        ({"forbid": ("20万円",)}, FOUND, []),
        ({"forbid": ("13時", "20万円", "十二時")}, FOUND, ["forbidden_text", "forbidden_text"]),
        ({"expect_not_found": True, "forbid": ("vacation",)}, FOUND, ["found_unexpectedly", "forbidden_text"]),
    ],
)
def test_each_key_fails_with_its_own_code(expectations: dict[str, Any], answer: Answer, expected: list[str]) -> None:
    """Everything that fails is listed, one for each text; a case with only forbidden texts passes found or not."""
    assert codes(judged(case(**expectations), answer)) == expected


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("13時", ("context",)),
        ("12時", ("context", "answer")),
        ("vacation.md", ("source",)),
        ("終わります", ("answer",)),
    ],
)
def test_a_forbidden_text_is_looked_for_everywhere(text: str, where: tuple[str, ...]) -> None:
    """In what the model was given, in the answer, and in the sources."""
    failure = judged(case(forbid=(text,)), FOUND).failures[0]

    assert (failure.where, failure.text) == (where, text)


def test_a_forbidden_text_is_shown_as_it_was_written() -> None:
    """A reader can find it in the answer."""
    answer = Answer("月給は２０ 万円です", (), found=True)

    failure = judged(case(forbid=("20万円",)), answer).failures[0]

    assert "２０ 万円" in failure.reason.render("ja")
    assert "20万円" in failure.reason.render("en")


def test_exact_matching_folds_nothing() -> None:
    """Only the very same characters count."""
    assert codes(judged(case(expect_text=("１２時",)), FOUND, exact=True)) == ["missing_text"]
    assert codes(judged(case(expect_text=("12時",)), FOUND, exact=True)) == []


ISSUE = KnownIssue(reason="known since spring")


@pytest.mark.parametrize(
    ("issue", "expectations", "status"),
    [
        (None, {"expect_text": ("14時",)}, "ng"),
        (None, {"expect_text": ("12時",)}, "ok"),
        (ISSUE, {"expect_text": ("14時",)}, "known"),
        (ISSUE, {"expect_text": ("12時",)}, "fixed"),
        (ISSUE, {"expect_text": ("14時",), "forbid": ("13時",)}, "ng"),
        (KnownIssue(reason="r", failures=("missing_text",)), {"expect_text": ("14時",)}, "known"),
        (KnownIssue(reason="r", failures=("missing_source",)), {"expect_text": ("14時",)}, "ng"),
        (KnownIssue(reason="r", until=TODAY), {"expect_text": ("14時",)}, "known"),
        (KnownIssue(reason="r", until=TODAY - dt.timedelta(1)), {"expect_text": ("14時",)}, "ng"),
        (KnownIssue(reason="r", until=TODAY - dt.timedelta(1)), {"expect_text": ("12時",)}, "fixed"),
        (KnownIssue(reason="r", suites=("here",)), {"expect_text": ("14時",)}, "known"),
        (KnownIssue(reason="r", suites=("there",)), {"expect_text": ("14時",)}, "ng"),
        (KnownIssue(reason="r", suites=("there",)), {"expect_text": ("12時",)}, "ok"),
        (KnownIssue(reason="r", failures=("forbidden_text",)), {"forbid": ("13時",)}, "ng"),
    ],
)
def test_a_known_issue_excuses_what_it_names_and_nothing_else(
    issue: KnownIssue | None, expectations: dict[str, Any], status: str
) -> None:
    """Never a forbidden text, not after its last day, not in another suite."""
    result = judged(case(known_issue=issue, **expectations), FOUND, suite="here")

    assert result.status == status
    assert result.passed is (status in {"ok", "fixed"})


def test_an_error_is_excused_by_nothing() -> None:
    """A crash is not a known wrong answer."""

    def crash(_question: str, _departments: list[str]) -> Answer:
        raise OSError

    given = case(expect_text=("x",), known_issue=KnownIssue(reason="r", failures=("error",)))  # type: ignore[arg-type]

    result = run_case(given, crash)

    assert (result.status, codes(result), result.answer) == ("ng", ["error"], None)
    assert has_regression([result])


@pytest.mark.parametrize(
    "returned",
    [
        None, "text", 7, {}, {"text": "a"}, {"text": "a", "sources": [], "contexts": []},
        {"text": None, "sources": [], "found": True, "contexts": []},
        {"text": "a", "sources": "vacation.md", "found": True, "contexts": []},
        {"text": "a", "sources": [1], "found": True, "contexts": []},
        {"text": "a", "sources": [], "found": 1, "contexts": []},
        {"text": "a", "sources": [], "found": True, "contexts": [{"document_id": "7"}]},
        {"text": "a", "sources": [], "found": True, "contexts": [{"document_id": None, "text": "t"}]},
    ],
)  # fmt: skip
def test_half_an_answer_is_an_error(returned: object) -> None:
    """What was left out is never taken for a default."""
    result = run_case(case(forbid=("20万円",)), lambda _question, _departments: returned)

    assert codes(result) == ["error"]
    assert result.error is not None
    assert result.error.kind == "wrong_type"
    assert result.error.reason.render("ja")


def test_a_target_that_hangs_costs_its_own_case_only() -> None:
    """The rest runs, and the process can end."""
    import threading  # noqa: PLC0415  for this test alone

    def answer(question: str, _departments: list[str]) -> Answer:
        if question == "hang":
            threading.Event().wait()
        return FOUND

    cases = [AnswerCase(id=q, question=q, expect_text=("12時",)) for q in ("one", "hang", "two")]

    results = run_all(cases, answer, timeout_s=0.2)

    assert [result.status for result in results] == ["ok", "ng", "ok"]
    assert results[1].error is not None
    assert results[1].error.kind == "timeout"


def test_the_target_gets_the_departments_in_one_form() -> None:
    """Sorted, each once, with everyone's."""
    asked = []

    class Target:
        def answer(self, question: str, departments: list[str]) -> Answer:
            asked.append((question, departments))
            return FOUND

    run_case(case(departments=("sales", "hr", "sales"), expect_text=("12時",)), Target())
    run_case(case(expect_text=("12時",)), Target())

    assert asked == [("q", ["all", "hr", "sales"]), ("q", ["all"])]


class AsyncTarget:
    """Answers from an event loop."""

    async def answer(self, _question: str, _departments: list[str]) -> Answer:
        """Return the one answer."""
        return FOUND


@pytest.mark.parametrize("make", [AsyncTarget, lambda: AsyncTarget().answer])
def test_an_async_target_is_awaited(make: Callable[[], object]) -> None:
    """As a method or as a function."""
    assert run_case(case(expect_text=("12時",)), make()).status == "ok"


def test_nothing_to_run_is_refused() -> None:
    """Nothing measured is never a pass."""
    assert has_regression([])
    with pytest.raises(RetrievalError, match="no case"):
        run_all([], lambda _question, _departments: FOUND)
    with pytest.raises(RetrievalError, match="twice"):
        run_all([case(forbid=("x",)), case(forbid=("y",))], lambda _question, _departments: FOUND)
    with pytest.raises(TargetError, match="`answer`"):
        run_all([case(forbid=("x",))], object())


class Library:
    """A target that lists its documents."""

    def answer(self, _question: str, _departments: list[str]) -> Answer:
        """Return the one answer."""
        return FOUND

    def documents(self) -> list[Document]:
        """Return two documents."""
        return [
            Document("1", "salary-grade.md", "給与等級表", ("hr",), "月給は20万円から"),
            Document("2", "trip.pdf", "旅費", ("all",), "宿泊費", 3),
        ]


def test_a_text_that_stands_in_no_document_is_warned_about() -> None:
    """A mistyped forbidden text protects nothing, and a source that no document has can never be cited."""
    cases = [
        AnswerCase(id="right", question="q", forbid=("２０万円", "salary-grade", "給与等級表")),
        AnswerCase(id="page", question="q", expect_source=("trip.pdf p.3",)),
        AnswerCase(id="typo", question="q", forbid=("２１万円",), expect_source=("salary-grade.mb", "trip.pdf p.4")),
    ]

    warnings = evaluate_answers(cases, Library(), today=TODAY).warnings

    assert [warning.code for warning in warnings] == [
        "answers.forbid_nowhere", "answers.source_nowhere_meant", "answers.source_nowhere_meant",
    ]  # fmt: skip
    assert "typo" in str(warnings[0])
    assert "salary-grade.md" in str(warnings[1])


def test_a_department_that_no_document_has_is_warned_about() -> None:
    """Whoever asks with it sees only what everyone may, so that a case which forbids something passes for anyone."""
    cases = [
        AnswerCase(id="right", question="q", departments=("hr", "all"), forbid=("20万円",)),
        AnswerCase(id="typo", question="q", departments=("hrr",), forbid=("20万円",)),
        AnswerCase(id="two", question="q", departments=("hr、sales",), forbid=("20万円",)),
    ]

    warnings = evaluate_answers(cases, Library(), today=TODAY).warnings

    assert [(each.values["id"], each.values["meant"]) for each in warnings] == [("typo", "hr"), ("two", "hr | sales")]


def test_documents_that_cannot_be_listed_are_a_warning() -> None:
    """Nobody checked the texts, and the report says so."""

    class Broken(Library):
        def documents(self) -> list[Document]:
            raise OSError

    report = evaluate_answers([case(forbid=("x",))], Broken(), today=TODAY)

    assert [warning.code for warning in report.warnings] == ["answers.documents_unknown"]
    assert report.cases[0].status == "ok"
