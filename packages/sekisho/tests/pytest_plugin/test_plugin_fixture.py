"""The fixture ``sekisho``: judging in tests of one's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Project


def in_test(project: Project, *lines: str) -> None:
    """Write a test module with one test that uses the fixture."""
    body = "".join(f"    {line}\n" for line in lines)
    project.write("test_own.py", f"import pytest\nfrom desk import Desk\n\ndef test_own(sekisho):\n{body}")


def test_passing_cases_pass(good: Project) -> None:
    """And their results come back."""
    in_test(good, "results = sekisho.check(sekisho.load_cases('cases.json'), Desk())", "assert len(results) == 2")

    run = good.pytest("test_own.py")

    assert run.last == "1 passed"


def test_failing_cases_fail_the_test_with_their_sentences(half_good: Project) -> None:
    """The user's line is shown, and no other."""
    in_test(half_good, "sekisho.check(sekisho.load_cases('cases.json'), Desk())")

    run = half_good.pytest("test_own.py")

    assert run.last == "1 failed"
    assert ">       sekisho.check(sekisho.load_cases('cases.json'), Desk())" in run.out
    assert "FAIL wrong: How long is the holiday?" in run.out
    assert '- The answer does not say "30 days".' in run.out
    assert "2 cases: 1 passed / 0 known / 1 new failures" in run.out
    assert "fixture.py" not in run.out


def test_sentences_are_in_the_language_of_the_run(half_good: Project) -> None:
    """As everywhere."""
    in_test(half_good, "sekisho.check(sekisho.load_cases('cases.json'), Desk())")

    run = half_good.pytest("test_own.py", SEKISHO_LANG="ja")

    assert "回答に「30 days」がありません。" in run.out


def test_results_can_be_had_without_judging(half_good: Project) -> None:
    """One record a case."""
    in_test(
        half_good,
        "results = sekisho.run(sekisho.load_cases('cases.json'), Desk())",
        "assert [result.status for result in results] == ['ok', 'ng']",
    )

    run = half_good.pytest("test_own.py")

    assert run.last == "1 passed"


def test_known_issues_are_excused(project: Project) -> None:
    """As in a suite."""
    project.cases([{"id": "a", "question": "holiday", "expect_text": ["30"], "known_issue": "old table"}])
    in_test(project, "sekisho.check(sekisho.load_cases('cases.json'), Desk())")

    run = project.pytest("test_own.py")

    assert run.last == "1 passed"


def test_a_suite_can_be_run(half_good: Project) -> None:
    """By its name in the configuration."""
    in_test(half_good, "result = sekisho.suite('policies')", "assert result.verdict == 'failed'", "assert result.gate")

    run = half_good.pytest("test_own.py")

    assert run.last == "1 passed"


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("sekisho.load_cases('none.json')", "none.json"),
        ("sekisho.suite('polices')", "Did you mean 'policies'?"),
        ("sekisho.run([], Desk())", "There is no case to run"),
    ],
)
def test_what_cannot_run_is_told_without_our_frames(project: Project, line: str, sentence: str) -> None:
    """The error of the package, raised where the test called it."""
    in_test(project, line)

    run = project.pytest("test_own.py")

    assert run.last == "1 failed"
    assert sentence in run.out
    assert f">       {line}" in run.out
    assert "fixture.py" not in run.out
    assert "reading.py" not in run.out


def test_the_example_is_shown_with_the_fixtures(project: Project) -> None:
    """``pytest --fixtures -v`` is where people look."""
    run = project.pytest("--fixtures", "-v")

    assert 'cases = sekisho.load_cases("eval/cases.json")' in run.out
