"""Records made by hand, and a page to write them on."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from sekisho.core.messages import note
from sekisho.core.records import EvalCase, Neighbours
from sekisho.gate import RetrievalRule, RetrievalSuiteResult, RunResult, exit_code, judge_retrieval, overall
from sekisho.reports.terminal import Terminal
from sekisho.retrieval import CaseError, evaluate_retrieval

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sekisho.core.messages import Language
    from sekisho.retrieval import CaseResult, EvalReport

DOCUMENTS = [f"d{number}" for number in range(8)]
FACTS = {"time": "2000-01-01T00:00:00+00:00", "commit": None, "versions": {}, "machine": {}}


def report(answers: Mapping[str, Any], *, overlap: bool = False) -> EvalReport:
    """Return the report on three questions, each with two relevant documents, at k = 2."""
    questions = {"q1": "出張の上限は？", "q2": "Who approves a trip?", "q3": "退職金の計算"}
    cases = [
        EvalCase(id_, text, {f"d{2 * place}": 2, f"d{2 * place + 1}": 1},
                 Neighbours(k=2, ids=("d0", "d7")) if overlap else None)
        for place, (id_, text) in enumerate(questions.items())
    ]  # fmt: skip
    found = evaluate_retrieval(cases, lambda query: answers[query], k=2, documents=DOCUMENTS)
    return msgspec.structs.replace(found, cases=tuple(map(settled, found.cases)))


def settled(case: CaseResult) -> CaseResult:
    """Return a case without what differs from run to run."""
    error = case.error
    if error is not None:
        traceback = 'Traceback\n  File "/app/search.py", line 7, in retrieve\n'
        error = CaseError(kind=error.kind, reason=error.reason, traceback=traceback)
    return msgspec.structs.replace(case, elapsed_ms=1.0, error=error)


def answers(*rankings: list[str]) -> dict[str, list[str]]:
    """Return the three questions with what comes back for each."""
    return dict(zip(("出張の上限は？", "Who approves a trip?", "退職金の計算"), rankings, strict=True))


HEALTHY = answers(["d0", "d1", "d5"], ["d2", "d6", "d3"], ["d4", "d5"])
PERFECT = answers(["d0", "d1"], ["d2", "d3"], ["d4", "d5"])
MALFORMED = answers(["d0", "d0", "d9"], [], ["d7"])
CRASHED = {key: value for key, value in HEALTHY.items() if "trip" not in key}
UNORDERED = answers(["d7", "d0", "d1"], ["d7", "d2", "d3"], ["d7", "d4", "d5"])


@pytest.fixture
def make_suite() -> Callable[..., RetrievalSuiteResult]:
    """Return a function that judges answers as a suite."""

    def make(
        found: Mapping[str, Any], name: str = "policies", *, rule: RetrievalRule | None = None, gated: bool = True,
        overlap: bool = False, **changes: object,
    ) -> RetrievalSuiteResult:  # fmt: skip
        measured = report(found, overlap=overlap)
        verdict, outcomes = judge_retrieval(measured, (rule or RetrievalRule()) if gated else None)
        suite = RetrievalSuiteResult(
            name=name, kind="retrieval", target="app.search:make", verdict=verdict, gate=outcomes, report=measured,
            corpus={"name": "corpus.jsonl", "kind": "synthetic" if overlap else "collection", "documents": 8,
                    "queries": 3, "parameters": {}},
            fingerprints={"corpus": "0123456789abcdef" * 4}, warnings=measured.warnings,
        )  # fmt: skip
        return msgspec.structs.replace(suite, **changes)

    return make


@pytest.fixture
def make_run() -> Callable[..., RunResult]:
    """Return a function that puts suites together to a run."""

    def make(*suites: RetrievalSuiteResult, not_run: tuple[str, ...] = ()) -> RunResult:
        verdict = overall([suite.verdict for suite in suites])
        return RunResult(verdict=verdict, exit_code=exit_code(verdict), suites=suites, not_run=not_run, facts=FACTS)

    return make


@pytest.fixture
def runs(make_suite: Callable[..., RetrievalSuiteResult], make_run: Callable[..., RunResult]) -> dict[str, RunResult]:
    """Return a run of each kind that a report can be about."""
    partial = (note("report.partial", count=3, total=9),)
    strict = RetrievalRule(strict_structure=True)
    return {
        "mixed": make_run(make_suite(HEALTHY), make_suite(UNORDERED, "by-vectors", overlap=True, warnings=partial)),
        "failed": make_run(make_suite(MALFORMED, rule=strict), not_run=("staging", "nightly")),
        "not measured": make_run(make_suite(CRASHED), make_suite(HEALTHY, "other")),
        "redacted": make_run(make_suite(CRASHED, redact=True)),
        "saturated": make_run(make_suite(PERFECT), make_suite(PERFECT, "twin", gated=False)),
        "reported": make_run(make_suite(HEALTHY, gated=False)),
        "compared": make_run(*(
            make_suite(found, name, gated=False, overlap=True)
            for name, found in {"old": HEALTHY, "new": UNORDERED, "crashing": CRASHED}.items()
        )),
    }  # fmt: skip


class Page(io.StringIO):
    """A stream that remembers what is written, of one encoding, a terminal or not."""

    def __init__(self, encoding: str = "utf-8", *, terminal: bool = False) -> None:
        super().__init__()
        self._encoding = encoding
        self._terminal = terminal

    @property
    def encoding(self) -> str:  # type: ignore[override]  # fixed in a StringIO
        """Return the encoding that a file would have."""
        return self._encoding

    def isatty(self) -> bool:
        """Tell whether this stands for a terminal."""
        return self._terminal


@pytest.fixture
def written() -> Callable[..., str]:
    """Return a function that writes a report and returns its text."""

    def written(
        write: Callable[[Any, Terminal], None], run: RunResult, language: Language = "en", *, encoding: str = "utf-8",
        terminal: bool = False, **environment: str,
    ) -> str:  # fmt: skip
        page = Page(encoding, terminal=terminal)
        write(run, Terminal(page, language=language, environment={"COLUMNS": "100", **environment}))
        return page.getvalue()

    return written
