"""The only part that speaks SQL: PostgreSQL with pgvector, what is stored, and how it is searched."""

from knowledge_search.store.audit import AuditEntry, AuditLog
from knowledge_search.store.database import Database
from knowledge_search.store.documents import PostgresStore
from knowledge_search.store.keys import KeyRecord, KeyStore
from knowledge_search.store.maintenance import Maintenance, MaintenanceReport
from knowledge_search.store.migrate import migrate
from knowledge_search.store.reembed import reembed
from knowledge_search.store.strategies import (
    ExactStrategy,
    FusionStrategy,
    HnswStrategy,
    IvfFlatStrategy,
    LexicalStrategy,
    RaptorStrategy,
    TwoStageStrategy,
)
from knowledge_search.store.strategies.nearest import EXACT, Method, hnsw, ivfflat, two_stage
from knowledge_search.store.vector_table import VectorTable

__all__ = [
    "EXACT",
    "AuditEntry",
    "AuditLog",
    "Database",
    "ExactStrategy",
    "FusionStrategy",
    "HnswStrategy",
    "IvfFlatStrategy",
    "KeyRecord",
    "KeyStore",
    "LexicalStrategy",
    "Maintenance",
    "MaintenanceReport",
    "Method",
    "PostgresStore",
    "RaptorStrategy",
    "TwoStageStrategy",
    "VectorTable",
    "hnsw",
    "ivfflat",
    "migrate",
    "reembed",
    "two_stage",
]
