"""Takes files into the store: one, a folder, or an upload; reports what became of each."""

from knowledge_search.ingest.ingest import Ingest
from knowledge_search.ingest.report import FileReport, IngestReport, Progress

__all__ = ["FileReport", "Ingest", "IngestReport", "Progress"]
