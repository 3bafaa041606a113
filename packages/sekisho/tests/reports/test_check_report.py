"""The report of a check, as a person reads it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec
import pytest

from sekisho.core.messages import note
from sekisho.core.text import display_width
from sekisho.reports.check_report import write_run
from sekisho.retrieval import CaseError

if TYPE_CHECKING:
    from collections.abc import Callable

    from syrupy.assertion import SnapshotAssertion

    from sekisho.core.messages import Language
    from sekisho.gate import RetrievalSuiteResult, RunResult

KINDS = ("mixed", "failed", "not measured", "redacted", "saturated", "reported")
HOSTILE = "\x1b[2J\u202e[red]{0}{braces}\x00\n\ud800%s" + "x" * 1_000_000
SECRETS = ("出張", "trip", "退職金", "Traceback", "KeyError")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_report_reads_like_this(
    runs: dict[str, RunResult], written: Callable[..., str], snapshot: SnapshotAssertion, kind: str, language: Language
) -> None:
    """Metrics, gate, worst cases, legend, what is not measured, the verdict last."""
    assert written(write_run, runs[kind], language) == snapshot


@pytest.mark.parametrize("width", [20, 40, 80, 140])
@pytest.mark.parametrize("language", ["en", "ja"])
def test_no_line_is_wider_than_the_terminal(
    runs: dict[str, RunResult], written: Callable[..., str], width: int, language: Language
) -> None:
    """From a narrow window to a wide one, apart from the command to copy, and without spaces at the ends of lines."""
    for kind in KINDS:
        for line in written(write_run, runs[kind], language, COLUMNS=str(width)).splitlines():
            assert display_width(line) <= width + 2 * (language == "ja") or line.startswith("  sekisho check ")
            assert line == line.rstrip()


def test_columns_stand_below_each_other(runs: dict[str, RunResult], written: Callable[..., str]) -> None:
    """Also where names are Japanese: the verdict begins at one column in every row."""
    rows = written(write_run, runs["mixed"], "ja").split("\n\n")[0].splitlines()

    assert len({display_width(row[: row.rindex(" ")]) for row in rows}) == 1


@pytest.mark.parametrize("encoding", ["ascii", "cp932", "cp1252", "latin-1"])
@pytest.mark.parametrize("language", ["en", "ja"])
def test_every_encoding_gets_something_readable(
    runs: dict[str, RunResult], written: Callable[..., str], encoding: str, language: Language
) -> None:
    """Signs become ASCII, letters that do not exist there their escapes."""
    for kind in KINDS:
        text = written(write_run, runs[kind], language, encoding=encoding)

        assert text.encode(encoding)
        assert ">= 0.6" in text or encoding == "cp932" or kind == "reported"


@pytest.mark.parametrize(
    ("terminal", "environment", "coloured"),
    [
        (True, {}, True),
        (False, {}, False),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"NO_COLOR": ""}, True),
        (True, {"TERM": "dumb"}, False),
        (False, {"FORCE_COLOR": "1"}, True),
        (True, {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ],
)
def test_colours_are_for_terminals(
    runs: dict[str, RunResult],
    written: Callable[..., str],
    *,
    terminal: bool,
    environment: dict[str, str],
    coloured: bool,
) -> None:
    """Unless the user says otherwise."""
    text = written(write_run, runs["failed"], terminal=terminal, **environment)

    assert ("\x1b[1;31m" in text) == coloured
    assert ("\x1b" in text) == coloured


def test_colours_change_no_character(runs: dict[str, RunResult], written: Callable[..., str]) -> None:
    """Without them the text is the same."""
    plain, coloured = (written(write_run, runs["failed"], terminal=each) for each in (False, True))

    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == plain


@pytest.fixture
def hostile(
    make_suite: Callable[..., RetrievalSuiteResult], make_run: Callable[..., RunResult], healthy: dict[str, list[str]]
) -> RunResult:
    """Return a run in which every text comes from somebody who means harm."""
    suite = make_suite(healthy)
    report = suite.report
    error = report.cases[0].error
    assert error is not None
    cases = tuple(
        msgspec.structs.replace(
            case,
            id=HOSTILE + str(place),
            query=HOSTILE,
            retrieved=(HOSTILE,),
            missed=(HOSTILE,),
            ranks={HOSTILE: 1},
            error=case.error
            and msgspec.structs.replace(
                error, reason=note("calling.raised", text=HOSTILE), traceback=f'File "{HOSTILE}"'
            ),
        )
        for place, case in enumerate(report.cases)
    )
    structure = msgspec.structs.replace(
        report.structure,
        unknown=tuple(msgspec.structs.replace(f, case_id=HOSTILE, ids=(HOSTILE,)) for f in report.structure.unknown),
    )
    report = msgspec.structs.replace(report, cases=cases, structure=structure)
    suite = msgspec.structs.replace(
        suite, name=HOSTILE, target=HOSTILE, report=report, corpus={**suite.corpus, "name": HOSTILE}
    )
    return make_run(suite, not_run=(HOSTILE,))


@pytest.fixture
def healthy() -> dict[str, list[str]]:
    """Return answers to two of the three questions, with an unknown id; the first one raises."""
    return {"Who approves a trip?": ["d2", "d99"], "退職金の計算": ["d4"]}


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "cp932"])
def test_hostile_text_steers_nothing(
    hostile: RunResult, written: Callable[..., str], language: Language, encoding: str
) -> None:
    """No control character, no mark that reorders, no page of a million characters, no crash."""
    text = written(write_run, hostile, language, encoding=encoding)

    assert all(char.isprintable() or char in "\n\u3000" for char in text)
    assert len(text) < 40_000
    assert r"\x1b[2J\u202e[red]{0}{braces}" in text.replace("\n", "").replace(" ", "")


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_redacted_report_holds_no_text(
    runs: dict[str, RunResult], written: Callable[..., str], language: Language
) -> None:
    """Ids stay; queries, messages of exceptions and tracebacks do not."""
    text = written(write_run, runs["redacted"], language)

    assert not [secret for secret in SECRETS if secret in text]
    assert "q2" in text


def test_what_does_not_pass_shows_more_cases(
    make_suite: Callable[..., RetrievalSuiteResult], make_run: Callable[..., RunResult], written: Callable[..., str]
) -> None:
    """And says how many are left; what passes only says how many are not perfect."""
    suite = make_suite({"出張の上限は？": ["d7"], "Who approves a trip?": ["d7"], "退職金の計算": ["d7"]})
    many = tuple(msgspec.structs.replace(suite.report.cases[0], id=f"c{number:02}") for number in range(12))
    suite = msgspec.structs.replace(suite, report=msgspec.structs.replace(suite.report, cases=many))

    failed = written(write_run, make_run(suite))
    passed = written(write_run, make_run(msgspec.structs.replace(suite, verdict="passed")))

    assert ("5 of 12" in failed, "and 7 more" in failed) == (True, True)
    assert "12 of 12 cases are not perfect; --json lists them" in passed
    assert "expected but missing" not in passed


def crashing(
    kind: str, error: CaseError, count: int, make_suite: Callable[..., RetrievalSuiteResult]
) -> RetrievalSuiteResult:
    """Return a suite of which some cases, or all, ended with one error."""
    suite = make_suite({"出張の上限は？": ["d7"], "Who approves a trip?": ["d2", "d3"], "退職金の計算": ["d4", "d5"]})
    failed = tuple(
        msgspec.structs.replace(suite.report.cases[1], id=f"e{number}", recall=None, ndcg=None, error=error)
        for number in range(count)
    )
    cases = failed if kind == "all" else (suite.report.cases[0], *failed)
    rules = tuple(msgspec.structs.replace(rule, value=None, holds=None) for rule in suite.gate[:1])
    report = msgspec.structs.replace(suite.report, cases=cases, **({"mean_recall": None} if kind == "all" else {}))
    return msgspec.structs.replace(suite, report=report, gate=rules, verdict="not_measured")


def test_equal_errors_are_said_once_and_leave_room_for_misses(
    make_suite: Callable[..., RetrievalSuiteResult], make_run: Callable[..., RunResult], written: Callable[..., str]
) -> None:
    """With how many cases and the first of them."""
    error = CaseError(kind="raised", reason=note("calling.raised", text="OSError: gone"))

    text = " ".join(written(write_run, make_run(crashing("some", error, 40, make_suite))).split())

    assert "40 cases could not be measured, all for the same reason: OSError: gone (first: e0, e1, e2 … (+37))" in text
    assert text.count("OSError") == 1
    assert "worst cases (1 of 1 that are not perfect): q1: " in text


@pytest.mark.parametrize("redact", [False, True])
@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_target_that_cannot_be_made_is_named_once(
    make_suite: Callable[..., RetrievalSuiteResult], make_run: Callable[..., RunResult], written: Callable[..., str],
    language: Language, *, redact: bool,
) -> None:  # fmt: skip
    """And nothing is said to be open that could not even begin."""
    error = CaseError(kind="raised", reason=note("retrieval.not_made", text="OSError: no index"))
    suite = msgspec.structs.replace(crashing("all", error, 40, make_suite), redact=redact)

    text = written(write_run, make_run(suite), language)

    assert text.count("OSError: no index") == (not redact)
    assert ("The target could not be made, so no case was measured" in text) == (language == "en")
    assert ("No case was measured." in text) == (language == "en")
    assert "could tip it" not in text
    assert "e0" not in text


def test_no_case_is_listed_as_repeating_and_as_short(
    make_suite: Callable[..., RetrievalSuiteResult], make_run: Callable[..., RunResult], written: Callable[..., str]
) -> None:
    """A result that repeats ids is short on that account; the record keeps both."""
    suite = make_suite({"出張の上限は？": ["d0"], "Who approves a trip?": ["d2", "d3"], "退職金の計算": ["d4", "d5"]})
    again = msgspec.structs.replace(suite.report.structure, duplicate=suite.report.structure.short)
    suite = msgspec.structs.replace(suite, report=msgspec.structs.replace(suite.report, structure=again))

    text = written(write_run, make_run(suite))

    assert "ids more than once in q1" in text
    assert "only 1 of 2" not in text


@pytest.mark.parametrize("redact", [False, True])
def test_missing_documents_have_their_titles(
    make_suite: Callable[..., RetrievalSuiteResult],
    make_run: Callable[..., RunResult],
    written: Callable[..., str],
    *,
    redact: bool,
) -> None:
    """Shortened, and not where no text may be shown."""
    suite = make_suite({"出張の上限は？": ["d7"], "Who approves a trip?": ["d2", "d3"], "退職金の計算": ["d4", "d5"]})
    suite = msgspec.structs.replace(suite, titles={"d0": "旅費規程 " + "x" * 99}, redact=redact, verdict="failed")

    text = written(write_run, make_run(suite))

    assert ("missing: d0 (旅費規程 " + "x" * 35 + "…), d1" in text) == (not redact)
    assert ("missing: d0, d1" in text) == redact


def test_the_verdict_stays_on_the_last_line_of_a_build_log(
    runs: dict[str, RunResult], written: Callable[..., str]
) -> None:
    """However long it is; a terminal wraps it."""
    log = written(write_run, runs["failed"], COLUMNS="")

    assert log.rstrip().rpartition("\n")[2].startswith("FAILED: policies (")
    assert log.rstrip().endswith("--case q2")
