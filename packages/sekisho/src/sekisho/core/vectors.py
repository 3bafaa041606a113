"""Vectors with their ids: what a synthetic corpus holds and a retriever searches."""

from __future__ import annotations

import msgspec
import numpy as np
import numpy.typing as npt


class VectorSet(msgspec.Struct, frozen=True, kw_only=True):
    """Rows of vectors, each with an id.

    Attributes:
        ids: One id a row, unique.
        values: Shape ``(len(ids), dims)``; float64, or a signed integer type whose values all count in one unit (a
            vector's scale never changes a ranking by cosine).
    """

    ids: tuple[str, ...]
    values: npt.NDArray[np.float64] | npt.NDArray[np.int16] | npt.NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.ids)
