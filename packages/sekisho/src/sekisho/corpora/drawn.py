"""What a layout draws, before it has ids."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sekisho.corpora.mulberry32 import words

Rows = npt.NDArray[np.float64] | npt.NDArray[np.int16]


class Drawn(NamedTuple):
    """Vectors and the topic of each, in the order in which the corpus shows them."""

    chunks: Rows
    queries: Rows
    chunk_topics: npt.NDArray[np.intp]
    query_topics: npt.NDArray[np.intp]


def permutation(seed: int, position: int, count: int) -> npt.NDArray[np.intp]:
    """Return the numbers below ``count`` in the order of as many draws from ``position`` on.

    Equal draws keep their order, so any language with a stable sort makes the same.
    """
    return np.argsort(words(seed, position, count), kind="stable")
