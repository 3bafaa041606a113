"""Ids and numbers as files write them."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from sekisho.adapters.files.content import failure

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sekisho.core.errors import InputFileError

_SHOWN = 60  # characters of a value that an error quotes
_IDS = 3  # ids that an error names; the rest is counted


class BadValueError(Exception):
    """A value that is no id or number; whoever knows the place makes the user's error from it."""

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(code)
        self.code = code
        self.values = values

    def at(self, name: str, line: int | None) -> InputFileError:
        """Return the user's error, with its place."""
        return failure(self.code, name, line, **self.values)


def number(text: str) -> float:
    """Return the finite number that a text spells: an int where it is whole and written so."""
    if "_" in text or not text.isascii():  # Python reads 1_000 and full-width digits, no other tool of the field does
        raise _refusal("not_number", text)
    try:
        value = int(text) if text.lstrip("+-").isdigit() else float(text)
        finite = isfinite(value)
    except OverflowError:  # a whole number beyond the range of float64
        finite = False
    except ValueError:
        raise _refusal("not_number", text) from None
    if not finite:
        raise _refusal("not_finite", text)
    return value


def number_of(value: object) -> float:
    """Return the finite number that a JSON value is, or spells."""
    if isinstance(value, str):
        return number(value.strip())
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _refusal("not_number", value)
    try:
        finite = isfinite(value)
    except OverflowError:
        finite = False
    if not finite:
        raise _refusal("not_finite", value)
    return value


def remembered(convert: Callable[[str], float]) -> Callable[[str], float]:
    """Return ``convert`` with a memory: grades have few spellings."""
    seen: dict[str, float] = {}

    def convert_once(text: str) -> float:
        value = seen.get(text)
        if value is None:
            value = seen[text] = convert(text)
        return value

    return convert_once


def id_of(value: object) -> str:
    """Return the id that a JSON value is; whole numbers count as their digits."""
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        from sekisho.adapters.files.json_text import kind_of  # noqa: PLC0415  only for the error

        raise BadValueError("id_type", found=kind_of(value))
    if not value:
        raise BadValueError("id_empty")
    return value


def shown(value: object) -> str:
    """Return a value as an error quotes it, cut to a length that a line holds."""
    if isinstance(value, str):
        text = value
    else:
        import json  # noqa: PLC0415  only for errors in JSON and Parquet

        text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def quoted(ids: Sequence[str]) -> str:
    """Return the first of some ids as an error quotes them."""
    more = ", …" if len(ids) > _IDS else ""
    return ", ".join(repr(shown(id_)) for id_ in ids[:_IDS]) + more


def _refusal(code: str, value: object) -> BadValueError:
    return BadValueError(code, value=shown(value))
