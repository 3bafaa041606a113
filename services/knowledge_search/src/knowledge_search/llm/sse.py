"""Server-sent events (HTML Living Standard, section 9.2), as far as model servers use them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from knowledge_search.llm.faults import ModelCallError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_MAX_LINE_BYTES: Final = 2**20
_MAX_EVENT_CHARS: Final = 2**20
_LINE_END: Final = re.compile(rb"\r\n|\n|\r(?!\Z)")
"""A CR at the very end may be half of a CRLF. Unlike ``str.splitlines``, Unicode's other line separators are text."""


@dataclass(frozen=True, kw_only=True)
class ServerEvent:
    """One event: ``message`` where the server gives it no name, and its data lines."""

    name: str
    data: str


def server_events(pieces: Iterable[bytes]) -> Iterator[ServerEvent]:
    """Yield the events of a stream as their empty lines arrive; comments and an unfinished last event are left out.

    Raises:
        ModelCallError: A line or an event is longer than 1 MiB, or not UTF-8.
    """
    name, data, size = "message", list[str](), 0
    for line in _lines(pieces):
        if not line:
            if data:
                yield ServerEvent(name=name, data="\n".join(data))
            name, data, size = "message", [], 0
            continue
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            name = value
        elif field == "data":
            data.append(value)
            size += len(value) + 1
            if size > _MAX_EVENT_CHARS:
                raise ModelCallError("garbage")


def _lines(pieces: Iterable[bytes]) -> Iterator[str]:
    waiting = b""
    for piece in pieces:
        *complete, waiting = _LINE_END.split(waiting + piece)
        if len(waiting) > _MAX_LINE_BYTES:
            raise ModelCallError("garbage")
        for each in complete:
            try:
                yield each.decode()
            except UnicodeDecodeError:
                raise ModelCallError("garbage") from None
