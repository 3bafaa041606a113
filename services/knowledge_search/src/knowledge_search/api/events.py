"""Server-sent events whose source stops when the reader leaves."""

from __future__ import annotations

import json
import threading
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, Final, Protocol

import anyio
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Generator

    from anyio.streams.memory import MemoryObjectSendStream
    from starlette.types import Receive, Scope, Send

MEDIA_TYPE: Final = "text/event-stream"
_HEARTBEAT_S: Final = 15.0
"""A comment is sent after this much silence, since proxies cut connections that say nothing."""


class Source(Protocol):
    """Events as (name, data), made in a thread."""

    def events(self) -> Generator[tuple[str, dict[str, Any]]]:
        """Yield the events; errors become events here."""
        ...

    def ended(self) -> None:
        """Called once in the end, also where the reader has left and the iterator was closed before its end."""
        ...


def encoded(name: str, data: dict[str, Any]) -> bytes:
    """Return an event: JSON has no line breaks of its own, so no text can end the event or forge another."""
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False, allow_nan=False)}\n\n".encode()


class EventStream(Response):
    """Sends the events of a source; when the reader leaves, the source is closed at its next event.

    Args:
        source: Used in threads of the pool, one call at a time.
        headers: Of the answer.
        heartbeat_s: Silence before a comment is sent.
    """

    media_type = MEDIA_TYPE
    charset = "utf-8"

    def __init__(self, source: Source, headers: dict[str, str], *, heartbeat_s: float = _HEARTBEAT_S) -> None:
        super().__init__(headers={**headers, "Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._source = source
        self._events = source.events()
        self._mutex = threading.Lock()
        self._heartbeat_s = heartbeat_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - as ASGI has it
        """Send until the source ends or the reader leaves."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        async with anyio.create_task_group() as group:
            group.start_soon(_until_gone, receive, group.cancel_scope.cancel)
            async with aclosing(self._parts()) as parts:
                async for part in parts:
                    await send({"type": "http.response.body", "body": part, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
            group.cancel_scope.cancel()

    async def _parts(self) -> AsyncGenerator[bytes]:
        into, out_of = anyio.create_memory_object_stream[bytes](0)
        async with anyio.create_task_group() as group:
            group.start_soon(self._pump, into)
            async with out_of:
                while True:
                    part: bytes | None = b": still here\n\n"
                    with anyio.move_on_after(self._heartbeat_s):
                        part = await anext(out_of, None)
                    if part is None:
                        return
                    yield part

    async def _pump(self, into: MemoryObjectSendStream[bytes]) -> None:
        try:
            async with into:
                while (event := await run_in_threadpool(self._next)) is not None:
                    await into.send(encoded(*event))
        finally:
            with anyio.CancelScope(shield=True):
                await run_in_threadpool(self._end)

    def _next(self) -> tuple[str, dict[str, Any]] | None:
        with self._mutex:
            return next(self._events, None)

    def _end(self) -> None:
        """Close the source; a thread that still waits for its next event, as at the end of the server, goes first."""
        with self._mutex:
            try:
                self._events.close()
            finally:
                self._source.ended()


async def _until_gone(receive: Receive, leave: Callable[[], None]) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    leave()
