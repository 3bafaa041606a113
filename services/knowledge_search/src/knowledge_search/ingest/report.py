"""What an ingest did, file by file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from knowledge_search.ingest.messages import PAGES_NEED_OCR, STATUSES, SUMMARY

if TYPE_CHECKING:
    from knowledge_search.domain import DocumentStatus
    from knowledge_search.ingest.messages import Language


@dataclass(frozen=True, kw_only=True)
class FileReport:
    """What became of one file.

    Attributes:
        source: Its name in the store.
        status: As a word.
        detail: What exactly, where there is more to say: a fact in English, such as ``front matter, line 2: ...``.
        department: Whose document it is, where it was taken in.
        document_id: In the store, where this run put it there.
        chunks: Number of its passages, where this run made them.
        pages_without_text: Numbers of the pages that need text recognition; the others were taken in.
    """

    source: str
    status: DocumentStatus
    detail: str = ""
    department: str | None = None
    document_id: int | None = None
    chunks: int = 0
    pages_without_text: tuple[int, ...] = ()

    @property
    def left_out(self) -> bool:
        """Whether the store does not hold this version of the file; it may still hold an older one."""
        return self.status not in {"ingested", "unchanged"}

    def text(self, language: Language) -> str:
        """Return one line for people: which file, what, why, and what to do."""
        line = f"{self.source}: {STATUSES[language][self.status]}"
        if self.detail:
            line += f" ({self.detail})"
        if self.pages_without_text:
            pages = ", ".join(map(str, self.pages_without_text))
            line += f"; {PAGES_NEED_OCR[language].format(pages=pages)}"
        return line


@dataclass(frozen=True, kw_only=True)
class IngestReport:
    """What became of all files, by source, and which documents were removed because their files had vanished."""

    files: tuple[FileReport, ...]
    removed: tuple[str, ...] = ()

    def count(self, status: DocumentStatus) -> int:
        """Return how many files ended so."""
        return sum(file.status == status for file in self.files)

    @property
    def left_out(self) -> tuple[FileReport, ...]:
        """The files that were not taken in."""
        return tuple(file for file in self.files if file.left_out)

    def summary(self, language: Language) -> str:
        """Return the totals in one line for people."""
        return SUMMARY[language].format(
            ingested=self.count("ingested"), unchanged=self.count("unchanged"), left_out=len(self.left_out),
            removed=len(self.removed),
        )  # fmt: skip


Progress = Callable[[int, int, FileReport], None]
"""Called after each file with (files done, files in all, what became of this one)."""
