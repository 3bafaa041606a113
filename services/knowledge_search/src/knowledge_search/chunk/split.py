"""Cuts a document into passages."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Final

from knowledge_search.chunk.headings import MARKED_UP, Heading, headings
from knowledge_search.chunk.packing import CAP, packed
from knowledge_search.chunk.units import units
from knowledge_search.domain import Piece

if TYPE_CHECKING:
    from collections.abc import Iterator

    from knowledge_search.domain import Page, ParsedDocument

VERSION: Final = "2"
"""Changes whenever the passages of a document could; part of the content hash, so that the ingest notices."""


@dataclass(frozen=True, kw_only=True)
class _Section:
    """A heading, or the text between two headings, on one page."""

    page: Page
    start: int
    end: int
    heading: Heading | None = None


def split(document: ParsedDocument) -> list[Piece]:
    """Return the passages of a document in reading order.

    A passage stands on one page and under one heading, and ``piece.text == page.text[piece.start : piece.end]``.
    Headings move into the title path; one with nothing below it is a passage by itself, so that no text is lost.
    The path goes on from page to page. Passages have about 400 Japanese or 900 English characters, never over one and
    a half times that.

    Args:
        document: Normalised, as a parser returns it.
    """
    pieces: list[Piece] = []
    above: list[Heading] = []
    sections = list(_sections(document))
    for section, following in pairwise([*sections, None]):
        assert section is not None  # noqa: S101 - only the last of the list is None
        if section.heading is None:
            ranges = packed(units(section.page.text, section.start, section.end, limit=CAP))
            pieces.extend(_piece(section.page, each.start, each.end, _path(document, above)) for each in ranges)
            continue
        above = [heading for heading in above if heading.rank < section.heading.rank]
        if following is None or (following.heading and following.heading.rank <= section.heading.rank):
            pieces.append(_piece(section.page, section.start, section.end, _path(document, above)))
        above.append(section.heading)
    return pieces


def _sections(document: ParsedDocument) -> Iterator[_Section]:
    marked_up = document.media_type in MARKED_UP
    for page in document.pages:
        at = 0
        for heading in headings(page.text, marked_up=marked_up):
            if page.text[at : heading.start].strip():
                yield _Section(page=page, start=at, end=heading.start)
            yield _Section(page=page, start=heading.start, end=heading.end, heading=heading)
            at = heading.end
        if page.text[at:].strip():
            yield _Section(page=page, start=at, end=len(page.text))


def _path(document: ParsedDocument, above: list[Heading]) -> tuple[str, ...]:
    return tuple(title for title, _ in groupby([document.title, *(heading.title for heading in above)]))


def _piece(page: Page, start: int, end: int, path: tuple[str, ...]) -> Piece:
    return Piece(
        text=page.text[start:end], title_path=path, start=start, end=end, page=page.number, page_label=page.label
    )
