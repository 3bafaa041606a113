"""Lines of a text, a piece of it at a time, so that a list of millions of lines is never made."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sekisho.adapters.files.content import Content, failure

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_CHARACTERS = 16 << 20
"""The longest line of a table or of JSON Lines: beyond it, line breaks are missing."""

_PIECE = 1 << 20  # characters of text that are split at a time
# Possessive, so that many millions of comments leave no trace in the memory. A comment ends at a CR, too: what follows
# it in a file with such line breaks must be seen, and refused.
_BLANK = re.compile(r"\s*+")
_BLANK_OR_COMMENT = re.compile(r"(?:\s++|#[^\n\r]*+)*+")
_INNER_RETURN = re.compile(r"\r(?![\r\n]|\Z)")


def overlong(text: str | bytes, most: int) -> int | None:
    """Return where the first line of more than ``most`` characters begins, or None where there is none."""
    begins = 0
    while len(text) - begins > most:
        after = (
            text.rfind("\n", begins, begins + most + 1)
            if isinstance(text, str)
            else text.rfind(b"\n", begins, begins + most + 1)
        )
        if after < 0:
            return begins
        begins = after + 1
    return None


def check_lines(content: Content) -> None:
    """Refuse a text with an endless line.

    Raises:
        InputFileError: With its line.
    """
    begins = overlong(content.text, MOST_CHARACTERS)
    if begins is not None:
        line = content.text.count("\n", 0, begins) + 1
        raise failure("long_line", content.name, line, most=MOST_CHARACTERS >> 20)


def first_place(text: str) -> tuple[int, int] | None:
    """Return where the first line begins that is neither blank nor a comment, and its number; None without one."""
    found = _BLANK_OR_COMMENT.match(text)
    end = found.end() if found else 0
    if end >= len(text):
        return None
    begins = text.rfind("\n", 0, end) + 1
    return begins, text.count("\n", 0, begins) + 1


def pieces(content: Content, *, comments: bool) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines in lists, each with the number of its first line; long runs of blank lines are left out.

    Args:
        content: The text.
        comments: Whether lines with ``#`` in front are left out with the blank ones.

    Raises:
        InputFileError: A carriage return stands inside a line: two lines would be read as one.
    """
    text, begins, number = content.text, 0, 1
    skipped = _BLANK_OR_COMMENT if comments else _BLANK
    while begins < len(text):
        found = skipped.match(text, begins)
        first = text.rfind("\n", begins, found.end() if found else begins) + 1 or begins
        number += text.count("\n", begins, first)
        end = text.rfind("\n", first, first + _PIECE) + 1 or text.find("\n", first) + 1 or len(text)
        piece = text[first:end]
        if "\r" in piece and (stray := _INNER_RETURN.search(piece)):
            raise failure("carriage_return", content.name, number + piece.count("\n", 0, stray.start()))
        lines = piece.removesuffix("\n").split("\n")
        yield number, lines
        begins, number = end, number + len(lines)
