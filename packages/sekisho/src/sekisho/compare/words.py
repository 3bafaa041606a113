"""What changed in a text, word by word; Japanese, which writes no spaces, is cut where the script changes.

The shortest list of removed and added words is searched for within a fixed number of steps. Texts too far apart for
that are compared sentence by sentence, and each group of sentences that changed word by word as far as the steps reach;
where even sentences are too many, everything between the common beginning and the common end has changed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from sekisho.compare.words_cut import sentences_of, words_of
from sekisho.compare.words_search import Budget, common_ends, matches_of
from sekisho.core.text import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Kind = Literal["same", "removed", "added"]

MOST_STEPS: Final = 1_000_000
"""Steps of the search, in all: about a quarter of a second. Any two texts of 450 words are compared word by word."""

_CONTEXT_WORDS: Final = 4
_CONTEXT_CHARS: Final = 24
_LEAST_CHARS: Final = 40
_MARKS = re.compile(r"\[-|-\]|\{\+|\+\}")
_ELLIPSIS: Final = "…"


class Piece(NamedTuple):
    """A stretch of text.

    Attributes:
        kind: ``same`` in both texts, ``removed`` (of the first text only) or ``added`` (of the second only).
        text: Never empty.
    """

    kind: Kind
    text: str


def word_diff(before: str, after: str, *, most: int = MOST_STEPS) -> tuple[Piece, ...]:
    """Return what is the same, removed and added, in the order of the texts.

    The pieces that are the same or removed, joined, are ``before``; those that are the same or added are ``after``. No
    two neighbours are of one kind, and what replaces something follows it. A word or two that stayed by chance between
    long changes counts as changed, so that a reader sees a new sentence and not its crumbs.

    Args:
        before: The first text.
        after: The second.
        most: Steps of the search; with fewer the diff is coarser, never wrong. 0 compares beginning and end only.
    """
    budget = Budget(most)
    first, second = words_of(before), words_of(after)
    pieces = _compared(first, second, budget, share=2)
    if pieces is None:
        pieces = _by_sentences(first, second, budget)
    return tuple(_merged(_without_crumbs(_merged(pieces))))


def _by_sentences(first: Sequence[str], second: Sequence[str], budget: Budget) -> list[Piece]:
    """Return pieces found sentence by sentence, the changed ones refined as far as the steps reach."""
    left, right = sentences_of(first), sentences_of(second)
    matches = matches_of(left, right, budget, share=2)
    if matches is None:
        return _replaced(first, second)
    pieces: list[Piece] = []
    i = j = 0
    for x, y, length in [*matches, (len(left), len(right), 0)]:
        removed, added = _flat(left[i:x]), _flat(right[j:y])
        refined = _compared(removed, added, budget, share=1) if removed and added else None
        pieces += _replaced(removed, added) if refined is None else refined
        pieces += _piece("same", _flat(left[x : x + length]))
        i, j = x + length, y + length
    return pieces


def _flat(sentences: Sequence[tuple[str, ...]]) -> list[str]:
    return [word for sentence in sentences for word in sentence]


def _replaced(first: Sequence[str], second: Sequence[str]) -> list[Piece]:
    """Return everything as changed but the common beginning and end."""
    start, end = common_ends(first, second)
    return [
        *_piece("same", first[:start]),
        *_piece("removed", first[start : len(first) - end]),
        *_piece("added", second[start : len(second) - end]),
        *_piece("same", first[len(first) - end :]),
    ]


def _compared(first: Sequence[str], second: Sequence[str], budget: Budget, *, share: int) -> list[Piece] | None:
    """Return the pieces of two lists of words, or None where they are too far apart."""
    matches = matches_of(first, second, budget, share=share)
    if matches is None:
        return None
    pieces: list[Piece] = []
    i = j = 0
    for x, y, length in [*matches, (len(first), len(second), 0)]:
        pieces += [*_piece("removed", first[i:x]), *_piece("added", second[j:y])]
        pieces += _piece("same", first[x : x + length])
        i, j = x + length, y + length
    return pieces


def _piece(kind: Kind, words: Sequence[str]) -> list[Piece]:
    text = "".join(words)
    return [Piece(kind, text)] if text else []


def _merged(pieces: Iterable[Piece]) -> list[Piece]:
    """Return pieces of which no two neighbours are of one kind, the removed before the added."""
    merged: list[Piece] = []
    removed: list[str] = []
    added: list[str] = []
    same: list[str] = []

    def end_change() -> None:
        merged.extend([*_piece("removed", removed), *_piece("added", added)])
        removed.clear()
        added.clear()

    def end_same() -> None:
        merged.extend(_piece("same", same))
        same.clear()

    for piece in pieces:
        if piece.kind == "same":
            end_change()
            same.append(piece.text)
        else:
            end_same()
            (removed if piece.kind == "removed" else added).append(piece.text)
    end_change()
    end_same()
    return merged


def _without_crumbs(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """Yield pieces with what stayed by chance between two changes counted to them."""
    sizes = _sizes_of_changes(pieces)
    for place, (piece, (before, after)) in enumerate(zip(pieces, sizes, strict=True)):
        between = piece.kind == "same" and 0 < place < len(pieces) - 1
        is_space = piece.text.isspace() and "\n" not in piece.text
        if between and (is_space or 4 * len(piece.text) <= min(before, after)):
            yield Piece("removed", piece.text)
            yield Piece("added", piece.text)
        else:
            yield piece


def _sizes_of_changes(pieces: Sequence[Piece]) -> list[tuple[int, int]]:
    """Return for each piece how many characters the change before it has, and the one after it."""
    sizes = []
    for place in range(len(pieces)):
        before = max((len(p.text) for p in pieces[max(0, place - 2) : place] if p.kind != "same"), default=0)
        after = max((len(p.text) for p in pieces[place + 1 : place + 3] if p.kind != "same"), default=0)
        sizes.append((before, after))
    return sizes


def shown_diff(pieces: Sequence[Piece], most_chars: int = 400) -> str:
    r"""Return a diff on one line, as ``… 午前休は[-12時-]{+13時+}で終わり…``.

    What is unchanged is shortened to a few words beside each change, long changes to their beginning and end. Nothing
    in it steers a terminal (line breaks are shown as ``\n``), and marks that stand in the texts get a backslash.

    Args:
        pieces: Of :func:`word_diff`.
        most_chars: The longest result, at least 40.

    Returns:
        An empty text where nothing changed.

    Raises:
        ValueError: ``most_chars`` is below 40.
    """
    if most_chars < _LEAST_CHARS:
        message = f"most_chars must be at least {_LEAST_CHARS}, not {most_chars!r}"
        raise ValueError(message)
    if all(piece.kind == "same" for piece in pieces):
        return ""
    shown = ""
    for place, piece in enumerate(pieces):
        if piece.kind == "same":
            part = _context(piece.text, is_first=place == 0, is_last=place == len(pieces) - 1)
            part = part if len(part) <= most_chars // 4 else _ELLIPSIS
        else:
            text = _ends_of(piece.text, most_chars // 4)
            part = f"[-{text}-]" if piece.kind == "removed" else f"{{+{text}+}}"
        room = most_chars - (place < len(pieces) - 1)  # for the sign that there is more
        if len(shown) + len(part) > room:
            return shown.removesuffix(_ELLIPSIS) + _ELLIPSIS
        shown += part
    return shown


def _context(text: str, *, is_first: bool, is_last: bool) -> str:
    """Return the words beside a change: the last ones of what stands before it, the first ones of what follows."""
    if is_first:
        tail = _few(text, backwards=True)
        return (_ELLIPSIS if len(tail) < len(text) else "") + _harmless(tail)
    head = _few(text, backwards=False)
    if is_last:
        return _harmless(head) + (_ELLIPSIS if len(head) < len(text) else "")
    tail = _few(text, backwards=True)
    if len(head) + len(tail) >= len(text):
        return _harmless(text)
    return _harmless(head) + _ELLIPSIS + _harmless(tail)


def _few(text: str, *, backwards: bool) -> str:
    """Return the first words of a text, or the last ones; few in number and in characters."""
    near = text[-4 * _CONTEXT_CHARS :] if backwards else text[: 4 * _CONTEXT_CHARS]
    words = words_of(near)
    taken = ""
    count = 0
    for word in reversed(words) if backwards else words:
        longer = word + taken if backwards else taken + word
        count += not word.isspace()
        if count > _CONTEXT_WORDS or len(longer) > _CONTEXT_CHARS:
            break
        taken = longer
    if not taken and text:
        taken = near[-_CONTEXT_CHARS:] if backwards else near[:_CONTEXT_CHARS]
    return taken


def _ends_of(text: str, most: int) -> str:
    """Return a text as it is shown, or its beginning and its end where that is longer than ``most`` characters."""
    if len(text) <= most and len(shown := _harmless(text)) <= most:
        return shown
    half = (most - 1) // 2
    return _harmless(text[:most])[:half] + _ELLIPSIS + _harmless(text[-most:])[-half:]


def _harmless(text: str) -> str:
    return _MARKS.sub(lambda mark: f"{mark[0][0]}\\{mark[0][1]}", printable(text))
