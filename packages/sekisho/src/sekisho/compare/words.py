"""What changed in a text, word by word; Japanese, which writes no spaces, is cut where the script changes.

The shortest list of removed and added words is searched for by Myers' greedy algorithm (E. W. Myers, "An O(ND)
Difference Algorithm and Its Variations", Algorithmica 1, 1986), within a fixed number of steps. Texts too far apart for
that are compared sentence by sentence, and each group of sentences that changed word by word as far as the steps reach;
where even sentences are too many, everything between the common beginning and the common end has changed.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from sekisho.core.text import printable
from sekisho.matching.units import UNIT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Kind = Literal["same", "removed", "added"]

MOST_STEPS: Final = 1_000_000
"""Steps of the search, in all: about a quarter of a second. Any two texts of 450 words are compared word by word."""

_NOT_LATIN = "\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
_WORD = (
    rf"\d+(?:[.,:．，：]\d+)*[十百千万億兆]*(?:{UNIT})?"  # 20万円, 12:30, 8%, 3 days
    "|[々-〇\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+"
    "|[\u3041-\u3096\u3099-\u309f][\u3041-\u3096\u3099-\u309fー]*"
    "|[ァ-ヺヽ-ヿー\uff66-\uff9f][ァ-ヺヽ-ヿー\u3099\u309a\uff66-\uff9f]*"
    rf"|[^\W\d{_NOT_LATIN}](?:[^\W{_NOT_LATIN}]|[\u0300-\u036f]|['’](?=[^\W{_NOT_LATIN}]))*"  # don't, snake_case, K8s
    r"|\n|[^\S\n]+"
    "|."
)
_SENTENCE_ENDS = frozenset("。！？!?．\n")
_CONTEXT_WORDS: Final = 4
_CONTEXT_CHARS: Final = 24
_LEAST_CHARS: Final = 40
_MARKS = re.compile(r"\[-|-\]|\{\+|\+\}")
_ELLIPSIS: Final = "…"

_Token = str | tuple[str, ...]
"""A word, or the words of a sentence."""


class Piece(NamedTuple):
    """A stretch of text.

    Attributes:
        kind: ``same`` in both texts, ``removed`` (of the first text only) or ``added`` (of the second only).
        text: Never empty.
    """

    kind: Kind
    text: str


class _Budget:
    """Steps that a search may still take."""

    def __init__(self, steps: int) -> None:
        self.left = steps


@cache
def _word() -> re.Pattern[str]:
    return re.compile(_WORD, re.DOTALL)  # at its first use: the units make it a long one


def words_of(text: str) -> list[str]:
    """Return the words, signs and spaces of a text; joined they are the text.

    A word of Japanese is a run of one script, a number goes with its unit, and a mark stays with the letter before it.
    """
    words: list[str] = _word().findall(text)
    if text.isascii():
        return words
    starts = [place for place, word in enumerate(words) if not place or unicodedata.category(word[0])[0] != "M"]
    return ["".join(words[start:end]) for start, end in zip(starts, [*starts[1:], len(words)], strict=True)]


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
    budget = _Budget(most)
    first, second = words_of(before), words_of(after)
    pieces = _compared(first, second, budget, share=2)
    if pieces is None:
        pieces = _by_sentences(first, second, budget)
    return tuple(_merged(_without_crumbs(_merged(pieces))))


def _by_sentences(first: Sequence[str], second: Sequence[str], budget: _Budget) -> list[Piece]:
    """Return pieces found sentence by sentence, the changed ones refined as far as the steps reach."""
    left, right = _sentences(first), _sentences(second)
    matches = _matches(left, right, budget, share=2)
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


def _sentences(words: Sequence[str]) -> list[tuple[str, ...]]:
    sentences: list[tuple[str, ...]] = []
    start = 0
    for place, word in enumerate(words, start=1):
        ends = word in _SENTENCE_ENDS or (word == "." and place < len(words) and words[place].isspace())
        if ends:
            sentences.append(tuple(words[start:place]))
            start = place
    if start < len(words):
        sentences.append(tuple(words[start:]))
    return sentences


def _flat(sentences: Sequence[tuple[str, ...]]) -> list[str]:
    return [word for sentence in sentences for word in sentence]


def _replaced(first: Sequence[str], second: Sequence[str]) -> list[Piece]:
    """Return everything as changed but the common beginning and end."""
    start, end = _common_ends(first, second)
    return [
        *_piece("same", first[:start]),
        *_piece("removed", first[start : len(first) - end]),
        *_piece("added", second[start : len(second) - end]),
        *_piece("same", first[len(first) - end :]),
    ]


def _compared(first: Sequence[str], second: Sequence[str], budget: _Budget, *, share: int) -> list[Piece] | None:
    """Return the pieces of two lists of words, or None where they are too far apart."""
    matches = _matches(first, second, budget, share=share)
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


def _common_ends(first: Sequence[_Token], second: Sequence[_Token]) -> tuple[int, int]:
    most = min(len(first), len(second))
    start = 0
    while start < most and first[start] == second[start]:
        start += 1
    end = 0
    while end < most - start and first[-1 - end] == second[-1 - end]:
        end += 1
    return start, end


def _matches(
    first: Sequence[_Token], second: Sequence[_Token], budget: _Budget, *, share: int
) -> list[tuple[int, int, int]] | None:
    """Return the stretches that match: where in the first, where in the second, how long; None where steps run out.

    Args:
        first: Tokens.
        second: Tokens.
        budget: What is left of all steps.
        share: Which part of that this search may take: 1 all, 2 half.
    """
    start, end = _common_ends(first, second)
    numbers: dict[_Token, int] = {}
    a = [numbers.setdefault(token, len(numbers)) for token in first[start : len(first) - end]]
    b = [numbers.setdefault(token, len(numbers)) for token in second[start : len(second) - end]]
    trace, used = _search(a, b, budget.left // share)
    budget.left -= used
    if trace is None:
        return None
    middle = [(x + start, y + start, length) for x, y, length in _walked_back(trace, len(a), len(b))]
    return [(0, 0, start), *middle, (len(first) - end, len(second) - end, end)]


def _search(a: list[int], b: list[int], allowed: int) -> tuple[list[list[int]] | None, int]:
    """Return for each number of edits the farthest places reached, and the steps taken; None where they ran out.

    Entry ``k + edits`` of a list is how far in ``a`` the path reaches on the diagonal ``x - y = k``.
    """
    n, m = len(a), len(b)
    if not n or not m:
        return [], 0
    if _fewest_edits(a, b) ** 2 // 2 > allowed:
        return None, 0
    trace: list[list[int]] = []
    last = [0]
    used = 0
    for edits in range(n + m + 1):
        used += edits + 1
        reached = [0] * (2 * edits + 1)
        for k in range(-edits, edits + 1, 2):
            if edits == 0:
                x = 0
            elif k == -edits or (k != edits and last[k - 2 + edits] < last[k + edits]):
                x = last[k + edits]
            else:
                x = last[k - 2 + edits] + 1
            y = entered = x - k
            while x < n and y < m and a[x] == b[y]:
                x += 1
                y += 1
            used += y - entered
            reached[k + edits] = x
            if used > allowed:
                return None, allowed
            if x >= n and y >= m:
                return [*trace, reached], used
        trace.append(reached)
        last = reached
    raise AssertionError  # n + m edits always do


def _fewest_edits(a: list[int], b: list[int]) -> int:
    """Return how many edits are needed whatever the order: those of the tokens that one side has more of."""
    counts = Counter(a)
    counts.subtract(b)
    return sum(map(abs, counts.values()))


def _walked_back(trace: list[list[int]], x: int, y: int) -> Iterator[tuple[int, int, int]]:
    """Return the matching stretches of the path found, first to last."""
    found: list[tuple[int, int, int]] = []
    for edits in range(len(trace) - 1, -1, -1):
        k = x - y
        down, entered = False, 0
        if edits:
            last = trace[edits - 1]
            down = k == -edits or (k != edits and last[k - 2 + edits] < last[k + edits])
            entered = last[k + edits] if down else last[k - 2 + edits] + 1
        if x > entered:
            found.append((entered, entered - k, x - entered))
        x, y = (entered, entered - k - 1) if down else (entered - 1, entered - k)
    return reversed(found)


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
