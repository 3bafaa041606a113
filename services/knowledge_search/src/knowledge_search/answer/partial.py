"""An answer that is still being written: what of it may be shown already."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from knowledge_search.answer.citations import read_answer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from knowledge_search.domain import Context

_UNDECIDED: Final = re.compile(r"(?:\s{0,3}[\[［【][\d\s,、，;]{0,600}|&[#\w]{0,8})\Z")
"""An end that what follows may turn into a citation or an entity."""
_TAIL: Final = 640
"""Characters at the end in which ``_UNDECIDED`` is looked for."""
_STEP: Final = 64
"""The text is read again when it has grown by a 64th: reading stays linear in total, and a short text flows freely."""


class PartialAnswer:
    """Collects a model's pieces and tells what may be appended to what the asker reads.

    Attributes:
        raw: Everything that came so far.
    """

    def __init__(self, contexts: Sequence[Context]) -> None:
        self.raw = ""
        self._contexts = contexts
        self._shown = ""
        self._read_chars = 0

    def add(self, piece: str) -> str:
        """Return the text that may be shown now, after the model's next piece; often empty."""
        self.raw += piece
        if (len(self.raw) - self._read_chars) * _STEP < len(self.raw):
            return ""
        self._read_chars = len(self.raw)
        read = read_answer(_decided(self.raw), self._contexts)
        return "" if read.refused or not read.cited else self._advance(read.text)

    def rest(self, text: str) -> str:
        """Return what is missing from what was shown to the finished ``text``; empty where they differ."""
        return self._advance(text)

    def _advance(self, text: str) -> str:
        if not text.startswith(self._shown):
            return ""
        new = text[len(self._shown) :]
        self._shown = text
        return new


def _decided(text: str) -> str:
    """Return ``text`` without an end whose meaning is still open, and without white space there."""
    head, tail = text[:-_TAIL], text[-_TAIL:]
    return (head + _UNDECIDED.sub("", tail.rstrip())).rstrip()
