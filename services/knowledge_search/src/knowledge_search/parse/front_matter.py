"""The front matter of a Markdown document: ``department`` and ``title``, read strictly."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from typing import Final

from knowledge_search.domain import DocumentError, ScopeError
from knowledge_search.domain import department as checked

_KNOWN: Final = ("department", "title")
_LONGEST: Final = 100
"""Lines within which front matter has to end."""
_FENCE: Final = "---"
_ENTRY: Final = re.compile(r"([^\s:#'\"\-\[{][^:]{0,60}?)[ \t]*:(?:[ \t]+(.*))?")
_QUOTED: Final = re.compile(r"\"([^\"\\]*)\"|'([^']*)'")
_STRUCTURED: Final = ("[", "{", "|", ">", "&", "*", "!", "%", "@", "`", '"', "'")


@dataclass(frozen=True, kw_only=True)
class FrontMatter:
    """What the front matter says, and the offset at which the document itself starts."""

    department: str | None = None
    title: str | None = None
    end: int = 0


def front_matter(text: str) -> FrontMatter:
    """Return the front matter at the start of a normalised text, an empty one where there is none.

    Only ``department`` and ``title`` are read, each a plain or quoted text on its line; a title may go on in indented
    lines. Other keys may hold anything that is indented or a list. A key that nearly is one of the two is an error,
    because a department that is overlooked would file the document elsewhere.

    Raises:
        DocumentError: ``malformed``: the front matter is broken; says the line.
    """
    lines = text.split("\n", _LONGEST + 1)
    if lines[0].rstrip() != _FENCE:
        return FrontMatter()
    ends = [at for at, line in enumerate(lines[: _LONGEST + 1]) if at and line.rstrip() in {_FENCE, "..."}]
    if not ends:
        raise DocumentError("malformed", f"front matter: opened on line 1 and not closed within {_LONGEST} lines")
    values = _values(lines[1 : ends[0]])
    end = sum(len(line) + 1 for line in lines[: ends[0] + 1])
    return FrontMatter(department=_department(values), title=values.get("title") or None, end=min(end, len(text)))


def _values(lines: list[str]) -> dict[str, str]:
    values: dict[str, str] = {}
    above = "department"
    for number, line in enumerate(lines, start=2):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if above == "title" and line[0] in " \t":
            values["title"] = f"{values['title']} {line.strip()}".strip()
            continue
        if above not in _KNOWN and line[0] in " \t-":
            continue
        above, value = _entry(line, number)
        if above in values:
            raise _broken(number, f"{above!r} stands there twice")
        if above in _KNOWN:
            values[above] = _scalar(value, above, number)
    return values


def _entry(line: str, number: int) -> tuple[str, str]:
    match = _ENTRY.fullmatch(line.rstrip())
    if match is None:
        raise _broken(number, f"{line[:60]!r} is no 'key: value'")
    key = match[1]
    near = difflib.get_close_matches(key.casefold(), _KNOWN, n=1, cutoff=0.8)
    if key not in _KNOWN and near:
        raise _broken(number, f"{key!r} is unknown; did you mean {near[0]!r}?")
    return key, (match[2] or "").strip()


def _scalar(value: str, key: str, number: int) -> str:
    if quoted := _QUOTED.fullmatch(value):
        value = quoted[1] if quoted[1] is not None else quoted[2]
    elif value.startswith(_STRUCTURED):
        raise _broken(number, f"{key!r} takes one plain or quoted text")
    else:
        value = re.split(r"[ \t]#", value, maxsplit=1)[0].rstrip()
    value = "" if value.startswith("#") else value.strip()
    if not value and key == "department":
        raise _broken(number, f"{key!r} is empty")
    return value


def _department(values: dict[str, str]) -> str | None:
    name = values.get("department")
    try:
        return None if name is None else checked(name)
    except ScopeError as error:
        raise DocumentError("malformed", f"front matter: {error}") from error


def _broken(number: int, what: str) -> DocumentError:
    return DocumentError("malformed", f"front matter, line {number}: {what}")
