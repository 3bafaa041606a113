"""Round trips through every format, and bytes of any kind."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING
from unicodedata import normalize

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sekisho.adapters.case_files import check_case_file, load_cases
from sekisho.adapters.case_files.checking import says_something
from sekisho.adapters.case_files.foreign import convert_file
from sekisho.adapters.case_files.writing import encode_cases
from sekisho.core.answers import EXCUSABLE, AnswerCase, KnownIssue
from sekisho.core.errors import InputFileError, SekishoError
from sekisho.core.messages import LANGUAGES
from sekisho.core.text import printable

if TYPE_CHECKING:
    from pathlib import Path

    from sekisho.adapters.case_files.source import Format

FORMATS: dict[Format, str] = {
    "json": "json", "lines": "jsonl", "toml": "toml", "table": "csv", "yaml": "yaml", "xlsx": "xlsx",
}  # fmt: skip
ENDINGS = [*FORMATS.values(), "tsv", "txt"]

WORDS = st.sampled_from(
    ["no", "true", "20", "1e5", "null", "~", "a: b", "# x", "- a", "'", '"', "\\", "|", "a|b", ",", ";", "\t", "\n",
     "=1+1", "'=x", "_x000D_", "2026-01-01", "12:30", "[x]", "{x}", "&a", "*a", "!t", "%x", "@", "`", "日本 語",
     "\u2028", "\x7f", "\x85", "\ufeff", "\U0001f600", " ", "'''", '"""', "\r"]
)  # fmt: skip
TEXT = st.lists(st.one_of(WORDS, st.text(max_size=8)), min_size=1, max_size=4).map("".join).filter(says_something)
TEXTS = st.lists(TEXT, max_size=3).map(tuple)
EXPECTED = TEXTS.filter(
    lambda texts: not any(ord(char) < 32 or char == "\x7f" for char in "".join(texts) if char not in "\t\n\v\f\r")
)
IDS = TEXT.map(str.strip).filter(lambda text: printable(text) == text and says_something(text))
ISSUES = st.builds(
    KnownIssue,
    reason=TEXT,
    suites=TEXTS,
    failures=st.lists(st.sampled_from(EXCUSABLE), max_size=2).map(tuple),
    until=st.one_of(st.none(), st.dates(min_value=dt.date(1000, 1, 1))),
    link=st.one_of(st.just(""), TEXT),
)


@st.composite
def cases(draw: st.DrawFn) -> AnswerCase:
    """Return any case that a file may hold."""
    not_found = draw(st.booleans())
    return AnswerCase(
        id=draw(IDS),
        question=draw(TEXT),
        departments=draw(TEXTS),
        expect_source=() if not_found else draw(EXPECTED),
        expect_text=() if not_found else draw(EXPECTED),
        forbid=draw(EXPECTED) or (() if not_found else ("x",)),
        expect_not_found=not_found,
        known_issue=draw(st.one_of(st.none(), ISSUES)),
        tags=draw(TEXTS),
    )


MANY = st.lists(cases(), min_size=1, max_size=3, unique_by=lambda case: normalize("NFC", case.id))


@pytest.mark.parametrize("kind", FORMATS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=60)
@given(many=MANY)
def test_what_is_written_is_read_as_the_same(tmp_path: Path, kind: Format, many: list[AnswerCase]) -> None:
    """Or is refused before it is written, where a cell cannot hold it."""
    path = tmp_path / f"cases.{FORMATS[kind]}"

    try:
        content = encode_cases(many, kind, name=str(path))
    except InputFileError as error:
        assert kind in {"table", "xlsx"}
        assert error.code == "cases.cell_cannot_hold"  # noqa: PT017  either outcome is right
        return
    path.write_bytes(content)

    assert [msgspec.structs.replace(case, where=None) for case in load_cases(path)] == many


@pytest.mark.parametrize("sign", ["\r", "\n", "\r\n"])
def test_a_break_inside_of_a_cell_ends_no_row(tmp_path: Path, sign: str) -> None:
    """Whichever it is, and whichever ends the rows."""
    path = tmp_path / "cases.csv"
    case = AnswerCase(id="a", question=f"one{sign}two", forbid=("x",))

    path.write_bytes(encode_cases([case], "table", name=str(path)))

    assert [each.question for each in load_cases(path)] == [case.question]


PIECES = st.sampled_from(
    [
        *(bytes([byte]) for byte in b" \t,;|\n\"'{}[]:#-.=&*!1\0\xff\\"),
        *(b"id", b"question", b'"forbid"', b"expect_text", b"nan", b"true", b"null", b"\r\n", "文".encode()),
        *(b"[[case]]\n", b"cases:\n", b"- id: a\n", b'{"id": "a", "question": "b", "forbid": "c"}\n'),
        *(b"id,question,forbid\n", b"a,b,c\n", b"\xef\xbb\xbf", b"\\ud800", b"PK\x03\x04", b"\x1f\x8b", b"<a>"),
        *(
            b'id = "a"\n',
            b'question = """b',
            b'"tests": [',
            b'{"vars": {"q": "a"}}',
            b"tests:\n",
            b"---\n",
            b"[" * 60,
        ),
    ]
)
CONTENT = st.one_of(st.binary(max_size=60), st.lists(PIECES, max_size=20).map(b"".join))


@pytest.mark.parametrize("ending", ENDINGS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=100)
@given(content=CONTENT)
def test_any_bytes_give_cases_or_an_error_of_ours(tmp_path: Path, ending: str, content: bytes) -> None:
    """Random bytes, and random pieces of the formats; as cases, and as a file to convert."""
    path = tmp_path / f"cases.{ending}"
    path.write_bytes(content)
    said: list[str] = []

    for read in (check_case_file, convert_file):
        try:
            found = read(path)
            problems = getattr(found, "problems", ())
        except SekishoError as error:
            problems = (error,)
        said += [problem.render(language) for problem in problems for language in LANGUAGES]

    assert all(said)
