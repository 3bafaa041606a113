"""Relevance judgments from a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sekisho.adapters.files.content import failure, names_memory
from sekisho.adapters.files.pairs import Entry, items
from sekisho.adapters.files.values import BadValueError, id_of, number_of

if TYPE_CHECKING:
    from sekisho.adapters.files.content import Path


@names_memory
def read_qrels(path: Path) -> dict[str, dict[str, float]]:
    """Return the judgments of a file: query id to document id to grade.

    Read are TREC qrels (four columns, or three without the iteration; ``#`` begins a comment line, as in trec_eval),
    BEIR's TSV with a header, CSV, JSON (``{query: {document: grade}}`` or ``{query: [documents]}``), JSON Lines and
    JSON arrays of records, Parquet (needs the extra ``columns``); each also packed by gzip.

    Raises:
        InputFileError: With file and line: unreadable, another format, a grade that is no finite number, a document
            judged twice for one query.
        MissingExtraError: Parquet without polars.
    """
    name, found, _ = items(path, "qrels")
    qrels: dict[str, dict[str, float]] = {}
    for item in found:
        if isinstance(item, Entry):
            if item.query in qrels:
                raise failure("repeated_query", name, item.line_of(), id=item.query)
            qrels[item.query] = _grades(item)
            continue
        line, query, document, grade = item
        grades = qrels.get(query)
        if grades is None:
            grades = qrels[query] = {}
        if document in grades:
            raise failure("repeated_judgment", name, line, query=query, document=document)
        grades[document] = grade
    if not qrels:
        raise failure("no_rows", name)
    return qrels


def _grades(entry: Entry) -> dict[str, float]:
    name = entry.content.name
    if isinstance(entry.documents, dict):
        grades: dict[str, float] = {}
        for document, grade in entry.documents.items():
            try:
                grades[id_of(document)] = number_of(grade)
            except BadValueError as problem:
                raise problem.at(name, entry.line_of(document)) from None
        return grades
    if not isinstance(entry.documents, list):
        from sekisho.adapters.files.json_text import kind_of  # noqa: PLC0415  only for the error

        raise failure("entry_type_qrels", name, entry.line_of(), query=entry.query, found=kind_of(entry.documents))
    grades = {}
    for place, value in enumerate(entry.documents):
        try:
            document = id_of(value)
        except BadValueError as problem:
            raise problem.at(name, entry.line_of(place)) from None
        if document in grades:
            raise failure("repeated_judgment", name, entry.line_of(place), query=entry.query, document=document)
        grades[document] = 1
    return grades
