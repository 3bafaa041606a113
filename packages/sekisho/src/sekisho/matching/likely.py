"""What a text certainly does not hold, told without looking for each piece."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sekisho.matching.forms import Form

_FEW = 24
"""Up to so many forms, looking for each is cheaper than asking first which of them are likely."""
_MANY = 100
_UNIT, _STEP, _GRAM = 2, 4, 8
"""In bytes: a unit of UTF-16, how far apart the grams of a text begin, and a gram."""
_LEAST = (_GRAM + 2 * _STEP - _UNIT) // _UNIT


def likely(text: str, forms: list[Form]) -> list[Form]:
    """Return the forms that may stand in a text, without those that certainly do not.

    The text's grams, pieces of four units of UTF-16, begin at every second unit. Where a form stands, those of its
    grams that begin at every second unit, from its first one or from its second one on, are among them.
    """
    if len(forms) <= _FEW:
        return forms
    characters = set(text)
    forms = [form for form in forms if characters.issuperset(form.text)]
    if len(forms) <= _FEW:
        return forms
    data = _encoded(text)
    if len(data) < _LEAST * _UNIT:
        return forms
    grams = set(_grams(data, 0)).union(_grams(data, _STEP))
    return [form for form in forms if _stands(_encoded(form.text), grams)]


def _encoded(text: str) -> bytes:
    return text.encode("utf-16-le", "surrogatepass")


def _grams(data: bytes, start: int) -> memoryview:
    """Return the grams from ``start`` on that do not overlap."""
    return memoryview(data)[start : len(data) - (len(data) - start) % _GRAM].cast("Q")


def _stands(form: bytes, grams: set[int]) -> bool:
    return len(form) < _LEAST * _UNIT or any(
        grams.issuperset(_grams(form, start)) and grams.issuperset(_grams(form, start + _STEP)) for start in (0, _UNIT)
    )


def missing_from(text: str, pieces: set[str]) -> set[str]:
    """Return pieces that a text does not hold: all of them, unless there are very many."""
    if len(pieces) <= _FEW:
        return {piece for piece in pieces if piece not in text}
    characters = set(text)
    held = [piece for piece in pieces if characters.issuperset(piece)]
    return pieces.difference(held if len(held) > _MANY else [piece for piece in held if piece in text])
