"""Cases as the text of a file, in each format."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import TYPE_CHECKING

from sekisho.adapters.case_files.fields import fields_of
from sekisho.adapters.case_files.rows import COLUMNS, ISSUE, join_cell
from sekisho.adapters.case_files.source import Format, problem
from sekisho.adapters.case_files.toml_cases import BLOCK_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sekisho.core.answers import AnswerCase

_UTF8_MARK = b"\xef\xbb\xbf"
"""Without it Excel takes a CSV file for one in the encoding of the machine."""

_BOTH_BREAKS = "\r\n"
"""At the end of a row while it is written: only breaks that it holds are put between quotation marks inside a cell."""

# What YAML and TOML allow in a text only as an escape, beyond what JSON escapes; and what only YAML takes for a break.
_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def encode_cases(cases: Sequence[AnswerCase], kind: Format, *, name: str) -> bytes:
    """Return cases as the content of a file that :func:`load_cases` reads as the same cases.

    Args:
        cases: At least one.
        kind: The format.
        name: Of the file, for errors; a name with the ending ``.tsv`` gets tabs between the columns.

    Raises:
        InputFileError: A table cannot hold one of the texts.
        MissingExtraError: XLSX needs openpyxl.
    """
    fields = [fields_of(case) for case in cases]
    if kind == "xlsx":
        from sekisho.adapters.case_files.xlsx_writing import encode_xlsx  # noqa: PLC0415  needs an extra

        return encode_xlsx(fields, name=name)
    if kind == "table":
        columns = used_columns(fields)
        rows: list[Sequence[str | bool]] = [columns, *table_rows(fields, columns, name=name)]
        return _UTF8_MARK + csv_text(rows, delimiter="\t" if name.lower().endswith(".tsv") else ",").encode()
    if kind == "lines":
        text = "".join(json_line(case) + "\n" for case in fields)
    elif kind == "toml":
        text = "\n".join(toml_block(case) for case in fields)
    elif kind == "yaml":
        text = "".join(yaml_item(case) for case in fields)
    else:
        text = "[\n" + ",\n".join("  " + json_object(case, "  ", "    ") for case in fields) + "\n]\n"
    return text.encode()


def json_line(fields: Mapping[str, object]) -> str:
    """Return a case as JSON on one line."""
    return json.dumps(fields, ensure_ascii=False)


def json_object(fields: Mapping[str, object], outer: str, inner: str) -> str:
    """Return a case as JSON, one key a line: ``inner`` stands before each, ``outer`` before the closing brace."""
    members = [f"{inner}{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in fields.items()]
    return "{\n" + ",\n".join(members) + f"\n{outer}}}"


def toml_block(fields: Mapping[str, object], name: str = BLOCK_NAMES[0]) -> str:
    """Return a case as a block of TOML."""
    return "".join([f"[[{name}]]\n", *(f"{key} = {_toml(value)}\n" for key, value in fields.items())])


def yaml_item(fields: Mapping[str, object], dash: str = "- ") -> str:
    """Return a case as an item of a YAML list; texts are quoted, so that none is taken for anything else."""
    lines = [f"{key}: {_quoted(value)}\n" for key, value in fields.items()]
    return dash + (" " * len(dash)).join(lines)


def _quoted(value: object) -> str:
    """Return a value as JSON that YAML and TOML read, too."""
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, ensure_ascii=False))


def _toml(value: object) -> str:
    if not isinstance(value, dict):
        return _quoted(value)
    return "{ " + ", ".join(
        f"{key} = {item if key == 'until' else _quoted(item)}" for key, item in value.items()
    ) + " }"  # fmt: skip


def used_columns(cases: Iterable[Mapping[str, object]]) -> tuple[str, ...]:
    """Return the columns of a table that these cases need, in order."""
    used = {"id", "question"}
    for case in cases:
        used.update(_cells(case))
    return tuple(column for column in COLUMNS if column in used)


def table_rows(cases: Iterable[Mapping[str, object]], columns: Sequence[str], *, name: str) -> list[list[str | bool]]:
    """Return a row for each case.

    Raises:
        InputFileError: No cell can hold one of the texts, or a case needs a column that is not among ``columns``.
    """
    rows = []
    for case in cases:
        cells = _cells(case)
        if missing := [column for column in cells if column not in columns]:
            raise problem("column_needed", name, 1, case=repr(case["id"]), column=missing[0])
        row: list[str | bool] = []
        for column in columns:
            value = cells.get(column, "")
            cell = _cell(column, value)
            if cell is None:
                raise problem("cell_cannot_hold", name, case=repr(case["id"]), key=column)
            row.append(cell)
        rows.append(row)
    return rows


def _cell(column: str, value: object) -> str | bool | None:
    """Return what is written into a cell; None where it would be read as something else."""
    if isinstance(value, bool):
        return value
    text = join_cell(value) if isinstance(value, list) else str(value)
    if text is None or "\0" in text:
        return None
    return text if isinstance(value, list) or column == "question" or text == text.strip() else None


def _cells(case: Mapping[str, object]) -> dict[str, object]:
    """Return the values of a case by column."""
    cells = dict(case)
    issue = cells.pop(ISSUE, None)
    if isinstance(issue, dict):
        cells |= {ISSUE if key == "reason" else f"{ISSUE}.{key}": value for key, value in issue.items()}
    elif issue:
        cells[ISSUE] = issue
    if isinstance(source := cells.get("expect_source"), str):
        cells["expect_source"] = [source]
    return cells


def csv_text(rows: Iterable[Sequence[str | bool]], *, delimiter: str, line_break: str = "\n") -> str:
    """Return rows as CSV."""
    lines = []
    for row in rows:
        buffer = io.StringIO(newline="")
        writer = csv.writer(buffer, delimiter=delimiter, lineterminator=_BOTH_BREAKS)
        writer.writerow([str(cell).lower() if isinstance(cell, bool) else cell for cell in row])
        lines.append(buffer.getvalue().removesuffix(_BOTH_BREAKS) + line_break)
    return "".join(lines)
