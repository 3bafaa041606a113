"""From what stands in a file to cases, with everything that is wrong on the way."""

from __future__ import annotations

import datetime as dt
import re
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize

from sekisho.adapters.case_files.issues import issue_of
from sekisho.adapters.case_files.source import (
    KEYS,
    LIST_KEYS,
    MOST_PROBLEMS,
    FieldPath,
    Number,
    Source,
    as_typed,
    problem,
)
from sekisho.adapters.case_files.spelling import meant_key
from sekisho.core.answers import AnswerCase
from sekisho.core.errors import InputFileError, Location
from sekisho.core.text import printable
from sekisho.matching import fold

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


EXPECTATIONS = ("expect_source", "expect_text", "forbid", "expect_not_found")
_KNOWN = frozenset(KEYS)
_SURE_TO_STAY = re.compile("[0-9A-Za-z\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff]")
"""A sign that folding keeps: a text that holds one is not empty, and need not be folded to tell."""


_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f]")
"""Signs of another encoding, such as ISO-2022-JP, or of a terminal: no text of a document holds them."""


class Checked(NamedTuple):
    """The cases of a file.

    Attributes:
        cases: Those that are right, in order.
        problems: All that is wrong, from the first line to the last.
    """

    cases: tuple[AnswerCase, ...]
    problems: tuple[InputFileError, ...]


def check_source(source: Source) -> Checked:
    """Return the cases of a file, and what is wrong with the others."""
    cases: list[AnswerCase] = []
    problems = list(source.problems)
    first: dict[str, int] = {}
    for index, value in enumerate(source.values):
        if len(problems) >= MOST_PROBLEMS:
            break
        reading = CaseReading(source, index, problems)
        case = reading.case(value)
        case_id = value.get("id") if isinstance(value, dict) else None
        if type(case_id) is str:
            shown = normalize("NFC", case_id)  # what looks the same in every report is the same
            if shown in first:
                reading.complain("repeated_id", "id", line=source.lines[first[shown]])
            first.setdefault(shown, index)
        if case is not None:
            cases.append(case)
    if not source.values and not problems:
        problems.append(problem("no_case", source.name))
    problems.sort(key=_place)
    return Checked(tuple(cases), tuple(problems))


def _place(error: InputFileError) -> tuple[int, int]:
    where = error.where or Location("")
    return where.line or 0, where.column or 0


class CaseReading:
    """One case while it is read.

    Args:
        source: The file.
        index: Of the case in it.
        problems: What is wrong is added here.
    """

    def __init__(self, source: Source, index: int, problems: list[InputFileError]) -> None:
        self._source = source
        self._index = index
        self._problems = problems
        self._label = f"#{index + 1}"
        self._in_cell = source.format in {"table", "xlsx"}
        self._meant: set[str] = set()

    def complain(self, code: str, /, *path: str | int, **values: object) -> None:
        """Note what is wrong with the value at ``path`` in the case."""
        if len(self._problems) >= MOST_PROBLEMS:  # the file is refused already
            return
        line, column = self._source.locate(self._index, path)
        self._problems.append(problem(code, self._source.name, line, column, case=self._label, **values))

    def case(self, value: object) -> AnswerCase | None:
        """Return the case, or None where anything is wrong with it."""
        before = len(self._problems)
        if not isinstance(value, dict):
            self.complain("list_for_case" if isinstance(value, list) else "not_a_case", value=as_typed(value))
            return None
        if type(given := value.get("id")) is str and given.strip():
            self._label = f"'{printable(given)}'"
        if not value.keys() <= _KNOWN:
            self._unknown(value)
        case_id, question = self._id(value), self._question(value)
        lists = {key: self.texts(value, key) for key in LIST_KEYS if key in value}
        not_found = self._not_found(value)
        issue = issue_of(self, value["known_issue"]) if "known_issue" in value else None
        self._check_expectations(value, lists, not_found=not_found)
        if len(self._problems) > before:
            return None
        where = Location(self._source.name, self._source.lines[self._index])
        return AnswerCase(
            id=case_id, question=question, expect_not_found=not_found, known_issue=issue, where=where, **lists
        )

    def texts(self, fields: Mapping[str, object], key: str, *inside: str) -> tuple[str, ...]:
        """Return the texts of a key that takes a list, or one text in place of it."""
        value = fields[key]
        if type(value) is str:
            return (value,) if self.is_text(value, *inside, key) else ()
        if not isinstance(value, list):
            self._refuse_type("not_texts", value, *inside, key)
            return ()
        for number, item in enumerate(value):
            if isinstance(item, list):
                self.complain("list_in_list", *inside, key, number, key=key)
            else:
                self.is_text(item, *inside, key, number)
        return tuple(item for item in value if type(item) is str)

    def is_text(self, value: object, *path: str | int) -> bool:
        """Tell whether a value is a text that says anything; what is wrong with it is noted."""
        if type(value) is not str:
            self._refuse_type("not_text", value, *path)
            return False
        if not says_something(value):
            code = "empty_text" if _key(path) in EXPECTATIONS else "empty_value"
            self.complain(code, *path, key=_key(path))
            return False
        if not value.isascii() and not _is_unicode(value):
            self.complain("surrogate", *path, key=_key(path))
            return False
        if _key(path) in EXPECTATIONS and (control := _CONTROL.search(value)):
            self.complain("control", *path, key=_key(path), sign=control[0])
            return False
        return True

    def _refuse_type(self, code: str, value: object, *path: str | int) -> None:
        key = _key(path)
        if value is None:
            self.complain("no_value", *path, key=key)
        elif isinstance(value, Number) or (isinstance(value, (int, float)) and not isinstance(value, bool)):
            self.complain("number_for_text", *path, key=key, value=str(value))
        elif self._in_cell and isinstance(value, (dt.date, dt.time, dt.timedelta)):
            self.complain("date_in_cell", *path, key=key)
        else:
            self.complain(code, *path, key=key, value=as_typed(value))

    def _unknown(self, fields: Mapping[str, object]) -> None:
        for key in fields:
            if key not in _KNOWN and len(self._problems) < MOST_PROBLEMS:
                meant = meant_key(key, KEYS)
                self._meant |= {meant} if meant else set()
                code = "unknown_key_meant" if meant else "unknown_key"
                self.complain(code, key, key=key, meant=meant, known=", ".join(KEYS))

    def _miss(self, key: str, code: str) -> None:
        """Note that a key is missing, unless a misspelt one has been noted in its place."""
        if key not in self._meant:
            self.complain(f"{code}_cell" if self._in_cell else code)

    def _id(self, fields: Mapping[str, object]) -> str:
        if "id" not in fields:
            self._miss("id", "no_id")
            return ""
        value = fields["id"]
        if not self.is_text(value, "id") or not isinstance(value, str):
            return ""
        if printable(value) != value:
            self.complain("id_control", "id", value=value)
        elif value != value.strip():
            self.complain("id_edges", "id", value=value, meant=value.strip())
        return value

    def _question(self, fields: Mapping[str, object]) -> str:
        if "question" not in fields:
            self._miss("question", "no_question")
            return ""
        value = fields["question"]
        return value if self.is_text(value, "question") and isinstance(value, str) else ""

    def _not_found(self, fields: Mapping[str, object]) -> bool:
        value = fields.get("expect_not_found", False)
        if not isinstance(value, bool):
            code = "not_bool_cell" if self._in_cell else "not_bool"
            self.complain(code, "expect_not_found", key="expect_not_found", value=as_typed(value))
        return value is True

    def _check_expectations(
        self, fields: Mapping[str, object], lists: Mapping[str, Sequence[str]], *, not_found: bool
    ) -> None:
        for key in ("expect_text", "expect_source"):
            if not_found and lists.get(key):
                self.complain("contradiction", key, key=key)
        wrong = {"expect_text", "expect_source", "forbid"} & {
            key for key in lists if not lists[key] and fields[key] != []
        }
        if not (not_found or wrong or any(lists.get(key) for key in EXPECTATIONS)):
            wrong_flag = not isinstance(fields.get("expect_not_found", False), bool)
            if not wrong_flag and self._meant.isdisjoint(EXPECTATIONS):  # what is wrong there has been said
                self.complain("no_expectation")


def says_something(text: str) -> bool:
    """Tell whether anything is left of a text when it is matched: white space and invisible marks alone are nothing."""
    return _SURE_TO_STAY.search(text) is not None or bool(fold(text).strip())


def _key(path: FieldPath) -> str:
    return ".".join(part for part in path if isinstance(part, str))


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
