"""Cases while they are made from another tool's, and an account of what could not be carried over."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from sekisho.adapters.case_files.checking import check_source
from sekisho.adapters.case_files.source import Source
from sekisho.core.answers import AnswerCase
from sekisho.core.messages import Note, note
from sekisho.core.text import printable

if TYPE_CHECKING:
    from collections.abc import Sequence


_LISTS = ("expect_source", "expect_text", "forbid")
_WIDTH = 3  # digits of the numbers that cases without a name get


class Conversion(NamedTuple):
    """What came of a file.

    Attributes:
        cases: Those that can be checked without a model.
        notes: What was left out, with numbers: first whole cases, then parts of cases.
    """

    cases: tuple[AnswerCase, ...]
    notes: tuple[Note, ...]


class Collector:
    """Takes cases one by one.

    Args:
        name: The file that they come from.
        reference_as_text: Whether a reference answer becomes a text that the answer must contain.
    """

    def __init__(self, name: str, *, reference_as_text: bool) -> None:
        self.name = name
        self.reference_as_text = reference_as_text
        self._cases: list[AnswerCase] = []
        self._seen: set[str] = set()
        self._left: Counter[tuple[str, str]] = Counter()
        self._dropped: Counter[tuple[str, str]] = Counter()

    def leave(self, reason: str, what: str = "") -> None:
        """Count a case that is left out, with why: a code without area."""
        self._left[reason, what] += 1

    def drop(self, reason: str, what: str = "") -> None:
        """Count a case of which a part is left out."""
        self._dropped[reason, what] += 1

    def add(
        self,
        given_id: object,
        question: str,
        *,
        expect_source: Sequence[str] = (),
        expect_text: Sequence[str] = (),
        forbid: Sequence[str] = (),
        expect_not_found: bool = False,
        tags: Sequence[str] = (),
    ) -> None:
        """Take a case; one that would not be accepted in a file is left out."""
        lists = {
            key: list(dict.fromkeys(text.strip() for text in texts if text.strip()))
            for key, texts in (("expect_source", expect_source), ("expect_text", expect_text), ("forbid", forbid),
                               ("tags", tags))
        }  # fmt: skip
        value: dict[str, object] = {"id": self._unique(given_id), "question": question.strip()}
        value |= {key: texts for key, texts in lists.items() if texts}
        if expect_not_found:
            value["expect_not_found"] = True
        checked = check_source(Source(self.name, "json", [value], [1], lambda _index, _path: (1, None)))
        if checked.problems:
            self._seen.discard(str(value["id"]))
            self.leave("left_invalid", checked.problems[0].code)
            return
        self._cases += checked.cases
        if lists["forbid"]:
            self.drop("wider_forbid")

    def conversion(self) -> Conversion:
        """Return what was taken."""
        notes = [
            note(f"cases.{reason}", count=count, what=what)
            for counted in (self._left, self._dropped)
            for (reason, what), count in counted.items()
        ]
        return Conversion(tuple(self._cases), tuple(notes))

    def _unique(self, given: object) -> str:
        number = len(self._cases) + sum(self._left.values()) + 1
        wanted = printable(str(given)).strip() if given not in (None, "") else f"case-{number:0{_WIDTH}}"
        found, repeated = wanted or f"case-{number:0{_WIDTH}}", 1
        while found in self._seen:
            repeated += 1
            found = f"{wanted}-{repeated}"
        self._seen.add(found)
        return found
