"""Ids, names and titles of documents: which of them tell a document where they stand in free text, and where."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Literal, NamedTuple

from sekisho.matching import TextMatcher, fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sekisho.core.answers import Document
    from sekisho.matching import Occurrence

_FEWEST_LETTERS = 4
_FEWEST_IDEOGRAPHS = 3
"""Shorter names and titles are words of everyday language: they say nothing about a document."""
_PLAIN_WORD_BELOW = 12
"""An id of letters alone counts from this length on, as a run of text does."""
_COMPOUND_BELOW = 5
"""Ideographs join into compounds: a title of fewer counts only where none stands beside it."""
_MOST_OCCURRENCES = 50


class Mention(NamedTuple):
    """What a document is called by.

    Attributes:
        kind: ``id``, ``name`` or ``title``.
        place: Of the document.
    """

    kind: Literal["id", "name", "title"]
    place: int


def mentions_of(documents: Sequence[Document]) -> dict[str, list[Mention]]:
    """Return each id, name and title that tells a document in free text, with the documents called by it."""
    found: dict[str, list[Mention]] = {}
    for place, document in enumerate(documents):
        if _id_tells(document.id):
            found.setdefault(document.id, []).append(Mention("id", place))
        if _name_tells(document.name):
            found.setdefault(document.name, []).append(Mention("name", place))
        if _name_tells(document.title):
            found.setdefault(document.title, []).append(Mention("title", place))
    return found


def without_page(source: str) -> str:
    """Return a source without the page at its end: ``travel.pdf`` for ``travel.pdf p.2``."""
    stem, sign, page = source.rpartition(" p.")
    return stem if sign and page.strip().isdigit() else source


def _id_tells(text: str) -> bool:
    """Tell whether an id can be nothing but an id: not a number, not a word, not a date."""
    plain = fold(text)
    letters = sum(char.isalpha() for char in plain)
    if not letters or not _name_tells(text):
        return False
    return letters < len(plain) or len(plain) >= _PLAIN_WORD_BELOW or not plain.isascii()


def _name_tells(text: str) -> bool:
    plain = fold(text)
    letters = [char for char in plain if char.isalnum()]
    if not any(char.isalpha() for char in letters):
        return False
    wide = sum(_script(char) not in ("letter", "digit") for char in letters)
    return len(letters) >= _FEWEST_LETTERS or wide >= _FEWEST_IDEOGRAPHS


def stands_as_word(text: str, wanted: str, first: Occurrence) -> Occurrence | None:
    """Return the first occurrence of ``wanted`` with word edges on both sides, None where there is none.

    An edge is where the script changes: between two letters of the same script there is none, and long titles in
    ideographs have one anywhere.
    """
    matcher: TextMatcher | None = None
    offset = 0
    found: Occurrence | None = first
    for _ in range(_MOST_OCCURRENCES):
        if found is None:
            return None
        start, end = offset + found.start, offset + found.end
        if _has_edges(text, start, end):
            return found._replace(start=start, end=end)
        matcher = matcher or TextMatcher([wanted])
        offset = start + 1
        found = matcher.occurrences(text[offset:]).get(wanted)
    return None


def _has_edges(text: str, start: int, end: int) -> bool:
    if start >= end:
        return False
    long = end - start >= _COMPOUND_BELOW
    before = start > 0 and _joined(text[start - 1], text[start], long=long)
    after = end < len(text) and _joined(text[end - 1], text[end], long=long)
    return not before and not after


def _joined(left: str, right: str, *, long: bool) -> bool:
    """Tell whether two neighbours belong to one word."""
    scripts = {_script(left), _script(right)}
    if "other" in scripts or "hiragana" in scripts:
        return False
    if scripts == {"ideograph"}:
        return not long
    return len(scripts) == 1 or scripts == {"letter", "digit"}


def _script(char: str) -> str:
    if char.isdigit():
        return "digit"
    if not char.isalpha() and char != "ー":
        return "other"
    if char < "\u1100":
        return "letter"
    name = unicodedata.name(unicodedata.normalize("NFKC", char)[0], "")
    if name.startswith(("KATAKANA", "HANGUL")) or char == "ー":
        return "katakana"
    if name.startswith("HIRAGANA"):
        return "hiragana"
    return "ideograph" if name.startswith("CJK") else "letter"
