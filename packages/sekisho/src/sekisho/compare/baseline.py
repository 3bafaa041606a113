"""What a baseline keeps of each suite: numbers that are whole, one record a case, and what they were measured on."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from sekisho.core.answers import KnownIssue


class Accepted(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who changes a baseline says why.

    Attributes:
        reason: A sentence; never empty.
        time: When, ISO 8601.
        commit: What was checked out; None where git does not know.
        versions: Of this package and of what it measures with.
    """

    reason: str
    time: str
    commit: str | None = None
    versions: dict[str, str | None] = {}


class RetrievalEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One retrieval case.

    Attributes:
        id: The case.
        asked: Fingerprint of its query.
        hits: Relevant ids among the first k.
        ranks: Judged id (of a grade above 0) to the rank of its first place, 0 where it did not come back.
        grades: Judged id to grade, of those that have another than 1.
        near: Exact nearest neighbours that came back, and how many there are to bring; None where not measured.
        top: Fingerprint of the first k ids in their order.
    """

    id: str
    asked: str
    hits: int
    ranks: dict[str, int]
    grades: dict[str, float] = {}
    near: tuple[int, int] | None = None
    top: str


class AnswerEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One answer case.

    Attributes:
        id: The case.
        asked: Fingerprint of its question and of everything that it expects.
        status: ``ok``, ``ng``, ``known`` or ``fixed``.
        failures: The codes of what failed, each once, sorted.
        issue: The known issue that applied.
        found: What the system said.
        sources: What it cited; one fingerprint of all of it where the suite is redacted.
        text: What it answered; its fingerprint where the suite is redacted.
    """

    id: str
    asked: str
    status: str
    failures: tuple[str, ...] = ()
    issue: KnownIssue | None = None
    found: bool
    sources: tuple[str, ...] = ()
    text: str = ""


class AccessEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One principal.

    Attributes:
        id: Its departments, joined by ``+`` (one in a name has a backslash before it); empty for nobody.
        leaks: How many; what is accepted here does not soften the gate.
        visible: How many documents it may see.
        starved: Ids of visible documents that search did not bring.
    """

    id: str
    leaks: int
    visible: int
    starved: tuple[str, ...] = ()


class RetrievalBaseline(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="retrieval"
):
    """A suite of retrieval cases. The kinds share the first three attributes.

    Attributes:
        accepted: When and why it was accepted.
        made_of: What a reader may want to know: fingerprints, the target, options. A difference is shown.
        ruler: What makes two measurements comparable: k, gate, corpus parameters. A difference has to be accepted.
        k: The cut-off.
        relevance_threshold: The lowest grade that counts as relevant.
        documents: Judged id to the fingerprint of its document's text, where the corpus holds texts.
        cases: By id.
    """

    accepted: Accepted
    made_of: dict[str, str]
    ruler: dict[str, str]
    k: int
    relevance_threshold: float = 1.0
    documents: dict[str, str] = {}
    cases: tuple[RetrievalEntry, ...]


class AnswersBaseline(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="answers"
):
    """A suite of answer cases; its attributes as above.

    Attributes:
        redacted: Whether fingerprints stand in place of texts, sources and the reasons of known issues.
    """

    accepted: Accepted
    made_of: dict[str, str]
    ruler: dict[str, str]
    redacted: bool = False
    cases: tuple[AnswerEntry, ...]


class AccessBaseline(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="access"
):
    """A permission matrix; its attributes as above."""

    accepted: Accepted
    made_of: dict[str, str]
    ruler: dict[str, str]
    cases: tuple[AccessEntry, ...]


SuiteBaseline: TypeAlias = RetrievalBaseline | AnswersBaseline | AccessBaseline
