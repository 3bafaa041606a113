"""One reading transaction, bound to the departments of the asker."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from knowledge_search.domain import StoreError
from knowledge_search.store.visible import DEPARTMENTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from knowledge_search.store.connections import Connection


@dataclass(frozen=True)
class Reading:
    """A transaction whose statements see one snapshot, within the departments of the asker."""

    connection: Connection
    departments: list[str]

    def rows(self, statement: str, **parameters: object) -> list[tuple[Any, ...]]:
        """Return the rows of a statement made by :meth:`Locks.sql`."""
        parameters["departments"] = self.departments
        return self.connection.execute(statement.encode(), parameters, binary=True).fetchall()


def begin(connection: Connection, departments: list[str], settings: Mapping[str, str]) -> str | None:
    """Bind the transaction to the departments, apply ``settings``, and return the stored embedder's fingerprint.

    Raises:
        StoreError: A setting did not take: an old pgvector only warns about a value that it does not know.
    """
    calls = "".join(f", set_config('{name}', '{value}', true)" for name, value in settings.items())
    row = connection.execute(
        (
            f"SELECT (SELECT fingerprint FROM embedder), set_config('{DEPARTMENTS}', %s::text[]::text, true){calls}"  # noqa: S608 - our own names
        ).encode(),
        [departments],
    ).fetchone()
    assert row is not None  # noqa: S101 - a statement without FROM has one row
    if list(row[2:]) != list(settings.values()):
        message = f"PostgreSQL did not accept the settings {dict(settings)}: it took {list(row[2:])}"
        raise StoreError(message)
    fingerprint: str | None = row[0]
    return fingerprint
