"""Checks of the numbers that a factory is called with: done once, here, so that the parts may trust them."""

from __future__ import annotations

import math
from numbers import Integral, Real

from sekisho.core.errors import RetrieverError


def whole_number(name: str, value: object, *, least: int = 1) -> int:
    """Return ``value`` as an int of at least ``least``.

    Raises:
        RetrieverError: It is no whole number (a bool is none), or too small.
    """
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise RetrieverError("retrievers.not_whole", name=name, value=value, least=least)
    number = int(value)
    if number < least:
        raise RetrieverError("retrievers.too_small", name=name, value=number, least=least)
    return number


def non_negative(name: str, value: object) -> float:
    """Return ``value`` as a finite float that is not below zero.

    Raises:
        RetrieverError: It is no number, not finite, or negative.
    """
    if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value) or value < 0:
        raise RetrieverError("retrievers.not_non_negative", name=name, value=value)
    return float(value)


def switch(name: str, value: object) -> bool:
    """Return ``value`` where it is True or False.

    Raises:
        RetrieverError: It is anything else; the text ``"false"`` would otherwise mean true.
    """
    if not isinstance(value, bool):
        raise RetrieverError("retrievers.not_switch", name=name, value=value)
    return value
