"""A suite of answer cases in the report of a check: what a reviewer of a red run needs, and nothing said twice."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest

from sekisho import Answer, AnswerCase, KnownIssue, run_all
from sekisho.answers import AnswersReport
from sekisho.core.errors import Location
from sekisho.gate import AccessSuiteResult, AnswersSuiteResult, RunResult
from sekisho.gate.answers import AnswersRule, judge_answers
from sekisho.reports.answers_section import place
from sekisho.reports.check_report import write_run
from sekisho.reports.verdict import verdict_of, verdict_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from sekisho.core.messages import Language

HERE = Location(str(Path.cwd() / "eval/cases.json"), 34)
CASES = [
    AnswerCase(id="late", question="until when?", expect_text=("14時",), where=HERE),
    AnswerCase(id="salary", question="月給は？", forbid=("20万円",), where=HERE, known_issue=KnownIssue(reason="r")),
    AnswerCase(id="fine", question="何時？", expect_text=("12時",), where=HERE),
    AnswerCase(id="down-1", question="down", expect_text=("12時",), where=HERE),
    AnswerCase(id="down-2", question="down", forbid=("x",), where=HERE),
]


def answer(question: str, _departments: list[str]) -> Answer:
    """Leak the salary, and be down twice."""
    if question == "down":
        message = "no route"
        raise ConnectionError(message)
    return Answer("20万円\nです" if "月給" in question else "12時です", ("a.md",), found=True, contexts=())


def suite(*ids: str, redact: bool = False) -> AnswersSuiteResult:
    """Return a suite of the named cases, all where none is named."""
    report = AnswersReport(cases=run_all([case for case in CASES if not ids or case.id in ids], answer))
    verdict, gate = judge_answers(report, AnswersRule())
    return AnswersSuiteResult(
        name="policies", target="app:make", verdict=verdict, gate=gate, report=report, cases_name="cases.json",
        fingerprints={}, redact=redact,
    )  # fmt: skip


def shown(
    found: AnswersSuiteResult, written: Callable[..., str], make_run: Callable[..., RunResult], **more: str
) -> str:
    """Return the report of a run with this suite alone."""
    return written(write_run, make_run(found), **more)


def test_a_new_failure_shows_its_answer_and_its_place(
    written: Callable[..., str], make_run: Callable[..., RunResult]
) -> None:
    """On one line each, below the failures; a case that holds shows neither."""
    lines = [line.strip() for line in shown(suite("late", "fine"), written, make_run).splitlines()]

    start = lines.index("FAIL late: until when?")
    assert lines[start + 1 : start + 5] == [
        '- The answer does not say "14時".', "got: 12時です", "eval/cases.json:34", "OK   fine: 何時？",
    ]  # fmt: skip


def test_a_redacted_suite_shows_the_place_alone(
    written: Callable[..., str], make_run: Callable[..., RunResult]
) -> None:
    """No answer; a line in a file is no text of it."""
    text = shown(suite("late", redact=True), written, make_run)

    assert "got:" not in text
    assert "eval/cases.json:34" in text


@pytest.mark.parametrize("columns", ["40", "80"])
def test_an_endless_answer_takes_one_line(
    written: Callable[..., str], make_run: Callable[..., RunResult], columns: str
) -> None:
    """Cut to the width, wide characters counted double."""
    found = suite("late")
    case = msgspec.structs.replace(found.report.cases[0], answer=Answer("長い回答" * 500, (), found=True))
    found = msgspec.structs.replace(found, report=AnswersReport(cases=(case,)))

    lines = [line for line in shown(found, written, make_run, COLUMNS=columns).splitlines() if "長い" in line]

    assert len(lines) == 1
    assert lines[0].endswith("…")


def test_cases_with_one_reason_share_its_sentence(
    written: Callable[..., str], make_run: Callable[..., RunResult]
) -> None:
    """A line a case with a status of its own; the reason once, with the ids."""
    text = shown(suite(), written, make_run)

    assert "ERROR down-1: down" in text
    assert text.count("no route") == 1
    assert "2 cases could not be measured, all for the same reason" in text
    assert "(first: down-1, down-2)" in " ".join(text.split())


def test_the_codes_that_occurred_can_be_explained(
    written: Callable[..., str], make_run: Callable[..., RunResult]
) -> None:
    """The worst first, in one line at the end; none where everything holds."""
    failing, passing = shown(suite(), written, make_run), shown(suite("fine"), written, make_run)

    assert "sekisho explain forbidden_text · missing_text · error" in failing
    assert "sekisho explain" not in passing


def test_an_issue_names_what_it_does_not_excuse(
    written: Callable[..., str], make_run: Callable[..., RunResult]
) -> None:
    """By the code that the explanation takes."""
    assert "The known issue does not excuse: forbidden_text." in shown(suite("salary"), written, make_run)


SHOWN: dict[Language, str] = {
    "en": "Something is shown that must not be; exit code 1.",
    "ja": "見せてはいけないものが見えています。終了コード 1。",
}


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_leak_found_by_a_case_is_called_one(make_run: Callable[..., RunResult], language: Language) -> None:
    """And that case runs again, not the first one that fails."""
    verdict = verdict_of(make_run(suite()), language)

    assert SHOWN[language] in verdict.text
    assert verdict.command == "sekisho check policies --case salary"
    assert verdict_text(make_run(suite("late")), "en").partition(". ")[2].startswith("The answers are not")


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_suite_without_a_verdict_is_named_beside_a_failing_one(
    make_run: Callable[..., RunResult], language: Language
) -> None:
    """It would vanish from the last line."""
    matrix = AccessSuiteResult(
        name="access", target="app:make", verdict="not_measured", gate=(), report=None, fingerprints={}
    )

    assert ("not measured: access" if language == "en" else "測定不能: access") in verdict_text(
        make_run(suite(), matrix), language
    )


def test_the_worst_is_run_again_first(make_run: Callable[..., RunResult], runs: dict[str, RunResult]) -> None:
    """A leak before search, whatever the order of the suites."""
    run = make_run(*runs["failed"].suites, suite("salary"))

    assert verdict_of(run, "en").command == "sekisho check policies --case salary"


@pytest.mark.parametrize("columns", ["20", "80"])
def test_the_command_to_copy_is_never_broken(
    written: Callable[..., str], make_run: Callable[..., RunResult], columns: str
) -> None:
    """On a line of its own where lines have a width."""
    assert (
        shown(suite(), written, make_run, COLUMNS=columns).splitlines()[-1] == "  sekisho check policies --case salary"
    )


def test_a_place_outside_of_the_folder_stays_whole() -> None:
    """And one without a line is the file."""
    assert place(Location("/elsewhere/cases.json")) == "/elsewhere/cases.json"
    assert place(HERE) == "eval/cases.json:34"
