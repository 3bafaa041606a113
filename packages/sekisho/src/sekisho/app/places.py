"""Where in a TOML file a key stands, which the parser of the standard library does not tell."""

from __future__ import annotations

import re
import tomllib
from functools import cached_property

from sekisho.core.errors import Location

_KEY = r"""(?:"(?:[^"\\]|\\.)*"|'[^']*'|[\w-]+)"""
_KEYS = rf"{_KEY}(?:\s*\.\s*{_KEY})*"
_HEAD = re.compile(rf"\s*\[\[?\s*({_KEYS})\s*\]")
_ASSIGNMENT = re.compile(rf"\s*({_KEYS})\s*=")


class Places:
    """The lines of the keys and tables of one file.

    Args:
        text: The whole file.
        file: Its name, for messages.
    """

    def __init__(self, text: str, *, file: str) -> None:
        self._text = text
        self._file = file

    def find(self, wanted: tuple[str, ...]) -> Location:
        """Return the place of a key, or of the nearest table around it; a key in an inline table has its line."""
        for depth in range(len(wanted), 0, -1):
            if (line := self._first_lines.get(wanted[:depth])) is not None:
                return Location(self._file, line)
        return Location(self._file, None)

    @cached_property
    def _first_lines(self) -> dict[tuple[str, ...], int]:
        """Each key and each table around one, with the first line that leads to it."""
        table: tuple[str, ...] = ()
        lines: dict[tuple[str, ...], int] = {}
        for number, line in enumerate(self._text.splitlines(), start=1):
            if head := _HEAD.match(line):
                path = table = _parts(head[1])
            elif assignment := _ASSIGNMENT.match(line):
                path = (*table, *_parts(assignment[1]))
            else:
                continue
            for depth in range(len(path), 0, -1):
                lines.setdefault(path[:depth], number)
        return lines


def _parts(keys: str) -> tuple[str, ...]:
    return tuple(_unquoted(part) for part in re.findall(_KEY, keys))


def _unquoted(part: str) -> str:
    if "\\" not in part:
        return part[1:-1] if part[0] in "\"'" else part
    try:
        value: str = tomllib.loads(f"key = {part}")["key"]
    except tomllib.TOMLDecodeError:
        return part
    return value
