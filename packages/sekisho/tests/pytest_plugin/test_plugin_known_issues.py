"""Known issues: expected failures with their reason, and what they never excuse."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from conftest import Project

FAILS: dict[str, Any] = {"id": "late", "question": "How long is the holiday?", "expect_text": ["30 days"]}
PASSES: dict[str, Any] = {**FAILS, "id": "early", "expect_text": ["20 days"]}
ISSUE = "the old table is still indexed"


def strict(project: Project, *lines: str) -> None:
    """Add lines to the suite."""
    text = (project.root / "sekisho.toml").read_text(encoding="utf-8")
    project.write("sekisho.toml", text + "\n".join(lines) + "\n")


def test_a_known_issue_is_an_expected_failure(project: Project) -> None:
    """With its reason and link."""
    project.cases([{**FAILS, "known_issue": {"reason": ISSUE, "link": "TICKET-7"}}])

    run = project.pytest("sekisho.toml", "-rx")

    assert run.code == 0
    assert run.last == "1 xfailed"
    assert f"XFAIL sekisho.toml::policies::late - {ISSUE} (TICKET-7)" in run.out
    assert "policies: 1 case: 0 passed / 1 known / 0 new failures" in run.out


def test_a_known_issue_that_passes_is_shown(project: Project) -> None:
    """Every time, as an unexpected pass."""
    project.cases([{**PASSES, "known_issue": ISSUE}])

    run = project.pytest("sekisho.toml", "-rX")

    assert run.code == 0
    assert run.last == "1 xpassed"
    assert re.search(f"XPASS sekisho.toml::policies::early (- )?{ISSUE}", run.out)
    assert "1 fixed" in run.out


def test_a_known_issue_that_passes_fails_a_strict_suite(project: Project) -> None:
    """With a sentence that says what to do."""
    project.cases([{**PASSES, "known_issue": ISSUE}])
    strict(project, 'known_issues = "strict"')

    run = project.pytest("sekisho.toml")

    assert run.code == 1
    assert run.last == "1 failed"
    assert "- The case passes: take its known issue out." in run.out
    assert "FAILED sekisho.toml::policies::early - The case passes: take its known issue out." in run.out


def test_strictness_of_the_project_is_not_that_of_the_suite(project: Project) -> None:
    """``xfail_strict`` is about tests; ``known_issues`` says how a suite takes it."""
    project.cases([{**PASSES, "known_issue": ISSUE}])
    project.write("pytest.ini", "[pytest]\nxfail_strict = true\n")

    run = project.pytest("sekisho.toml")

    assert run.last == "1 xpassed"


def test_no_known_issue_covers_what_must_not_show(project: Project) -> None:
    """It fails as if there were none."""
    project.cases([{"id": "plan", "question": "What is the plan?", "forbid": ["merger"], "known_issue": ISSUE}])

    run = project.pytest("sekisho.toml")

    assert run.code == 1
    assert run.last == "1 failed"


def test_no_known_issue_covers_an_error(project: Project) -> None:
    """A case without a measurement is an error."""
    project.cases([{"id": "a", "question": "crash", "expect_text": ["a"], "known_issue": ISSUE}])

    run = project.pytest("sekisho.toml")

    assert run.code == 1
    assert run.last == "1 error"


def test_an_expired_issue_excuses_nothing(project: Project) -> None:
    """And the sentence tells the day."""
    project.cases([{**FAILS, "known_issue": {"reason": ISSUE, "until": "2020-01-31"}}])

    run = project.pytest("sekisho.toml")

    assert run.last == "1 failed"
    assert "until 2020-01-31" in run.out


def test_an_issue_of_another_suite_excuses_nothing_here(project: Project) -> None:
    """Nor does passing count as fixed."""
    elsewhere = {"reason": ISSUE, "suites": ["live"]}
    project.cases([{**FAILS, "known_issue": elsewhere}, {**PASSES, "known_issue": elsewhere}])

    run = project.pytest("sekisho.toml")

    assert run.last == "1 failed, 1 passed"


def test_more_known_issues_than_allowed_fail_the_run(project: Project) -> None:
    """A rule over all cases: no single item fails, the run does, and says why."""
    project.cases([{**FAILS, "id": name, "known_issue": ISSUE} for name in ("a", "b")])
    strict(project, "max_known = 1")

    run = project.pytest("sekisho.toml")

    assert run.code == 1
    assert run.last == "2 xfailed"
    assert "policies: known issues: 2, of which at most 1 may stand (max_known). The run fails." in run.out


def test_the_broken_rule_is_told_where_there_is_no_summary(project: Project) -> None:
    """An exit code without a word would be a riddle."""
    project.cases([{**FAILS, "known_issue": ISSUE}])
    strict(project, "max_known = 0")

    runs = [project.pytest("sekisho.toml", word) for word in ("--no-summary", "-qq")]

    assert [run.code for run in runs] == [1, 1]
    assert all("known issues: 1, of which at most 0 may stand" in run.out for run in runs)


def test_as_many_known_issues_as_allowed_pass(project: Project) -> None:
    """The limit itself holds."""
    project.cases([{**FAILS, "known_issue": ISSUE}])
    strict(project, "max_known = 1")

    run = project.pytest("sekisho.toml")

    assert run.code == 0


def test_runxfail_lets_known_issues_fail(project: Project) -> None:
    """Pytest's own option for it."""
    project.cases([{**FAILS, "known_issue": ISSUE}])

    run = project.pytest("sekisho.toml", "--runxfail")

    assert run.last == "1 failed"
    assert '- The answer does not say "30 days".' in run.out


def test_a_suite_without_a_gate_only_reports(project: Project) -> None:
    """Its failures are expected ones, and its rules fail nothing."""
    project.cases([FAILS, {**FAILS, "id": "known", "known_issue": ISSUE}, {**PASSES, "known_issue": ISSUE}])
    strict(project, 'gate = "none"', "max_known = 0", 'known_issues = "strict"')

    run = project.pytest("sekisho.toml", "-rx")

    assert run.code == 0
    assert run.last == "2 xfailed, 1 xpassed"
    assert 'the suite has no gate: The answer does not say "30 days".' in run.out
