"""Numbers as they come from a caller. What is refused here is a mistake in a program, not in a user's file."""

from __future__ import annotations

import math
from fractions import Fraction
from numbers import Integral, Real
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

Number = float | Fraction
"""A value of a metric: a float, a whole number, or a fraction such as hits over relevant documents."""

_PLAIN = frozenset({float, int, bool, Fraction})

_LARGEST: Final = 1e100
"""Values up to this can be squared and added by the million without overflow."""


def finite_numbers(name: str, values: Iterable[Number]) -> list[Number]:
    """Return the values as a list of Python's own numbers.

    Raises:
        TypeError: One is no number, None for example.
        ValueError: One is NaN, infinite, or beyond 1e100 in size.
    """
    known = list(values)
    if set(map(type, known)) <= _PLAIN and all(-_LARGEST <= value <= _LARGEST for value in known):
        return known
    anything: list[object] = list(known)  # as it may be, whatever the signature says
    return [_finite(f"{name}[{place}]", value) for place, value in enumerate(anything)]


def _finite(name: str, value: object) -> Number:
    if not isinstance(value, Real):
        message = f"{name} is {value!r}, not a number: a case without one has to be left out of both sides"
        raise TypeError(message)
    number = value if isinstance(value, Fraction) else int(value) if isinstance(value, Integral) else float(value)
    if not -_LARGEST <= number <= _LARGEST:
        message = f"{name} is not a finite number up to 1e100: a case without one has to be left out of both sides"
        raise ValueError(message)
    return number


def share(name: str, value: float) -> float:
    """Return a number strictly between 0 and 1.

    Raises:
        ValueError: It is not.
    """
    if not 0.0 < value < 1.0:
        message = f"{name} must lie between 0 and 1, not {value!r}"
        raise ValueError(message)
    return value


def above_zero(name: str, value: float) -> float:
    """Return a finite number above 0.

    Raises:
        ValueError: It is not.
    """
    if not (math.isfinite(value) and value > 0.0):
        message = f"{name} must be a finite number above 0, not {value!r}"
        raise ValueError(message)
    return value


def at_least(name: str, value: int, least: int) -> int:
    """Return a whole number of at least ``least``.

    Raises:
        ValueError: It is less.
    """
    if value < least:
        message = f"{name} must be at least {least}, not {value!r}"
        raise ValueError(message)
    return value
