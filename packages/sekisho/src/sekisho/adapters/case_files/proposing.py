"""A case that is being written: its id, and what is wrong with it so far."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sekisho.adapters.case_files.checking import Checked, check_source
from sekisho.adapters.case_files.source import Source, problem

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sekisho.core.answers import AnswerCase

_NUMBERED = re.compile(r"(.*?)([0-9]{1,9})", re.ASCII | re.DOTALL)
_WORD = re.compile("[a-z0-9]+")
_MOST_WORDS = 4
_LONGEST = 40
_WIDTH = 3


def proposed_id(question: str, cases: Sequence[AnswerCase]) -> str:
    """Return an id that is free: the next number where the last case of a file is numbered, else words of the question.

    A question without Latin words gives ``case-003``, by the number of cases.
    """
    taken = {case.id for case in cases}
    last = _NUMBERED.fullmatch(cases[-1].id) if cases else None
    if last:
        prefix, width = last[1], len(last[2])
        found = (_NUMBERED.fullmatch(case_id) for case_id in taken)
        numbers = [int(match[2]) for match in found if match and match[1] == prefix]
        return f"{prefix}{max(numbers) + 1:0{width}}"
    words = _WORD.findall(question.lower())[:_MOST_WORDS] if question.isascii() else []
    slug = "-".join(words)[:_LONGEST].strip("-")
    if slug and slug not in taken:
        return slug
    stem = slug or "case"
    number = 2 if slug else len(cases) + 1
    while (found_id := f"{stem}-{number}" if slug else f"{stem}-{number:0{_WIDTH}}") in taken:
        number += 1
    return found_id


def checked_fields(fields: Mapping[str, object], cases: Sequence[AnswerCase]) -> Checked:
    """Return the case that keys and values make, or what is wrong with them; ids of ``cases`` are taken."""
    name = ""
    checked = check_source(Source(name, "json", [dict(fields)], [1], lambda _index, _path: (1, None)))
    if any(case.id == fields.get("id") for case in cases):
        return Checked((), (*checked.problems, problem("add_id_taken", name, id=str(fields["id"]))))
    return checked
