"""What a child process says, one JSON object a line; the parent believes none of it before it has looked."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast, get_args

from knowledge_search.domain import DocumentError, DocumentStatus

if TYPE_CHECKING:
    from collections.abc import Sequence

    from knowledge_search.parse.sandbox.limits import Limits

_LONGEST_TITLE: Final = 500
_LONGEST_LABEL: Final = 32
_STATUSES: Final = frozenset(get_args(DocumentStatus)) - {"ingested", "unchanged"}


@dataclass(frozen=True, kw_only=True)
class RawPage:
    """A page as a reader found it.

    Attributes:
        shows: Whether the page shows anything at all.
        pictured: Whether it shows an image.
        vertical: Whether its Japanese runs from top to bottom.
    """

    number: int
    label: str | None
    text: str
    shows: bool
    pictured: bool
    vertical: bool


@dataclass(frozen=True, kw_only=True)
class RawDocument:
    """All pages, or those that were asked for, and the title in the file's own data."""

    title: str | None
    pages: tuple[RawPage, ...]


def document_of(output: bytes, limits: Limits) -> RawDocument | None:
    """Return the document that a child wrote, None where the output breaks off.

    Raises:
        DocumentError: The child reported a failure, or wrote what no honest child writes (``crashed``).
    """
    lines = output.split(b"\n")
    if len(lines) > limits.pages + 3:
        raise _untrusted("more lines than pages")
    records = [_record(line) for line in lines if line]
    for record in records:
        if "error" in record:
            raise _failure(record)
    if len(records) < 2 or records[-1] != {"end": True} or set(records[0]) != {"title"}:  # noqa: PLR2004 - head and end
        return None
    pages = tuple(_page(record) for record in records[1:-1])
    _check(pages, limits)
    return RawDocument(title=_text(records[0], "title", _LONGEST_TITLE), pages=pages)


def _record(line: bytes) -> dict[str, object]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return {"broken": True}
    if not isinstance(record, dict):
        raise _untrusted("a line that is no object")
    return record


def _failure(record: dict[str, object]) -> DocumentError:
    status, detail = record["error"], record.get("detail")
    if not isinstance(status, str) or status not in _STATUSES:
        return _untrusted("an unknown failure")
    return DocumentError(cast("DocumentStatus", status), detail[:200] if isinstance(detail, str) else "")


def _page(record: dict[str, object]) -> RawPage:
    number, text = record.get("page"), record.get("text")
    flags = [record.get(name) for name in ("shows", "pictured", "vertical")]
    if type(number) is not int or not isinstance(text, str) or any(type(flag) is not bool for flag in flags):
        raise _untrusted("a page that is none")
    shows, pictured, vertical = (flag is True for flag in flags)
    label = _text(record, "label", _LONGEST_LABEL)
    return RawPage(number=number, label=label, text=text, shows=shows, pictured=pictured, vertical=vertical)


def _text(record: dict[str, object], key: str, longest: int) -> str | None:
    value = record.get(key)
    return value[:longest] if isinstance(value, str) and value.strip() else None


def _check(pages: Sequence[RawPage], limits: Limits) -> None:
    numbers = [page.number for page in pages]
    if len(pages) > limits.pages or numbers != sorted(set(numbers)) or any(number < 1 for number in numbers):
        raise _untrusted("page numbers out of order")
    if sum(len(page.text) for page in pages) > limits.characters:
        raise _untrusted("more text than allowed")


def _untrusted(what: str) -> DocumentError:
    return DocumentError("crashed", f"the reader's process wrote {what}")
