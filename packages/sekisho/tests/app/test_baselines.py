"""Accepting a baseline and checking against it, on suites of every kind."""

from __future__ import annotations

import json
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

from sekisho.adapters.baseline_file import read_baseline
from sekisho.answers.records import AnswersReport
from sekisho.app.accepting import Acceptance, accept
from sekisho.app.configuration import load_configuration
from sekisho.app.prepared import Selection
from sekisho.app.runs import Overrides, run_check
from sekisho.compare.baseline import RetrievalBaseline
from sekisho.core.answers import Answer, Document
from sekisho.core.errors import BaselineError, InputFileError, SekishoError
from sekisho.reports.json_report import encode, run_document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from sekisho.gate import RunResult, SuiteResult

STATE: dict[str, Any] = {}
"""What the targets below do at the moment."""
BASELINE = "sekisho.baseline.json"
CONFIGURATION = """\
[suite.vectors]
target = "baseline_targets:vectors"
corpus = { topics = 2, chunks_per_topic = 6, queries_per_topic = 4, dims = 8, seed = 1 }
k = 3
gate = { min_recall = 0.1, max_drop = 0.02 }

[suite.docs]
target = "baseline_targets:docs"
corpus = "c.jsonl"
queries = "q.jsonl"
qrels = "r.tsv"
k = 2
gate = { min_recall = 0.1 }
allow_missing = true

[suite.faq]
kind = "answers"
target = "baseline_targets:system"
cases = "cases.jsonl"

[suite.who]
kind = "access"
target = "baseline_targets:system"
everyone = "everyone"

[suite.nightly]
target = "baseline_targets:vectors"
corpus = { topics = 2, chunks_per_topic = 6, queries_per_topic = 4, dims = 8, seed = 1 }
k = 3
gate = "none"
manual = true
"""
CASES = [
    {"id": "a1", "question": "limit?", "expect_text": ["20万円"], "tags": ["quick"]},
    {"id": "a2", "question": "days?", "expect_text": ["10日"]},
    {"id": "a3", "question": "side job?", "expect_text": ["no"], "known_issue": {"reason": "old document"}},
]
TEXTS = {"d1": "one", "d2": "two", "d3": "three", "d4": "four", "d5": "five"}
ANSWERS = {"limit?": "20万円", "days?": "10日", "side job?": "yes"}
DOCUMENTS = [
    Document(id="h", name="salary.pdf", title="salaries", departments=("hr",), text="The salary is 900万円 a year."),
    Document(id="e", name="plan.pdf", title="plans", departments=("sales",), text="The plan is 4711 visits a week."),
    Document(
        id="o", name="open.pdf", title="opening", departments=("everyone",), text="The office opens at 9 o'clock."
    ),
]


def vectors(corpus: Any, k: int) -> Callable[[object], Sequence[str]]:  # noqa: ANN401  a corpus of vectors
    """Return exact search, which leaves out as many of the first results as the state says."""
    found = {case.query.tobytes(): list(case.neighbours.ids) for case in corpus.cases_for(k)}

    def retrieve(query: Any) -> Sequence[str]:  # noqa: ANN401  a vector
        if STATE.get("crash"):
            raise ConnectionError
        return found[query.tobytes()][STATE.get("lost", 0) :]

    return retrieve


def docs(corpus: Any) -> Callable[[object], Sequence[str]]:  # noqa: ANN401  a corpus of texts
    """Return search that gives the documents of the state that exist."""
    known = set(corpus.documents)
    if STATE.get("cheat"):
        corpus.documents.clear()
    return lambda query: [id_ for id_ in STATE["found"][query] if id_ in known]


class System:
    """Answers as the state says, and shows each principal what it may see, or everything."""

    def answer(self, question: str, departments: Sequence[str]) -> Answer:
        """Answer."""
        for document in self._visible(departments):
            if document.text.split()[1] in question:
                return Answer(text=document.text, sources=(document.name,), found=True)
        text = STATE["answers"].get(question)
        return Answer(text=text or "nothing found", sources=("a.pdf",) if text else (), found=bool(text))

    def search(self, question: str, departments: Sequence[str], k: int) -> list[str]:  # noqa: ARG002  as targets have it
        """Search."""
        return [document.id for document in self._visible(departments)][:k]

    def documents(self) -> list[Document]:
        """List everything."""
        return DOCUMENTS

    def _visible(self, departments: Sequence[str]) -> list[Document]:
        return [each for each in DOCUMENTS if STATE.get("leak") or set(each.departments) & set(departments)]


@pytest.fixture(autouse=True)
def targets() -> Iterator[None]:
    """Make the targets of this file importable, in a healthy state."""
    module = ModuleType("baseline_targets")
    module.__dict__.update(vectors=vectors, docs=docs, system=System)
    sys.modules[module.__name__] = module
    STATE.clear()
    STATE.update(answers=dict(ANSWERS), found={f"q{number}": ["d1", "d2", "d3", "d4", "d5"] for number in (1, 2, 3)})
    before = list(sys.path)
    yield
    sys.path[:] = before
    del sys.modules[module.__name__]


class Project:
    """A folder with suites of every kind."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / "sekisho.toml"
        self.path.write_text(CONFIGURATION, encoding="utf-8")
        self.write_cases(CASES)
        self.write_texts(TEXTS)
        self.write("q.jsonl", *({"_id": f"q{number}", "text": f"q{number}"} for number in (1, 2, 3)))
        self.write_judgments("q1\td1\t1", "q1\td2\t2", "q2\td2\t1", "q3\td3\t1", "q3\td1\t1")

    def write(self, name: str, *lines: object) -> None:
        """Write lines of JSON."""
        text = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
        (self.folder / name).write_text(text, encoding="utf-8")

    def write_cases(self, cases: Sequence[object]) -> None:
        """Write the answer cases."""
        self.write("cases.jsonl", *cases)

    def write_texts(self, texts: dict[str, str]) -> None:
        """Write the documents."""
        self.write("c.jsonl", *({"_id": id_, "text": text} for id_, text in texts.items()))

    def write_judgments(self, *lines: str) -> None:
        """Write the judgments."""
        text = "".join(f"{line}\n" for line in ("query-id\tcorpus-id\tscore", *lines))
        (self.folder / "r.tsv").write_text(text, encoding="utf-8")

    def configure(self, before: str, after: str) -> None:
        """Change every place of a text in the configuration."""
        text = self.path.read_text(encoding="utf-8")
        assert before in text
        self.path.write_text(text.replace(before, after), encoding="utf-8")

    def accept(self, *names: str, reason: str = "first") -> Acceptance:
        """Accept suites."""
        return accept(load_configuration(self.path), names=names, reason=reason)

    def check(self, *names: str, **options: Any) -> RunResult:  # noqa: ANN401  of run_check
        """Check suites."""
        return run_check(load_configuration(self.path), names=names, **options)

    def check_one(self, name: str, **options: Any) -> SuiteResult:  # noqa: ANN401  as above
        """Check one suite."""
        return self.check(name, **options).suites[0]

    @property
    def baseline(self) -> Path:
        """Where the baseline is."""
        return self.folder / BASELINE


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Return a project that has accepted all of its suites."""
    made = Project(tmp_path)
    made.accept()
    return made


def failing(result: SuiteResult) -> list[str]:
    """Return the rules that do not hold."""
    return [outcome.rule for outcome in result.gate if outcome.holds is False]


def ruler_changes(result: SuiteResult) -> dict[str, tuple[str, str]]:
    """Return what changed of the ruler."""
    assert result.comparison is not None
    return {each.name: (each.before, each.now) for each in result.comparison.ruler_changes}


def changes(result: SuiteResult) -> list[tuple[str, str]]:
    """Return kind and id of each change."""
    assert result.comparison is not None
    return [(change.kind, change.id) for change in result.comparison.changes]


def test_accepting_keeps_every_suite_that_is_not_manual(project: Project) -> None:
    """With the reason, the time and what it was made of; a check then passes."""
    kept = read_baseline(project.baseline)

    assert set(kept) == {"vectors", "docs", "faq", "who"}
    assert {suite.accepted.reason for suite in kept.values()} == {"first"}
    assert all(suite.accepted.time and suite.accepted.versions for suite in kept.values())
    assert kept["docs"].made_of.keys() == {"corpus", "target"}
    run = project.check()
    assert (run.verdict, run.exit_code, run.baseline, run.gone) == ("passed", 0, None, ())


def test_a_check_never_writes(project: Project) -> None:
    """Whatever it finds, with a baseline and without."""
    before = project.baseline.read_bytes()
    STATE["lost"] = 2
    project.check()
    assert project.baseline.read_bytes() == before

    project.baseline.unlink()
    project.check("docs")
    assert not project.baseline.exists()


def test_accepting_the_same_again_changes_nothing(project: Project) -> None:
    """A reason stands on the suites that a change moved, and on no other."""
    before = project.baseline.read_bytes()

    project.accept("vectors", "docs", "faq", "who", reason="again")

    assert project.baseline.read_bytes() == before


def test_the_order_of_cases_in_their_file_changes_no_line(project: Project) -> None:
    """Entries are sorted by id."""
    before = read_baseline(project.baseline)["faq"]
    project.write_cases(CASES[::-1])

    project.accept("faq")

    assert read_baseline(project.baseline)["faq"].cases == before.cases


def test_named_suites_keep_the_others(project: Project) -> None:
    """Their entries stay as they were accepted, also of suites that are gone."""
    before = read_baseline(project.baseline)
    STATE["lost"] = 1
    project.configure("[suite.docs]", "[suite.papers]")

    done = project.accept("vectors", reason="second")

    after = read_baseline(project.baseline)
    assert (done.written, done.dropped) == (("vectors",), ())
    assert after.keys() == before.keys()
    assert [name for name in after if after[name] != before[name]] == ["vectors"]


def test_accepting_everything_takes_out_what_is_gone(project: Project) -> None:
    """A manual suite that was accepted as one stays."""
    project.accept("nightly")
    project.configure("[suite.docs]", "[suite.papers]")

    done = project.accept(reason="renamed")

    assert done.dropped == ("docs",)
    assert set(read_baseline(project.baseline)) == {"vectors", "papers", "faq", "who", "nightly"}


@pytest.mark.parametrize("reason", ["", " ", "\n", "\u200b", "\u3000"])
def test_a_reason_that_says_nothing_is_refused(project: Project, reason: str) -> None:
    """Before anything runs."""
    before = project.baseline.read_bytes()

    with pytest.raises(BaselineError) as caught:
        project.accept(reason=reason)

    assert caught.value.code == "compare.no_reason"
    assert project.baseline.read_bytes() == before


def test_a_reason_stands_on_one_line_whatever_it_holds(project: Project) -> None:
    """Line breaks and bytes that are no text included."""
    project.baseline.unlink()

    project.accept("faq", reason="two\n  lines \udcff")

    assert read_baseline(project.baseline)["faq"].accepted.reason == "two lines \\udcff"


def test_a_run_with_errors_is_not_accepted(project: Project) -> None:
    """Not even the suites that have none."""
    before = project.baseline.read_bytes()
    STATE["crash"] = True

    done = project.accept(reason="crashed")

    assert (done.written, done.run.verdict) == ((), "not_measured")
    assert project.baseline.read_bytes() == before


def test_a_worse_state_can_be_accepted_with_a_reason(project: Project) -> None:
    """That is whoever reviews it to decide; the run shows what it lost."""
    STATE["lost"] = 1

    done = project.accept("vectors", reason="a smaller index")

    assert failing(done.run.suites[0])
    assert project.check("vectors").exit_code == 0


def test_a_drop_beyond_max_drop_fails_although_min_recall_holds(project: Project) -> None:
    """On each ruler that fell."""
    STATE["lost"] = 1

    result = project.check_one("vectors")

    assert result.verdict == "failed"
    assert set(failing(result)) >= {"drop.recall@3", "drop.overlap@3"}
    assert {kind for kind, _ in changes(result)} == {"worse"}


def test_without_max_drop_a_drop_is_shown_and_passes(project: Project) -> None:
    """There is a baseline, and nothing judges by it."""
    STATE["found"]["q1"] = ["d1", "d3", "d4"]

    result = project.check_one("docs")

    assert (result.verdict, changes(result)) == ("passed", [("worse", "q1")])


def test_max_drop_without_a_baseline_is_refused_with_the_command(project: Project) -> None:
    """Also where only the entry of that suite is missing, or the suite has another name."""
    project.configure("[suite.vectors]", "[suite.'my vectors']")

    with pytest.raises(BaselineError) as caught:
        project.check()

    assert caught.value.code == "compare.no_baseline"
    assert "sekisho accept 'my vectors' --reason" in caught.value.render("en")
    assert caught.value.where is not None
    assert caught.value.where.line == 5
    project.baseline.unlink()
    with pytest.raises(BaselineError):
        project.check()
    assert project.check("docs").exit_code == 0


def test_without_a_baseline_it_is_told_how_to_make_one(project: Project) -> None:
    """For all suites, or for those that have none."""
    rest = project.check("docs", "faq", "nightly")
    project.baseline.unlink()
    none = project.check("docs", "faq")

    assert (rest.baseline and rest.baseline.code) == "compare.how_to_accept_rest"
    assert rest.baseline is not None
    assert rest.baseline.values == {"names": "nightly", "command": "nightly"}
    assert (none.baseline and none.baseline.code) == "compare.how_to_accept"


RULERS = [
    ("vectors", "seed = 1", "seed = 2", "corpus.seed"),
    ("vectors", "dims = 8, seed = 1", "dims = 8, seed = 1, noise = 0.9", "corpus.noise"),
    ("vectors", "k = 3", "k = 4", "k"),
    ("vectors", "min_recall = 0.1, max_drop = 0.02", "min_recall = 0.01, max_drop = 0.02", "gate"),
    ("vectors", "max_drop = 0.02", "max_drop = 0.9", "gate"),
    ("vectors", "gate = { min_recall = 0.1, max_drop = 0.02 }", 'gate = "none"', "gate"),
    ("docs", "allow_missing = true", 'allow_missing = true\ntolerate = ["unknown"]', "gate"),
    ("docs", "allow_missing = true", "allow_missing = true\nrelevance_threshold = 2", "relevance_threshold"),
    ("docs", "allow_missing = true", "allow_missing = true\nmanual = true", "manual"),
    ("faq", 'cases = "cases.jsonl"', 'cases = "cases.jsonl"\nmatch = "exact"', "match"),
    ("faq", 'cases = "cases.jsonl"', 'cases = "cases.jsonl"\nknown_issues = "strict"', "known_issues"),
    ("faq", 'cases = "cases.jsonl"', 'cases = "cases.jsonl"\neveryone = "staff"', "everyone"),
    ("faq", 'cases = "cases.jsonl"', 'cases = "cases.jsonl"\nmax_known = 3', "max_known"),
    ("faq", 'cases = "cases.jsonl"', 'cases = "cases.jsonl"\ngate = "none"', "gate"),
    ("who", 'everyone = "everyone"', 'everyone = "everyone"\nk = 1', "k"),
    ("who", 'everyone = "everyone"', 'everyone = "everyone"\nprincipals = [["hr", "sales"]]', "principals"),
    ("who", 'everyone = "everyone"', 'everyone = "everyone"\ncases = "cases.jsonl"', "cases"),
]


@pytest.mark.parametrize(("name", "before", "after", "key"), RULERS)
def test_another_ruler_fails_until_it_is_accepted(
    project: Project, name: str, before: str, after: str, key: str
) -> None:
    """Seed, noise, k, gate and every other setting that makes two measurements incomparable."""
    if key == "relevance_threshold":
        project.write_judgments("q1\td1\t2", "q1\td2\t2", "q2\td2\t2", "q3\td3\t2", "q3\td1\t2")
        project.accept("docs")
    project.configure(before, after)

    result = project.check_one(name)

    found = ruler_changes(result)
    assert key in found
    assert found[key][0] != found[key][1]
    assert "baseline.ruler" in failing(result)
    assert result.verdict == "failed"
    assert not any(rule.startswith("drop.") for rule in (outcome.rule for outcome in result.gate))
    project.accept(name, reason="meant")
    assert "baseline.ruler" not in failing(project.check_one(name))


def test_another_preset_is_another_ruler(project: Project) -> None:
    """By its name."""
    project.configure(
        CONFIGURATION[CONFIGURATION.index("corpus = {") : CONFIGURATION.index("k = 3")], 'corpus = "seed"\n'
    )
    project.accept("vectors")
    project.configure('corpus = "seed"', 'corpus = "calibrated"')

    assert ruler_changes(project.check_one("vectors"))["corpus.preset"] == ("seed", "calibrated")


def test_another_kind_of_suite_under_the_same_name_is_another_ruler(project: Project) -> None:
    """Nothing of the two can be compared."""
    text = project.path.read_text(encoding="utf-8")
    project.path.write_text(text.replace("suite.who", "suite.x").replace("suite.faq", "suite.who"), encoding="utf-8")

    assert ruler_changes(project.check_one("who")) == {"kind": ("access", "answers")}


def test_another_question_is_another_ruler(project: Project) -> None:
    """Of answers and of search."""
    project.write_cases([{**CASES[0], "expect_text": ["万円"]}, *CASES[1:]])
    project.write("q.jsonl", *({"_id": f"q{number}", "text": f"q{max(number, 2)}"} for number in (1, 2, 3)))

    assert list(ruler_changes(project.check_one("faq"))) == ["case.a1"]
    assert list(ruler_changes(project.check_one("docs"))) == ["case.q1"]


def test_a_judgment_struck_out_is_another_ruler(project: Project) -> None:
    """Recall would rise by it."""
    project.write_judgments("q1\td1\t1", "q1\td2\t2", "q2\td2\t1", "q3\td1\t1")

    assert list(ruler_changes(project.check_one("docs"))) == ["case.q3"]


def test_a_document_that_is_gone_is_gold_rot_and_no_lower_recall(project: Project) -> None:
    """The judgments that the corpus lost with it are no change of the ruler."""
    project.write_texts({id_: text for id_, text in TEXTS.items() if id_ != "d2"})
    STATE["found"]["q3"] = ["d3", "d1"]

    result = project.check_one("docs")

    assert result.comparison is not None
    assert [(each.id, each.kind, each.cases) for each in result.comparison.gold] == [("d2", "missing", ("q1", "q2"))]
    assert ruler_changes(result) == {}
    assert changes(result) == [("better", "q3")]


def test_a_document_with_another_text_is_gold_rot_beside_a_real_loss(project: Project) -> None:
    """Each is told, and each has its own cure."""
    project.write_texts({**TEXTS, "d2": "two, the newer version"})
    STATE["found"]["q1"] = ["d3", "d1"]
    STATE["found"]["q2"] = ["d4", "d5"]
    STATE["found"]["q3"] = ["d4", "d5"]

    result = project.check_one("docs")

    assert result.comparison is not None
    assert [(each.id, each.kind, each.cases) for each in result.comparison.gold] == [("d2", "changed", ("q1", "q2"))]
    assert changes(result) == [("worse", "q3"), ("reordered", "q1")]


def test_a_target_cannot_hide_the_documents_that_it_no_longer_finds(project: Project) -> None:
    """It gets the corpus; the texts are read before it does."""
    STATE.update(cheat=True, found={f"q{number}": ["d5"] for number in (1, 2, 3)})

    result = project.check_one("docs")

    assert result.comparison is not None
    assert result.comparison.gold == ()
    assert {kind for kind, _ in changes(result)} == {"worse"}


def test_new_and_removed_cases_are_listed(project: Project) -> None:
    """And compared over the common ones; a case less is nothing that fails."""
    project.write_cases([*CASES[1:], {"id": "a9", "question": "limit?", "expect_text": ["20万円"]}])

    result = project.check_one("faq")

    assert result.comparison is not None
    assert (result.comparison.new, result.comparison.removed) == (("a9",), ("a1",))
    assert (result.comparison.common, result.verdict) == (2, "passed")


def test_a_file_cut_down_to_one_case_fails(project: Project) -> None:
    """What is left speaks for another set of questions."""
    project.write_cases(CASES[:1])

    result = project.check_one("faq")

    assert ruler_changes(result) == {"cases": ("3", "1")}
    assert result.verdict == "failed"


def test_new_ids_for_all_cases_fail(project: Project) -> None:
    """Nothing is left to compare with."""
    project.write_cases([{**case, "id": f"{case['id']}-new"} for case in CASES])

    assert ruler_changes(project.check_one("faq")) == {"cases": ("3", "0")}


@pytest.mark.parametrize("selection", [Selection(case_ids=("a1",)), Selection(tags=("quick",))])
def test_a_part_of_a_suite_has_removed_nothing(project: Project, selection: Selection) -> None:
    """By id or by tag."""
    result = project.check_one("faq", selection=selection)

    assert result.comparison is not None
    assert (result.comparison.removed, result.comparison.common, result.verdict) == ((), 1, "passed")


def test_cases_that_were_not_measured_are_not_removed(project: Project) -> None:
    """And their suite has no verdict."""
    STATE["crash"] = True

    result = project.check_one("vectors")

    assert result.comparison is not None
    assert (result.comparison.removed, result.comparison.ruler_changes) == ((), ())
    assert result.verdict == "not_measured"


@pytest.mark.parametrize(
    ("before", "after"),
    [("[suite.docs]", "[suite.papers]"), ("allow_missing = true", "allow_missing = true\nmanual = true")],
    ids=["renamed", "manual"],
)
def test_a_suite_that_no_run_meets_any_more_fails_the_whole_run(project: Project, before: str, after: str) -> None:
    """Until that is accepted; a run of named suites does not ask."""
    project.configure(before, after)

    run = project.check()

    assert (run.gone, run.verdict, run.exit_code) == (("docs",), "failed", 1)
    assert {suite.verdict for suite in run.suites} == {"passed"}
    assert project.check("faq").exit_code == 0
    assert project.check(selection=Selection(tags=("quick",))).exit_code == 0
    project.accept(reason="meant")
    assert project.check().exit_code == 0


def test_a_manual_suite_with_a_baseline_is_compared_where_it_is_named(project: Project) -> None:
    """And missed nowhere else."""
    project.accept("nightly")

    assert project.check_one("nightly").comparison is not None
    assert project.check().gone == ()


def test_two_configurations_in_one_folder_have_a_baseline_each(project: Project) -> None:
    """Accepting one takes nothing from the other."""
    before = project.baseline.read_bytes()
    other = project.folder / "nightly.toml"
    other.write_text(CONFIGURATION[: CONFIGURATION.index("[suite.docs]")].replace("vectors]", "v]"), encoding="utf-8")

    done = accept(load_configuration(other), names=(), reason="first")

    assert done.path == project.folder.resolve() / "nightly.baseline.json"
    assert project.baseline.read_bytes() == before
    assert run_check(load_configuration(other)).exit_code == project.check().exit_code == 0


def test_another_target_for_a_suite_is_told_and_compared(project: Project) -> None:
    """To try one out is what a comparison is for."""
    sys.modules["baseline_targets"].__dict__["others"] = vectors
    STATE["lost"] = 1

    result = project.check_one("vectors", overrides=Overrides(target="baseline_targets:others"))

    assert result.comparison is not None
    told = [(each.name, each.before, each.now) for each in result.comparison.made_of_changes]
    assert told == [("target", "baseline_targets:vectors", "baseline_targets:others")]
    assert "drop.recall@3" in failing(result)


@pytest.mark.parametrize("overrides", [Overrides(k=2), Overrides(min_recall=0.5)])
def test_options_that_replace_the_ruler_compare_nothing_and_say_so(project: Project, overrides: Overrides) -> None:
    """They are for a look, not for the gate."""
    run = project.check("vectors", overrides=overrides)

    assert run.suites[0].comparison is None
    assert run.baseline is not None
    assert run.baseline.code == "compare.overridden"


def test_leaks_fail_although_they_were_accepted(project: Project) -> None:
    """No baseline covers a leak; one more is told."""
    STATE["leak"] = True
    leaking = project.check_one("who")
    project.accept("who", reason="what a pity")

    again = project.check_one("who")

    assert {kind for kind, _ in changes(leaking)} == {"newly_failing"}
    assert changes(again) == []
    assert (leaking.verdict, again.verdict) == ("failed", "failed")


def test_answers_tell_failing_fixed_and_excused(project: Project) -> None:
    """In the order in which a reviewer reads them."""
    STATE["answers"].update({"limit?": "18万円", "side job?": "no"})
    project.write_cases([*CASES[:1], {**CASES[1], "known_issue": {"reason": "new excuse"}}, *CASES[2:]])

    result = project.check_one("faq")

    assert changes(result) == [("issue_new", "a2"), ("newly_failing", "a1"), ("fixed", "a3")]
    assert result.comparison is not None
    assert "[-20万円-]{+18万円+}" in result.comparison.changes[1].details[-1].render("ja")


def test_a_redacted_suite_keeps_no_text(project: Project) -> None:
    """Neither in the file nor in the report of what changed."""
    project.configure('cases = "cases.jsonl"', 'cases = "cases.jsonl"\nredact = true')
    project.configure("allow_missing = true", "allow_missing = true\nredact = true")
    project.accept(reason="private from now on")
    STATE["answers"].update({"limit?": "18万円"})
    STATE["found"]["q1"] = ["d3", "d4"]

    run = project.check()

    document = encode(run_document(run, language="en")).decode() + project.baseline.read_text(encoding="utf-8")
    secrets = ("万円", "10日", "limit?", "a.pdf", "old document", "three")
    assert [secret for secret in secrets if secret in document] == []
    assert [suite.comparison.changes[0].kind for suite in run.suites[1:3] if suite.comparison] == [
        "worse",
        "newly_failing",
    ]


def test_a_suite_redacted_from_now_on_shows_nothing_of_its_old_baseline(project: Project) -> None:
    """It has to be accepted anew, which takes the texts out of the file."""
    project.configure('cases = "cases.jsonl"', 'cases = "cases.jsonl"\nredact = true')
    STATE["answers"].update({"limit?": "18万円"})

    run = project.check("faq")

    assert "redact" in ruler_changes(run.suites[0])
    assert "万円" not in encode(run_document(run, language="en")).decode()


def test_two_runs_give_the_same_document_apart_from_run(project: Project) -> None:
    """With everything in it that a comparison can say."""
    project.write_texts({**TEXTS, "d2": "another"})
    STATE.update(lost=1, leak=True, answers={"limit?": "18万円"})

    first, second = (run_document(project.check(), language="ja") for _ in range(2))

    assert first.pop("run") != {}
    second.pop("run")
    assert encode(first) == encode(second)


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("<<<<<<< HEAD\n", "compare.file_conflict"),
        ("{{", "compare.file_unreadable"),
    ],
)
def test_a_damaged_file_is_refused_and_made_anew_as_a_whole(project: Project, content: str, code: str) -> None:
    """Accepting a part of it would keep what is damaged."""
    text = project.baseline.read_text(encoding="utf-8")
    project.baseline.write_text(content + text[2:], encoding="utf-8")

    for call in (project.check, lambda: project.accept("faq")):
        with pytest.raises(BaselineError) as caught:
            call()
        assert caught.value.code == code
    project.accept(reason="merged")
    assert project.check().exit_code == 0


@pytest.mark.parametrize("schema", ["sekisho.baseline/2", "somebody.else/1"])
def test_a_file_of_a_newer_form_or_of_somebody_else_is_never_overwritten(project: Project, schema: str) -> None:
    """It may hold what this version knows nothing of."""
    text = project.baseline.read_text(encoding="utf-8").replace("sekisho.baseline/1", schema)
    project.baseline.write_text(text, encoding="utf-8")

    with pytest.raises(BaselineError):
        project.accept(reason="anew")

    assert project.baseline.read_text(encoding="utf-8") == text


def test_a_folder_in_its_place_is_refused(project: Project) -> None:
    """By check and by accept."""
    project.baseline.unlink()
    project.baseline.mkdir()

    for call in (project.check, project.accept):
        with pytest.raises(InputFileError):
            call()


def test_a_baseline_of_other_suites_alone_judges_nothing(project: Project) -> None:
    """Copied from another project: whole runs fail by it, and what has a max_drop is refused."""
    project.configure("suite.", "suite.x")

    with pytest.raises(SekishoError):
        project.check()
    assert project.check("xdocs").suites[0].comparison is None


def test_relevant_documents_are_kept_with_their_texts_as_fingerprints(project: Project) -> None:
    """Only those that cases judge."""
    kept = read_baseline(project.baseline)["docs"]

    assert isinstance(kept, RetrievalBaseline)
    assert set(kept.documents) == {"d1", "d2", "d3"}
    assert AnswersReport.__name__ not in project.baseline.read_text(encoding="utf-8")
