"""API keys at rest: the hash of a secret, never the secret. The reading role has no right to them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from knowledge_search.domain import EVERYONE, Scope

if TYPE_CHECKING:
    from datetime import datetime

    from knowledge_search.store.database import Database

_COLUMNS: Final = "id, name, secret_hash, departments, created_at, expires_at, revoked_at, used_at"


@dataclass(frozen=True, kw_only=True)
class KeyRecord:
    """A stored key.

    Attributes:
        id: The part before the dot; not secret.
        name: Whose it is.
        secret_hash: SHA-256 of the secret; compare it in constant time.
        scope: What its bearer may see.
        expires_at: None where it does not expire.
        revoked_at: None while it is good.
        used_at: When it was last accepted; None before.
    """

    id: str
    name: str
    secret_hash: bytes = field(repr=False)
    scope: Scope
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    used_at: datetime | None


class KeyStore:
    """Keeps API keys.

    Raises:
        StoreError: From every method: the database cannot be reached.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(
        self, *, key_id: str, name: str, secret_hash: bytes, scope: Scope, expires_at: datetime | None = None
    ) -> None:
        """Store a key. ``secret_hash`` is the SHA-256 of its secret, 32 bytes."""
        with self._database.writing() as connection:
            connection.execute(
                "INSERT INTO api_key (id, name, secret_hash, departments, expires_at) VALUES (%s, %s, %s, %s, %s)",
                [key_id, name, secret_hash, scope.sorted, expires_at],
            )

    def find(self, key_id: str) -> KeyRecord | None:
        """Return a key by its id, also one that has expired or was revoked."""
        with self._database.writing() as connection:
            statement = f"SELECT {_COLUMNS} FROM api_key WHERE id = %s"  # noqa: S608 - our own names
            row = connection.execute(statement.encode(), [key_id]).fetchone()
        return None if row is None else _record(row)

    def all(self) -> list[KeyRecord]:
        """Return every key, the oldest first."""
        with self._database.writing() as connection:
            statement = f"SELECT {_COLUMNS} FROM api_key ORDER BY created_at, id"  # noqa: S608 - our own names
            return [_record(row) for row in connection.execute(statement.encode())]

    def revoke(self, key_id: str) -> bool:
        """Make a key worthless from now on; False where there is none."""
        with self._database.writing() as connection:
            cursor = connection.execute(
                "UPDATE api_key SET revoked_at = coalesce(revoked_at, now()) WHERE id = %s", [key_id]
            )
            return cursor.rowcount == 1

    def used(self, key_id: str) -> None:
        """Note that a key was accepted now; at most once a minute, so that reading does not mean writing."""
        with self._database.writing() as connection:
            connection.execute(
                "UPDATE api_key SET used_at = now()"
                " WHERE id = %s AND (used_at IS NULL OR used_at < now() - interval '1 minute')",
                [key_id],
            )


def _record(row: tuple[Any, ...]) -> KeyRecord:
    return KeyRecord(
        id=row[0], name=row[1], secret_hash=bytes(row[2]), scope=Scope(frozenset(row[3]) | {EVERYONE}),
        created_at=row[4], expires_at=row[5], revoked_at=row[6], used_at=row[7],
    )  # fmt: skip
