"""Terms of lexical search: bigrams of Japanese text without a dictionary, or words with SudachiPy."""

from __future__ import annotations

import re
import threading
import unicodedata
from typing import TYPE_CHECKING, Final

from knowledge_search.domain import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudachipy import Tokenizer as SudachiAnalyser

_CJK: Final = (
    "\u3005-\u3007"  # 々〆〇
    "\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"  # kana and the long vowel mark, without the middle dot
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Han
    "\U00020000-\U0003134f"  # Han beyond the first plane
)
_RUNS: Final = re.compile(rf"(?P<cjk>[{_CJK}]+)|(?P<word>[^\W_{_CJK}]+)")
_LONGEST: Final = 64
"""Characters of a term that count: an index entry of PostgreSQL has a limit, and no word is longer."""
_SUDACHI_BYTES: Final = 48_000
"""SudachiPy refuses more than 49,149 bytes at once."""


def normalised(text: str) -> str:
    """Return ``text`` in NFKC and lower case."""
    return unicodedata.normalize("NFKC", text).lower()


class BigramTokenizer:
    """Words of letters and digits, and the pairs of neighbours in runs of kana and Han; a lone one stands by itself."""

    name = "bigram"

    def terms(self, text: str) -> list[str]:
        """Return the terms in order.

        >>> BigramTokenizer().terms("経費の精算 (PDF)")
        ['経費', '費の', 'の精', '精算', 'pdf']
        """
        terms: list[str] = []
        for run in _RUNS.finditer(normalised(text)):
            word = run[0]
            if run.lastgroup == "word" or len(word) == 1:
                terms.append(word[:_LONGEST])
            else:
                terms.extend(word[at : at + 2] for at in range(len(word) - 1))
        return terms


class SudachiTokenizer:
    """Words by SudachiPy, mode B, in their normalised form. Needs the extra ``ja``.

    Raises:
        ConfigurationError: SudachiPy is not installed.
    """

    name = "sudachi"

    def __init__(self) -> None:
        try:
            from sudachipy import Dictionary, SplitMode  # noqa: PLC0415 - an extra
        except ImportError:
            message = "the tokenizer 'sudachi' needs SudachiPy: pip install 'knowledge-search[ja]'"
            raise ConfigurationError(message) from None
        self._dictionary = Dictionary()
        self._mode = SplitMode.B
        self._of_thread = threading.local()

    def terms(self, text: str) -> list[str]:
        """Return the terms in order; signs and blanks are no terms."""
        analyser = self._analyser()
        return [
            form[:_LONGEST]
            for part in _parts(normalised(text))
            for morpheme in analyser.tokenize(part)
            if (form := morpheme.normalized_form().lower()) and any(sign.isalnum() for sign in form)
        ]

    def _analyser(self) -> SudachiAnalyser:
        """Return the analyser of this thread: one cannot serve two at once."""
        analyser: SudachiAnalyser | None = getattr(self._of_thread, "analyser", None)
        if analyser is None:
            analyser = self._of_thread.analyser = self._dictionary.tokenizer(mode=self._mode)
        return analyser


def _parts(text: str) -> Iterator[str]:
    """Yield the text in parts that SudachiPy accepts, cut after a line where there is one."""
    part: list[str] = []
    size = 0
    for line in text.splitlines(keepends=True) or [text]:
        for at in range(0, len(line), _SUDACHI_BYTES // 4):
            piece = line[at : at + _SUDACHI_BYTES // 4]
            if size + len(piece) * 4 > _SUDACHI_BYTES and part:
                yield "".join(part)
                part, size = [], 0
            part.append(piece)
            size += len(piece) * 4
    yield "".join(part)
