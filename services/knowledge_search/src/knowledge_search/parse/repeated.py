"""Drops the headers and footers that come back on most pages."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_DEPTH: Final = 2
"""Lines at the top and at the bottom of a page that can be a header or footer."""
_FEWEST: Final = 3
"""Pages on which a line has to come back."""
_SHARE: Final = 0.5
_NUMBER: Final = re.compile(r"[0-9]{1,5}")
_ROMAN: Final = re.compile(r"[-–—\s]*[ivxlc]{1,7}[-–—\s]*", re.IGNORECASE)
_SPACE: Final = re.compile(r"\s+")


def without_repeated(pages: Sequence[str], *, scanned: Sequence[bool]) -> list[str]:
    """Return the pages without lines that stand at the top or bottom of at least half of them, and of three.

    Lines count as the same where they are, or where they differ only in a number that rises with the page.

    Args:
        pages: Their lines, separated by line breaks.
        scanned: Whether a page shows an image. One that does not keeps its only lines, repeated or not; on one that
            does they are a stamp on a scan, which must not pass for its text.
    """
    lines = [page.split("\n") for page in pages]
    places: defaultdict[tuple[str, str, int | None], set[tuple[int, int]]] = defaultdict(set)
    for number, page in enumerate(lines):
        for end, at in _edges(page):
            for key, offset in _keys(page[at], number):
                places[end, key, offset].add((number, at))
    fewest = max(_FEWEST, _SHARE * sum(any(line.strip() for line in page) for page in lines))
    dropped = {place for found in places.values() if len({number for number, _ in found}) >= fewest for place in found}
    kept = [
        "\n".join(line for at, line in enumerate(page) if (number, at) not in dropped)
        for number, page in enumerate(lines)
    ]
    return [rest if rest.strip() or image else page for page, rest, image in zip(pages, kept, scanned, strict=True)]


def _edges(page: list[str]) -> Iterator[tuple[str, int]]:
    filled = [at for at, line in enumerate(page) if line.strip()]
    yield from (("top", at) for at in filled[:_DEPTH])
    yield from (("bottom", at) for at in filled[-_DEPTH:])


def _keys(line: str, page: int) -> Iterator[tuple[str, int | None]]:
    text = _SPACE.sub(" ", line.strip())
    yield text, None
    if _ROMAN.fullmatch(text):
        yield "roman", None
    for match in _NUMBER.finditer(text):
        yield f"{text[: match.start()]}#{text[match.end() :]}", int(match[0]) - page
