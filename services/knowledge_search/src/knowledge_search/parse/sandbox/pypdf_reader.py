"""Reads a PDF with pypdf: the second try, and for vertical writing. Runs in the child process only."""

from __future__ import annotations

import io
import logging
import warnings
from typing import TYPE_CHECKING

import pypdf
from pypdf.errors import DependencyError, FileNotDecryptedError, LimitReachedError, PyPdfError, WrongPasswordError

from knowledge_search.parse.sandbox.child import ReadError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def records(content: bytes, *, wanted: Sequence[int], most_pages: int) -> Iterator[dict[str, object]]:
    """Yield the title, then a record per page."""
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    try:
        yield from _records(content, wanted, most_pages)
    except (FileNotDecryptedError, WrongPasswordError, DependencyError) as error:
        raise ReadError("encrypted", f"pypdf: {type(error).__name__}") from error
    except LimitReachedError as error:
        raise ReadError("too_large", "pypdf: a stream unpacks into more than is allowed") from error


def _records(content: bytes, wanted: Sequence[int], most_pages: int) -> Iterator[dict[str, object]]:
    reader = pypdf.PdfReader(io.BytesIO(content))
    if reader.is_encrypted and not reader.decrypt(""):
        raise ReadError("encrypted", "pypdf: needs a password")
    count = len(reader.pages)
    if count > most_pages:
        raise ReadError("too_many_pages", f"{count} pages, at most {most_pages}")
    if not count:
        raise ReadError("malformed", "pypdf: no pages")
    labels = _labels(reader, count)
    title = reader.metadata.title if reader.metadata else None
    yield {"title": title if isinstance(title, str) else None}
    for number in wanted or range(1, count + 1):
        page = reader.pages[number - 1]
        yield {"page": number, "label": labels[number - 1], "text": page.extract_text(),
               "shows": page.get_contents() is not None, "pictured": False, "vertical": False}  # fmt: skip


def _labels(reader: pypdf.PdfReader, count: int) -> list[str] | list[None]:
    try:
        labels = list(reader.page_labels)
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError):
        return [None] * count
    return labels if len(labels) == count else [None] * count
