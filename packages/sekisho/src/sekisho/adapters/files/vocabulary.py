"""The names by which files of the field call a query, a document, a score, and so on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Role = Literal["query", "document", "grade", "score", "rank", "relevant", "retrieved", "id", "text", "title"]

_ROLES: Mapping[Role, tuple[str, ...]] = {
    "query": ("query-id", "qid", "topic-id", "topic", "query", "q-id", "id"),
    "document": ("corpus-id", "doc-id", "docno", "document-id", "pid", "passage-id", "chunk-id", "doc", "did"),
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


def find(role: Role, names: Iterable[str]) -> str | None:
    """Return which of ``names`` stands for ``role``: the first of its vocabulary that is there."""
    by_folded = {folded(name): name for name in reversed(list(names))}
    return next((by_folded[word] for word in _FOLDED[role] if word in by_folded), None)


def spelling(role: Role) -> str:
    """Return the name that an error asks for."""
    return _ROLES[role][0]
