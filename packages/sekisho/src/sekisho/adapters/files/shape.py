"""What a text file is, told by what stands in it: its first sign, its first line, its columns."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

from sekisho.adapters.files.content import Content, failure
from sekisho.adapters.files.lines import check_lines, first_place, pieces

if TYPE_CHECKING:
    from collections.abc import Iterator

Shape = Literal["json", "jsonl", "markup", "table"]
Separator = Literal["\t", ",", ";", " "]

# trec_eval separates fields by the white space of C; Python's own split would also cut at an ideographic space or a
# no-break space inside an id.
_OTHER_SPACE = re.compile("[\x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
_C_SPACE = re.compile(r"[ \t\r\v\f]+")


class Row(NamedTuple):
    """One row of a table: the line on which it begins, its fields and, where they are no CSV, its text."""

    line: int
    fields: list[str]
    text: str = ""


def shape_of(content: Content) -> Shape:
    """Return what kind of text a file holds.

    Raises:
        InputFileError: A line is longer than one of a table or of JSON Lines can be.
    """
    shape = _told_shape(content.text)
    if shape in {"jsonl", "table"}:
        check_lines(content)
    return shape


def _told_shape(text: str) -> Shape:
    start = text.lstrip()[:1]
    if start and start in "{[":
        from sekisho.adapters.files.json_text import is_lines  # noqa: PLC0415  a table needs no JSON

        return "jsonl" if start == "{" and is_lines(text) else "json"
    return "markup" if start == "<" else "table"


def first_line(content: Content) -> Row:
    """Return the first line that is neither blank nor a comment, as one field.

    Raises:
        InputFileError: There is none, or a carriage return stands inside it.
    """
    place = first_place(content.text)
    if place is None:
        raise failure("empty", content.name)
    begins, number = place
    end = content.text.find("\n", begins)
    line = content.text[begins : end if end >= 0 else len(content.text)].rstrip("\r")
    if "\r" in line:
        raise failure("carriage_return", content.name, number)
    return Row(number, [line])


def split_line(line: str, separator: Separator) -> list[str]:
    """Return the fields of one line."""
    if separator == " ":
        return _C_SPACE.split(line.strip(" \t\r\v\f")) if _OTHER_SPACE.search(line) else line.split()
    if separator == "\t":
        return line.rstrip("\r").split("\t")
    if separator not in line:
        return [line]
    import csv  # noqa: PLC0415  not for TREC files, which are the most

    try:
        return next(csv.reader([line], delimiter=separator), [])
    except csv.Error:
        return line.split(separator)


def rows(content: Content, separator: Separator, *, after: int = 0) -> Iterator[Row]:
    """Yield the rows of a table below line ``after``; blank lines and, outside CSV, comments (``#``) are left out."""
    if separator in ",;":
        yield from _csv_rows(content, separator, after)
        return
    spaced = separator == " "
    plain = spaced and not _OTHER_SPACE.search(content.text)
    for begins, lines in pieces(content, comments=spaced):
        for number, line in enumerate(lines, begins):
            if spaced and line[:1] == "#":
                continue
            fields = line.split() if plain else split_line(line, separator)
            if not fields or number <= after or not line.strip():
                continue
            if spaced and fields[0].startswith("#"):
                continue
            yield Row(number, fields, line)


def _csv_rows(content: Content, separator: str, after: int) -> Iterator[Row]:
    import csv  # noqa: PLC0415  see split_line
    from io import StringIO  # noqa: PLC0415  as above

    before = csv.field_size_limit(max(len(content.text), 1))  # a document may be longer than the 128 KiB of the module
    # A header is the first line; comments before it may be many.
    place = first_place(content.text) if after else None
    text = content.text[content.text.find("\n", place[0]) + 1 or len(content.text) :] if place else content.text
    reader = csv.reader(StringIO(text, newline="\n"), delimiter=separator, strict=True)
    begins = after + 1
    try:
        for fields in reader:
            if any(fields):
                yield Row(begins, fields)
            begins = after + reader.line_num + 1
    except csv.Error as problem:
        if str(problem).startswith("new-line"):  # which Python would have one mend in the program
            raise failure("carriage_return", content.name, begins) from None
        raise failure("csv_syntax", content.name, begins, reason=str(problem)) from None
    finally:
        csv.field_size_limit(before)
