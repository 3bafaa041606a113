"""Queries from a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sekisho.adapters.files.content import failure, names_memory, read_content
from sekisho.adapters.files.records import text_records
from sekisho.adapters.files.shape import shape_of

if TYPE_CHECKING:
    from sekisho.adapters.files.content import Path


@names_memory
def read_queries(path: Path) -> dict[str, str]:
    """Return the queries of a file: id to text, in the order of the file.

    Read are BEIR's ``queries.jsonl`` (``_id`` or ``id``, and ``text``), TSV (id and text, with or without a header),
    CSV with a header, JSON (``{id: text}`` or an array of records), and TREC topics (their title); each also packed by
    gzip.

    Raises:
        InputFileError: With file and line: unreadable, another format, a repeated id, an empty text.
    """
    content = read_content(path)
    shape = shape_of(content)
    if shape == "markup":
        from sekisho.adapters.files.topics import topic_records  # noqa: PLC0415  other files need none

        records = topic_records(content)
    else:
        records = text_records(content, shape, "queries")
    queries: dict[str, str] = {}
    for line, id_, text, _ in records:
        if id_ in queries:
            raise failure("repeated_query", content.name, line, id=id_)
        if not text.strip():
            raise failure("empty_query", content.name, line, id=id_)
        queries[id_] = text
    if not queries:
        raise failure("no_rows", content.name)
    return queries
