"""The noncentral t distribution: what a t test sees where there is a difference."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

_MOST_DEGREES: Final = 1e7
"""As in ``student``: beyond, the distribution is normal to 1e-7."""

_WIDEST_STEP: Final = 0.125
"""The density is analytic for imaginary parts of ``u`` up to π/4: an error of exp(-π² / 2h), here 1e-17."""

_STEEPEST: Final = 2.0**10
"""A larger shift that does not make P all but 1 comes of two or three cases and an alpha below .001, and costs 1e-3."""

_LEAST_LOG_WEIGHT: Final = -34.0
"""Weights below exp of this, of the largest, are left out."""


def noncentral_tail(t: float, degrees: float, shift: float) -> float:
    """Return P(T' >= t) for ``T' = (Z + shift) / X``, to an absolute error of about 1e-12.

    ``Z`` is standard normal and ``X² = χ²(v) / v``, so the probability is the mean over ``X`` of ``Φ(shift - t X)``
    (Johnson, Kotz and Balakrishnan 1995, chapter 31). With ``u = ln X`` the density of ``u`` is proportional to
    ``exp(v u - v exp(2u) / 2)``; it falls off on both sides and is analytic, so that the trapezoidal rule converges
    faster than any power of its step: half of the narrower of the two factors' widths, ``1 / √2v`` and ``1 / shift``.

    Args:
        t: At least 0.
        degrees: Degrees of freedom, at least 1.
        shift: The noncentrality: for paired differences ``√n · mean / spread``.
    """
    degrees = min(degrees, _MOST_DEGREES)
    steepness = 2.0 ** math.ceil(math.log2(1.0 + abs(shift)))  # in whole powers, so that weights serve a whole search
    steepness = min(steepness, _STEEPEST)
    weights = _weights(degrees, min(_WIDEST_STEP, 0.5 / math.hypot(math.sqrt(2.0 * degrees), steepness)))
    parts = (weight * math.erfc((t * x - shift) / math.sqrt(2.0)) for x, weight in weights)
    return 0.5 * math.fsum(parts) / math.fsum(weight for _, weight in weights)


@lru_cache(maxsize=32)
def _weights(degrees: float, step: float) -> tuple[tuple[float, float], ...]:
    """Return X and its weight, which is 1 at ``X = 1``, outwards to both sides."""
    found = [(1.0, 1.0)]
    for sign in (-1.0, 1.0):
        number = 0
        while True:
            number += 1
            u = sign * number * step
            log_weight = degrees * (u - 0.5 * math.expm1(2.0 * u))
            if log_weight < _LEAST_LOG_WEIGHT:
                break
            found.append((math.exp(u), math.exp(log_weight)))
    return tuple(found)
