"""Records with an id and text, whatever file they come from: queries and documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from sekisho.adapters.files.content import Content, failure
from sekisho.adapters.files.shape import first_line, rows, split_line
from sekisho.adapters.files.values import BadValueError, id_of
from sekisho.adapters.files.vocabulary import find, holds, spelling

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sekisho.adapters.files.json_text import Record
    from sekisho.adapters.files.shape import Separator, Shape

TextKind = Literal["queries", "corpus"]
_PLAIN = ["id", "text"]  # the columns of a TSV without a header


class TextRecord(NamedTuple):
    """One query or document.

    Attributes:
        line: Where it begins; None inside one JSON value.
        id: Its id.
        text: Its text.
        title: Its title; empty where there is none.
    """

    line: int | None
    id: str
    text: str
    title: str = ""


def text_records(content: Content, shape: Shape, kind: TextKind) -> Iterator[TextRecord]:
    """Yield the records of a table, of JSON or of JSON Lines.

    Raises:
        InputFileError: With file and line: another format, an id or text that is missing or of the wrong type.
    """
    return _table(content, kind) if shape == "table" else _json(content, lines=shape == "jsonl")


def _table(content: Content, kind: TextKind) -> Iterator[TextRecord]:
    line, (first,), _ = first_line(content)
    separator, names, header = _columns(content, line, first)
    if not header and len(split_line(first, "\t")) != len(_PLAIN):
        raise failure(f"columns_{kind}", content.name, line)
    id_at, text_at, title_at = _places(content.name, line, names)
    for number, fields, _ in rows(content, separator, after=line if header else 0):
        if len(fields) != len(names):
            raise failure("column_count", content.name, number, expected=len(names), found=len(fields))
        id_ = fields[id_at].strip()
        if not id_:
            raise failure("id_empty", content.name, number)
        yield TextRecord(number, id_, fields[text_at], "" if title_at is None else fields[title_at])


def _columns(content: Content, line: int, first: str) -> tuple[Separator, list[str], bool]:
    """Return the separator, the names of the columns, and whether the first line holds them."""
    separators: tuple[Separator, ...] = ("\t", ",", ";")
    for separator in separators:
        names = [name.strip() for name in split_line(first, separator)]
        if not holds("id", names) or len(names) == 1:
            continue
        if holds("text", names):
            return separator, names, True
        if names[0].lower().lstrip("_") == "id":
            raise failure("missing_column", content.name, line, needed="text", columns=", ".join(names)[:200])
    return "\t", _PLAIN, False


def _places(name: str, line: int, names: list[str]) -> tuple[int, int, int | None]:
    try:
        id_ = find("id", names)
        text = find("text", [column for column in names if column != id_])
        title = find("title", names)
    except BadValueError as problem:
        raise problem.at(name, line) from None
    if id_ is None or text is None:
        needed = spelling("id" if id_ is None else "text")
        raise failure("missing_column", name, line, needed=needed, columns=", ".join(names)[:200])
    return names.index(id_), names.index(text), None if title is None else names.index(title)


def _json(content: Content, *, lines: bool) -> Iterator[TextRecord]:
    from sekisho.adapters.files.json_text import parse, records  # noqa: PLC0415  tables need none

    value = None if lines else parse(content)
    if isinstance(value, dict) and "_id" not in value and not (holds("id", value) and holds("text", value)):
        for id_, fields in value.items():
            yield _from_member(content, id_, fields)
        return
    for record in records(content, lines=lines):
        yield _from_record(record)


def _from_member(content: Content, id_: str, value: object) -> TextRecord:
    from sekisho.adapters.files.json_text import kind_of, line_of  # noqa: PLC0415  tables need none

    fields: Mapping[str, object] = value if isinstance(value, dict) else {"text": value}
    try:
        key = find("text", fields)
    except BadValueError as problem:
        raise problem.at(content.name, line_of(content.text, id_)) from None
    title = fields.get("title") or ""
    text = None if key is None else fields[key]
    if not id_:
        raise failure("id_empty", content.name, line_of(content.text, id_))
    if not isinstance(text, str) or not isinstance(title, str):
        wrong = title if isinstance(text, str) else text
        raise failure("text_type", content.name, line_of(content.text, id_), id=id_, found=kind_of(wrong))
    return TextRecord(None, id_, text, title)


def _from_record(record: Record) -> TextRecord:
    from sekisho.adapters.files.json_text import kind_of  # noqa: PLC0415  tables need none

    fields, name = record.fields, record.content.name
    try:
        id_key = find("id", fields)
        text_key = find("text", [key for key in fields if key != id_key])
        if id_key is None or text_key is None:
            needed = "_id" if id_key is None else "text"
            raise failure("missing_key", name, record.line, needed=needed, keys=", ".join(fields))
        id_ = id_of(fields[id_key])
    except BadValueError as problem:
        raise problem.at(name, record.line) from None
    text, title = fields[text_key], fields.get("title") or ""
    if not isinstance(text, str) or not isinstance(title, str):
        wrong = title if isinstance(text, str) else text
        raise failure("text_type", name, record.line, id=id_, found=kind_of(wrong))
    return TextRecord(None if record.in_array else record.number, id_, text, title)
