"""The one gate of the API: nothing behind it runs before it is known who asks, and that there is room for it.

Every address is closed unless :data:`PUBLIC` names it, so that a new route cannot be left open by forgetting it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers

from knowledge_search.api.errors import Problem, problem_of
from knowledge_search.api.language import language_of
from knowledge_search.domain import AccessError, KnowledgeError

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from knowledge_search.api.limits import RateLimit
    from knowledge_search.auth import Principal

PUBLIC: Final = frozenset({"/", "/health", "/openapi.json"})
"""Addresses that show nothing of any document; also those under :data:`STATIC`."""
STATIC: Final = "/static/"
_QUESTION_BYTES: Final = 65_536
"""Of every body but an upload's: a question of 2,000 characters has at most 24,000 as escaped JSON."""


class Doorkeeper(Protocol):
    """Knows who asks."""

    def principal(self, authorization: str | None) -> Principal:
        """Return who sent this header; raises AccessError where it is not accepted, or needed and lacking."""
        ...


class Gate:
    """ASGI middleware: concurrency (503), who asks (401), rate (429), size of the body (413), in this order.

    Args:
        app: What is behind the gate.
        door: Knows who asks.
        rate: For each principal.
        max_concurrent: Requests at once, streams among them.
        max_upload_bytes: Of the body of ``POST /documents``.
    """

    def __init__(
        self, app: ASGIApp, *, door: Doorkeeper, rate: RateLimit, max_concurrent: int, max_upload_bytes: int
    ) -> None:
        self._app = app
        self._door = door
        self._rate = rate
        self._max_concurrent = max_concurrent
        self._max_upload_bytes = max_upload_bytes
        self._running = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http" or is_public(scope["path"]):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if self._running >= self._max_concurrent:
            await Problem(503, "busy", {"Retry-After": "1"}).response(language_of(headers))(scope, receive, send)
            return
        self._running += 1
        try:
            await self._admit(scope, receive, send, headers)
        finally:
            self._running -= 1

    async def _admit(self, scope: Scope, receive: Receive, send: Send, headers: Headers) -> None:
        try:
            principal = await run_in_threadpool(self._door.principal, _authorization(headers))
            wait_s = self._rate.wait_s(_account(principal, scope))
            if wait_s:
                raise Problem(429, "too_many_requests", {"Retry-After": str(wait_s)}, seconds=wait_s)  # noqa: TRY301
            body = _Body(receive, send, self._limit(scope))
            body.check_announced(headers)
        except AccessError:
            problem = Problem(401, "not_signed_in", {"WWW-Authenticate": 'Bearer realm="knowledge-search"'})
            await problem.response(language_of(headers))(scope, receive, send)
        except (Problem, KnowledgeError) as error:
            await problem_of(error).response(language_of(headers))(scope, receive, send)
        else:
            scope.setdefault("state", {})["principal"] = principal
            await body.run(self._app, scope, headers)

    def _limit(self, scope: Scope) -> int:
        upload = scope["method"] == "POST" and scope["path"] == "/documents"
        return self._max_upload_bytes if upload else min(_QUESTION_BYTES, self._max_upload_bytes)


class _Body:
    """Counts a body while it comes in, whatever it was announced as."""

    def __init__(self, receive: Receive, send: Send, limit: int) -> None:
        self._receive = receive
        self._send = send
        self._limit = limit
        self._seen = 0
        self._exceeded = False
        self._started = False

    def check_announced(self, headers: Headers) -> None:
        """Raise the problem of a body that is announced as too large."""
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdecimal() or int(length[:20]) > self._limit:
            raise self._problem()

    async def run(self, app: ASGIApp, scope: Scope, headers: Headers) -> None:
        """Run what is behind the gate.

        A body that turns out too large becomes a 413, whatever is made of it there; a mistake of ours a 500 that says
        nothing of it.
        """
        problem: Problem | None = None
        try:
            await app(scope, self._counted, self._guarded)
        except _TooLargeError:
            pass
        except Exception as error:
            if self._started:
                raise
            problem = problem_of(error)
        if self._exceeded:
            problem = self._problem()
        if problem is not None and not self._started:
            await problem.response(language_of(headers))(scope, self._receive, self._send)

    def _problem(self) -> Problem:
        return Problem(413, "too_large", {"Connection": "close"}, limit=self._limit)

    async def _counted(self) -> Message:
        message = await self._receive()
        if message["type"] == "http.request":
            self._seen += len(message.get("body", b""))
            if self._seen > self._limit:
                self._exceeded = True
                raise _TooLargeError
        return message

    async def _guarded(self, message: Message) -> None:
        if self._exceeded and not self._started:
            return
        self._started = True
        await self._send(message)


class _TooLargeError(Exception):
    """A body is larger than allowed."""


def is_public(path: str) -> bool:
    """Return whether an address needs no principal."""
    return path in PUBLIC or path.startswith(STATIC)


def _authorization(headers: Headers) -> str | None:
    """Return the header; two of them are as bad as a wrong one, since a proxy may have read the other."""
    given = headers.getlist("authorization")
    if len(given) > 1:
        raise AccessError("more than one Authorization header")
    return given[0] if given else None


def _account(principal: Principal, scope: Scope) -> str:
    """Return whose allowance pays: the principal's, or for strangers that of their address."""
    client: Any = scope.get("client")
    return f"anonymous:{client[0] if client else ''}" if principal.kind == "anonymous" else principal.name
