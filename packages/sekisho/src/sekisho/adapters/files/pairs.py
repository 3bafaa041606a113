"""Rows of query, document and value, whatever file they come from: a table, JSON Lines, a JSON array, Parquet."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sekisho.adapters.files.content import PARQUET_MAGIC, Content, decoded, failure, read_bytes
from sekisho.adapters.files.shape import rows, shape_of
from sekisho.adapters.files.values import BadValueError, id_of, number, number_of, remembered
from sekisho.adapters.files.vocabulary import find, holds, spelling

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sekisho.adapters.files.content import Path
    from sekisho.adapters.files.json_text import Record
    from sekisho.adapters.files.layout import Kind, Layout
    from sekisho.adapters.files.vocabulary import Role


class Pair(NamedTuple):
    """One judgment, or one retrieved document.

    Attributes:
        line: Where it stands; None where the file has no lines.
        query: Id of the query.
        document: Id of the document.
        value: Grade, or score: higher is better.
    """

    line: int | None
    query: str
    document: str
    value: float


class Entry(NamedTuple):
    """All documents of one query, as one member or record of a JSON file gives them.

    Attributes:
        content: The file.
        path: Keys that lead to the documents, for the line of an error; empty where ``line`` is known.
        line: The line of the record.
        query: Id of the query.
        documents: Document to value, or a list of documents, best first; unchecked.
    """

    content: Content
    path: tuple[str, ...]
    line: int | None
    query: str
    documents: object

    def line_of(self, *inside: str | int) -> int:
        """Return the line of the entry, or of something inside it."""
        from sekisho.adapters.files.json_text import line_of  # noqa: PLC0415  only for errors

        return self.line or line_of(self.content.text, *self.path, *inside)


def items(path: Path, kind: Kind) -> tuple[str, Iterator[Pair | Entry], bool]:
    """Return the name of a file, what stands in it, and whether its values might be ranks.

    Raises:
        InputFileError: The file cannot be read, or is something else (also while iterating).
    """
    name, data = read_bytes(path)
    if data.startswith(PARQUET_MAGIC):
        from sekisho.adapters.files.parquet import parquet_pairs  # noqa: PLC0415  needs polars

        return name, parquet_pairs(name, data, kind), False
    content = decoded(name, data)
    shape = shape_of(content)
    if shape == "table":
        from sekisho.adapters.files.layout import layout_of  # noqa: PLC0415  JSON needs none

        layout = layout_of(content, kind)
        return name, _table(content, layout, kind), kind == "run" and layout.may_hold_ranks
    if shape == "markup":
        raise failure("markup", name, 1)
    return name, _json(content, kind, lines=shape == "jsonl"), False


def _table(content: Content, layout: Layout, kind: Kind) -> Iterator[Pair]:
    query, document, value, width = layout.query, layout.document, layout.value, layout.width
    convert = remembered(number) if kind == "qrels" else number
    tabs = layout.separator == " "
    for line, fields, text in rows(content, layout.separator, after=layout.header):
        row = fields
        if len(row) != width:
            # ids may hold spaces where tabs separate the columns
            row = text.rstrip("\r").split("\t") if tabs else row
            if len(row) != width:
                raise failure("column_count", content.name, line, expected=width, found=len(fields))
        try:
            found = convert(row[value].strip())
        except BadValueError as problem:
            raise problem.at(content.name, line) from None
        if not (row[query] and row[document]):
            raise failure("id_empty", content.name, line)
        yield Pair(line, row[query], row[document], -found if layout.ranks else found)


def _json(content: Content, kind: Kind, *, lines: bool) -> Iterator[Pair | Entry]:
    from sekisho.adapters.files.json_text import parse, records  # noqa: PLC0415  tables need none

    if not lines:
        value = parse(content)
        if isinstance(value, dict) and not _is_record(value, kind):
            for query, documents in value.items():
                if not query:
                    raise failure("id_empty", content.name)
                yield Entry(content, (query,), None, query, documents)
            return
    for record in records(content, lines=lines):
        yield _from_record(record, kind)


def _is_record(value: dict[str, object], kind: Kind) -> bool:
    """Tell a single record from a map of queries: a map's values are objects or arrays, a record's id is not."""
    listed: Role = "relevant" if kind == "qrels" else "retrieved"
    if not holds("query", value) or not (holds(listed, value) or holds("document", value)):
        return False
    return any(_is_scalar(item) for name, item in value.items() if holds("query", [name]))


def _is_scalar(value: object) -> bool:
    return not isinstance(value, dict | list)


def _from_record(record: Record, kind: Kind) -> Pair | Entry:
    fields, name = record.fields, record.content.name
    try:
        query = find("query", fields)
        if query is None:
            raise failure("missing_key", name, record.line, needed=spelling("query"), keys=", ".join(fields))
        listed = find("relevant" if kind == "qrels" else "retrieved", fields)
        query_id = id_of(fields[query])
        if listed is not None and not _is_scalar(fields[listed]):
            return Entry(record.content, (), record.line, query_id, fields[listed])
        return _pair(record, query_id, kind)
    except BadValueError as problem:
        raise problem.at(name, record.line) from None


def _pair(record: Record, query_id: str, kind: Kind) -> Pair:
    fields = record.fields
    document = find("document", fields)
    value = find("grade" if kind == "qrels" else "score", fields)
    rank = find("rank", fields) if kind == "run" and value is None else None
    if document is None or (value or rank) is None:
        needed = spelling("document") if document is None else spelling("grade")
        raise failure("missing_key", record.content.name, record.line, needed=needed, keys=", ".join(fields))
    found = number_of(fields[str(value or rank)])
    line = None if record.in_array else record.number
    return Pair(line, query_id, id_of(fields[document]), -found if rank else found)
