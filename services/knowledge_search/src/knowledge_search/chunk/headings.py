"""Which lines of a text are headings: Markdown ``#``, and the Japanese kinds where they stand alone on a line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

MARKED_UP: Final = frozenset({"text/markdown", "text/html"})
"""Media types whose headings start with ``#`` and whose numbered lines are list items."""
_LONGEST: Final = 200
"""Characters of a line that can still be a heading; a longer one is text, whatever it starts with."""
_HASHES: Final = re.compile(r" {0,3}(#{1,6})[ \t]+(\S.*)")
_CLOSING_HASHES: Final = re.compile(r"[ \t]+#+$")
_UNDERLINE: Final = re.compile(r"=+|-{3,}")
_FENCE: Final = re.compile(r" {0,3}(```|~~~)")
_NUMBER: Final = r"[0-9〇一二三四五六七八九十百千]{1,6}"
_DIVISION: Final = re.compile(
    rf"第{_NUMBER}(?P<unit>[編部章節款])(?:の{_NUMBER})?(?:[ \t]+[^。]{{1,40}})?"
    rf"|第{_NUMBER}(?P<article>条)(?:の{_NUMBER})?(?:[ \t]*[(][^()]{{1,40}}[)]|[ \t]+[^。、]{{1,40}})?"
)
_CLAUSE: Final = re.compile(rf"第{_NUMBER}条")
_CAPTION: Final = re.compile(r"[(][^()。]{1,40}[)]")
_MARK: Final = re.compile(r"[■□◆◇▼][ \t]*([^ \t。][^。]{0,59})|【([^】。]{1,60})】")
_NUMBERED: Final = re.compile(
    r"(?:[0-9]{1,2}\.|[0-9]{1,2}(?P<deeper>(?:\.[0-9]{1,2}){1,4})\.?)[ \t]*(?=[^\s0-9.])(.{1,60})"
)
_SMALL_WORDS: Final = "a|an|and|at|by|for|from|in|of|on|or|the|to|with|your"
_TITLE: Final = re.compile(rf"[A-Z][\w'’-]*(?:[ :,&/]{{1,2}}(?:[A-Z(][\w'’()-]*|{_SMALL_WORDS})){{1,9}}\??")
"""Two or more English words in title case, without a full stop. Words hold none of the signs between them, so that
matching takes linear time."""
_TITLE_WORD: Final = re.compile(r"[A-Z][\w'’-]{2,30}\??")
"""One word that is a title beside another title only."""
_BULLET: Final = re.compile(r"[ \t]*[•●○◦‣–*-][ \t]")
"""A list item, which often ends without a full stop; a title below it is not part of it."""
_STACK: Final = 3
"""Titles that stand upon each other, at most; more lines of the kind are a list or a table."""
_PROSE: Final = 60
"""Characters from which the line below a title counts as prose."""
_FIRST_SIGNS: Final = frozenset("第■□◆◇▼【0123456789")
_CONTENTS: Final = re.compile(r"\.{4}|(?:\. ){3}|・{4}|[ \t][0-9]{1,4}$")
"""A line of a table of contents: dot leaders, or a page number at its end."""
_ENDS_A_SENTENCE: Final = ("。", ".", "!", "?", ";", ":", ",", "、")
_RANKS: Final = {"編": 10, "部": 11, "章": 12, "節": 13, "款": 14, "条": 16}
_CAPTION_RANK, _MARK_RANK, _NUMBERED_RANK, _STACK_RANK, _TITLE_RANK = 15, 20, 30, 40, 43
"""Titles upon each other, as of a chapter and its part, and one in capitals stand above one alone."""


@dataclass(frozen=True, kw_only=True)
class Heading:
    """A heading and where it stands.

    Attributes:
        rank: A heading ends those of its rank and above; lower numbers stand higher.
        title: Without its mark-up.
        start: Offset in the text; ``end`` is exclusive and without the line break.
    """

    rank: int
    title: str
    start: int
    end: int


def heading_in(line: str, *, marked_up: bool) -> tuple[int, str] | None:
    """Return (rank, title) of a line that looks like a heading by itself, None for any other.

    >>> heading_in("## 半日休暇", marked_up=True)
    (2, '半日休暇')
    >>> heading_in("第2条(申請)", marked_up=False)
    (16, '第2条(申請)')
    >>> heading_in("第2条 この規程は、全員に用いる。", marked_up=False)
    """
    line = line.rstrip()
    if not line or len(line) > _LONGEST:
        return None
    if marked_up and (match := _HASHES.fullmatch(line)):
        return len(match[1]), _CLOSING_HASHES.sub("", match[2])
    line = line.lstrip()
    if line[0] not in _FIRST_SIGNS or _CONTENTS.search(line):
        return None
    return _unmarked(line, numbered=not marked_up)


def _unmarked(line: str, *, numbered: bool) -> tuple[int, str] | None:
    if match := _DIVISION.fullmatch(line):
        return _RANKS[match["unit"] or match["article"]], line
    if match := _MARK.fullmatch(line):
        return _MARK_RANK, (match[1] or match[2]).strip()
    if numbered and not line.endswith(_ENDS_A_SENTENCE) and (match := _NUMBERED.fullmatch(line)):
        return _NUMBERED_RANK + (match["deeper"] or "").count("."), line
    return None


def headings(text: str, *, marked_up: bool) -> list[Heading]:
    """Return the headings of a text in order.

    A numbered or marked line beside another of its kind is a list item and no heading; a caption in brackets is one
    where an article (第n条) follows; so are, in text and PDF, up to three English lines in title case or capitals
    between finished text and prose. What stands in a fenced code block is none.
    """
    lines = [(start, line) for start, line in _lines(text) if line.strip()]
    inside = _fenced(lines) if marked_up else [False] * len(lines)
    ranks = [None if fenced else heading_in(line, marked_up=marked_up)
             for (_, line), fenced in zip(lines, inside, strict=True)]  # fmt: skip
    found: list[Heading] = []
    for at, (start, line) in enumerate(lines):
        end = start + len(line.rstrip())
        following = lines[at + 1] if at + 1 < len(lines) else (0, "")
        ranked = ranks[at]
        if ranked is not None and not _listed(ranks, at):
            found.append(Heading(rank=ranked[0], title=ranked[1], start=start, end=end))
        elif inside[at]:
            continue
        elif _CAPTION.fullmatch(line.strip()) and _CLAUSE.match(following[1].lstrip()):
            found.append(Heading(rank=_CAPTION_RANK, title=line.strip()[1:-1].strip(), start=start, end=end))
        elif not marked_up and (rank := _title_rank(lines, at)):
            found.append(Heading(rank=rank, title=line.strip(), start=start + len(line) - len(line.lstrip()), end=end))
        elif marked_up and _underlined(text, start, line, following):
            rank = 1 if following[1].lstrip().startswith("=") else 2
            found.append(Heading(rank=rank, title=line.strip(), start=start, end=following[0] + len(following[1])))
    return found


def _lines(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    for line in text.split("\n"):
        yield start, line
        start += len(line) + 1


def _fenced(lines: list[tuple[int, str]]) -> list[bool]:
    inside, fence = [], ""
    for _, line in lines:
        match = _FENCE.match(line)
        inside.append(bool(fence or match))
        if match and not fence:
            fence = match[1]
        elif match and match[1] == fence:
            fence = ""
    return inside


def _listed(ranks: list[tuple[int, str] | None], at: int) -> bool:
    ranked = ranks[at]
    if ranked is None or ranked[0] < _MARK_RANK:
        return False
    beside = [ranks[other] for other in (at - 1, at + 1) if 0 <= other < len(ranks)]
    return any(other is not None and other[0] == ranked[0] for other in beside)


def _underlined(text: str, start: int, line: str, following: tuple[int, str]) -> bool:
    if len(line) > _LONGEST or not _UNDERLINE.fullmatch(following[1].strip()):
        return False
    plain = line.strip()[:1].isalnum() and "|" not in line
    return plain and following[0] == start + len(line) + 1 and (start == 0 or text.endswith("\n\n", 0, start))


def _title_rank(lines: list[tuple[int, str]], at: int) -> int | None:
    """Return the rank of an English line in title case, alone or on others, between finished text and prose."""
    if not _title(lines, at):
        return None
    first, last = at, at
    while first > 0 and at - first < _STACK and _title(lines, first - 1):
        first -= 1
    while last + 1 < len(lines) and last - first < _STACK and _title(lines, last + 1):
        last += 1
    before = lines[first - 1][1].rstrip() if first else ""
    following = lines[last + 1][1] if last + 1 < len(lines) else ""
    finished = not before or before.endswith(_ENDS_A_SENTENCE[:4]) or _BULLET.match(before)
    if last - first >= _STACK or len(following) < _PROSE or not finished:
        return None
    if first < last:
        return _STACK_RANK + at - first
    alone = lines[at][1].strip()
    return (_STACK_RANK if alone.isupper() else _TITLE_RANK) if _TITLE.fullmatch(alone) else None


def _title(lines: list[tuple[int, str]], at: int) -> bool:
    line = lines[at][1].strip()
    return len(line) <= _LONGEST and bool(_TITLE.fullmatch(line) or _TITLE_WORD.fullmatch(line))
