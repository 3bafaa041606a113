"""A text made from another by replacing pieces, and the way back from its offsets, made when it is asked for."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Iterator

Edit = tuple[int, int, str]
"""Start and end of a piece, and what stands for it."""
Span = tuple[int, int]


class Edited:
    """A text after edits; what no edit touches is one to one.

    Attributes:
        text: The text after the edits.
    """

    __slots__ = ("_edits", "_known", "_parts", "_spans", "text")

    def __init__(
        self,
        text: str,
        edits: Callable[[], Iterable[Edit]] | None = None,
        parts: Callable[[Span, Span], Edited] | None = None,
    ) -> None:
        self.text = text
        self._edits = edits
        self._parts = parts
        self._spans: tuple[list[Span], list[Span]] | None = None
        self._known: dict[int, Edited] | None = None

    def start(self, position: int) -> int:
        """Return where in the text before the edits the character at ``position`` begins."""
        if self._edits is None and self._spans is None:
            return position
        before, after = self._resolved()
        index = bisect_left(after, (position + 1,)) - 1
        if index < 0:
            return position
        if position >= after[index][1]:
            return before[index][1] + position - after[index][1]
        return self._inside(index).start(position) if self._parts else before[index][0]

    def end(self, position: int) -> int:
        """Return where in the text before the edits the character ahead of ``position`` ends."""
        if self._edits is None and self._spans is None:
            return position
        before, after = self._resolved()
        index = bisect_left(after, (position, 0)) - 1
        if index < 0:
            return position
        if position > after[index][1]:
            return before[index][1] + position - after[index][1]
        return self._inside(index).end(position) if self._parts else before[index][1]

    def _resolved(self) -> tuple[list[Span], list[Span]]:
        """Return where the pieces stood and stand; threads may each work it out."""
        if self._spans is None:
            before: list[Span] = []
            after: list[Span] = []
            shift = 0
            for start, end, new in self._edits() if self._edits else ():
                before.append((start, end))
                after.append((start + shift, start + shift + len(new)))
                shift += len(new) - end + start
            self._spans = before, after
        return self._spans

    def _inside(self, index: int) -> Edited:
        """Return the edits that one edit is made of, as if nothing else were edited; they cover all of it."""
        if self._known is None:
            self._known = {}
        if index not in self._known and self._parts is not None:
            before, after = self._resolved()
            self._known[index] = self._parts(before[index], after[index])
        return self._known[index]


def in_pieces(old: Span, new: Span, pieces: list[tuple[int, int, int]]) -> Edited:
    """Return a span as pieces: the start and end of each before, and its length after."""
    made = Edited("")
    before: list[Span] = []
    after: list[Span] = []
    low = new[0]
    for start, end, length in pieces:
        before.append((start, end))
        after.append((low, low + length))
        low += length
    made._spans = (before, after) if low == new[1] else ([old], [new])  # noqa: SLF001  a second way to make one
    return made


def edit(text: str, edits: Callable[[], Iterable[Edit]]) -> Edited:
    """Return ``text`` with each piece replaced; the pieces come in order and are the same each time."""
    parts: list[str] = []
    done = 0
    for start, end, new in edits():
        parts += text[done:start], new
        done = end
    if not done and not parts:
        return Edited(text)
    parts.append(text[done:])
    return Edited("".join(parts), edits)


def substitute(text: str, pattern: re.Pattern[str], new: Callable[[re.Match[str]], str]) -> Edited:
    """Return ``text`` with each match replaced by what ``new`` makes of it."""
    changed = pattern.sub(new, text)
    if changed == text:
        return Edited(text)
    return Edited(changed, lambda: replaced(text, pattern, new))


def replaced(text: str, pattern: re.Pattern[str], new: Callable[[re.Match[str]], str]) -> Iterator[Edit]:
    """Yield the edit that each match is."""
    return ((found.start(), found.end(), new(found)) for found in pattern.finditer(text))
