"""From what a target returned to plain records, inside the guard around its call: reading runs its code too."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from sekisho.calling.records import WrongResultError
from sekisho.core.answers import Answer, Context, Document
from sekisho.core.messages import note

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_PARTS = 100_000
"""Sources, contexts, ids or documents that are read of one result: a lazy sequence may have no end."""
_ABSENT = object()


def read_answer(value: Any) -> Answer:  # noqa: ANN401  whatever a target returned
    """Return what a target answered: any object or mapping with ``text``, ``sources``, ``found`` and ``contexts``.

    Raises:
        WrongResultError: A part is missing or of the wrong type. What was left out is never taken for a default: an
            answer without ``found`` says nothing.
        BaseException: What the answer itself raises while it is read.
    """
    return Answer(
        text=_text(value, "text"),
        sources=tuple(_plain(source, "sources") for source in _list(value, "sources")),
        found=_flag(value, "found"),
        contexts=tuple(
            Context(document_id=_id(context, "document_id"), text=_text(context, "text"))
            for context in _list(value, "contexts")
        ),
    )


def read_documents(value: Any) -> tuple[Document, ...]:  # noqa: ANN401  as above
    """Return what ``documents()`` gave: objects or mappings with the attributes of a document.

    Raises:
        WrongResultError: A part is missing or of the wrong type, or an id comes twice.
    """
    found = tuple(_document(each) for each in _bounded(value, "documents()"))
    seen: set[str] = set()
    for document in found:
        if document.id in seen:
            raise WrongResultError(note("calling.repeated_document", id=document.id))
        seen.add(document.id)
    return found


def read_ids(value: Any) -> tuple[str, ...]:  # noqa: ANN401  as above
    """Return what ``search`` gave: ids of documents, best first.

    Raises:
        WrongResultError: No list, or an element is neither text nor a whole number.
    """
    return tuple(_as_id(each, "search()") for each in _bounded(value, "search()"))


def _document(value: Any) -> Document:  # noqa: ANN401  as above
    departments = tuple(_plain(each, "departments") for each in _list(value, "departments"))
    id_ = _id(value, "id")
    if not departments:
        raise WrongResultError(note("calling.no_departments", id=id_))
    pages = _part(value, "pages", default=None)
    if pages is not None and (isinstance(pages, bool) or not isinstance(pages, int)):
        raise _wrong("pages", "whole number", pages)
    return Document(
        id=id_,
        name=_text(value, "name"),
        title=_text(value, "title"),
        departments=tuple(sorted(set(departments))),
        text=_text(value, "text"),
        pages=pages,
    )


def _part(value: Any, name: str, default: object = _ABSENT) -> Any:  # noqa: ANN401  as above
    found = value.get(name, default) if isinstance(value, Mapping) else getattr(value, name, default)
    if found is _ABSENT:
        raise WrongResultError(note("calling.part_missing", part=name, kind=type(value).__name__))
    return found


def _text(value: Any, name: str) -> str:  # noqa: ANN401  as above
    return _plain(_part(value, name), name)


def _plain(value: object, name: str) -> str:
    """Return the text itself, also of a subclass of str, whose methods could do anything."""
    if not isinstance(value, str):
        raise _wrong(name, "text", value)
    return value if type(value) is str else str.__str__(value)


def _id(value: Any, name: str) -> str:  # noqa: ANN401  as above
    return _as_id(_part(value, name), name)


def _as_id(value: object, name: str) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(int(value))
    return _plain(value, name)


def _flag(value: Any, name: str) -> bool:  # noqa: ANN401  as above
    found = _part(value, name)
    if not isinstance(found, bool):
        raise _wrong(name, "true or false", found)
    return found


def _list(value: Any, name: str) -> Sequence[Any]:  # noqa: ANN401  as above
    return _bounded(_part(value, name), name)


def _bounded(value: Any, name: str) -> list[Any]:  # noqa: ANN401  as above
    if isinstance(value, (str, bytes, Mapping)) or not hasattr(value, "__iter__"):
        raise _wrong(name, "list", value)
    found = list(islice(iter(value), MOST_PARTS + 1))
    if len(found) > MOST_PARTS:
        raise WrongResultError(note("calling.too_many_parts", part=name, most=MOST_PARTS))
    return found


def _wrong(name: str, wanted: str, value: object) -> WrongResultError:
    return WrongResultError(note("calling.wrong_part", part=name, wanted=wanted, kind=_kind(value)))


def _kind(value: object) -> str:
    """Return what a value is: a ``bool`` of NumPy is none of Python's."""
    kind = type(value)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"
