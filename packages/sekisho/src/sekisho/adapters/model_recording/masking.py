"""Keys, kept out of everything that is written or shown: those that travel in headers, addresses and bodies."""

from __future__ import annotations

import json
import re
import threading
from typing import TYPE_CHECKING
from urllib.parse import quote, quote_plus, unquote_plus

if TYPE_CHECKING:
    from collections.abc import Iterable

MASK = "***"
_SHORTEST = 8
"""Characters; a shorter value, such as the ``test`` of a replay, may be an ordinary word of a prompt."""
_HEADER = re.compile(
    r"(?!idempotency).*(?:authoriz|authent|cookie|key|token|secret|credential|password|signature)", re.IGNORECASE
)
"""An idempotency key is a number drawn for each request, and no secret."""
_MEMBERS = "api[-_]?key|x-api-key|access[-_]?token|authorization|client[-_]?secret|secret|password"
_MEMBER = re.compile(rf"(?:{_MEMBERS})", re.IGNORECASE)
_PARAMETER = re.compile(rf"(?:{_MEMBERS}|auth|key|token|sig|signature)", re.IGNORECASE)
_SCHEME = re.compile(r"(?:Bearer|Basic|Token|ApiKey|Digest) +", re.IGNORECASE)
_DEEPEST = 200
"""Levels of a JSON value that are looked into; deeper ones are no request to a model."""


class Masking:
    """Replaces keys by ``***``: the values of telling members and parameters, and every key seen in a header anywhere.

    Safe to use from several threads.
    """

    def __init__(self) -> None:
        self._secrets: set[str] = set()
        self._pattern: re.Pattern[str] | None = None
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"Masking({MASK})"

    def learn_headers(self, headers: Iterable[tuple[str, str]]) -> None:
        """Take note of the keys in the headers of a request."""
        for name, value in headers:
            if _HEADER.match(name):
                bare = _SCHEME.sub("", value.strip(), count=1)
                self.learn([bare, *(part.partition("=")[2].strip() for part in value.split(";"))])

    def learn(self, values: Iterable[str]) -> None:
        """Take note of further keys."""
        new = {value for value in values if len(value) >= _SHORTEST}
        with self._lock:
            if not new <= self._secrets:
                self._secrets |= new
                forms = {form for secret in self._secrets for form in _forms(secret)}
                # The longest first: where one key begins with another, nothing of it stays.
                ordered = sorted(forms, key=lambda form: (-len(form), form))
                # In any case of letters: what is lowered on its way gives a key away as well.
                self._pattern = re.compile("|".join(map(re.escape, ordered)), re.IGNORECASE)

    def text(self, text: str) -> str:
        """Return a text without any key that is known by now."""
        pattern = self._pattern
        return text if pattern is None else pattern.sub(MASK, text)

    def data(self, data: bytes) -> bytes:
        """Return bytes without any key that is known by now."""
        if self._pattern is None:
            return data
        return self.text(data.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")

    def query(self, query: str) -> str:
        """Return the query of an address, the values of telling parameters masked and known from now on."""
        parts = []
        for part in query.split("&"):
            name, equals, value = part.partition("=")
            if equals and _PARAMETER.fullmatch(unquote_plus(name)):
                self.learn([unquote_plus(value)])
                value = MASK
            parts.append(f"{name}{equals}{value}")
        return self.text("&".join(parts))

    def json(self, value: object) -> object:
        """Return a JSON value, the texts of telling members masked and known from now on."""
        self.learn(_telling(value, _DEEPEST))
        return self._masked(value, _DEEPEST)

    def _masked(self, value: object, levels: int) -> object:
        if isinstance(value, str):
            return self.text(value)
        if levels and isinstance(value, dict):
            return {
                self.text(name): MASK if _is_telling(name, item) else self._masked(item, levels - 1)
                for name, item in value.items()
            }
        if levels and isinstance(value, list):
            return [self._masked(item, levels - 1) for item in value]
        return value if not isinstance(value, (dict, list)) else MASK


def _is_telling(name: str, value: object) -> bool:
    return isinstance(value, str) and bool(_MEMBER.fullmatch(name))


def _telling(value: object, levels: int) -> list[str]:
    if not levels:
        return []
    if isinstance(value, list):
        return [found for item in value for found in _telling(item, levels - 1)]
    if not isinstance(value, dict):
        return []
    own = [item for name, item in value.items() if _is_telling(name, item)]
    return own + [found for item in value.values() for found in _telling(item, levels - 1)]


def _forms(secret: str) -> set[str]:
    """Return a key as it stands, and as JSON, addresses and Python write it."""
    forms = {secret, json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1], repr(secret)[1:-1]}
    return forms | {quote(secret), quote(secret, safe=""), quote_plus(secret), _with_escaped_slashes(secret)}


def _with_escaped_slashes(secret: str) -> str:
    """Return a key as JSON writers that escape slashes write it."""
    return json.dumps(secret)[1:-1].replace("/", "\\/")
