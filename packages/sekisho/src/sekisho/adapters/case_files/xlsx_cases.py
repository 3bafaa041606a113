"""Cases in the first worksheet of an Excel file; needs the extra ``xlsx``."""

from __future__ import annotations

import io
import re
import warnings
import zipfile
from itertools import islice
from typing import TYPE_CHECKING, Any

from sekisho.adapters.case_files.rows import Row, as_source
from sekisho.adapters.case_files.source import KEYS, MOST_PROBLEMS, Source, problem
from sekisho.core.errors import InputFileError, Location, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

_MOST_UNPACKED = 64 << 20  # bytes: a workbook of cases has kilobytes, a bomb has gigabytes
_MERGED = re.compile(rb'<(?:\w{1,20}:)?mergeCell ref="(([A-Z]{1,3})([0-9]{1,7}):[A-Z]{1,3}[0-9]{1,7})"')
MOST_ROWS = 20_000
MOST_COLUMNS = 200


def read_xlsx(name: str, data: bytes) -> Source:
    """Return the cases of an Excel workbook.

    Raises:
        MissingExtraError: openpyxl is not installed.
        InputFileError: Not a workbook, or one that grows beyond measure.
    """
    openpyxl = needed(name)
    check_size(name, data)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore"
            )  # about features of Excel that openpyxl leaves out; cells are all that counts
            book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=False, keep_links=False)
            return _read(name, book)
    except (InputFileError, MemoryError):
        raise
    except Exception as error:  # noqa: BLE001  a broken workbook makes openpyxl and the XML parser raise of any kind
        raise problem("xlsx_broken", name, reason=str(error) or type(error).__name__) from None


def needed(name: str) -> ModuleType:
    """Return openpyxl.

    Raises:
        MissingExtraError: It is not installed.
    """
    try:
        import openpyxl  # noqa: PLC0415  the extra `xlsx`
    except ImportError:
        raise MissingExtraError("cases.needs_xlsx", where=Location(name), extra="xlsx") from None
    module: ModuleType = openpyxl
    return module


def check_size(name: str, data: bytes) -> None:
    """Refuse what is no workbook or unpacks to more than one of cases holds.

    Raises:
        InputFileError: With the reason.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            sizes = {entry.filename: entry.file_size for entry in packed.infolist()}
            for entry in packed.infolist():
                if sum(sizes.values()) > _MOST_UNPACKED or not _holds_what_it_says(packed, entry):
                    raise problem("xlsx_bomb", name, most=_MOST_UNPACKED >> 20)
    except (zipfile.BadZipFile, OSError, NotImplementedError, RuntimeError, ValueError, EOFError) as error:
        raise problem("xlsx_broken", name, reason=str(error)) from None
    if not any(entry.startswith("xl/") for entry in sizes):
        raise problem("not_xlsx", name)


def _holds_what_it_says(packed: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bool:
    """Tell whether an entry unpacks to no more bytes than the directory promises."""
    import zlib  # noqa: PLC0415  with this format only

    try:
        with packed.open(entry) as file:
            return len(file.read(entry.file_size + 1)) <= entry.file_size
    except zlib.error as error:
        raise ValueError(str(error)) from None


def _read(name: str, book: Any) -> Source:  # noqa: ANN401  an openpyxl workbook
    if not book.worksheets:
        raise problem("no_case", name)
    first, *others = book.worksheets
    problems: list[InputFileError] = []
    rows = _rows(name, first, problems)
    problems += islice(_merged(name, book, rows), MOST_PROBLEMS)
    for sheet in others:
        header = next(sheet.iter_rows(max_row=1, max_col=MOST_COLUMNS), ())
        if set(KEYS[:2]) <= {cell.value for cell in header}:
            problems.append(problem("xlsx_two_sheets", name, sheet=sheet.title, first=first.title))
    source = as_source(name, "xlsx", rows, numbered=True)
    return source._replace(problems=[*problems, *source.problems])


def _merged(name: str, book: Any, rows: list[Row]) -> Iterator[InputFileError]:  # noqa: ANN401  an openpyxl workbook
    """Yield an error for each merged cell that shows a text: only its first cell holds it, the others are empty."""
    archive, path = getattr(book, "_archive", None), getattr(book.worksheets[0], "_worksheet_path", None)
    if archive is None or path is None:  # a worksheet that is only read does not tell what is merged; its XML does
        return
    cells = {row.line: row.cells for row in rows}
    for found in _MERGED.finditer(archive.read(path)):
        letters, number = found[2].decode(), int(found[3])
        held = cells.get(number, ())
        column = _number(letters)
        if column <= len(held) and held[column - 1] is not None:
            yield problem("xlsx_merged", name, number, column, cells=found[1].decode())


def _rows(name: str, sheet: Any, problems: list[InputFileError]) -> list[Row]:  # noqa: ANN401  an openpyxl worksheet
    rows = []
    sheet.reset_dimensions()  # a file may claim any; what counts is what it holds
    for number, cells in enumerate(sheet.iter_rows(max_col=MOST_COLUMNS), 1):
        if number > MOST_ROWS:
            raise problem("xlsx_too_long", name, number, most=MOST_ROWS)
        values = [_value(name, number, at, cell, problems) for at, cell in enumerate(cells, 1)]
        while values and values[-1] is None:
            values.pop()
        if values:
            rows.append(Row(number, values))
    return rows


def _value(name: str, row: int, column: int, cell: Any, problems: list[InputFileError]) -> object:  # noqa: ANN401  a cell
    """Return the text of a cell as a person reads it, a bool, a date, or None."""
    value: object = cell.value
    if value is None or isinstance(value, bool):
        return value
    where = {"cell": f"{_letters(column)}{row}"}
    if cell.data_type == "f":
        problems.append(problem("xlsx_formula", name, row, column, **where))
        return None
    if cell.data_type == "e":
        problems.append(problem("xlsx_error", name, row, column, value=str(value), **where))
        return None
    if isinstance(value, (int, float)):
        if "%" in (cell.number_format or ""):
            problems.append(problem("xlsx_percent", name, row, column, **where))
        return str(int(value)) if float(value).is_integer() else repr(value)
    return value


def _number(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number


def _letters(column: int) -> str:
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return letters
