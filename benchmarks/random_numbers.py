"""What one random number costs, in CPU time: mulberry32 one by one, naive, in blocks, and numpy's PCG64.

Ratios to the blocked form are what carries over to another machine. Run: python benchmarks/random_numbers.py
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from sekisho.corpora import Mulberry32, words
from sekisho.corpora.mulberry32 import PERIOD, STEP

if TYPE_CHECKING:
    from collections.abc import Callable

COUNT = 4_000_000
FEW = 200_000
ROUNDS = 5


def naive(seed: int, count: int) -> object:
    """Whole arrays in every step: each temporary goes through main memory."""
    state = np.uint32(seed) + np.arange(1, count + 1, dtype=np.uint32) * np.uint32(STEP)
    mixed = (state ^ (state >> 15)) * (state | 1)
    mixed = mixed ^ (mixed + (mixed ^ (mixed >> 7)) * (mixed | 61))
    return mixed ^ (mixed >> 14)


def one_by_one(seed: int, count: int) -> object:
    """Draw with the scalar generator."""
    generator = Mulberry32(seed)
    return [generator.word() for _ in range(count)]


def nanoseconds(draw: Callable[[], object], count: int) -> float:
    """Return the CPU time of one number, the best of some rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time_ns()
        draw()
        best = min(best, (time.process_time_ns() - start) / count)
    return best


def main() -> None:
    """Print the table."""
    np.testing.assert_array_equal(naive(42, FEW), words(42, 0, FEW))
    assert one_by_one(42, 1000) == words(42, 0, 1000).tolist()  # noqa: S101  a wrong number would be a wrong benchmark
    generator = np.random.Generator(np.random.PCG64(42))
    table = {
        "mulberry32, one by one": nanoseconds(lambda: one_by_one(42, FEW), FEW),
        "mulberry32, whole arrays": nanoseconds(lambda: naive(42, COUNT), COUNT),
        "mulberry32, in blocks": nanoseconds(lambda: words(42, 0, COUNT), COUNT),
        "mulberry32, in blocks, as float64": nanoseconds(lambda: words(42, 0, COUNT) / PERIOD, COUNT),
        "PCG64, 32-bit words": nanoseconds(lambda: generator.integers(0, PERIOD, COUNT, np.uint32), COUNT),
        "PCG64, float64": nanoseconds(lambda: generator.random(COUNT), COUNT),
    }
    unit = table["mulberry32, in blocks"]
    print(f"{'':36}{'ns a number':>12}{'ratio':>8}")
    for name, cost in table.items():
        print(f"{name:36}{cost:12.2f}{cost / unit:8.1f}")


if __name__ == "__main__":
    main()
