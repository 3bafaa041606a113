"""One case more in a file, with every other byte of it left alone."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from sekisho.adapters.case_files.fields import fields_of
from sekisho.adapters.case_files.json_cases import Span, read_array
from sekisho.adapters.case_files.reading import CaseFile, case_bytes, check_bytes, source_of, text_of
from sekisho.adapters.case_files.rows import ISSUE
from sekisho.adapters.case_files.source import Format, format_of, problem
from sekisho.adapters.case_files.table_cases import delimiter_of, text_rows
from sekisho.adapters.case_files.writing import (
    csv_text,
    encode_cases,
    json_line,
    json_object,
    table_rows,
    toml_block,
    yaml_item,
)
from sekisho.adapters.writing import write_new, write_whole
from sekisho.core.answers import AnswerCase

if TYPE_CHECKING:
    from collections.abc import Mapping


_UTF8_MARK = "\ufeff"
_NOTHING = frozenset({b"", b"[]"})
_TOML_NAME = re.compile(r"^[ \t]*+\[\[[ \t]*+(cases?)[ \t]*+\]\]", re.MULTILINE)
_DASH = re.compile(r"^([ \t]*+-[ \t]++)", re.MULTILINE)


class Opened(NamedTuple):
    """A file that a case is to be added to, as it was when it was opened.

    Attributes:
        path: Where it stands.
        format: What its ending or its content says.
        data: Its bytes; None where there is no such file yet.
        cases: Those in it.
    """

    path: Path
    format: Format
    data: bytes | None
    cases: tuple[AnswerCase, ...]


def open_for_adding(path: Path) -> Opened:
    """Return a file with its cases; one that is not there, or holds nothing, is one without cases.

    Raises:
        InputFileError: It cannot be read, anything in it is wrong, it is packed, or the ending of a new one says
            nothing.
        MissingExtraError: The format needs an extra that is not installed.
    """
    name = str(path)
    data = _raw(path)
    if data is None or data.strip() in _NOTHING:
        kind = format_of(name)
        if kind is None:
            raise problem("unknown_format", name)
        return Opened(path, kind, data, ())
    _, unpacked = case_bytes(path)
    if unpacked != data:
        raise problem("add_packed", name)
    found = check_bytes(name, data)
    if found.problems:
        raise found.problems[0]
    return Opened(path, found.format, data, found.cases)


def add_case(opened: Opened, case: AnswerCase) -> None:
    """Write a file with one case more, whole or not at all.

    Raises:
        InputFileError: The file has changed since it was opened, holds the cases in a form to which nothing can be
            added without touching the others, or has no place for one of the values.
        OSError: The folder cannot be written to.
    """
    content = with_case(opened, case)
    target = opened.path.resolve()  # a link stays a link
    if _raw(opened.path) != opened.data:
        raise problem("add_changed", str(opened.path))
    if opened.data is None:
        write_new({target: content})
    else:
        write_whole(target, content)


def with_case(opened: Opened, case: AnswerCase) -> bytes:
    """Return the content of a file with one case more; see :func:`add_case`."""
    name, fields = str(opened.path), fields_of(case)
    if not opened.cases or opened.data is None:
        return encode_cases([case], opened.format, name=name)
    if opened.format == "xlsx":
        from sekisho.adapters.case_files.xlsx_writing import append_row  # noqa: PLC0415  needs an extra

        content = append_row(opened.data, fields, name=name)
    else:
        content = _with_text(name, opened.data, opened.format, fields)
    found = check_bytes(name, content)
    if found.problems or _bare(found) != [*map(_without_place, opened.cases), _without_place(case)]:
        raise problem("add_form", name)
    return content


def _raw(path: Path) -> bytes | None:
    try:
        return path.read_bytes() if path.is_file() else None
    except OSError as error:
        raise problem("unreadable", str(path), reason=error.strerror or str(error)) from None


def _bare(found: CaseFile) -> list[AnswerCase]:
    return [_without_place(case) for case in found.cases]


def _without_place(case: AnswerCase) -> AnswerCase:
    return msgspec.structs.replace(case, where=None)


def _with_text(name: str, data: bytes, kind: Format, fields: Mapping[str, object]) -> bytes:
    content = text_of(name, data)
    text = content.text
    if kind == "json":
        last = read_array(content).spans[-1]
        place, piece = last.ends, _json_piece(text, last, fields)
    else:
        place, piece = len(text), _ending(text) + _piece(name, data, text, kind, fields)
    line_break = "\r\n" if "\r\n" in text else "\n"
    if kind != "table":  # line breaks inside of its cells stay as they are
        piece = piece.replace("\n", line_break)
    mark = _UTF8_MARK if data.startswith(_UTF8_MARK.encode()) else ""
    return (mark + text[:place] + piece + text[place:]).encode()


def _ending(text: str) -> str:
    return "" if text.endswith("\n") else "\n"


def _piece(name: str, data: bytes, text: str, kind: Format, fields: Mapping[str, object]) -> str:
    if kind == "lines":
        return json_line(fields) + "\n"
    if kind == "toml":
        found = _TOML_NAME.search(text)
        return "\n" + toml_block(fields, found[1] if found else "case")
    if kind == "yaml":
        source = source_of(name, data)
        line, column = source.locate(len(source.values) - 1, ())
        before = text.split("\n")[line - 1][: (column or 1) - 1]
        dash = _DASH.fullmatch(before)
        return yaml_item(fields, dash[1] if dash else "- ")
    rows, _ = text_rows(text)
    columns = [str(cell).strip() for cell in rows[0].cells]
    columns = [ISSUE if column == f"{ISSUE}.reason" else column for column in columns]
    line_break = "\r\n" if text.partition("\n")[0].endswith("\r") else "\n"
    return csv_text(table_rows([fields], columns, name=name), delimiter=delimiter_of(text), line_break=line_break)


def _json_piece(text: str, last: Span, fields: Mapping[str, object]) -> str:
    """Return a comma and a case, laid out as the last one is."""
    line = text[text.rfind("\n", 0, last.begins) + 1 : last.begins]
    lead = ",\n" + line if not line.strip() and last.begins > len(line) else ", "
    inside = text[last.begins : last.ends]
    if "\n" not in inside:
        return lead + json_line(fields)
    inner = inside[: inside.index('"')].rpartition("\n")[2]
    outer = inside.rpartition("\n")[2][:-1]
    return lead + json_object(fields, outer, inner if not inner.strip() else outer + "  ")
