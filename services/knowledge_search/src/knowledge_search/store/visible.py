"""The one place that decides what a principal may see: lock one here, lock two in ``migrations/0003_row_security.sql``.

A statement that reads a guarded table names it in angle brackets, ``FROM <chunk> c``, and takes its text from
:meth:`Locks.sql`, which puts the visible rows in place of the name. A test fails when a statement elsewhere in this
package reads one of the tables by its bare name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

READER: Final = "knowledge_app"
"""The role of every read: owns nothing, cannot log in by itself, bound by row-level security."""
SCHEMA: Final = "knowledge_search"
DEPARTMENTS: Final = "app.departments"
"""The setting of a transaction that lock two reads."""
GUARDED: Final = ("document", "chunk", "chunk_vector", "chunk_bits", "posting", "department_stat", "tree_node")
"""Every table that holds text, titles, terms, vectors or counts of documents."""
_NAME = re.compile(r"<([a-z_0-9]+)>")


@dataclass(frozen=True, kw_only=True)
class Locks:
    """Which of the two locks hold; both, except where a test takes one out to prove that the other holds alone.

    No setting reaches this class.

    Attributes:
        predicate: Lock one: ``department = ANY(...)`` in every statement.
        row_security: Lock two: reads run as a role that row-level security binds.
    """

    predicate: bool = True
    row_security: bool = True

    def sql(self, template: str, **tables: str) -> str:
        """Return the statement in which each ``<name>`` stands for the visible rows of that table.

        Args:
            template: A statement; its parameters get ``departments`` from the reading transaction.
            **tables: The table behind a name where it is another one.
        """

        def visible(match: re.Match[str]) -> str:
            table = tables.get(match[1], match[1])
            if self.predicate:
                return f"(SELECT * FROM {table} WHERE department = ANY(%(departments)s::text[]))"  # noqa: S608 - our names
            return f"(SELECT * FROM {table} WHERE %(departments)s::text[] IS NOT NULL)"  # noqa: S608 - our own names

        return _NAME.sub(visible, template)


def unscoped(template: str, **tables: str) -> str:
    """Return the statement over all rows: for the owner's own work (ingest, indexes), never for a read.

    A test names the modules that may call this.
    """
    return _NAME.sub(lambda match: tables.get(match[1], match[1]), template)
