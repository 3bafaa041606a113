"""Reads any supported file as a document."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Final

from knowledge_search.chunk.headings import headings
from knowledge_search.domain import DocumentError, Page, ParsedDocument
from knowledge_search.parse import sandbox
from knowledge_search.parse.encodings import decoded
from knowledge_search.parse.front_matter import front_matter
from knowledge_search.parse.kinds import kind_of
from knowledge_search.parse.lines import joined_source
from knowledge_search.parse.normal import normalised
from knowledge_search.parse.pdf import pdf_pages
from knowledge_search.parse.sandbox import Limits

_LONGEST_TITLE: Final = 200
_NO_TITLE: Final = re.compile(
    r"untitled.*|無題.*|microsoft \w+ - .*|slide ?1|document ?\d*|\W*"
    r"|.*\.(?:docx?|xlsx?|pptx?|indd|qxd|tex|dvi|rtf|odt|pdf|html?|txt|md)",
    re.IGNORECASE,
)
"""Titles that a program put into a PDF and no author."""


class FileParser:
    """Reads Markdown, plain text, HTML and PDF; implements ``Parser``.

    Args:
        limits: What one file may cost.

    Attributes:
        version: Changes whenever the text of a document could; part of the content hash.
    """

    version: Final = "1"

    def __init__(self, *, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()

    def parse(self, name: str, content: bytes) -> ParsedDocument:
        """Return the document in ``content``, its text normalised.

        Args:
            name: Tells Markdown from text, and is the title where the document has none; it is never opened.
            content: The whole file.

        Raises:
            DocumentError: With the status that names why it cannot be read.
        """
        kind = kind_of(name, content)
        if kind == "pdf":
            title, pages = pdf_pages(content, self._limits)
            title = None if title is None or _NO_TITLE.fullmatch(_one_line(title)) else title
            return ParsedDocument(title=_title(title, name), pages=pages, media_type="application/pdf")
        text = decoded(content, html=kind == "html").text
        if len(text) > self._limits.characters:
            raise DocumentError("too_large", f"more than {self._limits.characters} characters of text")
        if kind == "html":
            return self._html(name, text)
        return _source(name, normalised(text), marked_up=kind == "markdown")

    def _html(self, name: str, text: str) -> ParsedDocument:
        raw = sandbox.read(text.encode("utf-8", "replace"), "html", self._limits)
        body = normalised("\n".join(page.text for page in raw.pages))
        if not body.strip():
            raise DocumentError("empty", "the page shows no text")
        title = raw.title or _first_heading(body)
        return ParsedDocument(title=_title(title, name), pages=(Page(text=body),), media_type="text/html")


def _source(name: str, text: str, *, marked_up: bool) -> ParsedDocument:
    front = front_matter(text)
    body = normalised(joined_source(text[front.end :], marked_up=marked_up))
    if not body.strip():
        raise DocumentError("empty", "there is no text")
    title = front.title or (_first_heading(body) if marked_up else None)
    return ParsedDocument(
        title=_title(title, name),
        pages=(Page(text=body),),
        media_type="text/markdown" if marked_up else "text/plain",
        department=front.department,
    )


def _first_heading(text: str) -> str | None:
    return next((heading.title for heading in headings(text, marked_up=True) if heading.rank == 1), None)


def _title(title: str | None, name: str) -> str:
    stem = PurePosixPath(name).stem or name
    return _one_line(normalised(title or ""))[:_LONGEST_TITLE] or _one_line(normalised(stem))[:_LONGEST_TITLE] or "-"


def _one_line(text: str) -> str:
    return " ".join(text.split())
