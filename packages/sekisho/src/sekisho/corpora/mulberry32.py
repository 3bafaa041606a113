"""Mulberry32: the project's own random numbers, the same on every machine and in every language.

The form that keeps its state to 32 bits in each step (``a |= 0`` in JavaScript). The popular text without that line
lets its state outgrow a double's 53 bits and leaves this sequence at draw 4,917,758.

The state before draw ``i`` is ``seed + i * STEP`` modulo 2**32, so any draw can be computed by itself. The other side
of that: every seed walks the same cycle of 2**32 draws from another place, so a new seed for every row would not
make independent rows, and the draw after the last would be the first again, which is refused.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Final

import numpy as np

from sekisho.core.errors import CorpusError
from sekisho.core.messages import message
from sekisho.corpora.checks import whole_number

if TYPE_CHECKING:
    import numpy.typing as npt

    from sekisho.core.messages import Language

PERIOD: Final = 2**32
"""Draws until the sequence repeats."""

STEP: Final = 0x6D2B79F5
"""What the state grows by in each draw; odd, so that all 2**32 states are visited."""

_BLOCK: Final = 1 << 15
"""Numbers computed at once: three blocks of them stay in a core's second-level cache, which makes it six times faster
than whole arrays (benchmarks/random_numbers.py)."""


class SeedWarning(UserWarning):
    """A seed outside [0, 2**32), which is another name for a seed inside."""

    def __init__(self, seed: int, used: int) -> None:
        self.seed = seed
        self.used = used
        super().__init__(self.render("en"))

    def render(self, language: Language) -> str:
        """Return the sentence in one language."""
        return message("corpora.seed_wraps", language, seed=self.seed, used=self.used)


def normalise_seed(seed: int, *, stacklevel: int = 2) -> int:
    """Return the seed modulo 2**32, as JavaScript takes it: 2**32 + 42 is 42, -1 is 2**32 - 1.

    Args:
        seed: Any whole number.
        stacklevel: As in :func:`warnings.warn`, called by the caller: whose line the warning shows.

    Raises:
        CorpusError: Not a whole number.

    Warns:
        SeedWarning: The seed is outside [0, 2**32), so that two seeds that look different are the same.
    """
    number = whole_number("seed", seed)
    used = number % PERIOD
    if used != number:
        warnings.warn(SeedWarning(number, used), stacklevel=stacklevel + 1)
    return used


class Mulberry32:
    """One draw after another.

    Attributes:
        seed: In [0, 2**32).
        position: How many draws came before the next one; may be set, to jump.
    """

    def __init__(self, seed: int, *, position: int = 0) -> None:
        self.seed = normalise_seed(seed)
        self.position = position

    def word(self) -> int:
        """Return the next draw as a whole number in [0, 2**32).

        Raises:
            CorpusError: All 2**32 draws are used up.
        """
        check_draws(self.position, 1)
        self.position += 1
        state = (self.seed + self.position * STEP) & 0xFFFFFFFF
        mixed = ((state ^ state >> 15) * (state | 1)) & 0xFFFFFFFF
        mixed ^= (mixed + (mixed ^ mixed >> 7) * (mixed | 61)) & 0xFFFFFFFF
        return mixed ^ mixed >> 14

    def uniform(self) -> float:
        """Return the next draw divided by 2**32, in [0, 1)."""
        return self.word() / PERIOD


def words(seed: int, start: int, count: int) -> npt.NDArray[np.uint32]:
    """Return the draws ``start`` to ``start + count`` of a seed as 32-bit words.

    Args:
        seed: Any whole number, taken modulo 2**32.
        start: Position of the first, counted from 0.
        count: How many.

    Raises:
        CorpusError: A position is negative or beyond the 2**32-th draw, or the seed is no whole number.

    Warns:
        SeedWarning: The seed is outside [0, 2**32).
    """
    first = normalise_seed(seed) + start * STEP
    check_draws(start, count)
    result = np.empty(count, np.uint32)
    size = min(_BLOCK, count)
    ramp = np.arange(1, size + 1, dtype=np.uint32) * np.uint32(STEP)
    left, right = np.empty(size, np.uint32), np.empty(size, np.uint32)
    for done in range(0, count, _BLOCK):
        block = result[done : done + _BLOCK]
        base = np.uint32((first + done * STEP) % PERIOD)
        np.add(ramp[: len(block)], base, out=block)
        _mix(block, left[: len(block)], right[: len(block)])
    return result


def _mix(state: npt.NDArray[np.uint32], left: npt.NDArray[np.uint32], right: npt.NDArray[np.uint32]) -> None:
    """Turn states into draws in place; the other two arrays are room to work in."""
    np.right_shift(state, 15, out=left)
    left ^= state
    state |= 1
    state *= left
    np.right_shift(state, 7, out=left)
    left ^= state
    np.bitwise_or(state, 61, out=right)
    left *= right
    left += state
    state ^= left
    np.right_shift(state, 14, out=left)
    state ^= left


def check_draws(start: int, count: int) -> None:
    """Refuse positions outside the sequence.

    Raises:
        CorpusError: A position is negative or beyond the 2**32-th draw.
    """
    if start < 0 or count < 0 or start + count > PERIOD:
        raise CorpusError("corpora.too_many_draws", draws=start + count)
