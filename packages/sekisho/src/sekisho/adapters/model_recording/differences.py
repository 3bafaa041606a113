"""Where two requests differ, for whoever has to find out why a recording no longer fits."""

from __future__ import annotations

_DEEPEST = 50


def first_difference(recorded: object, asked: object) -> str:
    """Return the way to the first value in which two JSON values differ, such as ``messages[1].content``.

    Empty where the values as a whole differ, or not at all.
    """
    return _way(recorded, asked, _DEEPEST).lstrip(".")


def _way(recorded: object, asked: object, levels: int) -> str:
    if not levels:
        return ""
    if isinstance(recorded, dict) and isinstance(asked, dict):
        for name in sorted({*recorded, *asked}):
            if name not in recorded or name not in asked:
                return f".{name}"
            if recorded[name] != asked[name]:
                return f".{name}{_way(recorded[name], asked[name], levels - 1)}"
    if isinstance(recorded, list) and isinstance(asked, list):
        for place, (one, other) in enumerate(zip(recorded, asked, strict=False)):
            if one != other:
                return f"[{place}]{_way(one, other, levels - 1)}"
        if len(recorded) != len(asked):
            return f"[{min(len(recorded), len(asked))}]"
    return ""
