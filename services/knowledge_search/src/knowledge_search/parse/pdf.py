"""A PDF as pages of text: pdfium first, pypdf second."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from knowledge_search.domain import DocumentError, Page
from knowledge_search.parse import sandbox
from knowledge_search.parse.lines import HYPHENATED, HYPHENS, joined_page
from knowledge_search.parse.normal import normalised
from knowledge_search.parse.repeated import without_repeated
from knowledge_search.parse.ruby import without_ruby

if TYPE_CHECKING:
    from collections.abc import Sequence

    from knowledge_search.parse.sandbox import Limits, RawDocument, RawPage

_TRY_AGAIN: Final = frozenset({"malformed", "crashed", "timed_out", "encrypted"})
"""Failures of pdfium after which pypdf may still read the file: it knows no damaged security handlers, for one."""
_FINAL: Final = frozenset({"encrypted", "too_large", "too_many_pages"})
"""Failures of pypdf that say more than pdfium's own."""
_WORD: Final = re.compile(r"\w")
_SAME_TEXT: Final = 0.9
"""Share of pdfium's characters that pypdf has to find on a vertical page to be believed."""


def pdf_pages(content: bytes, limits: Limits) -> tuple[str | None, tuple[Page, ...]]:
    """Return (title, pages) of a PDF; a page that shows something but holds no text has the status ``needs_ocr``.

    Raises:
        DocumentError: With the status that names why there is no text.
    """
    raw = _read(content, limits)
    texts = without_repeated([_lines(page.text) for page in raw.pages], scanned=[page.pictured for page in raw.pages])
    pages = tuple(_page(page, text) for page, text in zip(raw.pages, texts, strict=True))
    if not any(page.text for page in pages):
        if any(page.shows for page in raw.pages):
            raise DocumentError("needs_ocr", f"none of {len(pages)} pages holds text")
        raise DocumentError("empty", f"nothing on {len(pages)} pages")
    return raw.title, pages


def _read(content: bytes, limits: Limits) -> RawDocument:
    try:
        raw = sandbox.read(content, "pdfium", limits)
    except DocumentError as first:
        if first.status not in _TRY_AGAIN:
            raise
        return _second_try(content, limits, first)
    vertical = [page.number for page in raw.pages if page.vertical]
    if vertical:
        return _with_vertical(content, limits, raw, vertical)
    if not any(_WORD.search(page.text) for page in raw.pages) and any(page.shows for page in raw.pages):
        return _with_text(content, limits, raw)
    return raw


def _second_try(content: bytes, limits: Limits, first: DocumentError) -> RawDocument:
    try:
        return sandbox.read(content, "pypdf", limits)
    except DocumentError as second:
        if second.status in _FINAL and first.status != "encrypted":
            raise second from first
        raise first from second


def _with_text(content: bytes, limits: Limits, raw: RawDocument) -> RawDocument:
    """Return pypdf's pages where it finds text on them and pdfium found none."""
    try:
        second = sandbox.read(content, "pypdf", limits)
    except DocumentError:
        return raw
    found = {page.number: page.text for page in second.pages}
    return replace(raw, pages=tuple(replace(page, text=found.get(page.number, "")) for page in raw.pages))


def _with_vertical(content: bytes, limits: Limits, raw: RawDocument, numbers: Sequence[int]) -> RawDocument:
    """Return pypdf's text of vertical pages, whose columns pdfium may swap, unless it tore the columns into letters."""
    try:
        second = sandbox.read(content, "pypdf", limits, pages=numbers)
    except DocumentError:
        return raw
    found = {page.number: page.text for page in second.pages}
    pages = (
        replace(page, text=found[page.number]) if _as_good(found.get(page.number, ""), page.text) else page
        for page in raw.pages
    )
    return replace(raw, pages=tuple(pages))


def _as_good(second: str, first: str) -> bool:
    counts = [
        (len("".join(text.split())), sum(bool(line.strip()) for line in text.split("\n"))) for text in (second, first)
    ]
    (found, lines), (known, known_lines) = counts
    return found >= _SAME_TEXT * known and 0 < lines <= max(known_lines, 1) * 2


def _lines(text: str) -> str:
    text = HYPHENATED.sub("", text).translate(dict.fromkeys(map(ord, HYPHENS)))
    return without_ruby(normalised(text))


def _page(raw: RawPage, text: str) -> Page:
    text = normalised(joined_page(text))
    label = normalised(raw.label).strip() if raw.label else ""
    needs_ocr = raw.shows and not _WORD.search(text)
    return Page(
        text="" if needs_ocr else text,
        number=raw.number,
        label=label if label and label != str(raw.number) else None,
        status="needs_ocr" if needs_ocr else "ok",
    )
