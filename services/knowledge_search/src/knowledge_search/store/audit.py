"""Who asked what, and which documents were used. Readers have no right to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from knowledge_search.store.writing import storable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from knowledge_search.domain import Scope
    from knowledge_search.store.database import Database


@dataclass(frozen=True, kw_only=True)
class AuditEntry:
    """One thing that someone did.

    Attributes:
        principal: Who.
        departments: What they could see then.
        action: Such as ``ask``, ``search``, ``read``, ``ingest``, ``remove``.
        question: None where nothing was asked.
        found: Whether there was an answer; None where nothing was asked.
        document_ids: The documents that were used.
    """

    at: datetime
    principal: str
    departments: tuple[str, ...]
    action: str
    question: str | None
    found: bool | None
    document_ids: tuple[int, ...]


class AuditLog:
    """Keeps what was done.

    Raises:
        StoreError: From every method: the database cannot be reached.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def record(
        self,
        *,
        principal: str,
        scope: Scope,
        action: str,
        question: str | None = None,
        found: bool | None = None,
        document_ids: Sequence[int] = (),
    ) -> None:
        """Write one entry; it is kept once this returns."""
        asked = None if question is None else storable(question)
        with self._database.writing() as connection:
            connection.execute(
                "INSERT INTO audit_log (principal, departments, action, question, found, document_ids)"
                " VALUES (%s, %s, %s, %s, %s, %s::bigint[])",
                [storable(principal), scope.sorted, action, asked, found, list(document_ids)],
            )

    def entries(self, *, limit: int = 100) -> list[AuditEntry]:
        """Return the newest entries, newest first."""
        with self._database.writing() as connection:
            rows = connection.execute(
                "SELECT at, principal, departments, action, question, found, document_ids FROM audit_log"
                " ORDER BY id DESC LIMIT %s",
                [limit],
            ).fetchall()
        return [
            AuditEntry(
                at=row[0], principal=row[1], departments=tuple(row[2]), action=row[3], question=row[4], found=row[5],
                document_ids=tuple(row[6]),
            )
            for row in rows
        ]  # fmt: skip
