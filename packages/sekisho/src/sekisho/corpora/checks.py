"""Checks of single arguments: the value comes back in its plain type, or the error says what is wrong with it."""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import TYPE_CHECKING

from sekisho.core.errors import CorpusError
from sekisho.core.text import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable

_MOST_BITS = 128
_MOST_WRITTEN = 10_000
"""Bits of a whole number that Python writes as digits."""


def whole_number(name: str, value: object, *, least: int | None = None) -> int:
    """Return a whole number of at least ``least``; booleans and floats are none.

    Raises:
        CorpusError: It is something else, or less.
    """
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise CorpusError("corpora.not_whole", name=name, value=value)
    number = int(value)
    if number.bit_length() > _MOST_BITS:
        raise CorpusError("corpora.too_long", name=name, bits=_MOST_BITS)
    if least is not None and number < least:
        raise CorpusError("corpora.too_small", name=name, value=number, least=least)
    return number


def finite_number(name: str, value: object) -> float:
    """Return a finite number of at least 0.

    Raises:
        CorpusError: It is something else.
    """
    number = math.nan
    if not isinstance(value, bool) and isinstance(value, Real):
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
    if not (math.isfinite(number) and number >= 0):
        if isinstance(value, int) and value.bit_length() > _MOST_WRITTEN:
            value = number
        code = "corpora.bad_noise" if name == "noise" else "corpora.bad_number"
        raise CorpusError(code, name=name, value=value)
    return number


def one_of(name: str, value: object, choices: Iterable[str]) -> None:
    """Let one of the choices pass.

    Raises:
        CorpusError: It is something else; the error names the choice that was meant, where one is close.
    """
    if not isinstance(value, str) or value not in choices:
        raise unknown_name("word", value, choices, name=name)


def unknown_name(kind: str, value: object, choices: Iterable[str], *, name: str = "") -> CorpusError:
    """Return the error about a ``word``, ``argument`` or ``preset`` that does not exist."""
    meant = did_you_mean(value, choices) if isinstance(value, str) else None
    code = f"corpora.unknown_{kind}" if meant is None else f"corpora.misspelt_{kind}"
    return CorpusError(code, name=name, value=value, choices=", ".join(choices), meant=meant)
