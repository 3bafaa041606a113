"""What kind of document a file is: by its content first, then by its name."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Final, Literal

from knowledge_search.domain import DocumentError

Kind = Literal["markdown", "text", "html", "pdf"]

_PDF_MARK: Final = b"%PDF-"
_PDF_WITHIN: Final = 1024
"""Readers accept the mark anywhere in the first 1,024 bytes (PDF 1.7, appendix H, note 13)."""
_BY_NAME: Final[dict[str, Kind]] = {
    ".md": "markdown", ".markdown": "markdown", ".txt": "text", ".text": "text", ".html": "html", ".htm": "html",
    ".xhtml": "html", ".pdf": "pdf",
}  # fmt: skip
_FOREIGN: Final = {
    b"PK\x03\x04": "an archive or office document (zip)", b"\xd0\xcf\x11\xe0": "an old office document",
    b"\x89PNG": "an image (PNG)", b"\xff\xd8\xff": "an image (JPEG)", b"GIF8": "an image (GIF)",
    b"\x1f\x8b": "a compressed file (gzip)", b"\x7fELF": "a program", b"{\\rtf": "rich text",
}  # fmt: skip
_HTML: Final = re.compile(
    rb"(?:\xef\xbb\xbf)?\s{0,256}(?:<\?xml[^>]{0,200}>\s{0,64})?<(?:!doctype\s+html|html)\b", re.IGNORECASE
)


def kind_of(name: str, content: bytes) -> Kind:
    """Return the kind of a file.

    A PDF and a web page are known by their first bytes, whatever their name says; Markdown and text by the name.

    Raises:
        DocumentError: ``empty``, ``unsupported`` (another format), or ``malformed`` (named .pdf and none).
    """
    if not content.strip(b" \t\r\n\0\xef\xbb\xbf"):
        raise DocumentError("empty", "the file holds nothing")
    ending = PurePosixPath(name).suffix.lower()
    if _PDF_MARK in content[:_PDF_WITHIN] and ending not in {".md", ".markdown", ".txt", ".text"}:
        return "pdf"
    if content.startswith(_PDF_MARK):
        return "pdf"
    if ending == ".pdf":
        raise DocumentError("malformed", "the name says PDF, but there is no %PDF- in the first 1,024 bytes")
    for mark, what in _FOREIGN.items():
        if content.startswith(mark):
            raise DocumentError("unsupported", what)
    if _HTML.match(content):
        return "html"
    kind = _BY_NAME.get(ending)
    if kind is None:
        raise DocumentError("unsupported", f"files ending in {ending!r}; known: {', '.join(sorted(_BY_NAME))}")
    if b"\0" in content and not content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise DocumentError("unsupported", "binary data under the name of a text")
    return kind
