"""A text as a page shows it: what stands between its marks is what a reader sees, and what counts."""

from __future__ import annotations

import html
import json
import re

_SIGNS = re.compile(r"[&<>*_`~%\\]")
_QUOTE = re.compile(r"^[ \t]{0,3}(?:>[ \t]?)+", re.MULTILINE)
_BREAK = re.compile(r"<(?:br|/?(?:p|div|li|t[dhr]|h[1-6]))\b[^<>]{0,200}>", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,200}>|<!--[^<>]{0,200}-->")
_EMPHASIS = tuple(
    re.compile(rf"{before}{mark}(?=\S)([^{sign}\n]{{1,200}})(?<=\S){mark}")
    for before, mark, sign in (
        ("", r"\*\*\*", "*"), ("", r"\*\*", "*"), (r"(?<![0-9*])", r"\*", "*"),
        ("", "__", "_"), ("", "~~", "~"), ("", "`", "`"),
    )
)  # fmt: skip
"""Of Markdown: in pairs on one line. A single ``*`` behind a digit multiplies, a single ``_`` is part of a name."""
_ESCAPED = re.compile(r"\\(?=[!-/:-@\[-`{-~])")
_IN_ADDRESS = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_IN_JSON = re.compile(r"(?:\\u[0-9A-Fa-f]{4})+")


def rendered(text: str) -> str | None:
    r"""Return a text without the marks of Markdown, HTML, addresses and JSON; None where it has none.

    Emphasis, code, block quotes and escapes of Markdown, tags and entities of HTML, ``%E7…`` of addresses and
    ``\u7d66`` of JSON, each taken away once.
    """
    if not _SIGNS.search(text):
        return None
    found = _IN_JSON.sub(_from_json, text)
    found = _IN_ADDRESS.sub(_from_address, found)
    found = _QUOTE.sub("", found)
    found = _TAG.sub("", _BREAK.sub("\n", found))
    found = html.unescape(found)
    for emphasis in _EMPHASIS:
        found = emphasis.sub(r"\1", found)
    found = _ESCAPED.sub("", found)
    return None if found == text else found


def readings(text: str) -> tuple[str, ...]:
    """Return a text, and what a page shows of it where that is another one."""
    shown = rendered(text)
    return (text,) if shown is None else (text, shown)


def _from_address(match: re.Match[str]) -> str:
    try:
        return bytes.fromhex(match[0].replace("%", "")).decode()
    except UnicodeDecodeError:  # another encoding, or percentages
        return match[0]


def _from_json(match: re.Match[str]) -> str:
    return str(json.loads(f'"{match[0]}"'))
