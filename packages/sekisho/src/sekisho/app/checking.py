"""Reading a table of a configuration file strictly: every key is asked for, and what nobody asked for is an error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from sekisho.core.errors import ConfigurationError
from sekisho.core.text import did_you_mean, shorten

if TYPE_CHECKING:
    from sekisho.app.places import Places
    from sekisho.core.errors import Location

Default = TypeVar("Default", None, float)
_LONGEST_VALUE = 80


class Table:
    """One table of a TOML file, with the place it stands at.

    Args:
        data: The parsed table.
        path: The keys that lead to it.
        places: Where in the file which key stands.
    """

    def __init__(self, data: object, *, path: tuple[str, ...], places: Places) -> None:
        self._path = path
        self._places = places
        if not isinstance(data, Mapping):
            raise self._wrong(".".join(path), "table", data)
        self._data = data
        self._asked: dict[str, None] = {}
        self._lacking: ConfigurationError | None = None

    def place(self, key: str | None = None) -> Location:
        """Return where a key stands, or the table itself."""
        return self._places.find(self._path if key is None else (*self._path, key))

    def error(self, code: str, /, *, key: str, **values: object) -> ConfigurationError:
        """Return an error about a key, with its place."""
        return ConfigurationError(code, where=self.place(key), key=key, **values)

    def _wrong(self, key: str, kind: str, value: object) -> ConfigurationError:
        return self.error(f"app.not_{kind}", key=key, value=shown(value))

    def has(self, key: str) -> bool:
        """Tell whether a key is there."""
        return key in self._data

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
            raise self._wrong(key, "text", value)
        return value

    def texts(self, key: str, *, choices: Sequence[str] | None = None) -> tuple[str, ...]:
        """Return a list of texts, each one of ``choices`` where they are given."""
        value = self.value(key)
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self._wrong(key, "texts", value)
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

    def whole(self, key: str, *, default: int, least: int, most: int) -> int:
        """Return a whole number from ``least`` to ``most``."""
        value = self.value(key)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int):
            raise self._wrong(key, "whole", value)
        if not least <= value <= most:
            raise self.error("app.out_of_range", key=key, value=shown(value), range=f"{least} – {most:,}")
        return value

    def number(self, key: str, *, default: Default, least: float, most: float, above: bool = False) -> float | Default:
        """Return a number from ``least`` (exclusive where ``above``) to ``most``."""
        value = self.value(key)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise self._wrong(key, "number", value)
        if not (least <= value <= most) or (above and value == least):
            span = f"> {least:g}, ≤ {most:g}" if above else f"{least:g} – {most:g}"
            raise self.error("app.out_of_range", key=key, value=shown(value), range=span)
        return float(value)

    def flag(self, key: str) -> bool:
        """Return true or false; false where the key is absent."""
        value = self.value(key)
        if value is not None and not isinstance(value, bool):
            raise self._wrong(key, "flag", value)
        return bool(value)

    def mapping(self, key: str) -> Mapping[str, Any]:
        """Return a table as it is; empty where the key is absent."""
        value = self.value(key)
        if value is None:
            return {}
        if not isinstance(value, Mapping):
            raise self._wrong(key, "table", value)
        return value

    def table(self, key: str) -> Table | None:
        """Return a table to be checked in turn, or None where the key is absent."""
        value = self.value(key)
        if value is None:
            return None
        if not isinstance(value, Mapping):
            raise self._wrong(key, "table", value)
        return Table(value, path=(*self._path, key), places=self._places)

    def tables(self, key: str) -> list[tuple[str, Table]]:
        """Return the tables of a table of tables, with their names."""
        outer = self.table(key)
        if outer is None:
            return []
        return [
            (name, Table(value, path=(*self._path, key, name), places=self._places))
            for name, value in outer.mapping_items()
        ]

    def mapping_items(self) -> list[tuple[str, object]]:
        """Return every key with its raw value, in the order of the file."""
        return list(self._data.items())

    def lacks(self, code: str, /, *, key: str, **values: object) -> None:
        """Keep that a key is needed, for :meth:`refuse_unknown`: another one may be that key misspelt."""
        self._lacking = self._lacking or self.error(code, key=key, **values)

    def misspelt(self, key: str) -> ConfigurationError | None:
        """Return the error for a key that is absent under its name and there under a similar one."""
        for written in self._data:
            if written != key and did_you_mean(written, [key]):
                return self.error("app.unknown_key_meant", key=written, meant=key)
        return None

    def refuse_unknown(self) -> None:
        """Raise for the first key that nobody has asked for, with the spelling that was probably meant.

        Then for a key that is needed and not there.
        """
        for key in self._data:
            if key not in self._asked:
                meant = did_you_mean(key, self._asked)
                if meant:
                    raise self.error("app.unknown_key_meant", key=key, meant=meant)
                raise self.error("app.unknown_key", key=key, known=", ".join(sorted(self._asked)))
        if self._lacking:
            raise self._lacking

    def _check_choice(self, key: str, value: str, choices: Sequence[str]) -> None:
        if value not in choices:
            meant = did_you_mean(value, choices)
            if meant:
                raise self.error("app.unknown_choice_meant", key=key, value=value, meant=meant)
            raise self.error("app.unknown_choice", key=key, value=value, choices=", ".join(choices))


def shown(value: object) -> str:
    """Return a value as a message shows it: as Python writes it, but not endless."""
    try:
        return shorten(repr(value), _LONGEST_VALUE)
    except ValueError:  # Python refuses to write a whole number of thousands of digits
        return "…"
