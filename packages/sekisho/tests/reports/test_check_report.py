"""The report of a check, as a person reads it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec
import pytest

from sekisho.core.messages import note
from sekisho.core.text import display_width
from sekisho.reports.check_report import write_run

if TYPE_CHECKING:
    from collections.abc import Callable

    from syrupy.assertion import SnapshotAssertion

    from sekisho.core.messages import Language
    from sekisho.gate import RunResult, SuiteResult

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
    """From a narrow window to a wide one, and without spaces at the ends of lines."""
    for kind in KINDS:
        for line in written(write_run, runs[kind], language, COLUMNS=str(width)).splitlines():
            assert display_width(line) <= width + 2 * (language == "ja")
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
        assert "recall@2 >= 0.6" in text or encoding == "cp932" or kind == "reported"


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
    make_suite: Callable[..., SuiteResult], make_run: Callable[..., RunResult], healthy: dict[str, list[str]]
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
                error, reason=note("retrieval.raised", text=HOSTILE), traceback=f'File "{HOSTILE}"'
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
    make_suite: Callable[..., SuiteResult], make_run: Callable[..., RunResult], written: Callable[..., str]
) -> None:
    """And says how many are left."""
    suite = make_suite({"出張の上限は？": ["d7"], "Who approves a trip?": ["d7"], "退職金の計算": ["d7"]})
    many = tuple(msgspec.structs.replace(suite.report.cases[0], id=f"c{number:02}") for number in range(12))
    suite = msgspec.structs.replace(suite, report=msgspec.structs.replace(suite.report, cases=many))

    failed = written(write_run, make_run(suite))
    passed = written(write_run, make_run(msgspec.structs.replace(suite, verdict="passed")))

    assert ("5 of 12" in failed, "and 7 more" in failed) == (True, True)
    assert ("2 of 12" in passed, "and 10 more" in passed) == (True, True)
