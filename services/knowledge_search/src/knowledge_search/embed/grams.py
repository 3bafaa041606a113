"""Character n-grams of many texts at once, as hashes: the same on every machine and build of Python and numpy.

Texts are folded (NFKC, lower case) and cut into runs. Signs and white space separate runs. A run is either of an
alphabet (Latin, Greek, Cyrillic, digits and so on), in which words are separated by spaces: its 3-, 4- and 5-grams
count, the ends of the word being marked; or of anything else (kana, kanji, hangul): its 1-, 2- and 3-grams count.
The classes are ranges of code points written here: those of ``str.isalnum`` change with Python's Unicode tables.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy.typing as npt

ALPHABET_SIZES: Final = (3, 4, 5)
OTHER_SIZES: Final = (1, 1, 2, 3)
"""A size that stands twice counts twice. Chosen by measurement: without single characters questions in other words are
not found, and with the same weight as the rest some answerable ones sit beyond a distance of 0.9."""

_START, _END, _BETWEEN_TEXTS = "\x02", "\x03", "\x00"
_ALPHABET: Final = "0-9a-z\u00aa\u00b5\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u1fff\u2c00-\u2dff"
_OTHER: Final = (
    "\u2e80-\u2fff\u3005-\u3007\u3021-\u3029\u3031-\u3035\u303b\u303c\u3041-\u309f\u30a1-\u30fa\u30fc-\ufdff"
    "\ufe70-\ufeff\U00010000-\U0010ffff"
)
_SEPARATOR: Final = re.compile(f"[^{_ALPHABET}{_OTHER}]+")
_WORD: Final = re.compile(f"[{_ALPHABET}]+")
_FIRST_OTHER: Final = 0x2E80
"""All code points of the alphabets, and both marks, lie below; all others lie above."""
_FNV_PRIME: Final = np.uint64(0x100000001B3)
"""FNV-1a with 64 bits (Fowler, Noll and Vo), over code points instead of octets."""
_FNV_BASIS: Final = np.uint64(0xCBF29CE484222325)


@dataclass(frozen=True, kw_only=True)
class Grams:
    """Every occurrence of an n-gram.

    Attributes:
        weight: How often each counts.
        rows: Index of the text; shape ``(n,)``.
        hashes: Of the n-gram; shape ``(n,)``, uint64.
    """

    weight: int
    rows: npt.NDArray[np.intp]
    hashes: npt.NDArray[np.uint64]


def grams_of(texts: Sequence[str]) -> list[Grams]:
    """Return the n-grams of all texts, one record for each size of n-gram."""
    folded = _BETWEEN_TEXTS.join(map(_folded, texts)) + _BETWEEN_TEXTS
    codes = np.frombuffer(folded.encode("utf-32-le"), dtype="<u4").astype(np.uint64)
    rows = np.cumsum(codes == 0) - (codes == 0)
    alphabet = (codes < _FIRST_OTHER) & (codes > ord(" "))
    alphabet |= (codes == ord(_START)) | (codes == ord(_END))
    other = codes >= _FIRST_OTHER
    return [*_sized(codes, rows, alphabet, ALPHABET_SIZES), *_sized(codes, rows, other, OTHER_SIZES)]


def _folded(text: str) -> str:
    """Return the runs of a text with a space between them, words of an alphabet marked at both ends."""
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    lower = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", whole).lower())
    return _WORD.sub(rf"{_START}\g<0>{_END}", _SEPARATOR.sub(" ", lower))


def _sized(
    codes: npt.NDArray[np.uint64], rows: npt.NDArray[np.intp], member: npt.NDArray[np.bool_], sizes: Sequence[int]
) -> Iterable[Grams]:
    hashes = np.full(len(codes), _FNV_BASIS, dtype=np.uint64)
    valid = np.ones(len(codes), dtype=np.bool_)
    for size in range(1, max(sizes) + 1):
        count = len(codes) - size + 1
        if count < 1:
            return
        hashes = (hashes[:count] ^ codes[size - 1 :]) * _FNV_PRIME
        valid = valid[:count] & member[size - 1 :]
        if size in sizes:
            places = np.flatnonzero(valid)
            yield Grams(weight=sizes.count(size), rows=rows[places], hashes=_mixed(hashes[places]))


def _mixed(hashes: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Return hashes whose bits all depend on the whole n-gram (the finaliser of MurmurHash3, Appleby 2011)."""
    mixed = (hashes ^ (hashes >> np.uint64(33))) * np.uint64(0xFF51AFD7ED558CCD)
    mixed = (mixed ^ (mixed >> np.uint64(33))) * np.uint64(0xC4CEB9FE1A85EC53)
    return mixed ^ (mixed >> np.uint64(33))
