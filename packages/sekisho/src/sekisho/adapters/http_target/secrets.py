"""Values that came from the environment, and texts without them."""

from __future__ import annotations

import html
import logging
import os
import re
from typing import TYPE_CHECKING

from sekisho.core.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

HIDDEN = "***"
_SHORTEST_IN_ANSWERS = 8
"""Shorter values, such as ``hr``, are ordinary words; to blank them in an answer would change what is measured."""
_VARIABLE = re.compile(r"\$\{([^}]*)\}")
_BACKSLASH = "\\"
_PIECES = re.compile(r"(\\+)|(.)", re.DOTALL)
"""Runs of backslashes, and single characters."""
_MOST_ESCAPES = 16
"""Backslashes that stand for one, after four rounds of escaping."""
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LOGGERS = (
    "httpx", "httpcore.connection", "httpcore.http11", "httpcore.http2", "httpcore.proxy", "httpcore.socks",
)  # fmt: skip
"""The loggers of the libraries that send requests; at their lowest level they log headers of replies."""


class Secret:
    """A value that is never shown: neither ``repr`` nor ``str`` nor formatting gives it away."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """Return the value itself."""
        return self._value

    def __repr__(self) -> str:
        return HIDDEN

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and self._value == other._value

    def __hash__(self) -> int:
        return hash(self._value)

    def __reduce__(self) -> str:
        raise TypeError(HIDDEN)  # a copy on a disk would be a copy in plain text


def expanded(text: str, *, key: str, found: set[str], environment: Mapping[str, str] | None = None) -> Secret:
    """Return a text with each ``${NAME}`` replaced from the environment, whose values are added to ``found``.

    Raises:
        ConfigurationError: A variable is missing or blank, or ``${`` begins none.
    """
    variables = os.environ if environment is None else environment

    def value_of(match: re.Match[str]) -> str:
        name = match[1]
        if not _NAME.fullmatch(name):
            raise ConfigurationError("targets.variable_form", key=key)
        value = variables.get(name, "")
        if not value.strip():
            raise ConfigurationError("targets.variable_missing", key=key, name=name)
        found.add(value)
        return value

    if "${" in _VARIABLE.sub("", text):
        raise ConfigurationError("targets.variable_form", key=key)
    return Secret(_VARIABLE.sub(value_of, text))


class Hiding:
    """Replaces secrets in texts: as they are, and as JSON, Python, addresses and HTML write them."""

    def __init__(self, secrets: Iterable[str]) -> None:
        known = sorted(set(secrets))
        self._anywhere = _pattern(known)
        self._in_answers = _pattern([secret for secret in known if len(secret) >= _SHORTEST_IN_ANSWERS])

    def __repr__(self) -> str:
        return f"Hiding({HIDDEN})"

    def hide(self, text: str) -> str:
        """Return a message without any secret."""
        return text if self._anywhere is None else self._anywhere.sub(HIDDEN, text)

    def hide_in_answer(self, text: str) -> str:
        """Return a text that is measured, without the secrets of which none can be an ordinary word."""
        return text if self._in_answers is None else self._in_answers.sub(HIDDEN, text)


def _pattern(secrets: Iterable[str]) -> re.Pattern[str] | None:
    # The longest first: where one secret begins with another, nothing of it stays.
    forms = sorted({secret.strip() for secret in secrets}, key=lambda secret: (-len(secret), secret))
    # In any case of letters: names and types of HTTP are lowered on their way, and a lowered key gives it away.
    return re.compile("|".join(map(_in_any_form, forms)), re.IGNORECASE) if forms else None


def _in_any_form(secret: str) -> str:
    """Return the pattern of a secret and of what escaping makes of it, also where it was escaped several times.

    No two parts of it can match the same backslashes, so that a search takes time in proportion to the text.
    """
    parts = []
    after_run = False
    for run, char in _PIECES.findall(secret):
        if run:
            most = _MOST_ESCAPES * (len(run) + 1)  # with those before the next character
            parts.append(rf"(?:\\{{{len(run)},{most}}}|(?:{_encoded(_BACKSLASH)}){{{len(run)}}})")
        elif char.isalnum():
            parts.append(char)
        else:
            escapes = "" if after_run else rf"\\{{0,{_MOST_ESCAPES}}}"
            plain = rf"{re.escape(char)}|(?i:(?:u00|x){ord(char):02x})"
            parts.append(rf"(?:{escapes}(?:{plain})|{_encoded(char)})")
        after_run = bool(run)
    return "".join(parts)


def _encoded(char: str) -> str:
    """Return the pattern of a character as addresses and HTML write it."""
    named = html.escape(char).strip("&;")
    space = r"|\+" if char == " " else ""
    in_html = rf"&(?:amp;){{0,3}}(?:#{ord(char)}|#x{ord(char):x}|{re.escape(named)});"
    return rf"(?i:%(?:25){{0,3}}{ord(char):02x}|{in_html}{space})"


class HidingFilter(logging.Filter):
    """Blanks secrets in what the HTTP libraries log, as long as it is in use as a context manager."""

    def __init__(self, hiding: Hiding) -> None:
        super().__init__()
        self._hiding = hiding

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every record pass, without its secrets."""
        record.msg, record.args = self._hiding.hide(record.getMessage()), None
        return True

    def __enter__(self) -> None:
        for name in _LOGGERS:
            logging.getLogger(name).addFilter(self)

    def __exit__(self, *_: object) -> None:
        for name in _LOGGERS:
            logging.getLogger(name).removeFilter(self)
