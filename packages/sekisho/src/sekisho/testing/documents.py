"""The checks of ``documents`` and ``search``, and of answers beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sekisho.calling.answers import read_documents, read_ids
from sekisho.core.answers import EVERYONE
from sekisho.testing.records import require

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from sekisho.calling.asking import Asked
    from sekisho.calling.calls import Read
    from sekisho.core.answers import Answer, Document

DEPTHS = (1, 3, 10)
"""The k with which search is tried."""


def check_documents(target: Asked, departments: Collection[str]) -> None:
    """Raise where documents cannot be read, change from call to call, or none is restricted to the departments."""
    first, second = _documents(target), _documents(target)
    require(first, "targets.check_no_documents")
    require(first == second, "targets.check_documents_change")
    restricted = [each for each in first.values() if EVERYONE not in each.departments]
    there = any(set(each.departments) & set(departments) for each in restricted)
    shown = ", ".join(sorted(set(departments) - {EVERYONE}))
    require(there, "targets.check_no_restricted_document", departments=shown)


def check_visibility(target: Asked, answers: Iterable[tuple[str, Sequence[str], Answer]]) -> None:
    """Raise where an answer rests on a document that is unknown or hidden from the asker, or cites such a one."""
    documents = _documents(target)
    for question, departments, answer in answers:
        for context in answer.contexts:
            _require_visible(context.document_id, documents, question, departments)
        visible = [each for each in documents.values() if set(each.departments) & set(departments)]
        names = [name for each in visible for name in (each.name, each.title, each.id) if name.strip()]
        for source in answer.sources:
            known = any(name in source for name in names)
            shown = ", ".join(departments)
            require(known, "targets.check_source", source=source, question=question, departments=shown)


def check_search(target: Asked, questions: Sequence[tuple[str, Sequence[str]]], *, with_documents: bool) -> None:
    """Raise where search gives more than k ids, one twice, others the second time, or one that the asker must not see.

    Args:
        target: With the method ``search``.
        questions: Each with the departments of who asks.
        with_documents: Whether the target lists its documents, by which ids are known and visible.
    """
    documents = _documents(target) if with_documents else None
    for question, departments in questions:
        for k in DEPTHS:
            ids = _value(target, "search", (question, departments, k), read_ids)
            again = _value(target, "search", (question, departments, k), read_ids)
            values = {"question": question, "departments": ", ".join(departments), "k": k}
            require(len(ids) <= k, "targets.check_search_length", count=len(ids), **values)
            require(len(set(ids)) == len(ids), "targets.check_search_repeats", **values)
            require(ids == again, "targets.check_search_changes", **values)
            for id_ in ids if documents is not None else ():
                _require_visible(id_, documents or {}, question, departments)


def _documents(target: Asked) -> dict[str, Document]:
    return {each.id: each for each in _value(target, "documents", (), read_documents)}


def _value(target: Asked, method: str, arguments: tuple[object, ...], read: Read) -> Any:  # noqa: ANN401  what read gives
    outcome = target.ask_all(target.method(method), [arguments], read=read)[0]
    require(
        outcome.error is None, "targets.check_failed", method=method, reason=outcome.error and outcome.error.message
    )
    return outcome.value


def _require_visible(id_: str, documents: Mapping[str, Document], question: str, departments: Sequence[str]) -> None:
    values = {"id": id_, "question": question, "departments": ", ".join(departments)}
    require(id_ in documents, "targets.check_unknown_document", **values)
    require(set(documents[id_].departments) & set(departments), "targets.check_hidden_document", **values)
