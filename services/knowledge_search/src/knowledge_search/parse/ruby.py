"""Drops ruby (readings in small kana), which arrives as lines of kana beside the line that it explains."""

from __future__ import annotations

import re
from typing import Final

_KANA: Final = re.compile(r"[\u3041-\u3096\u30a1-\u30fa\u30fc ]{1,60}")
_HAN: Final = re.compile("[\u4e00-\u9fff]")
_FEWEST: Final = 3
_SHARE: Final = 0.15
"""Share of a page's lines that has to look like ruby; a single line of kana above kanji is a line of its own."""


def without_ruby(text: str) -> str:
    """Return the text of a page without its ruby lines.

    A ruby line is hiragana or katakana alone, is followed by a longer line with kanji, and is one of several.
    """
    lines = text.split("\n")
    ruby = {
        at for at, line in enumerate(lines[:-1])
        if line.strip() and _KANA.fullmatch(line.strip()) and _HAN.search(lines[at + 1])
        and len(lines[at + 1].strip()) > len(line.strip())
    }  # fmt: skip
    if len(ruby) < max(_FEWEST, _SHARE * len(lines)):
        return text
    return "\n".join(line for at, line in enumerate(lines) if at not in ruby)
