"""Extractive summaries: the sentences that stand for the others, without a language model."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from knowledge_search.ports import Tokenizer

_SENTENCE: Final = re.compile(r"[^。！？!?\n]*?(?:[。！？!?]+[」』）)]*|\.(?=\s|$)|\n|$)")
_REDUNDANCY: Final = 0.7
"""How much being like a chosen sentence counts against a sentence, beside how central it is."""
_MOST: Final = 400
"""Sentences looked at; the comparison grows with their number."""


def sentences(text: str) -> list[str]:
    """Return the sentences of Japanese or English text, without blanks around them.

    >>> sentences("休暇は前日までに。See page 3.5 first. Then ask.")
    ['休暇は前日までに。', 'See page 3.5 first.', 'Then ask.']
    """
    parts: list[str] = []
    begin = 0
    for found in _SENTENCE.finditer(text):
        if found.end() > begin:
            parts.append(text[begin : found.end()])
            begin = found.end()
    return [part for each in parts if (part := each.strip())]


def summarise(texts: Sequence[str], tokenizer: Tokenizer, *, characters: int = 400) -> str:
    """Return the most central sentences of ``texts`` that do not repeat each other, in their original order.

    Centrality is the cosine between a sentence and all of them together, terms weighted by their rarity among the
    sentences. Ties are broken by position, so the same texts give the same summary.

    Args:
        texts: In reading order.
        tokenizer: Makes the terms.
        characters: At most; a first sentence that is longer is cut.
    """
    found = list(dict.fromkeys(sentence for text in texts for sentence in sentences(text)))[:_MOST]
    if not found:
        return ""
    vectors = _weighted([Counter(tokenizer.terms(each)) for each in found])
    centre: dict[str, float] = {}
    for vector in vectors:
        for term, value in vector.items():
            centre[term] = centre.get(term, 0.0) + value
    central = [round(_cosine(vector, centre), 9) for vector in vectors]
    nearest = [0.0] * len(found)
    chosen: list[int] = []
    left = characters
    while left > 0:
        open_ = [at for at in range(len(found)) if at not in chosen and (len(found[at]) <= left or not chosen)]
        if not open_:
            break
        best = max(open_, key=lambda at: (round(central[at] - _REDUNDANCY * nearest[at], 9), -at))
        chosen.append(best)
        left -= len(found[best])
        nearest = [max(near, _cosine(vectors[best], vector)) for near, vector in zip(nearest, vectors, strict=True)]
    return "\n".join(found[at][:characters] for at in sorted(chosen))


def _weighted(counts: list[Counter[str]]) -> list[dict[str, float]]:
    documents = Counter(term for count in counts for term in count)
    total = len(counts)
    return [
        {term: occurrences * math.log(1 + total / documents[term]) for term, occurrences in count.items()}
        for count in counts
    ]


def _cosine(one: dict[str, float], other: dict[str, float]) -> float:
    if len(one) > len(other):
        one, other = other, one
    product = math.fsum(value * other[term] for term, value in one.items() if term in other)
    size = math.sqrt(_square(one) * _square(other))
    return product / size if size else 0.0


def _square(vector: dict[str, float]) -> float:
    return math.fsum(value * value for value in vector.values())
