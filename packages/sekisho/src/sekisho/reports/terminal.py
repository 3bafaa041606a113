"""Text on a terminal or in a build log: its width, its colours, its encoding, one language."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, TextIO

from sekisho.core.messages import message
from sekisho.core.text import display_width, in_ascii, padded, wrap

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sekisho.core.messages import Language

WIDTH_IN_A_PIPE = 120
NARROWEST, WIDEST = 20, 140
"""Lines are read best below 140 columns, and nothing can be laid out in less than 20."""
_STYLES = {"bold": "1", "dim": "2", "red": "1;31", "green": "32", "yellow": "33", "cyan": "36"}
_GAP = 2
_ENDLESS = 10_000
_LISTED_BELOW = 60
"""In fewer columns than this a table that is too wide becomes a list; in more it is made to fit."""
_NARROWEST_FIRST = 8
"""Columns that the first cell of a row keeps at least when it is cut short."""


class Cell(NamedTuple):
    """One cell of a table."""

    text: str
    style: str = ""


class Table(NamedTuple):
    """Rows below their head.

    Attributes:
        head: The names of the columns.
        rows: A cell for each of them.
        left: Columns of text; the others hold numbers, which end at the right.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    left: Sequence[int] = (0,)


class Terminal:
    """Writes one report to a stream, in one language; colours go to a terminal only.

    Args:
        stream: Where to.
        language: ``en`` or ``ja``.
        environment: ``COLUMNS``, ``NO_COLOR``, ``FORCE_COLOR`` and ``TERM`` count.
    """

    def __init__(self, stream: TextIO, *, language: Language, environment: Mapping[str, str] | None = None) -> None:
        environment = os.environ if environment is None else environment
        self._stream = stream
        self.language = language
        self.width = width_of(stream, environment)
        self.width_is_known = stream.isatty() or bool(environment.get("COLUMNS"))
        self._colours = has_colours(stream, environment)
        self._encoding = stream.encoding or "utf-8"

    def say(self, code: str, /, **values: object) -> str:
        """Return a sentence in the language of this report."""
        return message(code, self.language, **values)

    def safe(self, text: str) -> str:
        """Return text as this stream can show it: signs that it cannot encode are written in ASCII."""
        try:
            text.encode(self._encoding)
        except UnicodeEncodeError:
            return "".join(map(self._safe_character, text))
        return text

    def _safe_character(self, char: str) -> str:
        try:
            char.encode(self._encoding)
        except UnicodeEncodeError as error:
            return in_ascii(error)[0]
        return char

    def line(self, text: str = "", *, indent: int = 0, hang: int = 0, style: str = "", whole: bool = False) -> None:
        """Write a paragraph, wrapped with its indent kept and ``hang`` columns more from its second line on.

        Args:
            text: The paragraph.
            indent: Columns before each line.
            hang: Columns more from the second line on.
            style: Its name, for a stream with colours.
            whole: Leave it on one line where no width is known, as in a build log: ``tail -1`` then has all of it.
        """
        width = self.width if self.width_is_known or not whole else _ENDLESS
        lines = wrap(self.safe(text), width - indent, hang=hang)
        for number, each in enumerate(lines or [""]):
            pad = " " * (indent + (hang if number else 0)) if each else ""
            self._stream.write(pad + self._styled(each, style) + "\n")

    def verbatim(self, text: str, *, indent: int = 0) -> None:
        """Write a line that is to be copied, whole: one that is too long is left to the terminal to break."""
        self._stream.write(" " * indent + self.safe(text) + "\n")

    def table(self, head: Sequence[str], rows: Sequence[Sequence[Cell]], *, left: Sequence[int] = (0,)) -> None:
        """Write rows below their head; where they are too wide, each row as a paragraph instead.

        Args:
            head: The names of the columns.
            rows: A cell for each of them.
            left: Columns of text; the others hold numbers, which end at the right.
        """
        table = self._shown(Table(head, rows, left))
        if _width(table) > self.width:
            self._paragraphs(table)
        else:
            self._rows(table)

    def widest(self, tables: Sequence[Table]) -> Table:
        """Write the first table that fits, and return it; in few columns the first one of all as a list.

        Args:
            tables: The same rows with less and less beside them. Where not even the last fits, the first cell of its
                rows is cut short.
        """
        shown = [self._shown(table) for table in tables]
        for table in shown if self.width >= _LISTED_BELOW else shown[:1]:
            if _width(table) <= self.width:
                self._rows(table)
                return table
        last = shown[-1]
        room = _widths(last)[0] - (_width(last) - self.width)
        if self.width < _LISTED_BELOW or room < _NARROWEST_FIRST:
            self._paragraphs(shown[0])
            return shown[0]
        rows = [[row[0]._replace(text=cut(row[0].text, room)), *row[1:]] for row in last.rows]
        self._rows(last._replace(head=[cut(last.head[0], room), *last.head[1:]], rows=rows))
        return last

    def _shown(self, table: Table) -> Table:
        rows = [[cell._replace(text=self.safe(cell.text)) for cell in row] for row in table.rows]
        return table._replace(head=[self.safe(name) for name in table.head], rows=rows)

    def _rows(self, table: Table) -> None:
        widths = _widths(table)
        for row in [[Cell(name, "bold") for name in table.head], *table.rows]:
            cells = []
            for place, (cell, width) in enumerate(zip(row, widths, strict=True)):
                space = padded("", width - display_width(cell.text))
                text = self._styled(cell.text, cell.style)
                cells.append(text + space if place in table.left else space + text)
            self._stream.write((" " * _GAP).join(cells).rstrip() + "\n")

    def _paragraphs(self, table: Table) -> None:
        for first, *others in table.rows:
            self.line(first.text, style="bold")
            for name, cell in zip(table.head[1:], others, strict=True):
                self.line(f"{name}  {cell.text.strip()}", indent=2, style=cell.style)

    def _styled(self, text: str, style: str) -> str:
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if style and text and self._colours else text


def _widths(table: Table) -> list[int]:
    columns = zip(table.head, *([cell.text for cell in row] for row in table.rows), strict=True)
    return [max(map(display_width, column)) for column in columns]


def _width(table: Table) -> int:
    return sum(_widths(table)) + _GAP * (len(table.head) - 1)


def cut(text: str, columns: int) -> str:
    """Return a text, or as much of it as fits beside a sign that there is more."""
    if display_width(text) <= columns:
        return text
    while text and display_width(text) > columns - 1:
        text = text[:-1]
    return text + "…"


def width_of(stream: TextIO, environment: Mapping[str, str]) -> int:
    """Return how many columns a stream has: ``COLUMNS``, else the terminal's own, else those of a build log."""
    columns = environment.get("COLUMNS", "")
    if columns.isascii() and columns.isdigit() and int(columns):
        width = int(columns)
    elif stream.isatty():
        try:
            width = os.get_terminal_size(stream.fileno()).columns or WIDTH_IN_A_PIPE
        except OSError:
            width = WIDTH_IN_A_PIPE
    else:
        width = WIDTH_IN_A_PIPE
    return min(max(width, NARROWEST), WIDEST)


def has_colours(stream: TextIO, environment: Mapping[str, str]) -> bool:
    """Tell whether to colour: on a terminal that can, unless ``NO_COLOR``; anywhere with ``FORCE_COLOR``."""
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR"):
        return True
    return stream.isatty() and environment.get("TERM") != "dumb"
