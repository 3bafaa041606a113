"""Runs of characters as 64-bit numbers, all of a text at once: documents of any size are compared in linear time."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Sequence

_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_FOLDING = np.uint64(32)


def hashes_of(text: str, length: int) -> npt.NDArray[np.uint64]:
    """Return a number for the run of ``length`` characters at each place of a text; equal runs have equal numbers.

    Two runs share a number by accident about once in 2**64 pairs.
    """
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32).astype(np.uint64)
    count = len(codes) - length + 1
    if count <= 0:
        return np.zeros(0, dtype=np.uint64)
    hashes = np.zeros(count, dtype=np.uint64)
    for offset in range(length):
        hashes += codes[offset : offset + count]
        hashes *= _FACTOR  # modulo 2**64, as meant
        hashes ^= hashes >> _FOLDING  # without it the low bits would depend on the low bits only
    return hashes


class GramIndex(NamedTuple):
    """Which documents each run of characters stands in.

    Attributes:
        hashes: Of the distinct runs, ascending.
        starts: Where the documents of each run begin in ``owners``; one more at the end.
        owners: Places of documents, ascending for each run.
    """

    hashes: npt.NDArray[np.uint64]
    starts: npt.NDArray[np.int64]
    owners: npt.NDArray[np.int32]

    def in_one_document(self) -> npt.NDArray[np.bool_]:
        """Return for each place whether its run stands in one document only; False at the end, which is place -1."""
        return np.append(np.diff(self.starts) == 1, np.False_)

    def places(self, hashes: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
        """Return the place of each run in this index, -1 for one that it does not hold."""
        if not len(self.hashes):
            return np.full(len(hashes), -1, dtype=np.int64)
        order = np.argsort(hashes)  # neighbours in memory are looked up one after the other: several times as fast
        places = np.empty(len(hashes), dtype=np.int64)
        places[order] = np.searchsorted(self.hashes, hashes[order])
        places[places == len(self.hashes)] = 0
        return np.where(self.hashes[places] == hashes, places, -1)

    def owners_at(self, place: int) -> list[int]:
        """Return the documents of the run at a place of this index."""
        return self.owners[self.starts[place] : self.starts[place + 1]].tolist()  # type: ignore[no-any-return]  # numpy does not tell what a list of one dimension holds

    def in_none_of(self, visible: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint64]:
        """Return the runs that stand in no visible document, ascending."""
        if not len(self.hashes):
            return self.hashes
        seen = np.logical_or.reduceat(visible[self.owners], self.starts[:-1])
        return self.hashes[~seen]


def index_of(texts: Sequence[Sequence[str]], length: int) -> GramIndex:
    """Return the index over the texts of each document."""
    found = [
        np.unique(np.concatenate([np.zeros(0, dtype=np.uint64), *(hashes_of(text, length) for text in parts)]))
        for parts in texts
    ]
    owners = np.repeat(np.arange(len(found), dtype=np.int32), [len(each) for each in found])
    hashes = np.concatenate([np.zeros(0, dtype=np.uint64), *found])
    order = np.argsort(hashes, kind="stable")
    hashes = hashes[order]
    new = np.ones(len(hashes), dtype=np.bool_)
    new[1:] = hashes[1:] != hashes[:-1]
    starts = np.flatnonzero(new)
    return GramIndex(hashes[starts], np.append(starts, len(hashes)), owners[order])


class RunSet:
    """A set of runs that most runs of a text are told to be outside of by one look at a table.

    Args:
        hashes: Ascending.
    """

    _TABLE_BITS_PER_RUN = 4
    _MOST_BITS = 24

    def __init__(self, hashes: npt.NDArray[np.uint64]) -> None:
        self._hashes = hashes
        bits = min(max(len(hashes), 1).bit_length() + self._TABLE_BITS_PER_RUN, self._MOST_BITS)
        self._shift = np.uint64(64 - bits)
        self._table = np.zeros(1 << bits, dtype=np.bool_)
        self._table[hashes >> self._shift] = True

    def positions(self, hashes: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
        """Return where in a text's runs those of the set stand, ascending."""
        near = np.flatnonzero(self._table[hashes >> self._shift])
        if not len(near) or not len(self._hashes):
            return near[:0]
        wanted = hashes[near]
        places = np.searchsorted(self._hashes, wanted)
        places[places == len(self._hashes)] = 0
        found: npt.NDArray[np.int64] = near[self._hashes[places] == wanted]
        return found
