"""What stands in a file of cases before anything of it is checked."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from sekisho.core.errors import InputFileError, Location
from sekisho.core.text import shorten

if TYPE_CHECKING:
    from collections.abc import Mapping

Format = Literal["json", "lines", "toml", "table", "yaml", "xlsx"]
ENDINGS: Mapping[str, Format] = {
    ".json": "json", ".jsonl": "lines", ".ndjson": "lines", ".toml": "toml", ".csv": "table", ".tsv": "table",
    ".yaml": "yaml", ".yml": "yaml", ".xlsx": "xlsx",
}  # fmt: skip
KEYS = (
    "id", "question", "departments", "expect_source", "expect_text", "forbid", "expect_not_found", "known_issue",
    "tags",
)  # fmt: skip
"""Of a case, in the order in which they are written."""

LIST_KEYS = ("departments", "expect_source", "expect_text", "forbid", "tags")
ISSUE_KEYS = ("reason", "suites", "failures", "until", "link")

MOST_PROBLEMS = 200
"""In one file; a file with more of them is another kind of file, or has one mistake many times."""

FieldPath = tuple[str | int, ...]
"""From a case to a value in it: keys and indices."""

_MOST_SHOWN, _MOST_LISTED = 80, 300  # characters of one value, and of a list, that a sentence quotes
_LISTS = frozenset({"known", "reason", "keys", "reasons"})
_PATHS = frozenset({"path", "command"})


class Number(str):
    """A number as it is written in a file: no key of a case takes one, and its digits tell what was meant."""

    __slots__ = ()


class Source(NamedTuple):
    """The cases of a file, unchecked.

    Attributes:
        name: The file as the user named it.
        format: What it was read as.
        values: One a case: a mapping from key to text, list, bool or mapping, or whatever stands there instead.
        lines: The line on which each begins.
        locate: From the index of a case and a path in it to line and column, searched for only when an error asks.
        problems: What is wrong with the file as such; further cases may be missing then.
    """

    name: str
    format: Format
    values: Sequence[object]
    lines: Sequence[int]
    locate: Callable[[int, FieldPath], tuple[int, int | None]]
    problems: Sequence[InputFileError] = ()


def problem(
    code: str, name: str, line: int | None = None, column: int | None = None, /, **values: object
) -> InputFileError:
    """Return the error ``cases.<code>`` at a place in the file ``name``; what it quotes is shortened, paths are not."""
    quoted = {
        key: shorten(value, _MOST_LISTED if key in _LISTS else _MOST_SHOWN)
        if isinstance(value, str) and key not in _PATHS
        else value
        for key, value in values.items()
    }
    return InputFileError(f"cases.{code}", where=Location(name, line, column), **quoted)


def line_column(text: str, place: int) -> tuple[int, int]:
    """Return line and column, from 1, of an index in ``text``."""
    return text.count("\n", 0, place) + 1, place - text.rfind("\n", 0, place)


def format_of(path: str | os.PathLike[str]) -> Format | None:
    """Return the format that the ending of a file stands for."""
    return ENDINGS.get(os.path.splitext(os.fspath(path))[1].lower())  # noqa: PTH122  names of any kind, without pathlib


def as_typed(value: object) -> str:
    """Return a value about as it stands in a file."""
    import json  # noqa: PLC0415  for sentences only

    if isinstance(value, (dict, list, str, bool, type(None))) and not isinstance(value, Number):
        try:
            return json.dumps(value, ensure_ascii=False, default=str)
        except (ValueError, RecursionError):
            return "…"
    return str(value)
