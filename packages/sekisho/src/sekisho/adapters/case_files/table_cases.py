"""Cases in a table of text: CSV, as spreadsheets write it with commas, semicolons or tabs."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from sekisho.adapters.case_files.rows import Row, as_source
from sekisho.adapters.case_files.source import Source, problem

if TYPE_CHECKING:
    from sekisho.adapters.files.content import Content

_LONGEST_HEADER = 10_000  # characters that tell what stands between columns
DELIMITERS = (",", ";", "\t")


def read_table(content: Content) -> Source:
    """Return the cases of a CSV file."""
    name, text = content
    rows, wrong = text_rows(text)
    source = as_source(name, "table", rows, numbered=False)
    if wrong is None:
        return source
    line, reason = wrong
    code = "csv_open_quote" if reason == "unexpected end of data" else "csv_syntax"
    if reason.startswith("field larger"):
        code = "csv_long_cell"
    wrong_row = problem(code, name, line, reason=reason, most=csv.field_size_limit())
    return source._replace(problems=[*(source.problems if rows else ()), wrong_row])


def delimiter_of(text: str) -> str:
    """Return the sign between columns: the one that splits the first line into most pieces."""
    first = text.lstrip().partition("\n")[0][:_LONGEST_HEADER]
    return max(DELIMITERS, key=lambda sign: len(next(csv.reader([first], delimiter=sign), [])))


def text_rows(text: str) -> tuple[list[Row], tuple[int, str] | None]:
    """Return the rows that are not empty, and the line and reason of the mistake that ends reading, if any."""
    rows: list[Row] = []
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter_of(text), strict=True)
    begins = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                rows.append(Row(begins, cells))
            begins = reader.line_num + 1
    except csv.Error as error:
        return rows, (begins, str(error))
    return rows, None
