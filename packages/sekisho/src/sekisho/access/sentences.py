"""The sentences of a document that stand nowhere else: what to ask so that it must come up."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from sekisho.access.corpus import RUN
from sekisho.access.grams import hashes_of
from sekisho.matching import fold, quantities

if TYPE_CHECKING:
    from sekisho.access.corpus import Corpus

_END = re.compile(r"(?<=[。！？!?])|(?<=\. )|[\r\n]+")
_FEWEST_CHARACTERS = 8
_LONGEST_QUESTION = 160
_MOST_CANDIDATES = 32
"""Sentences of one document that are compared, taken evenly over all of it."""
_LOOKED_AT_FOR_NUMBERS = 8
_LONG_ENOUGH = 60
_BETWEEN = "\0"


def distinctive_sentences(corpus: Corpus, place: int, most: int) -> tuple[str, ...]:
    """Return the sentences of a document whose runs stand in no other one, the best first.

    Among equals those that hold a number found nowhere else, then the longer, then the earlier. A long sentence is cut
    where a clause ends.
    """
    candidates = _candidates(corpus.documents[place].text)
    folded = [fold(sentence) for sentence in candidates]
    shares = _shares_found_nowhere_else(corpus, folded)
    ranked = sorted(
        range(len(candidates)), key=lambda number: (-shares[number], -min(len(folded[number]), _LONG_ENOUGH), number)
    )
    alone = {number for number, owners in corpus.quantity_owners.items() if owners == [place]}
    if alone:
        first = ranked[:_LOOKED_AT_FOR_NUMBERS]
        with_number = {number for number in first if not alone.isdisjoint(quantities(candidates[number]))}
        first.sort(key=lambda number: (-shares[number], number not in with_number))
        ranked[:_LOOKED_AT_FOR_NUMBERS] = first
    return tuple(dict.fromkeys(candidates[number] for number in ranked))[:most]


def _candidates(text: str) -> list[str]:
    spans = [piece.strip() for piece in _END.split(text)]
    sentences = [shortened(piece, _LONGEST_QUESTION) for piece in spans if len(piece) >= _FEWEST_CHARACTERS]
    sentences = [sentence for sentence in sentences if any(char.isalnum() for char in sentence)]
    step = max(len(sentences) / _MOST_CANDIDATES, 1)
    return [sentences[int(number * step)] for number in range(min(len(sentences), _MOST_CANDIDATES))]


def shortened(text: str, most: int) -> str:
    """Return ``text``, or as much of it as ends with a clause within ``most`` characters."""
    if len(text) <= most:
        return text
    head = text[:most]
    end = max(head.rfind(sign) for sign in "、，, 　")
    return head[:end] if end > most // 2 else head


def _shares_found_nowhere_else(corpus: Corpus, folded: list[str]) -> list[int]:
    """Return for each sentence the percentage of its runs that stand in one document only."""
    hashes = hashes_of(_BETWEEN.join(folded), RUN)
    alone = np.zeros(len(hashes) + 1, dtype=np.int64)
    alone[1:] = np.cumsum(corpus.alone[corpus.index.places(hashes)])
    shares = []
    start = 0
    for sentence in folded:
        count = len(sentence) - RUN + 1
        shares.append(int(alone[start + count] - alone[start]) * 100 // count if count > 0 else 0)
        start += len(sentence) + len(_BETWEEN)
    return shares
