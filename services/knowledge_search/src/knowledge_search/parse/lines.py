"""Joins the lines into which a page or an editor broke a paragraph; Japanese ones without a space."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final

from knowledge_search.chunk.headings import heading_in
from knowledge_search.chunk.units import LIST_ITEM

if TYPE_CHECKING:
    from collections.abc import Sequence

_CJK: Final = re.compile("[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")
_STARTS_ANEW: Final = re.compile(
    r"第[0-9〇一二三四五六七八九十百千]{1,6}[編部章節款条項]|[|>#]|[(（][^()（）]{1,30}[)）]$|```|~~~|※|注[)0-9]"
)
_SENTENCE_ENDS: Final = ("。", ".", "!", "?", "」", ":", "：")
_LEADERS: Final = re.compile(r"\.{4}|(?:\. ){3}|・{4}")
_SHORTEST_FULL: Final = 24
"""Half-width columns below which a line is never taken for a full one."""
_FULL: Final = 0.8
"""Share of the page's usual longest line from which a line counts as full, so that the next one continues it."""
HYPHENS: Final = "\x02\ufffe"
"""What pdfium writes where a word is hyphenated at the end of a line."""
HYPHENATED: Final = re.compile(f"[{HYPHENS}](?:\r?\n)?")


def joined_page(text: str) -> str:
    """Return the text of a laid-out page with its paragraphs joined, and an empty line between paragraphs.

    A line is continued where it is full and the next one is no heading, list item, row or indented line.
    """
    lines = text.split("\n")
    full = _full_width(lines)
    parts: list[str] = []
    for at, line in enumerate(lines):
        before = lines[at - 1] if at else ""
        if not at or not line.strip() or not before.strip():
            parts.append("\n")
        elif _width(before) >= full and _continues(before, line) and not _titled(before, line, full):
            parts.append(glue(before, line))
        else:
            apart = before.rstrip().endswith(_SENTENCE_ENDS) and not LIST_ITEM.match(line)
            parts.append("\n\n" if apart else "\n")
        parts.append(line.strip())
    return "".join(parts[1:])


def joined_source(text: str, *, marked_up: bool) -> str:
    """Return a text file with broken Japanese paragraphs joined; all else stays as it is.

    In Markdown any two lines of a paragraph belong together; in plain text only a full line is continued.
    """
    lines = text.split("\n")
    full = 0 if marked_up else _full_width(lines)
    parts: list[str] = []
    fenced = False
    for at, line in enumerate(lines):
        before = lines[at - 1] if at else ""
        fence = line.lstrip().startswith(("```", "~~~"))
        joins = (
            at > 0 and not fenced and not fence and bool(before.strip()) and bool(line.strip())
            and _width(before) >= full and not glue(before, line) and _continues(before, line)
            and not before.lstrip().startswith(("#", "|", "```", "~~~")) and not before.endswith("\\")
        )  # fmt: skip
        if joins:
            parts[-1] = parts[-1].rstrip(" \t")
        parts.append(line.strip() if joins else f"\n{line}")
        fenced ^= fence
    return "".join(parts)[1:]


def glue(before: str, after: str) -> str:
    """Return what belongs between two joined lines: nothing where either side is Japanese, else a space."""
    left, right = before.rstrip()[-1:], after.lstrip()[:1]
    return "" if _CJK.match(left) or _CJK.match(right) else " "


def _continues(before: str, line: str) -> bool:
    start = line.lstrip()
    if line[:1] in {" ", "\t"} and before[:1] not in {" ", "\t"} and before.rstrip().endswith(_SENTENCE_ENDS):
        return False
    if _STARTS_ANEW.match(start) or LIST_ITEM.match(line) or _LEADERS.search(before) or " | " in line or "\t" in line:
        return False
    return heading_in(before, marked_up=False) is None and heading_in(line, marked_up=False) is None


def _titled(before: str, line: str, full: float) -> bool:
    """Whether a short line without a full stop follows a finished sentence: a title, not the end of a paragraph."""
    return (
        before.rstrip().endswith(_SENTENCE_ENDS) and _width(line) < full and not line.rstrip().endswith(_SENTENCE_ENDS)
    )


def _full_width(lines: Sequence[str]) -> float:
    widths = sorted(_width(line) for line in lines if line.strip())
    usual = widths[int(len(widths) * 0.9)] if widths else 0
    return max(_SHORTEST_FULL, usual * _FULL)


def _width(line: str) -> int:
    line = line.rstrip()
    return len(line) + sum(unicodedata.east_asian_width(sign) in "WF" for sign in line)
