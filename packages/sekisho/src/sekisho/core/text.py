"""Small functions on text that any layer may need."""

from __future__ import annotations

TYPE_CHECKING = False  # importing typing takes half the time of importing this package
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_ASCII = {
    "≥": ">=", "·": "-", "…": "...", "–": "-", "—": "-", "’": "'", "“": '"', "”": '"', "×": "x", "÷": "/", "→": "->",
}  # fmt: skip


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


def shorten(text: str, most: int) -> str:
    """Return ``text``, or its first ``most`` characters with a sign that there is more."""
    return text if len(text) <= most else text[:most] + "…"


_AS_GOOD_AS = 1e-12
"""Below this difference a gate takes two numbers for one."""


def apart(low: float, high: float) -> tuple[str, str]:
    """Return two numbers with four decimals, or as many more as it takes to tell which one is the greater."""
    for decimals in range(4, 17):
        shown = f"{low:.{decimals}f}", f"{high:.{decimals}f}"
        if low == high or shown[0] != shown[1]:  # rounding keeps the order of what it does not make equal
            return shown
    return repr(low), repr(high)


def compared(value: float, threshold: float) -> tuple[str, str]:
    """Return a threshold as it was set, and a value with four decimals, or as many more as show on which side it is."""
    least = repr(float(threshold))
    for decimals in range(4, 17):
        shown = f"{value:.{decimals}f}"
        if abs(value - threshold) <= _AS_GOOD_AS or (
            float(shown) != threshold and (float(shown) < threshold) == (value < threshold)
        ):
            return shown, least
    return repr(value), least


def in_ascii(error: UnicodeError) -> tuple[str, int]:
    """Return what to write where a stream cannot encode a character: a sign that means the same, else its escape.

    An error handler for :func:`codecs.register_error`.
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    chars = error.object[error.start : error.end]
    return "".join(_ASCII.get(char) or _escape(char) for char in chars), error.end


def did_you_mean(name: str, choices: Iterable[str]) -> str | None:
    """Return the choice that ``name`` was most likely meant to be, or None where none is close."""
    from difflib import get_close_matches  # noqa: PLC0415  needed only when something is misspelt

    matches = get_close_matches(name, sorted(choices), n=1, cutoff=0.6)
    return matches[0] if matches else None


_NOT_AT_LINE_START = frozenset(
    "、。，．・：；？！）」』】〕》〉”’…‥ー々ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ,.:;?!)]}%"
)
_NOT_AT_LINE_END = frozenset("（「『【〔《〈“‘([{")


def display_width(text: str) -> int:
    """Return how many columns ``text`` takes on a terminal: two for a wide East Asian character, none for a mark."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width  # noqa: PLC0415  only for text that needs it

    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)


def padded(text: str, width: int, *, right: bool = False) -> str:
    """Return ``text`` with spaces after it (before it where ``right``), ``width`` columns in all."""
    space = " " * (width - display_width(text))
    return space + text if right else text + space


def wrap(text: str, width: int, *, hang: int = 0) -> list[str]:
    """Return ``text`` in lines of at most ``width`` columns, ``hang`` fewer from the second line on.

    Lines break at spaces and beside wide characters, never before a closing sign or a small kana and never after an
    opening one (kinsoku); what holds no such place and is longer than a line is cut.
    """
    if display_width(text) <= width:
        return [text.rstrip()] if text.strip() else []
    lines: list[str] = []
    line, used = "", 0
    for piece in _pieces(text, width - hang):
        size = display_width(piece)
        if line and used + display_width(piece.rstrip()) > width - (hang if lines else 0):
            lines.append(line.rstrip())
            line, used = "", 0
            piece = piece.lstrip()  # noqa: PLW2901  the space where a line breaks goes
            size = display_width(piece)
        line += piece
        used += size
    if line.strip():
        lines.append(line.rstrip())
    return lines


def _pieces(text: str, width: int) -> Iterator[str]:
    """Yield runs of text between which a line may break, none of them wider than a line."""
    piece, size, last = "", 0, ""
    for char in text:
        columns = display_width(char)
        if piece and (_may_break(last, char) or size + columns > width):
            yield piece
            piece, size = "", 0
        piece += char
        size += columns
        last = char
    if piece:
        yield piece


def _may_break(before: str, after: str) -> bool:
    if after in _NOT_AT_LINE_START or before in _NOT_AT_LINE_END or after.isspace():
        return False
    return before.isspace() or display_width(before) > 1 or display_width(after) > 1
