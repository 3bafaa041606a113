"""Cases as an Excel workbook; needs the extra ``xlsx``."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any

from sekisho.adapters.case_files.source import problem
from sekisho.adapters.case_files.writing import table_rows, used_columns
from sekisho.adapters.case_files.xlsx_cases import check_size, needed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_WIDTHS = {"id": 18, "question": 48}
_OTHER_WIDTH = 28
_LONGEST_CELL = 32_767
"""Characters, as Excel has it."""

_NO_XML = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff]|_x[0-9A-Fa-f]{4}_")
"""What a workbook cannot hold, or would hold as something else: it writes signs as ``_x000D_``."""


def encode_xlsx(cases: Sequence[Mapping[str, object]], *, name: str) -> bytes:
    """Return a workbook with one worksheet: a header, then a row a case; every cell is text, none a formula.

    Raises:
        InputFileError: No cell can hold one of the texts.
        MissingExtraError: openpyxl is not installed.
    """
    openpyxl = needed(name)
    columns = used_columns(cases)
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "cases"
    sheet.freeze_panes = "A2"
    rows: list[Sequence[str | bool]] = [columns, *table_rows(cases, columns, name=name)]
    for row, values in enumerate(rows, 1):
        _put(sheet, row, values, columns, name=name)
    for at, column in enumerate(columns, 1):
        sheet.column_dimensions[sheet.cell(1, at).column_letter].width = _WIDTHS.get(column, _OTHER_WIDTH)
        sheet.cell(1, at).font = openpyxl.styles.Font(bold=True)
    return _saved(book)


def append_row(data: bytes, fields: Mapping[str, object], *, name: str) -> bytes:
    """Return a workbook with one case more at the end of its first worksheet.

    Raises:
        InputFileError: No cell can hold one of the texts, or there is no column for one of the keys.
        MissingExtraError: openpyxl is not installed.
    """
    openpyxl = needed(name)
    check_size(name, data)
    book = openpyxl.load_workbook(io.BytesIO(data))
    sheet = book.worksheets[0]
    filled = [row for row in sheet.iter_rows() if any(cell.value is not None for cell in row)]
    columns = [str(cell.value or "").strip() for cell in filled[0]]
    _put(sheet, filled[-1][0].row + 1, table_rows([fields], columns, name=name)[0], columns, name=name)
    return _saved(book)


def _put(sheet: Any, row: int, values: Sequence[str | bool], columns: Sequence[str], *, name: str) -> None:  # noqa: ANN401  an openpyxl worksheet
    for at, (column, value) in enumerate(zip(columns, values, strict=True), 1):
        if value == "":
            continue
        if isinstance(value, str) and (_NO_XML.search(value) or len(value) > _LONGEST_CELL):
            raise problem("cell_cannot_hold", name, case=repr(values[columns.index("id")]), key=column)
        cell = sheet.cell(row, at, value)
        if isinstance(value, str):
            cell.data_type = "s"  # text that begins with = stays text
            cell.number_format = "@"  # and a number that somebody types over it stays as typed


def _saved(book: Any) -> bytes:  # noqa: ANN401  an openpyxl workbook
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()
