"""Text on a terminal or in a build log: its width, its colours, its encoding, one language."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple, TextIO

from sekisho.core.messages import message
from sekisho.core.text import display_width, in_ascii, padded, wrap

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sekisho.core.messages import Language

WIDTH_IN_A_PIPE = 120
NARROWEST, WIDEST = 20, 140
"""Lines are read best below 140 columns, and nothing can be laid out in less than 20."""
_STYLES = {"bold": "1", "dim": "2", "red": "1;31", "green": "32", "yellow": "33", "cyan": "36"}
_GAP = 2
_ENDLESS = 10_000


class Cell(NamedTuple):
    """One cell of a table."""

    text: str
    style: str = ""


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
        self._width_is_known = stream.isatty() or bool(environment.get("COLUMNS"))
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
        width = self.width if self._width_is_known or not whole else _ENDLESS
        lines = wrap(self.safe(text), width - indent, hang=hang)
        for number, each in enumerate(lines or [""]):
            pad = " " * (indent + (hang if number else 0)) if each else ""
            self._stream.write(pad + self._styled(each, style) + "\n")

    def table(self, head: Sequence[str], rows: Sequence[Sequence[Cell]], *, left: Sequence[int] = (0,)) -> None:
        """Write rows below their head; where they are too wide, each row as a paragraph instead.

        Args:
            head: The names of the columns.
            rows: A cell for each of them.
            left: Columns of text; the others hold numbers, which end at the right.
        """
        shown = [[cell._replace(text=self.safe(cell.text)) for cell in row] for row in rows]
        names = [self.safe(name) for name in head]
        widths = [max(map(display_width, column)) for column in zip(names, *([c.text for c in r] for r in shown))]  # noqa: B905  rows are as long as their head
        if sum(widths) + _GAP * (len(widths) - 1) > self.width:
            self._paragraphs(names, shown)
            return
        for row in [[Cell(name, "bold") for name in names], *shown]:
            cells = []
            for place, (cell, width) in enumerate(zip(row, widths, strict=True)):
                space = padded("", width - display_width(cell.text))
                text = self._styled(cell.text, cell.style)
                cells.append(text + space if place in left else space + text)
            self._stream.write((" " * _GAP).join(cells).rstrip() + "\n")

    def _paragraphs(self, names: Sequence[str], rows: Sequence[Sequence[Cell]]) -> None:
        for first, *others in rows:
            self.line(first.text, style="bold")
            for name, cell in zip(names[1:], others, strict=True):
                self.line(f"{name}  {cell.text.strip()}", indent=2, style=cell.style)

    def _styled(self, text: str, style: str) -> str:
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if style and text and self._colours else text


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
