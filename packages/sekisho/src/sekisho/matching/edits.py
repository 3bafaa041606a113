"""A text made from another by replacing pieces, and the way back from its offsets, made when it is asked for."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable

Edit = tuple[int, int, str]
"""Start and end of a piece, and what stands for it."""
Span = tuple[int, int]


class Edited:
    """A text after edits; what no edit touches is one to one.

    Attributes:
        text: The text after the edits.
    """

    __slots__ = ("_after", "_before", "_edits", "_known", "_parts", "text")

    def __init__(
        self,
        text: str,
        edits: Callable[[], Iterable[Edit]] | None = None,
        parts: Callable[[Span, Span], Edited] | None = None,
    ) -> None:
        self.text = text
        self._edits = edits
        self._parts = parts
        self._before: list[Span] = []
        self._after: list[Span] = []
        self._known: dict[int, Edited] = {}

    def start(self, position: int) -> int:
        """Return where in the text before the edits the character at ``position`` begins."""
        self._resolve()
        index = bisect_left(self._after, (position + 1,)) - 1
        if index < 0:
            return position
        if position >= self._after[index][1]:
            return self._before[index][1] + position - self._after[index][1]
        return self._inside(index).start(position) if self._parts else self._before[index][0]

    def end(self, position: int) -> int:
        """Return where in the text before the edits the character ahead of ``position`` ends."""
        self._resolve()
        index = bisect_left(self._after, (position, 0)) - 1
        if index < 0:
            return position
        if position > self._after[index][1]:
            return self._before[index][1] + position - self._after[index][1]
        return self._inside(index).end(position) if self._parts else self._before[index][1]

    def _resolve(self) -> None:
        """Work out where the pieces stood and stand."""
        if self._edits is None:
            return
        shift = 0
        for start, end, new in self._edits():
            self._before.append((start, end))
            self._after.append((start + shift, start + shift + len(new)))
            shift += len(new) - end + start
        self._edits = None

    def _inside(self, index: int) -> Edited:
        """Return the edits that one edit is made of, as if nothing else were edited; they cover all of it."""
        if index not in self._known and self._parts is not None:
            self._known[index] = self._parts(self._before[index], self._after[index])
        return self._known[index]


def in_pieces(old: Span, new: Span, pieces: list[tuple[int, int, int]]) -> Edited:
    """Return a span as pieces: the start and end of each before, and its length after."""
    made = Edited("")
    low = new[0]
    for start, end, length in pieces:
        made._before.append((start, end))  # noqa: SLF001  a second way to make one
        made._after.append((low, low + length))  # noqa: SLF001  as above
        low += length
    if low != new[1]:
        made._before, made._after = [old], [new]  # noqa: SLF001  as above
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
    return Edited(changed, lambda: ((found.start(), found.end(), new(found)) for found in pattern.finditer(text)))
