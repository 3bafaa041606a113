"""A text cut into words, and words into sentences."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING

from sekisho.matching.units import UNIT

if TYPE_CHECKING:
    from collections.abc import Sequence

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


def sentences_of(words: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the words in groups, each with the sign that ends it; after a full stop of Latin text a space."""
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
