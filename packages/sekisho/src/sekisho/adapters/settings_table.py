"""Reading the settings of a target strictly: every key is asked for, and what nobody asked for is an error."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sekisho.core.errors import ConfigurationError
from sekisho.core.text import did_you_mean, shorten

if TYPE_CHECKING:
    from collections.abc import Sequence

_LONGEST_VALUE = 80
_KINDS = {
    "table": "app.not_table",
    "text": "app.not_text",
    "texts": "app.not_texts",
    "number": "app.not_number",
    "whole": "app.not_whole",
    "flag": "app.not_flag",
}


class SettingsTable:
    """A table of settings. Errors hold the key as it is written from here on, such as ``headers.Accept``.

    Args:
        data: The table as it was parsed.
        within: The keys that lead to it.
    """

    def __init__(self, data: object, *, within: tuple[str, ...] = ()) -> None:
        self._within = within
        if not isinstance(data, Mapping):
            raise ConfigurationError(_KINDS["table"], key=".".join(within) or "target", value=_kind(data))
        self._data = data
        self._asked: dict[str, None] = {}

    def error(self, code: str, key: str, /, **values: object) -> ConfigurationError:
        """Return an error about a key."""
        return ConfigurationError(code, where=None, key=".".join((*self._within, key)), **values)

    def value(self, key: str, *, default: object = None) -> Any:  # noqa: ANN401  any value of a configuration
        """Return the raw value of a key."""
        self._asked[key] = None
        return self._data.get(key, default)

    def text(self, key: str) -> str | None:
        """Return a text that is not blank, or None where the key is absent."""
        value = self.value(key)
        if value is not None and (not isinstance(value, str) or not value.strip()):
            raise self.wrong(key, "text")
        return value

    def needed(self, key: str) -> str:
        """Return a text that is not blank; its absence is an error."""
        value = self.text(key)
        if value is None:
            raise self.error("targets.key_missing", key)
        return value

    def texts(self, key: str, *, choices: Sequence[str] = ()) -> tuple[str, ...]:
        """Return a list of texts, each one of ``choices`` where there are any."""
        value = self.value(key, default=[])
        if not isinstance(value, (list, tuple)) or not all(isinstance(each, str) for each in value):
            raise self.wrong(key, "texts")
        for each in value:
            self._check_choice(key, each, choices)
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
        value = self.value(key, default=default)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.wrong(key, "whole")
        if not least <= value <= most:
            raise self.error("app.out_of_range", key, value=_shown(value), range=f"{least} – {most:,}")
        return value

    def seconds(self, key: str, *, default: float, most: float) -> float:
        """Return a number above 0, and at most ``most``."""
        value = self.value(key, default=default)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise self.wrong(key, "number")
        if not 0 < value <= most:
            raise self.error("app.out_of_range", key, value=_shown(value), range=f"> 0, ≤ {most:g}")
        return float(value)

    def flag(self, key: str) -> bool:
        """Return true or false; false where the key is absent."""
        value = self.value(key, default=False)
        if not isinstance(value, bool):
            raise self.wrong(key, "flag")
        return value

    def pairs_of_texts(self) -> list[tuple[str, str]]:
        """Return every key with its value, all of them texts, as of headers."""
        return [(name, self.plain(name)) for name in self.names()]

    def plain(self, key: str) -> str:
        """Return a text, which may be blank; errors do not show it, since it may be a secret written in place."""
        value = self.value(key)
        if not isinstance(value, str):
            raise self.wrong(key, "text")
        return value

    def table(self, key: str) -> SettingsTable:
        """Return a table inside this one, an empty one where the key is absent."""
        return SettingsTable(self.value(key, default={}), within=(*self._within, key))

    def names(self) -> list[str]:
        """Return every key, in the order of the file."""
        return list(self._data)

    def refuse_unknown(self) -> None:
        """Raise for the first key that nobody has asked for, with the spelling that was probably meant."""
        for key in self._data:
            if key in self._asked:
                continue
            if meant := did_you_mean(key, self._asked):
                raise self.error("app.unknown_key_meant", key, meant=meant)
            raise self.error("app.unknown_key", key, known=", ".join(sorted(self._asked)))

    def wrong(self, key: str, kind: str) -> ConfigurationError:
        """Return the error of a value of the wrong type; of what was written it tells the type alone."""
        return self.error(_KINDS[kind], key, value=_kind(self._data.get(key)))

    def _check_choice(self, key: str, value: str, choices: Sequence[str]) -> None:
        if not choices or value in choices:
            return
        if meant := did_you_mean(value, choices):
            raise self.error("app.unknown_choice_meant", key, value=_shown(value), meant=meant)
        raise self.error("app.unknown_choice", key, value=_shown(value), choices=", ".join(choices))


def _kind(value: object) -> str:
    """Return the type of a value, as JSON and TOML call it; a blank text as it is."""
    if value == "":
        return '""'
    names = {"dict": "table", "list": "list", "tuple": "list", "str": "text", "bool": "flag", "NoneType": "null"}
    name = type(value).__name__
    return names.get(name, name)


def _shown(value: object) -> str:
    try:
        return shorten(str(value), _LONGEST_VALUE)
    except ValueError:  # Python refuses to write a whole number of thousands of digits
        return "…"
