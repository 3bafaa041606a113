"""What a suite is measured on is out of its target's reach, and what it keeps to itself is in no result."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

from sekisho.app.comparing import compare_targets
from sekisho.app.configuration import Configuration
from sekisho.app.runs import Overrides, run_check
from sekisho.app.settings import CollectionFiles, RetrievalSuite
from sekisho.core.errors import ConfigurationError, CorpusError, SekishoError
from sekisho.reports.json_report import encode, run_document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy as np

    from sekisho.core.messages import Language
    from sekisho.gate import RunResult
    from sekisho.retrieval import EvalReport

SMALL = {"topics": 2, "chunks_per_topic": 3, "queries_per_topic": 2, "dims": 8}
QUOTED = "the secret words"


def cheating(corpus: Any) -> Callable[[object], list[str]]:  # noqa: ANN401  either kind of corpus
    """Return a target that finds nothing and has first changed whatever it could."""
    for case in corpus.cases:
        if hasattr(case.relevant, "clear"):
            case.relevant.clear()
            case.relevant["x"] = 1
    if hasattr(corpus, "documents"):
        corpus.documents.clear()
        corpus.documents["x"] = None
    else:
        corpus.parameters.clear()
        for vectors in (corpus.chunks, corpus.queries):
            base = vectors.numbers
            while base.base is not None and hasattr(base.base, "flags"):
                base = base.base
            base.flags.writeable = True
            base[...] = 1
    return lambda _query: ["x"]


def spoiling_queries() -> Callable[[np.ndarray], list[str]]:
    """Return a target that tries to change each query in place."""

    def retrieve(query: np.ndarray) -> list[str]:
        query *= 0
        return []

    return retrieve


def quoting() -> Callable[[str], list[str]]:
    """Return a target whose ids quote the query."""
    return lambda query: [f"id of {query}", f"id of {query}", "d1"]


def raising() -> Callable[[str], list[str]]:
    """Return a target whose exception quotes the query."""

    def retrieve(query: str) -> list[str]:
        raise ValueError(query)

    return retrieve


def unknown_code() -> None:
    """Raise an error of this package under a code that it does not have."""
    raise SekishoError("no.such.code")


@pytest.fixture(autouse=True)
def module() -> Iterator[None]:
    """Make the targets of this file importable as ``private_targets``."""
    module = ModuleType("private_targets")
    module.__dict__.update(
        cheating=cheating, spoiling=spoiling_queries, quoting=quoting, raising=raising, unknown_code=unknown_code
    )
    sys.modules["private_targets"] = module
    before = list(sys.path)
    yield
    sys.path[:] = before
    del sys.modules["private_targets"]


@pytest.fixture
def files(tmp_path: Path) -> CollectionFiles:
    """Return a collection whose texts may not be shown."""
    lines = ({"_id": f"d{number}", "title": QUOTED, "text": QUOTED} for number in range(4))
    (tmp_path / "c.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    (tmp_path / "q.jsonl").write_text(json.dumps({"_id": "q1", "text": QUOTED}), encoding="utf-8")
    (tmp_path / "r.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\n", encoding="utf-8")
    return CollectionFiles(corpus=tmp_path / "c.jsonl", queries=tmp_path / "q.jsonl", qrels=tmp_path / "r.tsv")


def suite(target: str, **settings: object) -> RetrievalSuite:
    """Return a suite with a target of this file, or another."""
    reference = target if ":" in target else f"private_targets:{target}"
    return RetrievalSuite(**{"name": target, "target": reference, "corpus": SMALL, "k": 2, **settings})


def check(*suites: RetrievalSuite, **options: object) -> RunResult:
    """Run suites as the command does."""
    return run_check(Configuration(suites=suites, root=Path()), **options)


@pytest.mark.parametrize("corpus", [SMALL, "real-vectors", {**SMALL, "layout": "grid-v1"}, "files"])
def test_a_target_cannot_change_what_it_is_measured_on(corpus: str | dict[str, object], files: CollectionFiles) -> None:
    """Neither the cases, nor what is relevant, nor the documents, nor what the report says about the corpus."""
    settings = {"corpus": files if corpus == "files" else corpus, "tolerate": frozenset({"unknown"})}
    honest = check(suite("quoting" if corpus == "files" else "sekisho.retrievers:exact", **settings)).suites[0]

    run = check(suite("cheating", **settings))

    cheated = run.suites[0]
    assert (cheated.verdict, cheated.report.mean_recall) == ("failed", 0.0)
    assert (cheated.corpus, cheated.fingerprints) == (honest.corpus, honest.fingerprints)
    assert [case.relevant for case in cheated.report.cases] == [case.relevant for case in honest.report.cases]
    assert all(finding.ids == ("x",) for finding in cheated.report.structure.unknown)
    assert len(cheated.report.structure.unknown) == len(cheated.report.cases)


def test_a_query_cannot_be_changed_in_place() -> None:
    """It would be that of every later call."""
    run = check(suite("spoiling"))

    assert {case.error.kind for case in run.suites[0].report.errors if case.error} == {"raised"}
    assert run.exit_code == 3


def test_an_unexpected_error_takes_nothing_from_finished_suites(monkeypatch: pytest.MonkeyPatch) -> None:
    """The suite that breaks off is not measured; a failure before it stays a failure."""
    from sekisho.app import retrieval_suite  # noqa: PLC0415  changed here

    whole = retrieval_suite._measure  # noqa: SLF001  what breaks off

    def measure(prepared: Any, advance: Callable[[int, int], None]) -> EvalReport:  # noqa: ANN401  private there
        if prepared.suite.name == "second":
            raise ZeroDivisionError
        return whole(prepared, advance)

    monkeypatch.setattr(retrieval_suite, "_measure", measure)
    good = [suite("sekisho.retrievers:exact", name=name) for name in ("first", "second", "third")]
    bad = suite("quoting", name="bad")

    run, failed = check(*good), check(bad, good[1])

    assert [result.verdict for result in run.suites] == ["passed", "not_measured", "passed"]
    assert (run.exit_code, failed.exit_code) == (3, 1)
    assert "broke off" in run.suites[1].report.cases[0].error.message


def test_an_error_with_an_unknown_code_is_one_of_the_target() -> None:
    """It has no sentence that could be shown."""
    run = check(suite("unknown_code"))

    assert run.exit_code == 3
    assert run.suites[0].report.cases[0].error.message


def test_a_refusal_after_a_finished_suite_leaves_its_verdict() -> None:
    """Exit code 2 means that nothing ran."""
    options = {"candidates": -1}
    bad = suite("sekisho.retrievers:two_stage", target_options=options, name="bad")

    run = check(suite("sekisho.retrievers:exact"), bad)

    assert [result.verdict for result in run.suites] == ["passed", "not_measured"]


@pytest.mark.parametrize("target", ["quoting", "raising"])
def test_a_redacted_suite_has_no_text_in_its_results(files: CollectionFiles, target: str) -> None:
    """Ids that the corpus does not hold may be anything; one stays one, and is told from others."""
    result = check(suite(target, corpus=files, redact=True)).suites[0]

    assert QUOTED not in repr(result).replace(repr(result.report.cases[0].query), "")
    if target == "quoting":
        shown = result.report.cases[0].retrieved
        assert shown == (shown[0], shown[0], "d1")
        assert shown[0].startswith("unknown-")
        assert len(shown[0]) == len("unknown-") + 8
        assert result.report.structure.unknown[0].ids == result.report.structure.duplicate[0].ids == (shown[0],)


@pytest.mark.parametrize("target", ["quoting", "raising"])
@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_redacted_report_has_no_text(files: CollectionFiles, target: str, language: Language) -> None:
    """In none of its places."""
    run = check(suite(target, corpus=files, redact=True))

    assert QUOTED.encode() not in encode(run_document(run, language=language))


@pytest.mark.parametrize(
    "lines", [QUOTED, json.dumps({"_id": QUOTED}), json.dumps([QUOTED]), json.dumps({"_id": "q1", "text": [QUOTED]})]
)
def test_a_refusal_of_a_redacted_suite_has_no_text(files: CollectionFiles, lines: str) -> None:
    """It may quote a record; its place in the file says enough."""
    files.queries.write_text(f"{lines}\n{lines}\n", encoding="utf-8")

    with pytest.raises(SekishoError) as caught:
        check(suite("quoting", corpus=files, redact=True))

    assert QUOTED not in str(caught.value)
    assert QUOTED not in caught.value.render("ja")


def test_a_crash_in_a_redacted_suite_has_no_text(files: CollectionFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    """A traceback would show what the exception quotes."""

    def crash(*_arguments: object, **_options: object) -> None:
        raise ZeroDivisionError(QUOTED)

    monkeypatch.setattr("sekisho.app.retrieval_suite.load_inputs", crash)
    with pytest.raises(ConfigurationError) as caught:
        check(suite("quoting", corpus=files, redact=True))

    assert caught.value.code == "app.redacted_crash"
    assert QUOTED not in str(caught.value)
    assert caught.value.__suppress_context__


@pytest.mark.parametrize("value", [0.0, 1e-13])
def test_a_gate_of_nothing_is_refused_on_the_command_line(value: float) -> None:
    """It would seem to hold."""
    with pytest.raises(ConfigurationError) as caught:
        check(suite("quoting"), overrides=Overrides(min_recall=value))

    assert caught.value.code == "app.gate_nothing"


@pytest.mark.parametrize("k", [6, 10])
def test_a_gate_that_all_documents_hold_is_refused(k: int) -> None:
    """Recall is 1 for whoever returns everything; without a gate it may be looked at."""
    with pytest.raises(ConfigurationError) as caught:
        check(suite("sekisho.retrievers:exact", k=k))

    assert caught.value.code == "app.gate_certain"
    assert check(suite("sekisho.retrievers:exact", k=k, min_recall=None)).exit_code == 0


@pytest.mark.parametrize(
    ("targets", "code"),
    [
        (("exact", "exact?"), "app.compare_twice"),
        (("exact", "sekisho.retrievers:exact"), "app.compare_twice"),
        (("two_stage?candidates=20", "two_stage?candidates=0x14&"), "app.compare_twice"),
        (("exact", "two_stage?candidates=20&candidates=30"), "app.compare_option_twice"),
        (("exact", "two_stage?candidates=20\nx=1"), "app.compare_line_break"),
        (("exact", "two_stage?candidates=20\n"), "app.compare_line_break"),
        (("exact", "two_stage?candidates=20\u2028"), "app.compare_line_break"),
    ],
)
def test_targets_that_are_not_what_they_seem_are_not_compared(targets: tuple[str, ...], code: str) -> None:
    """However they are written."""
    with pytest.raises(ConfigurationError) as caught:
        compare_targets(targets, root=Path())

    assert caught.value.code == code


def test_a_corpus_too_large_is_refused_before_the_run() -> None:
    """As every wrong value."""
    with pytest.raises(CorpusError):
        check(suite("quoting", corpus={"topics": 2**17, "dims": 1024}))
