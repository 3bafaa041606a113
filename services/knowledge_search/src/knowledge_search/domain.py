"""What everything here is about: who asks, documents and their passages, hits, answers, and what can go wrong."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

EVERYONE = "all"
"""The department of documents that everyone may see; every scope has it."""
_DEPARTMENT = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}")


class KnowledgeError(Exception):
    """What a user or operator can mend; the command prints it and exits with 2.

    .. code-block:: text

        KnowledgeError
        ├── ScopeError          departments that are no departments (also a ValueError)
        ├── ConfigurationError  settings that contradict each other or the database
        ├── StoreError          the database cannot be reached, is too old, or its role could bypass the locks
        │   └── StoreFullError  its disk has no room for what was to be written
        ├── DocumentError       a file that cannot be read as a document; carries its status
        ├── EmbedderError       an embedder that is missing, or not the one the store was made with
        ├── ModelError          a language model that does not answer
        └── AccessError         a key or token that is not accepted
    """


class ScopeError(KnowledgeError, ValueError):
    """Departments that are no departments."""


class ConfigurationError(KnowledgeError):
    """Settings that contradict each other or the database."""


class StoreError(KnowledgeError):
    """The database cannot be reached, is too old, or its role could bypass the locks."""


class StoreFullError(StoreError):
    """The disk of the database has no room for what was to be written; nothing was changed."""


class EmbedderError(KnowledgeError):
    """An embedder that is missing, or not the one that the store was made with."""


class ModelError(KnowledgeError):
    """A language model that does not answer."""


class AccessError(KnowledgeError):
    """A key or token that is not accepted."""


DocumentStatus = Literal[
    "ingested", "unchanged", "needs_ocr", "encrypted", "malformed", "too_large", "too_many_pages", "timed_out",
    "crashed", "unsupported", "empty", "no_department",
]  # fmt: skip
"""How the ingest of one file ended; all but the first two leave the file out and are reported."""


class DocumentError(KnowledgeError):
    """A file that cannot be read as a document.

    Attributes:
        status: Why, as a word.
    """

    def __init__(self, status: DocumentStatus, detail: str = "") -> None:
        super().__init__(f"{status}: {detail}" if detail else status)
        self.status = status
        self.detail = detail


def department(name: str) -> str:
    """Return ``name`` where it can name a department: lower-case letters, digits, ``_`` and ``-``, at most 63.

    Raises:
        ScopeError: It cannot.
    """
    if not _DEPARTMENT.fullmatch(name):
        message = f"{name!r} cannot name a department: use lower-case letters, digits, '_' and '-', at most 63"
        raise ScopeError(message)
    return name


@dataclass(frozen=True)
class Scope:
    """What the asker may see: a set of departments that always holds ``all``. Every read needs one.

    Attributes:
        departments: Never empty.
    """

    departments: frozenset[str]

    def __post_init__(self) -> None:
        """Check each name, and that ``all`` is among them."""
        if EVERYONE not in self.departments:
            message = f"a scope always holds {EVERYONE!r}; make one with Scope.of(...)"
            raise ScopeError(message)
        for name in self.departments:
            department(name)

    @classmethod
    def of(cls, *departments: str) -> Scope:
        """Return the scope of the named departments and ``all``."""
        return cls(frozenset({EVERYONE, *departments}))

    def narrowed(self, departments: frozenset[str]) -> Scope:
        """Return what both this scope and ``departments`` hold, and ``all``: a wish can narrow, never widen."""
        return Scope((self.departments & departments) | {EVERYONE})

    @property
    def sorted(self) -> list[str]:
        """The departments in code-point order, for statements and logs."""
        return sorted(self.departments)


@dataclass(frozen=True, kw_only=True)
class Page:
    """The text of one page, or of a whole document that has no pages.

    Attributes:
        number: From 1; None where the document has no pages.
        label: As printed on the page, where it differs.
        text: Normalised (NFKC, no NUL), paragraphs separated by an empty line.
        status: ``ok``, or ``needs_ocr`` where the page shows something but holds no text.
    """

    text: str
    number: int | None = None
    label: str | None = None
    status: Literal["ok", "needs_ocr"] = "ok"


@dataclass(frozen=True, kw_only=True)
class ParsedDocument:
    """What a parser made of a file.

    Attributes:
        title: From the document, else its file name without ending.
        pages: In order, at least one.
        media_type: ``text/markdown``, ``text/plain``, ``text/html`` or ``application/pdf``.
        department: From front matter, where there is one.
    """

    title: str
    pages: tuple[Page, ...]
    media_type: str
    department: str | None = None


@dataclass(frozen=True, kw_only=True)
class Piece:
    """A passage of a document before it is stored.

    Attributes:
        text: As shown and as given to the model.
        title_path: Document title and headings above the passage.
        page: The one page that it stands on; None without pages.
        start: Offset in the page's text, in characters; ``end`` is exclusive.
    """

    text: str
    title_path: tuple[str, ...]
    start: int
    end: int
    page: int | None = None
    page_label: str | None = None

    @property
    def searchable(self) -> str:
        """What is embedded and indexed: the title path and the text."""
        return "\n".join((" > ".join(self.title_path), self.text)) if self.title_path else self.text


@dataclass(frozen=True, kw_only=True)
class DocumentRecord:
    """A stored document, as its readers see it.

    Attributes:
        id: Stable as long as the document is.
        source: The file name shown in answers, such as ``vacation.md``; unique.
        pages: Number of pages; None where it has none.
    """

    id: int
    source: str
    title: str
    department: str
    media_type: str
    content_hash: str
    pages: int | None
    chunks: int


@dataclass(frozen=True, kw_only=True)
class Chunk:
    """A stored passage."""

    id: int
    document_id: int
    source: str
    department: str
    text: str
    title_path: tuple[str, ...] = ()
    page: int | None = None
    page_label: str | None = None
    start: int = 0
    end: int = 0

    @property
    def citation(self) -> str:
        """``file.md`` or ``file.pdf p.3``."""
        return self.source if self.page is None else f"{self.source} p.{self.page}"


@dataclass(frozen=True, kw_only=True)
class Hit:
    """A passage that search found.

    Attributes:
        distance: Cosine distance between the question and the passage, 0 to 2, whatever strategy found it.
        score: What the strategy ranked by; higher is better; comparable within one result only.
    """

    chunk: Chunk
    distance: float
    score: float


@dataclass(frozen=True, kw_only=True)
class Context:
    """A passage as it was handed to the model: number from 1."""

    number: int
    document_id: int
    source: str
    text: str
    chunk_id: int
    page: int | None = None


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What the asker gets.

    Attributes:
        text: The answer, citing ``[n]``; or a polite sentence that nothing was found.
        found: Whether the documents answer the question.
        sources: ``file.md`` or ``file.pdf p.3``, in the order in which they are cited; empty where nothing was found.
        contexts: What the model was given; empty where nothing was found.
        cited: The numbers of the contexts that the answer cites.
        model: Name of the model, ``extractive`` where none is configured.
    """

    text: str
    found: bool
    sources: tuple[str, ...] = ()
    contexts: tuple[Context, ...] = ()
    cited: tuple[int, ...] = field(default=())
    model: str = ""
