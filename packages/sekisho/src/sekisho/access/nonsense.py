"""Questions that no document answers, made of words that stand in none: what a target says then is boilerplate."""

from __future__ import annotations

from hashlib import sha256
from itertools import count
from typing import TYPE_CHECKING

from sekisho.matching import fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_JAPANESE = ["ゾ", "ヌ", "ペ", "ギュ", "モ", "ラ", "ヅ", "ベ", "ヒョ", "ザ", "グ", "ポ", "ミュ", "ゲ", "ド", "ワ"]
_ENGLISH = ["vro", "zin", "pex", "dru", "kla", "qua", "bil", "fro", "nup", "wez", "gri", "yol", "tam", "jep", "sko"]
_SYLLABLES = 5
_TRIES = 100
"""Words that are tried before longer ones are: documents may hold all short ones."""


def nonsense_questions(folded: Sequence[str]) -> tuple[str, str]:
    """Return one question in Japanese and one in English, neither of whose words stands in a folded document."""
    japanese, english = made_up_words(_JAPANESE, folded), made_up_words(_ENGLISH, folded)
    return f"{next(japanese)} {next(japanese)}", f"{next(english)} {next(english)}"


def made_up_words(
    syllables: Sequence[str], folded: Sequence[str], *, syllables_each: int = _SYLLABLES
) -> Iterator[str]:
    """Yield words that stand in no folded document, the same ones each time."""
    for number in count():
        digest = sha256(f"nonsense {number}".encode()).digest()
        word = "".join(syllables[byte % len(syllables)] for byte in digest[: syllables_each + number // _TRIES])
        wanted = fold(word)
        if not any(wanted in text for text in folded):
            yield word


def unasked_words(folded: Sequence[str]) -> Iterator[str]:
    """Yield words that stand in no folded document and make a question one that nobody has asked yet."""
    root = next(made_up_words(_ENGLISH, folded, syllables_each=2))  # short: beside it the question must still be itself
    return (f"{root}{number}" for number in count(1))
