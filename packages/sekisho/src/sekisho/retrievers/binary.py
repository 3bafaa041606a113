"""One bit for each component, and the nearest codes by the number of bits that differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from sekisho.core.errors import RetrieverError

if TYPE_CHECKING:
    from sekisho.retrievers.protocols import Bits, Floats, RowNumbers

_BLOCK_CODES = 2**14
"""Codes that are compared at a time: 128 kB a word, which stay in a core's second cache."""

_WORDS_PER_BYTE = 3
"""So many words of 64 bits can differ in at most 192 places, which a byte can count."""

_WORDS_IN_16_BITS = 2**10
"""Fewer words than these differ in fewer than 2**16 places; numpy sorts 16 bits by radix, in linear time."""


class Quantiser(Protocol):
    """Turns vectors of unit length into packed bits."""

    def encode(self, unit: Floats) -> Bits:
        """Return shape ``(rows, bytes)`` for vectors of shape ``(rows, dims)``."""
        ...  # pragma: no cover


@dataclass(frozen=True, eq=False)
class BinaryQuantiser:
    """One bit a component: whether it is above the threshold, as in pgvector's ``binary_quantize``.

    Attributes:
        threshold: One number, or one for each component; in units of vectors of length 1.
    """

    threshold: float | Floats = 0.0

    def encode(self, unit: Floats) -> Bits:
        """Return the bits, the first component in the highest bit of the first byte."""
        return np.packbits(unit > self.threshold, axis=-1)


@dataclass(frozen=True, eq=False)
class HammingIndex:
    """Codes of documents, word by word, so that each word of all codes is one piece of memory.

    Attributes:
        words: Shape ``(words, codes)``, uint64.
        width: Bytes of a code.
    """

    words: npt.NDArray[np.uint64]
    width: int

    @classmethod
    def of(cls, codes: Bits) -> HammingIndex:
        """Return the index of packed bits."""
        return cls(words=np.ascontiguousarray(_words(codes).T), width=codes.shape[1])

    def nearest(self, codes: Bits, count: int) -> list[RowNumbers]:
        """Return the ``count`` rows with the fewest different bits for each code, ties by the lowest row.

        Raises:
            RetrieverError: The codes are not as wide as those of the documents.
        """
        if codes.shape[1] != self.width:
            raise RetrieverError("retrievers.code_widths", documents=self.width, queries=codes.shape[1])
        total = self.words.shape[1]
        find = _first_of_few if total <= _BLOCK_CODES else _first_of_many
        return [find(self.words, code, min(count, total)) for code in _words(codes)]


def _words(codes: Bits) -> npt.NDArray[np.uint64]:
    count, width = codes.shape
    padded = np.zeros((count, -(-width // 8) * 8), dtype=np.uint8)
    padded[:, :width] = codes
    words: npt.NDArray[np.uint64] = padded.view(np.uint64)
    return words


def _distances(words: npt.NDArray[np.uint64], code: npt.NDArray[np.uint64]) -> npt.NDArray[np.unsignedinteger]:
    counted: list[npt.NDArray[np.uint8]] = []
    for number in range(0, len(words), _WORDS_PER_BYTE):
        part = slice(number, number + _WORDS_PER_BYTE)
        sums = np.bitwise_count(words[part] ^ code[part, None])
        for row in sums[1:]:
            sums[0] += row
        counted.append(sums[0])
    if len(counted) == 1:
        return counted[0]
    kind: type[np.unsignedinteger] = np.uint16 if len(words) < _WORDS_IN_16_BITS else np.uint32
    wide = counted[0].astype(kind)
    for row in counted[1:]:
        wide += row
    return wide


def _first_of_few(words: npt.NDArray[np.uint64], code: npt.NDArray[np.uint64], count: int) -> RowNumbers:
    return np.argsort(_distances(words, code), kind="stable")[:count]


def _first_of_many(words: npt.NDArray[np.uint64], code: npt.NDArray[np.uint64], count: int) -> RowNumbers:
    rows: list[RowNumbers] = []
    kept: list[npt.NDArray[np.unsignedinteger]] = []
    least_bad = len(words) * 64 + 1
    for start in range(0, words.shape[1], _BLOCK_CODES):
        found = _distances(words[:, start : start + _BLOCK_CODES], code)
        # Rows only rise, so one that merely equals the last of enough others stands behind it.
        near = np.flatnonzero(found < least_bad)
        rows.append(near + start)
        kept.append(found[near])
        if sum(map(len, kept)) > 2 * count:
            merged, merged_rows = np.concatenate(kept), np.concatenate(rows)
            best = np.argsort(merged, kind="stable")[:count]
            least_bad = int(merged[best[-1]])
            best.sort()
            rows, kept = [merged_rows[best]], [merged[best]]
    distances = np.concatenate(kept)
    return np.concatenate(rows)[np.argsort(distances, kind="stable")[:count]]
