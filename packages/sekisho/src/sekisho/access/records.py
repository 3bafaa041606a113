"""What a run of the permission matrix gives back: one record a principal, and the leaks."""

from __future__ import annotations

from typing import Literal

import msgspec

from sekisho.calling.records import CaseError
from sekisho.core.messages import Note

Stage = Literal["retrieved", "given", "cited", "answered"]
"""Where it shows: among the ids of search, in what the model was given, in the sources, in the answer's text."""
STAGES: tuple[Stage, ...] = ("retrieved", "given", "cited", "answered")
Kind = Literal["id", "name", "title", "passage", "quantity", "interference"]
"""What shows it; ``interference``: that results change when the hidden documents are gone."""


class Leak(msgspec.Struct, frozen=True, kw_only=True):
    """One hidden document that shows at one stage. Of many probes that show the same, the first is kept.

    Attributes:
        principal: Departments of the asker, without everyone's.
        document_id: The document that shows; None for interference, which shows that there are some.
        document_name: Its name.
        stage: Where it shows.
        kind: What shows it.
        question: The probe.
        shown: The piece of raw text that shows it, at most 200 characters.
        reason: A sentence without any text of questions or documents other than ids.
    """

    principal: tuple[str, ...]
    document_id: str | None
    document_name: str | None
    stage: Stage
    kind: Kind
    question: str
    shown: str
    reason: Note


class ProbeError(msgspec.Struct, frozen=True, kw_only=True):
    """A probe that could not be measured.

    Attributes:
        principal: Departments of the asker, without everyone's.
        question: What was asked; empty where the target could not be rebuilt.
        method: The method of the target that failed.
        error: Why.
    """

    principal: tuple[str, ...]
    question: str
    method: str
    error: CaseError


class CacheFinding(msgspec.Struct, frozen=True, kw_only=True):
    """One question whose result depends on who asked it before: no leak by itself, and it fails nothing.

    Attributes:
        principal: Departments of the asker whose result changed.
        after: Departments of who had asked before.
        question: What both asked.
        reason: A sentence.
    """

    principal: tuple[str, ...]
    after: tuple[str, ...]
    question: str
    reason: Note


class PrincipalResult(msgspec.Struct, frozen=True, kw_only=True):
    """What one principal was shown.

    Attributes:
        departments: Of the principal, without everyone's; empty for nobody.
        unrestricted: Whether the principal has every department.
        visible: How many documents it may see.
        hidden: How many it may not.
        probes: Distinct questions about hidden documents that were asked and measured.
        leak_count: Hidden documents by stage and kind that showed, and stages of interference.
        leaks: The first 200 of them, in the order of the probes.
        error_count: Calls that could not be measured.
        errors: The first 20 of them.
        probed_visible: Visible documents whose own probes were searched for; the base of both recalls.
        recall: Share of them that search returned among its first k for each of their probes; None where not
            measured. A document that was not found starves: that is reported, and fails nothing by itself.
        unrestricted_recall: The same share, of the same documents, for the unrestricted principal.
        starved: Ids of those that were not found.
        interference: Whether results change when the hidden documents are gone; None where that was not measured.
    """

    departments: tuple[str, ...]
    unrestricted: bool
    visible: int
    hidden: int
    probes: int
    leak_count: int = 0
    leaks: tuple[Leak, ...] = ()
    error_count: int = 0
    errors: tuple[ProbeError, ...] = ()
    probed_visible: int = 0
    recall: float | None = None
    unrestricted_recall: float | None = None
    starved: tuple[str, ...] = ()
    interference: bool | None = None


class AccessReport(msgspec.Struct, frozen=True, kw_only=True):
    """The permission matrix, measured.

    Attributes:
        k: How many ids search was asked for.
        everyone: The department that everyone has.
        documents: How many documents the target holds.
        departments: All of them, without everyone's.
        principals: By number of departments, then by name: nobody first, who has every department last.
        stages: Those that could be looked at; the others need a method that the target lacks.
        cache: Questions whose result depended on who had asked before.
        warnings: What was not measured, and what else the reader should know.
        elapsed_ms: Milliseconds that the target took.
    """

    k: int
    everyone: str
    documents: int
    departments: tuple[str, ...]
    principals: tuple[PrincipalResult, ...]
    stages: tuple[Stage, ...]
    cache: tuple[CacheFinding, ...] = ()
    warnings: tuple[Note, ...] = ()
    elapsed_ms: float = 0.0

    @property
    def probes(self) -> int:
        """How many distinct pairs of principal and question about hidden documents were measured."""
        return sum(principal.probes for principal in self.principals)

    @property
    def leak_count(self) -> int:
        """How many leaks there are, those that no record is kept of included."""
        return sum(principal.leak_count for principal in self.principals)

    @property
    def leaks(self) -> tuple[Leak, ...]:
        """The leaks that a record is kept of."""
        return tuple(leak for principal in self.principals for leak in principal.leaks)

    @property
    def error_count(self) -> int:
        """How many calls could not be measured."""
        return sum(principal.error_count for principal in self.principals)

    @property
    def errors(self) -> tuple[ProbeError, ...]:
        """The unmeasured calls that a record is kept of."""
        return tuple(error for principal in self.principals for error in principal.errors)
