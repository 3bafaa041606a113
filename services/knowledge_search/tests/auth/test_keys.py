"""API keys, over a table in memory."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge_search.auth import ApiKeys
from knowledge_search.domain import AccessError, Scope

NOW = datetime(2026, 4, 1, 9, 0, tzinfo=UTC)


@dataclass(frozen=True, kw_only=True)
class Row:
    """A stored key."""

    id: str
    name: str
    secret_hash: bytes
    scope: Scope
    expires_at: datetime | None
    revoked_at: datetime | None = None


@dataclass
class Table:
    """Keys in memory; counts what is asked of it."""

    rows: dict[str, Row] = field(default_factory=dict)
    uses: list[str] = field(default_factory=list)

    def find(self, key_id: str) -> Row | None:
        """Return a key."""
        return self.rows.get(key_id)

    def add(
        self, *, key_id: str, name: str, secret_hash: bytes, scope: Scope, expires_at: datetime | None = None
    ) -> None:
        """Keep a key."""
        self.rows[key_id] = Row(id=key_id, name=name, secret_hash=secret_hash, scope=scope, expires_at=expires_at)

    def used(self, key_id: str) -> None:
        """Count a use."""
        self.uses.append(key_id)


def test_a_key_is_its_bearer() -> None:
    """Name, scope and right to write come from what is stored."""
    keys = ApiKeys(Table(), now=lambda: NOW)
    reader = keys.create(name="r", scope=Scope.of("hr"))
    writer = keys.create(name="w", scope=Scope.of("hr"), may_write=True)

    assert keys.principal(reader.text).scope == Scope.of("hr")
    assert (keys.principal(reader.text).may_write, keys.principal(writer.text).may_write) == (False, True)
    assert keys.principal(reader.text).name == f"key:{reader.id}"


def test_the_secret_is_stored_hashed_and_never_shown() -> None:
    """256 bits; the table holds their SHA-256; repr holds none of it."""
    table = Table()
    key = ApiKeys(table).create(name="r", scope=Scope.of())
    secret = key.text.partition(".")[2]

    assert len(secret) * 6 >= 256
    assert table.rows[key.id].secret_hash == hashlib.sha256(secret.encode()).digest()
    assert secret not in repr(key) + repr(table)


@pytest.mark.parametrize("seconds", [0, 1])
def test_an_expired_key_is_refused(seconds: int) -> None:
    """From the very second on."""
    keys = ApiKeys(Table(), now=lambda: NOW + timedelta(seconds=seconds))
    key = keys.create(name="r", scope=Scope.of("hr"), expires_at=NOW)

    with pytest.raises(AccessError):
        keys.principal(key.text)


def test_a_revoked_key_is_refused() -> None:
    """Also one that has not expired."""
    table = Table()
    keys = ApiKeys(table)
    key = keys.create(name="r", scope=Scope.of("hr"))
    table.rows[key.id] = replace(table.rows[key.id], revoked_at=NOW)

    with pytest.raises(AccessError):
        keys.principal(key.text)


def test_a_reader_cannot_call_itself_a_writer() -> None:
    """The kind is part of the stored id."""
    keys = ApiKeys(Table())
    key = keys.create(name="r", scope=Scope.of("hr"))

    with pytest.raises(AccessError):
        keys.principal(key.text.replace("ksr_", "ksw_"))


def test_each_refusal_is_the_same_sentence() -> None:
    """Whoever tries keys does not learn which ids exist."""
    keys = ApiKeys(Table(), now=lambda: NOW)
    key = keys.create(name="r", scope=Scope.of("hr"))
    expired = keys.create(name="e", scope=Scope.of("hr"), expires_at=NOW)
    told = set()
    for text in (
        key.text[:-1] + ("A" if key.text[-1] != "A" else "B"),
        expired.text,
        "ksr_" + "0" * 16 + key.text[20:],
        "",
    ):
        with pytest.raises(AccessError) as caught:
            keys.principal(text)
        told.add(str(caught.value))

    assert len(told) == 1


@given(st.text(max_size=80))
def test_no_made_up_text_is_a_key(text: str) -> None:
    """Whatever is sent: refused, never an error of another kind."""
    with pytest.raises(AccessError):
        ApiKeys(Table()).principal(text)


def test_the_last_use_is_noted_once_a_minute() -> None:
    """Reading does not mean writing."""
    table = Table()
    keys = ApiKeys(table)
    key = keys.create(name="r", scope=Scope.of())
    for _ in range(5):
        keys.principal(key.text)

    assert table.uses == [key.id]
