"""The questions that ``sekisho cases add`` asks, one after the other, with each answer checked at once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TextIO

import msgspec

from sekisho.adapters.case_files.fields import fields_of
from sekisho.adapters.case_files.proposing import checked_fields, proposed_id
from sekisho.adapters.case_files.writing import json_object
from sekisho.core.errors import ConfigurationError
from sekisho.core.messages import message
from sekisho.core.text import printable, shorten

if TYPE_CHECKING:
    from sekisho.adapters.case_files.adding import Opened
    from sekisho.cli.cases_add import Ask
    from sekisho.core.answers import AnswerCase
    from sekisho.core.messages import Language

_SEPARATORS = re.compile("[,、，]")
_YES, _NO = frozenset({"y", "yes", "はい"}), frozenset({"n", "no", "いいえ"})
_NOT_YET = frozenset({"cases.no_expectation"})
"""Not wrong before all has been asked."""

_LONGEST_ANSWER = 2000  # characters shown of what the system answers now


class Dialogue:
    """Asks for a case.

    Args:
        opened: The file that it is for.
        language: Of the questions.
        reads: Where the answers come from, one a line.
        writes: Where the questions go.
        ask: What asks the system under test, whose answer is shown before the expectations are asked for; None for
            none.
    """

    def __init__(
        self, opened: Opened, language: Language, reads: TextIO | None, writes: TextIO, *, ask: Ask | None = None
    ) -> None:
        self._opened = opened
        self._language: Language = language
        self._reads = reads
        self._writes = writes
        self._ask = ask
        self._fields: dict[str, object] = {"id": proposed_id("", opened.cases)}

    def case(self) -> AnswerCase:
        """Return the case that came of the dialogue, once whoever answers has agreed to it.

        Raises:
            ConfigurationError: The input ended before, or the case was declined.
        """
        self._one("question", "question")
        self._separated("departments")
        self._show_answer()
        while True:
            self._expectations()
            if not self._wrong(final=True):
                break
        self._separated("tags")
        proposed = proposed_id(str(self._fields["question"]), self._opened.cases)
        self._one("id", "id", proposed=proposed)
        case = checked_fields(self._fields, self._opened.cases).cases[0]
        self._show(json_object(fields_of(case), "", "  "))
        if not self._agreed("write", default=True, path=str(self._opened.path)):
            raise ConfigurationError("cases.add_declined")
        return msgspec.structs.replace(case, where=None)

    def _expectations(self) -> None:
        for key in ("expect_not_found", "expect_source", "expect_text", "forbid"):
            self._fields.pop(key, None)
        if self._agreed("not_found", default=False):
            self._fields["expect_not_found"] = True
        else:
            self._several("expect_source", "source")
            self._several("expect_text", "text")
        self._several("forbid", "forbid")

    def _one(self, key: str, prompt: str, *, proposed: str = "") -> None:
        while True:
            self._fields[key] = self._line(prompt, proposed=proposed).strip() or proposed
            if not self._wrong():
                return

    def _separated(self, key: str) -> None:
        while True:
            pieces = [piece.strip() for piece in _SEPARATORS.split(self._line(key))]
            if self._takes(key, [piece for piece in pieces if piece]):
                return

    def _several(self, key: str, prompt: str) -> None:
        """Ask for texts until an empty line; one that cannot stand is asked for again."""
        texts: list[str] = []
        while line := self._line(prompt).strip():
            if self._takes(key, [*texts, line]):
                texts.append(line)
        self._takes(key, texts)

    def _takes(self, key: str, texts: list[str]) -> bool:
        """Set a list, or take the key away where it is empty; False where the list cannot stand."""
        self._fields.pop(key, None)
        if texts:
            self._fields[key] = texts
        if not self._wrong():
            return True
        del self._fields[key]
        return False

    def _wrong(self, *, final: bool = False) -> bool:
        """Say what is wrong so far."""
        problems = [
            problem
            for problem in checked_fields(self._fields, self._opened.cases).problems
            if final or problem.code not in _NOT_YET
        ]
        for problem in problems:
            self._show(message(problem.code, self._language, **problem.values))
        return bool(problems)

    def _agreed(self, prompt: str, *, default: bool, **values: object) -> bool:
        while True:
            line = self._line(prompt, **values).strip().lower()
            if not line:
                return default
            if line in _YES | _NO:
                return line in _YES
            self._show(message("cases.add_yes_or_no", self._language))

    def _line(self, prompt: str, **values: object) -> str:
        self._writes.write(message(f"cases.add_ask_{prompt}", self._language, **values) + ": ")
        self._writes.flush()
        try:
            line = self._reads.readline() if self._reads else ""
        except (ValueError, OSError):  # closed, or not in the encoding of the locale
            line = ""
        if not line:
            self._writes.write("\n")
            raise ConfigurationError("cases.add_ended")
        return line.rstrip("\r\n")

    def _show(self, text: str) -> None:
        for line in text.split("\n"):
            self._writes.write(printable(line) + "\n")

    def _show_answer(self) -> None:
        departments = self._fields.get("departments", [])
        names = tuple(map(str, departments)) if isinstance(departments, list) else ()
        if self._ask is None:
            return
        answer, error, _ = self._ask(str(self._fields["question"]), names)
        if answer is None:
            reason = error.reason if error else "-"
            self._show(message("cases.add_answer_error", self._language, reason=reason))
            return
        code = "cases.add_answer" if answer.found else "cases.add_answer_nothing"
        self._show(message(code, self._language))
        for line in shorten(answer.text, _LONGEST_ANSWER).splitlines():
            self._show("  " + printable(line))
        if answer.sources:
            sources = ", ".join(answer.sources)
            self._show(message("cases.add_answer_sources", self._language, sources=sources))
