"""Vectors with their ids: what a synthetic corpus holds and a retriever searches."""

from __future__ import annotations

from functools import cached_property

import msgspec
import numpy as np
import numpy.typing as npt


class VectorSet(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """Rows of vectors, each with an id.

    Attributes:
        ids: One id a row, unique.
        numbers: Shape ``(len(ids), dims)``, as stored: float64, or a signed integer type whose numbers count in steps.
            Integers are for exact arithmetic; a product of small integer types overflows without a word, so that
            anything else takes ``values``.
        step: What 1 stands for in ``numbers``; a power of two, so that ``values`` are exact.
    """

    ids: tuple[str, ...]
    numbers: npt.NDArray[np.float64] | npt.NDArray[np.int16] | npt.NDArray[np.int8]
    step: float = 1.0

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def values(self) -> npt.NDArray[np.float64] | npt.NDArray[np.float32]:
        """The vectors as floating-point numbers, read-only: float64 as stored, or float32 made from integers."""
        if self.numbers.dtype.kind == "f":
            return self.numbers  # type: ignore[return-value]  # float64, the one floating type that is stored
        values = self.numbers.astype(np.float32) * np.float32(self.step)
        values.setflags(write=False)
        return values
