"""Where sentences and lines end: what stands on both sides of such an end was perhaps only put side by side."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

from sekisho.matching import fold

_SENTENCE_END = re.compile(r"(?<=[。!?])|(?<=\. )")
_LINE = re.compile(r"[\r\n]+")


def pieces_of(text: str, folded: str, start: int, end: int) -> list[str]:
    """Return a run of a folded text cut where sentences and lines of the raw text end, without signs at the edges.

    Args:
        text: Raw.
        folded: Its canonical form.
        start: Of the run, in ``folded``.
        end: Behind the run.
    """
    cuts = [start, *(cut for cut in line_ends(text, folded) if start < cut < end), end]
    pieces = []
    for left, right in pairwise(cuts):
        pieces += [_without_signs(piece) for piece in _SENTENCE_END.split(folded[left:right])]
    return [piece for piece in pieces if piece]


@lru_cache(maxsize=8)
def line_ends(text: str, folded: str) -> tuple[int, ...]:
    """Return where in the folded text the lines of the raw one end, ascending; none where folding moved more."""
    ends = []
    place = 0
    for line in _LINE.split(text):
        wanted = fold(line)
        if not wanted:
            continue
        if folded.startswith(" ", place):
            place += 1
        if not folded.startswith(wanted, place):
            return ()
        place += len(wanted)
        ends.append(place)
    return tuple(ends)


def _without_signs(piece: str) -> str:
    """Return a piece from its first letter or digit to its last."""
    places = [place for place, char in enumerate(piece) if char.isalnum()]
    return piece[places[0] : places[-1] + 1] if places else ""
