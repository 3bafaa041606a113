"""A file of cases, in whichever format."""

from __future__ import annotations

import os
import re
from typing import NamedTuple

from sekisho.adapters.case_files.source import Format, Source, format_of, problem
from sekisho.adapters.files.content import Content, decoded, names_memory, read_bytes
from sekisho.core.answers import AnswerCase
from sekisho.core.errors import InputFileError

MOST_BYTES = 16 << 20
"""The largest file of cases: ten thousand cases have two or three megabytes."""

_XLSX_MAGIC = b"PK\x03\x04"
_XLS_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_TOML_BLOCK = re.compile(r"\s*+(?:#[^\n]*+\s*+)*+\[\[[ \t]*+cases?\b")
_SAME_FAMILY = frozenset({"json", "lines"})


class CaseFile(NamedTuple):
    """A file of cases.

    Attributes:
        name: The file as the user named it.
        format: What it was read as.
        cases: Those that are right, in order.
        problems: All that is wrong with the file, from the first line to the last.
    """

    name: str
    format: Format
    cases: tuple[AnswerCase, ...]
    problems: tuple[InputFileError, ...]


def load_cases(path: str | os.PathLike[str]) -> tuple[AnswerCase, ...]:
    """Return the cases of a file: JSON, JSON Lines, TOML, CSV, YAML (extra ``yaml``) or XLSX (extra ``xlsx``).

    Args:
        path: The file. Its ending tells the format; JSON and JSON Lines are told apart by the content, and a workbook
            is known whatever it is called.

    Raises:
        InputFileError: The file cannot be read, or a case in it is not right; with file, line and column. It tells of
            the first mistake; :func:`check_case_file` of all.
        MissingExtraError: The format needs an extra that is not installed.
    """
    return read_case_file(path).cases


def read_case_file(path: str | os.PathLike[str]) -> CaseFile:
    """Return a file of cases in which everything is right; see :func:`load_cases`."""
    found = check_case_file(path)
    if found.problems:
        first = found.problems[0]
        if len(found.problems) > 1:
            first.add_note(f"{len(found.problems)} problems in all: sekisho cases check {found.name}")
        raise first
    return found


@names_memory
def check_case_file(path: str | os.PathLike[str]) -> CaseFile:
    """Return a file of cases with everything that is wrong in it.

    Raises:
        InputFileError: The file as a whole cannot be read: missing, too large, not text, of an unknown format.
        MissingExtraError: The format needs an extra that is not installed.
    """
    name, data = case_bytes(path)
    return check_bytes(name, data)


def check_bytes(name: str, data: bytes) -> CaseFile:
    """Return a file of cases from its bytes; see :func:`check_case_file`."""
    from sekisho.adapters.case_files.checking import check_source  # noqa: PLC0415  after the file has been found

    source = source_of(name, data)
    checked = check_source(source)
    return CaseFile(name, source.format, *checked)


def case_bytes(path: str | os.PathLike[str]) -> tuple[str, bytes]:
    """Return the name and the bytes of a file of cases.

    Raises:
        InputFileError: It cannot be read, or is too large to be one.
    """
    name = os.fspath(path)
    try:
        size = os.stat(name).st_size  # noqa: PTH116  names of any kind, without pathlib
    except (OSError, ValueError):
        size = 0  # why it cannot be read is said by what reads it
    if size <= MOST_BYTES:
        name, data = read_bytes(name)
        size = len(data)
    if size > MOST_BYTES:
        raise problem("too_large", name, most=MOST_BYTES >> 20)
    return name, data


def source_of(name: str, data: bytes) -> Source:
    """Return the unchecked cases of a file.

    Raises:
        InputFileError: No format that is known, or not text.
        MissingExtraError: The format needs an extra that is not installed.
    """
    if data.startswith(_XLSX_MAGIC):
        from sekisho.adapters.case_files.xlsx_cases import read_xlsx  # noqa: PLC0415  one reader a format

        return read_xlsx(name, data)
    content = text_of(name, data)
    kind = kind_of(content)
    if kind == "toml":
        from sekisho.adapters.case_files.toml_cases import read_toml  # noqa: PLC0415  as above

        return read_toml(content)
    if kind == "table":
        from sekisho.adapters.case_files.table_cases import read_table  # noqa: PLC0415  as above

        return read_table(content)
    if kind == "yaml":
        from sekisho.adapters.case_files.yaml_cases import MOST_BYTES as MOST_YAML  # noqa: PLC0415  as above
        from sekisho.adapters.case_files.yaml_cases import read_yaml  # noqa: PLC0415  as above

        if len(data) > MOST_YAML:
            raise problem("too_large", name, most=MOST_YAML >> 20)
        return read_yaml(content)
    from sekisho.adapters.case_files.json_cases import read_json, read_lines  # noqa: PLC0415  as above

    return read_lines(content) if kind == "lines" else read_json(content)


def text_of(name: str, data: bytes) -> Content:
    """Return the text of a file.

    Raises:
        InputFileError: It is not UTF-8; how to save it so is said, by the program that it probably comes from.
    """
    if data.startswith(_XLS_MAGIC):
        raise problem("old_excel", name)
    try:
        return decoded(name, data)
    except InputFileError as error:
        if error.code != "files.encoding":
            raise
        line = error.where.line if error.where else None
        code = "encoding_table" if format_of(name) == "table" else "encoding"
        raise problem(code, name, line, encoding=error.values["encoding"]) from None


def kind_of(content: Content) -> Format:
    """Return the format of a text, by the ending of its file and, where that leaves a doubt, by what it holds.

    Raises:
        InputFileError: Neither tells.
    """
    named = format_of(content.name)
    if named in _SAME_FAMILY or named is None:
        begins = content.text.lstrip()[:1]
        if named is None and _TOML_BLOCK.match(content.text):
            return "toml"
        if begins == "[":
            return "json"
        if begins == "{":
            from sekisho.adapters.files.json_text import is_lines  # noqa: PLC0415  for this format only

            return "lines" if named == "lines" or is_lines(content.text) else "json"
    if named is None or named == "xlsx":
        raise problem("unknown_format" if named is None else "not_xlsx", content.name)
    return named
