"""Rows under a header as cases: what a cell of a table means."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize

from sekisho.adapters.case_files.source import (
    ISSUE_KEYS,
    KEYS,
    LIST_KEYS,
    MOST_PROBLEMS,
    FieldPath,
    Format,
    Source,
    problem,
)
from sekisho.adapters.case_files.spelling import meant_key

if TYPE_CHECKING:
    from sekisho.core.errors import InputFileError

ISSUE = "known_issue"
COLUMNS = (*KEYS[:8], *(f"{ISSUE}.{key}" for key in ISSUE_KEYS[1:]), *KEYS[8:])
"""Of a table, in the order in which they are written: ``known_issue`` holds the reason."""

_LIST_COLUMNS = frozenset({*LIST_KEYS, f"{ISSUE}.suites", f"{ISSUE}.failures"})
_BREAKS = re.compile(r"\r\n|\r|\n")
_WIDE_COMMA = re.compile("[\uff0c\u3001]")
_BARS = re.compile("[|\uff5c]")  # an input method for Japanese types the wide one
_DAY = re.compile("([0-9]{4})[-/.\u5e74]([0-9]{1,2})[-/.\u6708]([0-9]{1,2})\u65e5?")
_BOOLS = {"true": True, "false": False}


class Row(NamedTuple):
    """One row.

    Attributes:
        line: On which it begins.
        cells: Text, or what else a worksheet holds in a cell; None where it is empty.
    """

    line: int
    cells: Sequence[object]


def as_source(name: str, kind: Format, rows: Sequence[Row], *, numbered: bool) -> Source:
    """Return the cases of a table.

    Args:
        name: The file.
        kind: The format.
        rows: The header first.
        numbered: Whether a place names the number of the column, as in a worksheet.
    """
    if not rows:
        return Source(name, kind, [], [], lambda _index, _path: (1, None), [problem("no_case", name)])
    header, body = rows[0], rows[1:]
    columns, problems = _columns(name, header, numbered=numbered)
    if not set(KEYS[:2]) <= set(columns.values()):  # every row would lack what only the header lacks
        body = []
    values, lines = [], []
    for row in body:
        if all(_is_blank(cell) for cell in row.cells):
            continue
        extra = next((at for at, cell in enumerate(row.cells) if at not in columns and not _is_blank(cell)), None)
        if len(problems) >= MOST_PROBLEMS:
            break
        place = (row.line, (extra or 0) + 1) if numbered else (row.line,)
        if _is_uncut(row):
            problems.append(problem("wide_comma", name, *place))
            continue
        if extra is not None and extra >= len(header.cells):
            problems.append(problem("row_too_long", name, *place, expected=len(header.cells), found=len(row.cells)))
            continue
        values.append(_case({column: row.cells[at] for at, column in columns.items() if at < len(row.cells)}))
        lines.append(row.line)

    places = {column: at + 1 for at, column in columns.items()} if numbered else {}

    def locate(index: int, path: FieldPath) -> tuple[int, int | None]:
        names = (".".join(str(part) for part in path[:2]), str(path[0])) if path else ()
        return lines[index], next((places[column] for column in names if column in places), None)

    return Source(name, kind, values, lines, locate, problems)


def _columns(name: str, header: Row, *, numbered: bool) -> tuple[dict[int, str], list[InputFileError]]:
    """Return the known columns by place; a misspelt one stands for what was meant, so that its cells are checked."""
    if _is_uncut(header):
        return {}, [problem("wide_comma", name, header.line)]
    columns: dict[int, str] = {}
    guesses: dict[int, str] = {}
    problems = []
    for at, cell in enumerate(header.cells):
        place = (header.line, at + 1) if numbered else (header.line,)
        if _is_blank(cell):
            continue
        column = str(cell).strip()
        column = ISSUE if column == f"{ISSUE}.reason" else column
        if column in columns.values():
            problems.append(problem("repeated_column", name, *place, column=column))
        elif column in COLUMNS:
            columns[at] = column
        else:
            meant = meant_key(column, COLUMNS)
            guesses |= {at: meant} if meant else {}
            code = "unknown_column_meant" if meant else "unknown_column"
            problems.append(problem(code, name, *place, column=column, meant=meant, known=", ".join(COLUMNS)))
    problems += [
        problem("missing_column", name, header.line, column=column)
        for column in KEYS[:2]
        if column not in columns.values() and not problems
    ]
    for at, meant in guesses.items():
        if meant not in columns.values():
            columns[at] = meant
    return columns, problems


def _is_blank(cell: object) -> bool:
    return cell is None or (isinstance(cell, str) and not cell.strip())


def _is_uncut(row: Row) -> bool:
    """Tell whether a whole row stands in its first cell, with wide commas where columns should end."""
    first, *others = row.cells
    return isinstance(first, str) and bool(_WIDE_COMMA.search(first)) and all(_is_blank(cell) for cell in others)


def _case(cells: dict[str, object]) -> dict[str, object]:
    case: dict[str, object] = {}
    issue: dict[str, object] = {}
    for column, cell in cells.items():
        if _is_blank(cell):
            continue
        key = column.partition(".")[2]
        if column == ISSUE:
            issue["reason"] = _value(column, cell)
        elif key:
            issue[key] = _value(column, cell)
        else:
            case[column] = _value(column, cell)
    if issue:
        case[ISSUE] = issue["reason"] if issue.keys() == {"reason"} else issue
    return case


def _value(column: str, cell: object) -> object:
    if isinstance(cell, dt.datetime) and column.endswith(".until"):
        return cell.date().isoformat()
    if not isinstance(cell, str):
        return cell
    if column in _LIST_COLUMNS:
        return split_cell(cell)
    if column == "expect_not_found":
        return _BOOLS.get(normalize("NFKC", cell).strip().lower(), cell.strip())
    if column.endswith(".until"):
        return _day(cell.strip())
    return cell if column == "question" else cell.strip()


def _day(text: str) -> str:
    """Return a day as year-month-day: a spreadsheet rewrites what looks like a date, and so undoes that form."""
    found = _DAY.fullmatch(normalize("NFKC", text))
    return "{}-{:0>2}-{:0>2}".format(*found.groups()) if found else text


def split_cell(cell: str) -> list[str]:
    """Return the texts of a cell: one a line, or, where it has one line only, between ``|`` signs of either width."""
    pieces = _BREAKS.split(cell)
    if len(pieces) == 1:
        pieces = _BARS.split(cell)
    return [piece.strip() for piece in pieces if piece.strip()]


def join_cell(texts: Sequence[str]) -> str | None:
    """Return a cell that :func:`split_cell` takes apart again; None where no cell can hold these texts."""
    if any(text != text.strip() or len(_BREAKS.split(text)) > 1 or not text for text in texts):
        return None
    cell = "\n".join(texts)
    return cell + "\n" if len(texts) == 1 and _BARS.search(cell) else cell
