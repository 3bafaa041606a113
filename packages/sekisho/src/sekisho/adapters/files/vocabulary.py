"""The names by which files of the field call a query, a document, a score, and so on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from sekisho.adapters.files.values import BadValueError, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Role = Literal["query", "document", "grade", "score", "rank", "relevant", "retrieved", "id", "text", "title"]

_ROLES: Mapping[Role, tuple[str, ...]] = {
    "query": ("query-id", "qid", "topic-id", "topic", "query", "q-id", "id"),
    "document": (
        "corpus-id",
        "doc-id",
        "docno",
        "document-id",
        "pid",
        "passage-id",
        "chunk-id",
        "doc",
        "document",
        "did",
    ),
    "grade": ("score", "grade", "relevance", "rel", "label", "relevance-grade"),
    "score": ("score", "sim", "similarity"),
    "rank": ("rank",),
    "relevant": ("relevant", "relevant-ids", "relevant-docs", "qrels", "positives"),
    "retrieved": ("retrieved", "retrieved-ids", "results", "ranking", "documents", "docs"),
    "id": ("id", "query-id", "doc-id", "docno", "qid", "document-id", "passage-id", "chunk-id", "pid", "number"),
    "text": ("text", "query", "question", "contents", "content", "body", "passage"),
    "title": ("title",),
}


def folded(name: str) -> str:
    """Return a column's name without case, ``_``, ``-`` and spaces: ``query_id`` and ``Query-ID`` are one."""
    return "".join(char for char in name.lower() if char not in "_- .")


_FOLDED: Mapping[Role, tuple[str, ...]] = {role: tuple(map(folded, names)) for role, names in _ROLES.items()}


def holds(role: Role, names: Iterable[str]) -> bool:
    """Tell whether one of ``names``, or more than one, stands for ``role``."""
    return any(folded(name) in _FOLDED[role] for name in names)


def find(role: Role, names: Iterable[str]) -> str | None:
    """Return which of ``names`` stands for ``role``; None where none does.

    Raises:
        BadValueError: More than one does: which is meant would be a guess.
    """
    found = [name for name in names if folded(name) in _FOLDED[role]]
    if len(found) > 1 and role == "query":  # beside an id of its own, ``query`` is the text
        ids = [name for name in found if folded(name) != "query"]
        found = ids if any(folded(name) != "id" for name in ids) else found
    if len(found) > 1:
        raise BadValueError("ambiguous_columns", needed=spelling(role), columns=", ".join(map(shown, found)))
    return found[0] if found else None


def spelling(role: Role) -> str:
    """Return the name that an error asks for."""
    return _ROLES[role][0]
