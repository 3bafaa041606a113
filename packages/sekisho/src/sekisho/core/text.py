"""Small functions on text that any layer may need."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def printable(text: str) -> str:
    r"""Return ``text`` on one line with every character that could steer a terminal or hide shown as an escape.

    Control characters, line breaks, bidirectional marks, zero-width characters and lone surrogates become ``\x1b``,
    ``\n``, ``\u202e`` and the like; letters of every script and the ideographic space stay as they are.
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char == "\u3000" else _escape(char) for char in text)


def _escape(char: str) -> str:
    return char.encode("unicode_escape", "backslashreplace").decode("ascii")


def did_you_mean(name: str, choices: Iterable[str]) -> str | None:
    """Return the choice that ``name`` was most likely meant to be, or None where none is close."""
    from difflib import get_close_matches  # noqa: PLC0415  needed only when something is misspelt

    matches = get_close_matches(name, sorted(choices), n=1, cutoff=0.6)
    return matches[0] if matches else None
