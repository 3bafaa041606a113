"""Which language a client reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

Language = Literal["en", "ja"]
_LONGEST: Final = 1000
"""Characters of the header that are read."""


def preferred(header: str) -> Language:
    """Return the language that ``Accept-Language`` prefers, English where it names neither (RFC 9110, 12.5.4).

    >>> preferred("fr, ja-JP;q=0.9, en;q=0.8")
    'ja'
    """
    weights: dict[str, float] = {}
    for part in header[:_LONGEST].split(","):
        tag, _, parameter = part.partition(";")
        name = tag.strip().lower().partition("-")[0]
        weights[name] = max(weights.get(name, 0.0), _weight(parameter))
    return "ja" if weights.get("ja", 0.0) > weights.get("en", 0.0) else "en"


def language_of(headers: Mapping[str, str]) -> Language:
    """Return the language that a request prefers."""
    return preferred(headers.get("accept-language", ""))


def _weight(parameter: str) -> float:
    name, _, value = parameter.strip().partition("=")
    if name.strip() != "q":
        return 1.0
    try:
        weight = float(value)
    except ValueError:
        return 0.0
    return weight if 0 <= weight <= 1 else 0.0
