"""Cases from the files of other tools: what can be checked without a model is carried over, the rest is counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sekisho.adapters.case_files.collecting import Collector, Conversion
from sekisho.adapters.case_files.foreign_promptfoo import add_tests
from sekisho.adapters.case_files.foreign_pydantic import add_cases
from sekisho.adapters.case_files.foreign_records import add_records
from sekisho.adapters.case_files.reading import case_bytes, check_bytes, kind_of, text_of
from sekisho.adapters.case_files.source import problem
from sekisho.core.errors import InputFileError

if TYPE_CHECKING:
    import os

    from sekisho.adapters.files.content import Content

_OWN = frozenset({"expect_source", "expect_text", "expect_not_found", "forbid", "known_issue"})
"""Keys that no other tool has."""

_PROMPTFOO = frozenset({"tests", "redteam", "prompts", "providers", "targets"})
_LISTS = ("cases", "goldens", "conversational_goldens", "examples", "samples", "questions", "data", "dataset")


def convert_file(path: str | os.PathLike[str], *, reference_as_text: bool = False) -> Conversion:
    """Return the cases of a file of this tool in any of its formats, or of another tool.

    Args:
        path: The file.
        reference_as_text: Whether the reference answer of another tool's case becomes a text that the answer must
            contain; right for short ones, such as a name or a number.

    Raises:
        InputFileError: The file cannot be read, is no file of cases, or is one of this tool and not right.
        MissingExtraError: The format needs an extra that is not installed.
    """
    name, data = case_bytes(path)
    if data.startswith(b"PK"):
        return _own(name, data)
    content = text_of(name, data)
    document = _document(name, data, content)
    records = _records(document)
    if records is not None and any(not _OWN.isdisjoint(record) for record in records):
        return _own(name, data)
    collector = Collector(name, reference_as_text=reference_as_text)
    if isinstance(document, dict) and "testdata_path" in document:
        raise problem("convert_configuration", name, file=str(document["testdata_path"]))
    if isinstance(document, dict) and not _PROMPTFOO.isdisjoint(document):
        add_tests(collector, document)
    elif records is None:
        raise problem("convert_unknown", name)
    elif any("vars" in record for record in records):
        add_tests(collector, {"tests": records})
    elif isinstance(document, dict) and any("inputs" in record for record in records):
        add_cases(collector, document)
    else:
        add_records(collector, records)
    return collector.conversion()


def _own(name: str, data: bytes) -> Conversion:
    found = check_bytes(name, data)
    if found.problems:
        raise found.problems[0]
    return Conversion(found.cases, ())


def _document(name: str, data: bytes, content: Content) -> object:
    """Return what a file holds, whatever its shape.

    Raises:
        InputFileError: It is not written as its format demands.
    """
    kind = kind_of(content)
    if kind == "table":
        from sekisho.adapters.case_files.table_cases import text_rows  # noqa: PLC0415  one reader a format

        rows, wrong = text_rows(content.text)
        if wrong:
            raise check_bytes(name, data).problems[0]
        header = [str(cell).strip() for cell in rows[0].cells] if rows else []
        return [dict(zip(header, map(str, row.cells), strict=False)) for row in rows[1:]]
    if kind == "yaml":
        from sekisho.adapters.case_files.yaml_cases import read_document  # noqa: PLC0415  as above

        return read_document(content).value
    if kind == "toml":
        import tomllib  # noqa: PLC0415  as above

        try:
            found = tomllib.loads(content.text)
        except (ValueError, RecursionError):
            raise check_bytes(name, data).problems[0] from None
        return found.get("case", found.get("cases"))
    if kind == "lines":
        from sekisho.adapters.case_files.json_cases import read_lines  # noqa: PLC0415  as above

        source = read_lines(content)
        if source.problems:
            raise source.problems[0]
        return list(source.values)
    from sekisho.adapters.files.json_text import parse  # noqa: PLC0415  as above

    try:
        return parse(content)
    except InputFileError as error:
        raise next(iter(check_bytes(name, data).problems), error) from None  # says it in plainer words


def _records(document: object) -> list[dict[str, object]] | None:
    """Return the list of mappings that a file is, or holds under one of the usual names; None where there is none."""
    if isinstance(document, dict):
        document = next((document[key] for key in _LISTS if isinstance(document.get(key), list)), None)
    if not isinstance(document, list) or not all(isinstance(record, dict) for record in document):
        return None
    return document
