"""Looking for thousands of ids, names and titles in many texts: only those are compared that share a rare piece."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from sekisho.access.grams import RunSet, hashes_of
from sekisho.matching import TextMatcher, fold

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sekisho.matching import Occurrence

_PIECE = 4
_MATCHERS_KEPT = 256


class MentionSearch:
    """Wanted texts that are looked for in many others.

    Each wanted text has one piece of four characters, the one that fewest others have; it is compared where that piece
    stands in the canonical form of a text. Shorter ones are compared everywhere.

    Args:
        wanted: Texts.
    """

    def __init__(self, wanted: Iterable[str]) -> None:
        folded = {text: fold(text) for text in wanted}
        counts = Counter(piece for text in folded.values() for piece in _pieces(text))
        self._everywhere = tuple(text for text, plain in folded.items() if len(plain) < _PIECE)
        self._by_piece: dict[str, list[str]] = {}
        for text, plain in folded.items():
            if len(plain) >= _PIECE:
                rarest = min(_pieces(plain), key=lambda piece: (counts[piece], piece))
                self._by_piece.setdefault(rarest, []).append(text)
        hashes = [hashes_of(piece, _PIECE) for piece in self._by_piece]
        self._pieces = RunSet(np.sort(np.concatenate([np.zeros(0, dtype=np.uint64), *hashes])))
        self._matcher = lru_cache(maxsize=_MATCHERS_KEPT)(TextMatcher)

    def occurrences(self, text: str, folded: str) -> dict[str, Occurrence]:
        """Return each wanted text that stands in a text, with its first occurrence.

        Args:
            text: Raw.
            folded: Its canonical form.
        """
        places = self._pieces.positions(hashes_of(folded, _PIECE))
        pieces = dict.fromkeys(folded[place : place + _PIECE] for place in places.tolist())
        near = (*self._everywhere, *(wanted for piece in pieces for wanted in self._by_piece.get(piece, ())))
        return self._matcher(near).occurrences(text) if near else {}


def _pieces(folded: str) -> set[str]:
    return {folded[place : place + _PIECE] for place in range(len(folded) - _PIECE + 1)}
