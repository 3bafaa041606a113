"""In which of the two languages to speak to someone."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final, Literal

Language = Literal["ja", "en"]

_HIRAGANA: Final = re.compile(r"[ぁ-ゖ]")
_JAPANESE: Final = re.compile(r"[ァ-ヺー㐀-䶿一-鿿豈-﫿々〆〇]")
_LATIN: Final = re.compile(r"[A-Za-z]")


@dataclass(frozen=True, kw_only=True)
class Sentence:
    """One message to a person in both languages."""

    ja: str
    en: str

    def text(self, language: Language) -> str:
        """Return the message in one language."""
        return self.ja if language == "ja" else self.en

    def __str__(self) -> str:
        return f"{self.ja} / {self.en}"


def language_of(text: str) -> Language:
    """Return the language to answer a question in, by its script.

    Hiragana makes it Japanese, since grammar is written in it. Without hiragana it is Japanese when kanji and katakana
    weigh at least as much as the Latin letters, a kanji counting as two of them: "AWS 料金 比較" is Japanese,
    "What does 有給 mean?" is English. Other scripts are answered in English.

    >>> language_of("有休は何日？"), language_of("How many days off?")
    ('ja', 'en')
    """
    folded = unicodedata.normalize("NFKC", text)
    if _HIRAGANA.search(folded):
        return "ja"
    japanese = len(_JAPANESE.findall(folded))
    return "ja" if japanese and 2 * japanese >= len(_LATIN.findall(folded)) else "en"
