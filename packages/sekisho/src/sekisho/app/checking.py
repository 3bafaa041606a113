"""Reading a table of a configuration file strictly: every key is asked for, and what nobody asked for is an error."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from sekisho.core.errors import ConfigurationError, Location
from sekisho.core.text import did_you_mean

Default = TypeVar("Default", None, float)


class Table:
    """One table of a TOML file, with the place it stands at.

    Args:
        data: The parsed table.
        path: The keys that lead to it.
        file: For messages.
        lines: The text of the file, to find the line of a key.
    """

    def __init__(self, data: object, *, path: tuple[str, ...], file: str, lines: Sequence[str]) -> None:
        self._path = path
        self._file = file
        self._lines = lines
        if not isinstance(data, Mapping):
            raise self.error("app.wrong_type", key=".".join(path), expected="table", value=data)
        self._data = data
        self._asked: dict[str, None] = {}

    def error(self, code: str, /, *, key: str | None = None, **values: object) -> ConfigurationError:
        """Return an error placed at a key of this table, or at the table's own head."""
        name = (key or "").rpartition(".")[2]
        line = _line_of(self._lines, self._path, name or None)
        if key is not None:
            values["key"] = key
        return ConfigurationError(code, where=Location(self._file, line), **values)

    def value(self, key: str) -> object:
        """Return the raw value of a key, or None."""
        self._asked[key] = None
        return self._data.get(key)

    def text(self, key: str) -> str | None:
        """Return a text that is not empty."""
        value = self.value(key)
        if value is None:
            return None
        if not isinstance(value, str) or not value.strip():
            raise self.error("app.wrong_type", key=key, expected="text", value=value)
        return value

    def texts(self, key: str, *, choices: Sequence[str] | None = None) -> tuple[str, ...]:
        """Return a list of texts, each one of ``choices`` where they are given."""
        value = self.value(key)
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.error("app.wrong_type", key=key, expected="list of texts", value=value)
        for item in value:
            if choices is not None:
                self._check_choice(key, item, choices)
        return tuple(value)

    def choice(self, key: str, choices: Sequence[str], *, default: str) -> str:
        """Return one of ``choices``."""
        value = self.text(key)
        if value is None:
            return default
        self._check_choice(key, value, choices)
        return value

    def whole(self, key: str, *, default: int, least: int) -> int:
        """Return a whole number of at least ``least``."""
        value = self.value(key)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.error("app.wrong_type", key=key, expected="whole number", value=value)
        if value < least:
            raise self.error("app.out_of_range", key=key, value=value, range=f"≥ {least}")
        return value

    def number(
        self, key: str, *, default: Default, least: float, most: float = float("inf"), above: bool = False
    ) -> float | Default:
        """Return a number from ``least`` (exclusive where ``above``) to ``most``."""
        value = self.value(key)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise self.error("app.wrong_type", key=key, expected="number", value=value)
        if not (least <= value <= most) or (above and value == least):
            span = f"{least:g} – {most:g}" if most != float("inf") else f"{'>' if above else '≥'} {least:g}"
            raise self.error("app.out_of_range", key=key, value=value, range=span)
        return float(value)

    def flag(self, key: str) -> bool:
        """Return true or false; false where the key is absent."""
        value = self.value(key)
        if value is not None and not isinstance(value, bool):
            raise self.error("app.wrong_type", key=key, expected="true | false", value=value)
        return bool(value)

    def mapping(self, key: str) -> Mapping[str, Any]:
        """Return a table as it is; empty where the key is absent."""
        value = self.value(key)
        if value is None:
            return {}
        if not isinstance(value, Mapping):
            raise self.error("app.wrong_type", key=key, expected="table", value=value)
        return value

    def table(self, key: str) -> Table | None:
        """Return a table to be checked in turn, or None where the key is absent."""
        value = self.value(key)
        if value is None:
            return None
        if not isinstance(value, Mapping):
            raise self.error("app.wrong_type", key=key, expected="table", value=value)
        return Table(value, path=(*self._path, key), file=self._file, lines=self._lines)

    def tables(self, key: str) -> list[tuple[str, Table]]:
        """Return the tables of a table of tables, with their names."""
        outer = self.table(key)
        if outer is None:
            return []
        return [
            (name, Table(value, path=(*self._path, key, name), file=self._file, lines=self._lines))
            for name, value in outer.mapping_items()
        ]

    def mapping_items(self) -> list[tuple[str, object]]:
        """Return every key with its raw value, in the order of the file."""
        return list(self._data.items())

    def refuse_unknown(self) -> None:
        """Raise for the first key that nobody has asked for, with the spelling that was probably meant."""
        for key in self._data:
            if key not in self._asked:
                meant = did_you_mean(key, self._asked)
                if meant:
                    raise self.error("app.unknown_key_meant", key=key, meant=meant)
                raise self.error("app.unknown_key", key=key, known=", ".join(sorted(self._asked)))

    def _check_choice(self, key: str, value: str, choices: Sequence[str]) -> None:
        if value not in choices:
            meant = did_you_mean(value, choices)
            if meant:
                raise self.error("app.unknown_choice_meant", key=key, value=value, meant=meant)
            raise self.error("app.unknown_choice", key=key, value=value, choices=", ".join(choices))


def _line_of(lines: Sequence[str], path: tuple[str, ...], key: str | None) -> int | None:
    """Return the line of a key below a table head, else of the head, else None; the parser keeps no positions."""
    inside, head = not path, None
    for number, line in enumerate(lines, start=1):
        match = re.match(r"\s*\[+\s*([^\]]+?)\s*\]+", line)
        if match and not re.match(r"\s*[\w\"'.-]+\s*=", line):
            parts = tuple(part.strip().strip("\"'") for part in match[1].split("."))
            inside = parts == path
            head = number if inside else head
        elif inside and key is not None and re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*[.=]", line):
            return number
    if head is None and len(path) > 1:
        return _line_of(lines, path[:-1], path[-1])
    return head
