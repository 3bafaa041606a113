"""Suites of answer cases and permission matrices: from a configuration to results, exit codes and reports."""

from __future__ import annotations

import io
import json
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

from sekisho import Answer, Context, Document
from sekisho.app.configuration import Configuration, load_configuration
from sekisho.app.prepared import Selection
from sekisho.app.questions import asking
from sekisho.app.runs import Overrides, run_check
from sekisho.core.errors import ConfigurationError, InputFileError, SekishoError
from sekisho.reports.check_report import write_run
from sekisho.reports.json_report import encode, run_document
from sekisho.reports.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from sekisho.core.messages import Language
    from sekisho.gate import RunResult

DOCUMENTS = [
    Document("1", "vacation.md", "休暇の取り方", ("all",), "午前休は12時で終わり、13時から業務を始めます。"),
    Document("2", "salary.md", "給与等級表", ("hr",), "新任の月給は20万円から24万円です。昇給は毎年七月に行います。"),
    Document("3", "discount.md", "値引きの基準", ("sales",), "担当者だけで決めてよい値引きは定価の8%までです。"),
]
CASES = [
    {"id": "half-day", "question": "午前休は何時まで？", "expect_source": "vacation.md", "expect_text": "12時"},
    {"id": "salary", "question": "新任の月給は？", "departments": ["hr"], "expect_source": "salary.md"},
    {"id": "hidden", "question": "新任の月給は？", "departments": ["sales"], "forbid": ["salary", "20万円"]},
    {
        "id": "food", "question": "社長の好物は？", "expect_not_found": True, "tags": ["slow"],
        "known_issue": {"reason": "近い文を見つけてしまう", "failures": ["found_unexpectedly"]},
    },
]  # fmt: skip


class Library:
    """Answers with the visible document that shares most characters with the question."""

    def visible(self, departments: Sequence[str]) -> list[Document]:
        """Return what an asker may see."""
        return [document for document in DOCUMENTS if set(document.departments) & set(departments)]

    def ranked(self, question: str, departments: Sequence[str]) -> list[Document]:
        """Return the visible documents, best first."""
        return sorted(
            self.visible(departments), key=lambda each: (-len(set(each.text + each.title) & set(question)), each.id)
        )

    def answer(self, question: str, departments: Sequence[str]) -> Answer:
        """Quote the best document."""
        best = self.ranked(question, departments)[0]
        return Answer(best.text, (best.name,), found=True, contexts=(Context(best.id, best.text),))

    def search(self, question: str, departments: Sequence[str], k: int) -> list[str]:
        """Return ids."""
        return [document.id for document in self.ranked(question, departments)[:k]]

    def documents(self) -> list[Document]:
        """Return all."""
        return DOCUMENTS


class Leaky(Library):
    """Forgets who asks."""

    def visible(self, _departments: Sequence[str]) -> list[Document]:
        """Return everything."""
        return DOCUMENTS


class Down(Library):
    """Answers nothing."""

    def answer(self, _question: str, _departments: Sequence[str]) -> Answer:
        """Refuse."""
        message = "secret words"
        raise ConnectionError(message)


def broken() -> None:
    """Raise while the target is made."""
    message = "secret index"
    raise OSError(message)


@pytest.fixture(autouse=True)
def module() -> Iterator[None]:
    """Make the targets of this file importable as ``library_targets``."""
    module = ModuleType("library_targets")
    module.__dict__.update(healthy=Library, leaky=Leaky, down=Down, broken=broken)
    sys.modules["library_targets"] = module
    before = list(sys.path)
    yield
    sys.path[:] = before
    del sys.modules["library_targets"]


@pytest.fixture
def configured(tmp_path: Path) -> Callable[..., Configuration]:
    """Return a function that writes a configuration with its cases and reads it."""

    def configured(target: str = "healthy", answers: str = "", access: str = "", cases: Any = None) -> Configuration:  # noqa: ANN401  any JSON
        (tmp_path / "cases.json").write_text(json.dumps(CASES if cases is None else cases), encoding="utf-8")
        path = tmp_path / "sekisho.toml"
        path.write_text(
            f'[suite.policies]\nkind = "answers"\ntarget = "library_targets:{target}"\n'
            f'cases = "cases.json"\n{answers}\n'
            f'[suite.matrix]\nkind = "access"\ntarget = "library_targets:{target}"\n{access}\n',
            encoding="utf-8",
        )
        return load_configuration(path)

    return configured


def shown(run: RunResult, language: Language = "en") -> str:
    """Return the report of a run for people."""
    stream = io.StringIO()
    write_run(run, Terminal(stream, language=language, environment={"COLUMNS": "200"}))
    return stream.getvalue()


def document(run: RunResult) -> Any:  # noqa: ANN401  parsed JSON
    """Return the report of a run for programs."""
    return json.loads(encode(run_document(run, language="en")))


def test_a_healthy_library_passes_both(configured: Callable[..., Configuration]) -> None:
    """One known issue, no leak, exit code 0, and the totals in words."""
    run = run_check(configured())

    assert (run.verdict, run.exit_code) == ("passed", 0)
    assert "4 cases: 3 passed / 1 known / 0 new failures" in shown(run)
    assert "合計 4件: 合格 3 / 既知の不具合 1 / 新たな不合格 0" in shown(run, "ja")
    assert shown(run).splitlines()[-1] == "PASSED: every gate holds (policies, matrix)."


def test_who_forgets_the_asker_fails_both(configured: Callable[..., Configuration]) -> None:
    """The case by name with its words, the matrix with each document, and the verdict says what happened."""
    run = run_check(configured("leaky"))
    report = document(run)

    policies, matrix = report["suites"]
    assert run.exit_code == 1
    assert [case["id"] for case in policies["cases"] if case["status"] == "ng"] == ["hidden"]
    assert {failure["code"] for failure in policies["cases"][2]["failures"]} == {"forbidden_text"}
    assert matrix["metrics"]["leaks"] > 0
    assert {leak["document"] for principal in matrix["principals"] for leak in principal["leaks"]} == {"2", "3"}
    assert "A document is shown to someone who may not see it" in shown(run)
    assert "見てはいけない人に文書が見えています" in shown(run, "ja")


def test_a_target_that_is_down_gives_no_verdict(configured: Callable[..., Configuration]) -> None:
    """Every case is an error, and so is every probe."""
    run = run_check(configured("down"))

    assert run.exit_code == 3
    assert [suite.verdict for suite in run.suites] == ["not_measured", "not_measured"]
    assert "4 not measured" in shown(run)


def test_a_target_that_cannot_be_made_gives_no_verdict(configured: Callable[..., Configuration]) -> None:
    """With the reason, once a suite, in both reports."""
    run = run_check(configured("broken"))

    assert run.exit_code == 3
    assert shown(run).count("secret index") == 2
    assert document(run)["suites"][1]["error"]["message"].endswith("OSError: secret index")


@pytest.mark.parametrize(
    ("answers", "code"),
    [
        ("max_known = 1", 0), ("max_known = 0", 1), ('known_issues = "strict"', 0), ('gate = "none"', 0),
    ],
)  # fmt: skip
def test_the_rules_of_a_suite_count(configured: Callable[..., Configuration], answers: str, code: int) -> None:
    """One more known issue than allowed fails."""
    assert run_check(configured(answers=answers), names=["policies"]).exit_code == code


def test_a_fixed_issue_fails_where_the_suite_is_strict(configured: Callable[..., Configuration]) -> None:
    """And is only shown elsewhere."""
    cases = [{**CASES[0], "known_issue": "was wrong in spring"}]
    lenient = run_check(configured(cases=cases), names=["policies"])
    strict = run_check(configured(cases=cases, answers='known_issues = "strict"'), names=["policies"])

    assert (lenient.exit_code, strict.exit_code) == (0, 1)
    assert "/ 1 fixed" in shown(lenient)


def test_no_rule_softens_a_failure_without_a_gate_on_leaks(configured: Callable[..., Configuration]) -> None:
    """A suite of answers may only report; a matrix may not."""
    reported = run_check(configured("leaky", answers='gate = "none"'), names=["policies"])
    leaked = run_check(configured("leaky", answers='gate = "none"'), names=["matrix"])

    assert (reported.verdict, leaked.verdict) == ("reported", "failed")


def test_cases_are_selected_by_id_and_tag(configured: Callable[..., Configuration]) -> None:
    """The report says that it speaks of a part; a matrix has no cases to select."""
    by_id = run_check(configured(), selection=Selection(case_ids=("hidden",)))
    by_tag = run_check(configured(access='tags = ["slow"]'), selection=Selection(tags=("slow",)))

    named = run_check(configured(), names=["policies", "matrix"], selection=Selection(case_ids=("hidden",)))

    assert [suite.name for suite in by_id.suites] == ["policies"]
    assert (by_id.unselected, named.unselected) == ((), ("matrix",))
    assert "matrix" in shown(named)
    assert "report.partial" in [warning.code for warning in by_id.suites[0].warnings]
    assert [suite.name for suite in by_tag.suites] == ["policies", "matrix"]


@pytest.mark.parametrize(
    ("names", "overrides", "code"),
    [
        (("policies",), Overrides(k=3), "app.no_cut_off"),
        (("policies", "matrix"), Overrides(min_recall=0.5), "app.no_gate"),
    ],
)
def test_an_option_that_changes_nothing_is_refused(
    configured: Callable[..., Configuration], names: tuple[str, ...], overrides: Overrides, code: str
) -> None:
    """It would seem to hold."""
    with pytest.raises(ConfigurationError) as caught:
        run_check(configured(), names=names, overrides=overrides)

    assert caught.value.code == code


def test_a_wrong_case_file_is_refused_with_its_place(configured: Callable[..., Configuration]) -> None:
    """Before anything runs."""
    with pytest.raises(InputFileError) as caught:
        run_check(configured(cases=[{"id": "a", "question": "q", "expected_source": "x"}]))

    assert "expect_source" in caught.value.render("en")
    assert caught.value.where is not None
    assert caught.value.where.file.endswith("cases.json")


def test_a_redacted_suite_shows_no_text(configured: Callable[..., Configuration]) -> None:
    """No question, answer, source, forbidden word, passage or exception in either report."""
    texts = [case["question"] for case in CASES] + ["20万円", "salary.md", "secret", "給与等級表", "新任", "近い文"]
    for target in ("leaky", "down", "broken"):
        run = run_check(configured(target, answers="redact = true", access="redact = true"))
        whole = shown(run) + shown(run, "ja") + json.dumps(document(run), ensure_ascii=False)

        assert [text for text in texts if text in whole] == []
        assert "hidden" in whole


def test_two_runs_give_the_same_report(configured: Callable[..., Configuration]) -> None:
    """Apart from time and durations, which stand under one key."""
    first, second = (document(run_check(configured("leaky"))) for _ in range(2))
    del first["run"], second["run"]

    assert first == second


def test_one_question_can_be_asked(configured: Callable[..., Configuration]) -> None:
    """Of the target of a suite, as for a new case."""
    with asking(configured(), "policies") as ask:
        outcome = ask("午前休は？", ["hr"])
    with pytest.raises(SekishoError) as caught, asking(configured(), "matrix"):
        pass

    assert outcome.value is not None
    assert outcome.value.sources == ("vacation.md",)
    assert caught.value.code == "app.no_answers_suite"
