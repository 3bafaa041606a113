"""Records of answers and access, which several layers exchange: what a target gives, and what a case expects."""

from __future__ import annotations

import datetime as dt
from typing import Literal

import msgspec

from sekisho.core.errors import Location

EVERYONE = "all"
"""The department of documents that everyone may see; every asker has it."""

FailureCode = Literal["found_unexpectedly", "not_found", "missing_source", "missing_text", "forbidden_text", "error"]
FAILURE_CODES: tuple[FailureCode, ...] = (
    "found_unexpectedly", "not_found", "missing_source", "missing_text", "forbidden_text", "error",
)  # fmt: skip
EXCUSABLE: tuple[FailureCode, ...] = FAILURE_CODES[:4]
"""What a known issue may excuse: never a forbidden text, never an error."""


class Context(msgspec.Struct, frozen=True):
    """A passage as it was handed to the model.

    Attributes:
        document_id: Of the document it comes from.
        text: Exactly as the model got it.
    """

    document_id: str
    text: str


class Answer(msgspec.Struct, frozen=True):
    """What a target answered.

    Attributes:
        text: As the asker reads it.
        sources: The cited sources, such as ``travel.pdf p.2``.
        found: Whether the system says that it found an answer.
        contexts: What the model was given; empty where no model was asked.
    """

    text: str
    sources: tuple[str, ...] = ()
    found: bool = True
    contexts: tuple[Context, ...] = ()


class Document(msgspec.Struct, frozen=True):
    """A document that a target holds.

    Attributes:
        id: As search returns it and contexts name it.
        name: File name or the like, as sources cite it.
        title: For people; may be empty.
        departments: Who may see it; ``all`` stands for everyone. Never empty.
        text: The whole text.
        pages: How many pages it has, where it has any.
    """

    id: str
    name: str
    title: str
    departments: tuple[str, ...]
    text: str
    pages: int | None = None


class KnownIssue(msgspec.Struct, frozen=True, kw_only=True):
    """Why a case may fail for now.

    Attributes:
        reason: A sentence; never empty.
        suites: The suites it applies to; all where empty.
        failures: The codes that it excuses; all excusable ones where empty.
        until: The last day on which it excuses anything.
        link: Where it is tracked.
    """

    reason: str
    suites: tuple[str, ...] = ()
    failures: tuple[FailureCode, ...] = ()
    until: dt.date | None = None
    link: str = ""


class AnswerCase(msgspec.Struct, frozen=True, kw_only=True):
    """One question and what must hold of its answer.

    Attributes:
        id: Unique in its file.
        question: As a person asks it.
        departments: What the asker may see, apart from what everyone may see.
        expect_source: Each is contained in at least one cited source.
        expect_text: Each is contained in the answer.
        forbid: None stands in the answer, its sources, or what the model was given.
        expect_not_found: The system must say that it found nothing.
        known_issue: Why it may fail for now.
        tags: For selection.
        where: Its place in the file, for reports.
    """

    id: str
    question: str
    departments: tuple[str, ...] = ()
    expect_source: tuple[str, ...] = ()
    expect_text: tuple[str, ...] = ()
    forbid: tuple[str, ...] = ()
    expect_not_found: bool = False
    known_issue: KnownIssue | None = None
    tags: tuple[str, ...] = ()
    where: Location | None = None
