"""Preparing, selecting, running: from a configuration to results, with targets of this module."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

from sekisho.app.comparing import compare_targets
from sekisho.app.configuration import Configuration, load_configuration
from sekisho.app.facts import run_facts
from sekisho.app.prepared import Selection
from sekisho.app.runs import Overrides, run_check
from sekisho.app.settings import CollectionFiles, RetrievalSuite
from sekisho.app.suites import prepare_suite
from sekisho.core.errors import ConfigurationError, Location, SekishoError, TargetError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sekisho.gate import RunResult

SMALL = {"topics": 2, "chunks_per_topic": 3, "queries_per_topic": 2, "dims": 8}
ROOT = Path()


def nothing(corpus: object) -> Callable[[object], list[str]]:  # noqa: ARG001  its name asks for the corpus
    """Return a target that finds nothing."""
    return lambda _query: []


def raising() -> Callable[[object], list[str]]:
    """Return a target that raises for the first query and knows no document else."""
    asked = []

    def retrieve(query: object) -> list[str]:
        asked.append(query)
        if len(asked) == 1:
            message = "secret words"
            raise ValueError(message)
        return ["t00-c00"]

    return retrieve


def broken() -> None:
    """Raise while the target is made."""
    message = "no index"
    raise OSError(message)


@pytest.fixture(autouse=True)
def module() -> Iterator[None]:
    """Make the targets of this file importable as ``suite_targets``."""
    module = ModuleType("suite_targets")
    module.__dict__.update(nothing=nothing, raising=raising, broken=broken)
    sys.modules["suite_targets"] = module
    before = list(sys.path)
    yield
    sys.path[:] = before
    del sys.modules["suite_targets"]


def suite(name: str = "a", target: str = "sekisho.retrievers:exact", **settings: object) -> RetrievalSuite:
    """Return a suite on a small corpus."""
    return RetrievalSuite(name=name, target=target, **{"corpus": SMALL, "k": 3, **settings})


def check(*suites: RetrievalSuite, **options: object) -> RunResult:
    """Run suites as the command does."""
    return run_check(Configuration(suites=suites, root=ROOT), **options)


def refused(*suites: RetrievalSuite, **options: object) -> SekishoError:
    """Return the error that stops a run before it begins."""
    with pytest.raises(SekishoError) as caught:
        check(*suites, **options)
    return caught.value


def test_a_healthy_suite_passes() -> None:
    """With its corpus, its fingerprint and its rule in the result."""
    run = check(suite())

    assert (run.verdict, run.exit_code) == ("passed", 0)
    assert run.suites[0].corpus["documents"] == 6
    assert run.suites[0].gate[0].rule == "recall@3"


def test_results_that_are_empty_fail() -> None:
    """By recall and by structure."""
    run = check(suite(target="suite_targets:nothing"))

    assert run.exit_code == 1
    assert [rule.rule for rule in run.suites[0].gate if rule.holds is False] == ["recall@3", "structure.empty"]


def test_a_case_that_raises_is_no_score() -> None:
    """It leaves the rule open where it could tip it."""
    run = check(suite(target="suite_targets:raising", min_recall=0.3))

    assert run.exit_code == 3


def test_a_target_that_cannot_be_made_leaves_every_case_unmeasured() -> None:
    """With the reason and its traceback on each."""
    run = check(suite(target="suite_targets:broken"))

    errors = run.suites[0].report.errors
    assert run.exit_code == 3
    assert len(errors) == 4
    assert errors[0].error is not None
    assert errors[0].error.message == ("The target could not be made, so no case was measured: OSError: no index")
    assert "Traceback" in errors[0].error.traceback


def test_without_a_gate_nothing_fails() -> None:
    """It is reported."""
    run = check(suite(target="suite_targets:nothing", min_recall=None))

    assert (run.verdict, run.exit_code) == ("reported", 0)


def test_a_threshold_without_any_gate_to_set_is_refused() -> None:
    """It would seem to hold."""
    error = refused(suite(min_recall=None), overrides=Overrides(min_recall=0.9))

    assert error.code == "app.no_gate"


def test_options_of_the_call_come_before_the_configuration() -> None:
    """K and the threshold, and a suite without a gate keeps none."""
    run = check(suite(), suite("b", min_recall=None), overrides=Overrides(k=2, min_recall=0.1))

    assert [each.report.k for each in run.suites] == [2, 2]
    assert run.suites[0].gate[0].threshold == 0.1
    assert run.suites[1].gate == ()


def test_manual_suites_run_only_when_named() -> None:
    """In the order named, each once."""
    suites = (suite("a"), suite("b", manual=True))

    assert [each.name for each in check(*suites).suites] == ["a"]
    assert [each.name for each in check(*suites, names=("b", "a", "b")).suites] == ["b", "a"]
    assert refused(suites[1]).code == "app.only_manual"


def test_the_first_failure_stops_where_asked() -> None:
    """What did not run is named."""
    run = check(suite("a", "suite_targets:nothing"), suite("b"), fail_fast=True)

    assert [each.name for each in run.suites] == ["a"]
    assert run.not_run == ("b",)


@pytest.mark.parametrize(
    ("names", "selection", "code"),
    [
        (("serch",), Selection(), "app.unknown_suite_meant"),
        (("zzz",), Selection(), "app.unknown_suite"),
        ((), Selection(case_ids=("t00-q9",)), "app.unknown_case_meant"),
        ((), Selection(case_ids=("zzz",)), "app.unknown_case"),
        ((), Selection(tags=("nightly",)), "app.nothing_selected"),
        ((), Selection(case_ids=("t00-q0",), tags=("nightly",)), "app.nothing_selected"),
    ],
)
def test_a_selection_that_selects_nothing_is_refused(names: tuple[str, ...], selection: Selection, code: str) -> None:
    """Nothing measured is never a pass."""
    assert refused(suite("search"), names=names, selection=selection).code == code


def test_selected_cases_are_all_that_runs() -> None:
    """Suites without any of them are left out, and the report says that it is partial."""
    run = check(suite("a"), suite("b", tags=frozenset({"x"})), selection=Selection(case_ids=("t00-q0",), tags=("x",)))

    assert [each.name for each in run.suites] == ["b"]
    assert [case.id for case in run.suites[0].report.cases] == ["t00-q0"]
    assert "report.partial" in {warning.code for warning in run.suites[0].warnings}


def test_nothing_runs_where_any_suite_cannot_be_prepared() -> None:
    """Not even the suites before it."""
    ran: list[str] = []

    error = refused(
        suite("a"), suite("b", "no_such_module:f"), on_progress=lambda name, _done, _total: ran.append(name)
    )

    assert error.code == "app.target_no_module"
    assert ran == []


@pytest.mark.parametrize(
    ("settings", "code", "key"),
    [
        ({"target": "no_such_module:f"}, "app.target_no_module", "target"),
        ({"target": "suite_targets:nothin"}, "app.target_name_meant", "target"),
        ({"target": "nothing"}, "app.target_form", "target"),
        ({"target": "suite_targets:"}, "app.target_form", "target"),
        (
            {"target_options": {"candidats": 1}, "target": "sekisho.retrievers:two_stage"},
            "app.target_option_meant",
            "target_options",
        ),
        ({"corpus": "zzz"}, "corpora.unknown_preset", "corpus"),
        ({"corpus": {"topcs": 1}}, "app.unknown_key_meant", "corpus"),
        ({"relevance_threshold": 5.0}, "app.without_relevant", "corpus"),
    ],
)
def test_an_error_found_late_still_has_its_line(settings: dict[str, Any], code: str, key: str) -> None:
    """The place of the key that it is about."""
    places = {
        name: Location("sekisho.toml", number) for number, name in enumerate(("target", "corpus", "target_options"))
    }

    error = refused(suite(**{**settings, "places": places}))

    assert error.code == code
    assert error.where == places[key]


def test_a_case_without_relevant_documents_is_refused_by_name() -> None:
    """Its recall could only be 0."""
    with pytest.raises(ConfigurationError, match="t00-q0"):
        prepare_suite(suite(relevance_threshold=2.0), root=ROOT, selection=Selection())


def test_two_runs_give_the_same_results() -> None:
    """Apart from the facts of the run and the time that calls took."""
    one, two = (check(suite()).suites[0].report for _ in range(2))

    assert (one.metrics, [case.retrieved for case in one.cases]) == (
        two.metrics,
        [case.retrieved for case in two.cases],
    )


@pytest.mark.parametrize(
    ("targets", "code"),
    [
        ((), "app.compare_two"),
        (("exact",), "app.compare_two"),
        (("exact", "exact"), "app.compare_twice"),
        (("exact", "two_stage?candidats=4"), "app.target_option_meant"),
        (("exact", "two_stag"), "app.no_such_retriever_meant"),
        (("exact", "bm25"), "app.no_such_retriever"),
    ],
)
def test_a_comparison_that_cannot_be_made_is_refused(targets: tuple[str, ...], code: str) -> None:
    """Too few, one twice, an option or a name that does not exist."""
    with pytest.raises(SekishoError) as caught:
        compare_targets(targets, root=ROOT)

    assert caught.value.code == code


def test_targets_are_compared_with_their_options() -> None:
    """Options are read as values; there is no gate."""
    run = compare_targets(("exact", "two_stage?rerank=false&candidates=20"), root=ROOT)

    assert run.exit_code == 0
    assert [each.verdict for each in run.suites] == ["reported", "reported"]
    exact, binary = (each.report.mean_recall for each in run.suites)
    assert exact is not None
    assert binary is not None
    assert exact > binary + 0.2


def test_a_comparison_with_unmeasured_cases_has_no_verdict() -> None:
    """Exit code 3."""
    assert compare_targets(("exact", "suite_targets:raising"), root=ROOT).exit_code == 3


@pytest.mark.parametrize("files", [{"queries": "q"}, {"qrels": "q"}])
def test_a_collection_to_compare_on_needs_all_its_files(files: dict[str, str]) -> None:
    """One of them alone is a mistake."""
    with pytest.raises(ConfigurationError):
        compare_targets(("exact", "raptor"), corpus="c.jsonl", root=ROOT, **files)


def test_texts_never_stand_in_an_error_of_a_redacted_suite(tmp_path: Path) -> None:
    """Messages about files quote what they found there; here they do not."""
    (tmp_path / "c.jsonl").write_text('"secret words"\n', encoding="utf-8")
    (tmp_path / "sekisho.toml").write_text(
        '[suite.a]\ntarget = "sekisho.retrievers:exact"\nredact = true\n'
        'corpus = "c.jsonl"\nqueries = "c.jsonl"\nqrels = "c.jsonl"\n',
        encoding="utf-8",
    )
    with pytest.raises(SekishoError) as caught:
        run_check(load_configuration(tmp_path / "sekisho.toml"))

    assert "secret" not in str(caught.value)


def test_target_errors_are_errors_of_the_target() -> None:
    """So that a caller can tell them."""
    assert isinstance(refused(suite(target="no_such_module:f")), TargetError)


def test_the_installed_numpy_is_named_whether_it_is_imported_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """A suite of texts may never load it."""
    import numpy as np  # noqa: PLC0415  as a target would

    monkeypatch.delitem(sys.modules, "numpy")

    assert run_facts(ROOT)["versions"]["numpy"] == np.__version__


@pytest.mark.parametrize("redact", [False, True])
def test_titles_of_missed_documents_are_kept_for_the_report(tmp_path: Path, *, redact: bool) -> None:
    """Of these only, and not where no text may be shown."""
    lines = ({"_id": f"d{number}", "title": f"Title {number}", "text": "words"} for number in range(5))
    (tmp_path / "c.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    (tmp_path / "q.jsonl").write_text('{"_id": "q1", "text": "what"}\n', encoding="utf-8")
    (tmp_path / "r.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\n", encoding="utf-8")
    files = CollectionFiles(corpus=tmp_path / "c.jsonl", queries=tmp_path / "q.jsonl", qrels=tmp_path / "r.tsv")

    run = check(suite(target="suite_targets:nothing", corpus=files, k=2, redact=redact))

    assert run.suites[0].titles == ({} if redact else {"d1": "Title 1"})
