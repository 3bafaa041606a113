"""API keys: ``ksr_<id>.<secret>`` reads, ``ksw_<id>.<secret>`` also writes.

The secret has 256 random bits, so a plain SHA-256 of it is stored: a slow hash protects what people choose, and nobody
chooses these. What stands before the dot is the stored id, so its kind cannot be changed by whoever holds the key.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import threading
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, Protocol

from knowledge_search.auth.principal import Principal
from knowledge_search.domain import AccessError

if TYPE_CHECKING:
    from collections.abc import Callable

    from knowledge_search.domain import Scope

_READS: Final = "ksr_"
_WRITES: Final = "ksw_"
_KEY: Final = re.compile(r"(ks[rw]_[0-9a-f]{16})\.([A-Za-z0-9_-]{43})", re.ASCII)
_NOBODY: Final = bytes(32)
"""Compared with where there is no such key, so that an unknown id costs what a known one does."""
_USED_EVERY_S: Final = 60.0
_REMEMBERED: Final = 10_000
"""Keys whose last use is remembered here; beyond that the memory starts anew, which costs a statement each."""


class KeyRow(Protocol):
    """A stored key, see ``store.KeyRecord``."""

    @property
    def id(self) -> str:
        """The part before the dot."""
        ...

    @property
    def name(self) -> str:
        """Whose it is."""
        ...

    @property
    def secret_hash(self) -> bytes:
        """SHA-256 of the secret."""
        ...

    @property
    def scope(self) -> Scope:
        """What its bearer may see."""
        ...

    @property
    def expires_at(self) -> datetime | None:
        """None where it does not expire."""
        ...

    @property
    def revoked_at(self) -> datetime | None:
        """None while it is good."""
        ...


class KeyTable(Protocol):
    """Where keys are kept, see ``store.KeyStore``."""

    def find(self, key_id: str) -> KeyRow | None:
        """Return a key by its id, also one that is no longer good."""
        ...

    def add(
        self, *, key_id: str, name: str, secret_hash: bytes, scope: Scope, expires_at: datetime | None = None
    ) -> None:
        """Store a key."""
        ...

    def used(self, key_id: str) -> None:
        """Note that a key was accepted now."""
        ...


@dataclass(frozen=True, kw_only=True)
class NewKey:
    """A key that was just made: the only moment at which its text is known.

    Attributes:
        id: The part before the dot; not secret.
        text: What its bearer sends.
    """

    id: str
    text: str = field(repr=False)


class ApiKeys:
    """Makes keys and recognises them.

    Args:
        table: Where they are kept. Nothing of it is cached, so that a revoked key is worthless at once.
        now: The time, with its zone.
    """

    def __init__(self, table: KeyTable, *, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._table = table
        self._now = now
        self._used: dict[str, float] = {}
        self._mutex = threading.Lock()

    @staticmethod
    def looks_like_one(text: str) -> bool:
        """Return whether ``text`` claims to be a key, rather than a token."""
        return text.startswith((_READS, _WRITES))

    @staticmethod
    def may_write(key_id: str) -> bool:
        """Return whether a key of this id may write."""
        return key_id.startswith(_WRITES)

    def create(self, *, name: str, scope: Scope, may_write: bool = False, expires_at: datetime | None = None) -> NewKey:
        """Make and store a key. Its text is in the result and nowhere else."""
        key_id = (_WRITES if may_write else _READS) + secrets.token_hex(8)
        secret = secrets.token_urlsafe(32)
        self._table.add(key_id=key_id, name=name, secret_hash=_hash(secret), scope=scope, expires_at=expires_at)
        return NewKey(id=key_id, text=f"{key_id}.{secret}")

    def principal(self, text: str) -> Principal:
        """Return whose key this is.

        Raises:
            AccessError: It is malformed, unknown, wrong, expired or revoked; the message does not say which.
        """
        match = _KEY.fullmatch(text)
        if match is None:
            raise AccessError("the API key is not accepted")
        row = self._table.find(match[1])
        good = hmac.compare_digest(_hash(match[2]), _NOBODY if row is None else row.secret_hash)
        if row is None or not good or row.revoked_at is not None or self._expired(row):
            raise AccessError("the API key is not accepted")
        self._note(row.id)
        return Principal(name=f"key:{row.id}", scope=row.scope, kind="key", may_write=self.may_write(row.id))

    def _expired(self, row: KeyRow) -> bool:
        return row.expires_at is not None and row.expires_at <= self._now()

    def _note(self, key_id: str) -> None:
        now = time.monotonic()
        with self._mutex:
            if now - self._used.get(key_id, -_USED_EVERY_S) < _USED_EVERY_S:
                return
            if len(self._used) >= _REMEMBERED:
                self._used.clear()
            self._used[key_id] = now
        self._table.used(key_id)


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
