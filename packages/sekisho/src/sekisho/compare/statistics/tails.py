"""What every way of computing the sign-flip distribution gives back."""

from __future__ import annotations

from typing import Final, NamedTuple

TIES: Final = 1e-12
"""Sums of floats that differ by less than this share of the largest are equal: the observed one counts itself."""


class Tails(NamedTuple):
    """Probabilities of the sum of ``± |d|`` beside the size ``t`` of the sum observed.

    Attributes:
        far: P(sum >= t).
        near: P(sum >= -t).
        both: P(sum >= t or sum <= -t).
    """

    far: float
    near: float
    both: float
