"""The report for programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import msgspec
import pytest

from sekisho.reports.json_report import encode, run_document

if TYPE_CHECKING:
    from collections.abc import Callable

    from syrupy.assertion import SnapshotAssertion

    from sekisho.core.messages import Language
    from sekisho.gate import RetrievalSuiteResult, RunResult

KINDS = ("mixed", "failed", "not measured", "redacted", "saturated")


@pytest.mark.parametrize("kind", KINDS)
def test_the_document_looks_like_this(runs: dict[str, RunResult], snapshot: SnapshotAssertion, kind: str) -> None:
    """Schema, verdict, suites with gate, metrics, structure and cases, and all that may differ under run."""
    assert encode(run_document(runs[kind], language="en")).decode() == snapshot


def test_sentences_follow_the_language_and_numbers_do_not(runs: dict[str, RunResult]) -> None:
    """Warnings and what is not measured are for people."""
    english, japanese = (run_document(runs["mixed"], language=language) for language in ("en", "ja"))

    for one, other in zip(english["suites"], japanese["suites"], strict=True):
        assert one["metrics"] == other["metrics"]
        assert one["not_measured"][0]["code"] == other["not_measured"][0]["code"]
        assert one["not_measured"][0]["message"] != other["not_measured"][0]["message"]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_redacted_document_holds_no_text(runs: dict[str, RunResult], language: Language) -> None:
    """Neither queries nor the words of exceptions nor tracebacks; ids stay."""
    text = encode(run_document(runs["redacted"], language=language)).decode()

    assert not [secret for secret in ("出張", "trip", "退職金", "Traceback", "KeyError", 'query"') if secret in text]
    assert '"q2"' in text


def test_only_run_tells_time_and_machine(runs: dict[str, RunResult]) -> None:
    """Two runs on one commit are equal apart from it."""
    run = runs["not measured"]
    slower = tuple(
        msgspec.structs.replace(
            suite,
            report=msgspec.structs.replace(
                suite.report,
                cases=tuple(msgspec.structs.replace(case, elapsed_ms=9.0) for case in suite.report.cases),
            ),
        )
        for suite in run.suites
    )
    later = msgspec.structs.replace(run, suites=slower, facts={"time": "2001-01-01T00:00:00+00:00"})

    one, other = run_document(run, language="en"), run_document(later, language="en")

    assert one.pop("run") != other.pop("run")
    assert encode(one) == encode(other)


def test_half_a_surrogate_pair_is_written_as_an_escape(
    make_suite: Callable[..., RetrievalSuiteResult], make_run: Callable[..., RunResult]
) -> None:
    """JSON in UTF-8 cannot hold it, and a report that crashes protects nobody."""
    found = {"出張の上限は？": ["\ud800", "d0"], "Who approves a trip?": ["d2"], "退職金の計算": ["d4"]}

    document = json.loads(encode(run_document(make_run(make_suite(found)), language="en")))

    assert document["suites"][0]["cases"][0]["retrieved"] == ["\\ud800", "d0"]
    assert document["suites"][0]["structure"]["unknown"][0]["ids"] == ["\\ud800"]


def test_what_could_steer_a_terminal_is_escaped() -> None:
    """A document is looked at, too; a parser gets the text as it was."""
    hostile = "\x1b[2J\x9b2J\u202e\u200b\ufeff\x7f漢字"

    encoded = encode({"a": hostile})

    assert json.loads(encoded) == {"a": hostile}
    assert all(char.isprintable() or char == "\n" for char in encoded.decode())


def test_numbers_are_not_rounded(runs: dict[str, RunResult]) -> None:
    """A gate is checked on what was measured."""
    document = json.loads(encode(run_document(runs["mixed"], language="en")))

    assert document["suites"][0]["metrics"]["recall@2"] == 5 / 6
