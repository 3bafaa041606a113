"""``-n 2``: several processes, one summary."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from conftest import Project

XDIST = ("xdist.plugin",)
HOLIDAY: dict[str, Any] = {"question": "How long is the holiday?", "expect_text": ["20 days"]}
MANY = [{"id": f"case-{number}", **HOLIDAY} for number in range(12)]


def test_results_of_all_processes_are_in_one_summary(project: Project) -> None:
    """Totals and viewpoints over all cases, once."""
    project.cases([*MANY, {"id": "wrong", **HOLIDAY, "expect_text": ["30 days"]}])

    run = project.pytest("-n", "2", "--sekisho", plugins=XDIST)

    assert run.code == 1
    assert run.last == "1 failed, 12 passed"
    assert run.out.count("policies: 13 cases: 12 passed / 0 known / 1 new failures") == 1
    assert "answers what it should 12/13" in run.out
    assert '- The answer does not say "30 days".' in run.out
    assert "cases ran" not in run.out


def test_each_process_opens_and_closes_its_own_target_once(project: Project) -> None:
    """At its first case; every one is closed again."""
    project.cases(MANY)

    project.pytest("-n", "2", "--sekisho", plugins=XDIST)

    done = [line.split() for line in project.processes()]
    processes = {process for _, process in done}
    assert sorted(process for word, process in done if word == "open") == sorted(processes)
    assert sorted(process for word, process in done if word == "close") == sorted(processes)
    assert sum(word == "ask" for word, _ in done) == 12


def test_a_rule_over_all_cases_holds_over_all_processes(project: Project) -> None:
    """No process alone sees that there are too many known issues."""
    issue = {"known_issue": "old table", "expect_text": ["30 days"]}
    project.cases([{**case, **issue} for case in MANY])
    text = (project.root / "sekisho.toml").read_text(encoding="utf-8")
    project.write("sekisho.toml", text + "max_known = 11\n")

    run = project.pytest("-n", "2", "--sekisho", plugins=XDIST)

    assert run.code == 1
    assert run.last == "12 xfailed"
    assert "known issues: 12, of which at most 11 may stand" in run.out


@pytest.mark.parametrize("words", [("--sekisho",), ("sekisho.toml",)])
def test_warnings_of_all_processes_are_told_once(project: Project, words: tuple[str, ...]) -> None:
    """A forbidden text that stands in no document."""
    project.write(
        "listing.py",
        "from desk import Desk\nfrom sekisho import Document\n\nclass Listing(Desk):\n"
        "    def documents(self):\n        return [Document('a', 'a.pdf', 'A', ('all',), 'text')]\n",
    )
    text = (project.root / "sekisho.toml").read_text(encoding="utf-8")
    project.write("sekisho.toml", text.replace("desk:opened", "listing:Listing"))
    project.cases([{**case, "forbid": ["mergre"]} for case in MANY[:1]])

    run = project.pytest("-n", "2", *words, plugins=XDIST)

    assert run.code == 0
    assert run.out.count('the forbidden text "mergre" stands in no document') == 1


def test_errors_of_other_processes_keep_their_sentence(project: Project) -> None:
    """No traceback comes along with it."""
    project.cases([*MANY[:3], {"id": "a", "question": "crash", "forbid": ["x"]}])

    run = project.pytest("-n", "2", "--sekisho", plugins=XDIST)

    assert run.last == "3 passed, 1 error"
    assert "ERROR sekisho.toml::policies::a - Could not be measured: RuntimeError: no connection" in run.out
    assert "Traceback" not in run.out


def test_collection_errors_of_other_processes_fail_the_run(project: Project) -> None:
    """With the same sentence."""
    project.write("sekisho.toml", "[suite.a]\nkind = 'answers'\n")

    run = project.pytest("-n", "2", "--sekisho", plugins=XDIST)

    assert run.code not in {0, 5}
    assert "sekisho.toml:1" in run.out
    assert "Traceback" not in run.out


def test_cases_of_a_process_that_died_are_missed(project: Project) -> None:
    """The run fails, and the totals say over how many cases they are."""
    project.write(
        "dying.py",
        "import os\nfrom desk import Desk\n\nclass Dying(Desk):\n    def answer(self, question, departments):\n"
        "        if 'die' in question:\n            os._exit(3)\n"
        "        return super().answer(question, departments)\n",
    )
    text = (project.root / "sekisho.toml").read_text(encoding="utf-8")
    project.write("sekisho.toml", text.replace("desk:opened", "dying:Dying"))
    project.cases([*MANY[:3], {"id": "a", "question": "die", "forbid": ["x"]}])

    run = project.pytest("-n", "2", "--sekisho", plugins=XDIST)

    assert run.code == 1
    assert run.last == "1 failed, 3 passed"
    assert "3 of 4 cases ran" in run.out
