"""The public keys of a token issuer: from a file or a URL, kept, and fetched anew when an unknown one is named."""

from __future__ import annotations

import json
import logging
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import httpx
import jwt

from knowledge_search.domain import AccessError, ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Callable

_LOG: Final = logging.getLogger(__name__)
_LIMIT_BYTES: Final = 1 << 20
_TIMEOUT_S: Final = 5.0
_MAX_AGE_S: Final = 3600.0
"""Keys are fetched anew after this long, so that one that was withdrawn does not stay good."""
_RETRY_S: Final = 30.0
"""At least this long between two fetches, so that tokens with invented key ids cannot make us hammer the issuer."""
_KINDS: Final = {"RS256": ("RSA", None), "ES256": ("EC", "P-256"), "EdDSA": ("OKP", "Ed25519")}
_MINIMUM_RSA_BITS: Final = 2048
_LOOPBACK: Final = {"127.0.0.1", "::1", "localhost"}


class KeySet:
    """The keys of an issuer for one algorithm; keys of another kind or use are left out.

    Args:
        place: Path of a JWKS file, or its URL: https, or http on this machine.
        algorithm: ``RS256``, ``ES256`` or ``EdDSA``.
        clock: Seconds, monotonic.

    Raises:
        ConfigurationError: ``place`` is neither, or the file holds no such key.
    """

    def __init__(self, place: str, algorithm: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._place = place
        self._algorithm = algorithm
        self._clock = clock
        self._url = _is_url(place)
        self._keys: dict[str | None, jwt.PyJWK] = {}
        self._fetched: float | None = None
        self._tried: float | None = None
        self._mutex = threading.Lock()
        if not self._url:
            self._keys = self._read()
            self._fetched = self._tried = clock()

    def key(self, kid: str | None) -> jwt.PyJWK:
        """Return the key of this id; a token that names none gets the only key, where there is one only.

        Raises:
            AccessError: There is no such key, or the issuer's keys cannot be had.
        """
        with self._mutex:
            stale = self._fetched is None or self._clock() - self._fetched > _MAX_AGE_S
            if (stale or (kid is not None and kid not in self._keys)) and self._may_try():
                self._refresh()
            if self._fetched is None or self._clock() - self._fetched > 2 * _MAX_AGE_S:
                raise AccessError("the keys of the token issuer cannot be had")
            if kid is None and len(self._keys) == 1:
                return next(iter(self._keys.values()))
            found = self._keys.get(kid)
        if found is None:
            raise AccessError("the token is signed with an unknown key")
        return found

    def _may_try(self) -> bool:
        return self._tried is None or self._clock() - self._tried >= _RETRY_S

    def _refresh(self) -> None:
        self._tried = self._clock()
        try:
            self._keys = self._read()
        except (ConfigurationError, httpx.HTTPError) as error:
            _LOG.warning("the token issuer's keys could not be fetched, the older ones are kept: %s", error)
        else:
            self._fetched = self._clock()

    def _read(self) -> dict[str | None, jwt.PyJWK]:
        text = _fetch(self._place) if self._url else _load(self._place)
        try:
            listed = json.loads(text)["keys"]
            keys = {one.get("kid"): jwt.PyJWK(one, self._algorithm) for one in listed if self._fits(one)}
        except (ValueError, KeyError, TypeError, AttributeError, jwt.PyJWTError):
            message = f"{self._place} is no JWKS (an object with a list 'keys') with well-formed keys"
            raise ConfigurationError(message) from None
        if not keys:
            message = f"{self._place} holds no public key for {self._algorithm}: see KNOWLEDGE_SEARCH_JWT_ALGORITHM"
            raise ConfigurationError(message)
        return keys

    def _fits(self, one: dict[str, Any]) -> bool:
        kind, curve = _KINDS[self._algorithm]
        if (
            one.get("kty") != kind
            or one.get("use", "sig") != "sig"
            or one.get("alg", self._algorithm) != self._algorithm
        ):
            return False
        if "d" in one:
            _LOG.warning("a key of the token issuer holds its private part; it is left out")
            return False
        if kind == "RSA":
            return len(str(one.get("n", ""))) * 6 >= _MINIMUM_RSA_BITS
        return bool(one.get("crv") == curve)


def _is_url(place: str) -> bool:
    parts = urlsplit(place)
    if parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK):
        return True
    if "://" in place:
        message = "KNOWLEDGE_SEARCH_JWT_JWKS is a file, or a URL with https (http only on this machine)"
        raise ConfigurationError(message)
    return False


def _load(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        message = f"KNOWLEDGE_SEARCH_JWT_JWKS: {path} cannot be read ({error.strerror})"
        raise ConfigurationError(message) from None


def _fetch(url: str) -> bytes:
    until = time.monotonic() + _TIMEOUT_S
    body = bytearray()
    with httpx.stream("GET", url, timeout=_TIMEOUT_S, follow_redirects=False) as response:
        response.raise_for_status()
        for part in response.iter_bytes():
            body += part
            if len(body) > _LIMIT_BYTES or time.monotonic() > until:
                message = f"{url} sends more than {_LIMIT_BYTES} bytes, or takes longer than {_TIMEOUT_S} s"
                raise ConfigurationError(message)
    return bytes(body)
