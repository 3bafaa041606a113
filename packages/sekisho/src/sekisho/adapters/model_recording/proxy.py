"""A server on this machine that stands between a target and its model, for as long as a run lasts."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Self

from sekisho.adapters.model_recording.exchange import Reply, request_of
from sekisho.adapters.model_recording.loopback import HOST
from sekisho.adapters.model_recording.masking import Masking
from sekisho.adapters.model_recording.upstream import MOST_BYTES, UpstreamError, is_stream
from sekisho.adapters.model_recording.usage import Usage, usage_of
from sekisho.core.messages import note

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sekisho.adapters.model_recording.exchange import Request
    from sekisho.adapters.model_recording.tape import Mode, Moment, Tape
    from sekisho.adapters.model_recording.upstream import Incoming, Upstream
    from sekisho.core.messages import Note

BASE = "/v1"
_POLL_S = 0.05
_LONGEST_WAIT_S = 10.0
"""For a stream that its reader has left."""
_NOT_FOUND, _TOO_LARGE, _BAD_GATEWAY, _LENGTH_REQUIRED = 404, 413, 502, 411


class ModelProxy:
    """An OpenAI-compatible interface on a free port of the loopback address; use it as a context manager.

    Args:
        mode: What becomes of requests.
        tape: What is recorded or replayed.
        masking: Takes keys out of everything that is kept, and of replies.
        upstream: Where requests go; None while replaying, which needs no network.
    """

    def __init__(self, mode: Mode, *, tape: Tape, masking: Masking, upstream: Upstream | None) -> None:
        self.mode = mode
        self.tape = tape
        self.masking = masking
        self.upstream = upstream
        self._usage = Usage()
        self._under_way = 0
        self._changed = threading.Condition()
        self._server = _Server(self)
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(_POLL_S,), daemon=True, name="sekisho-model-proxy"
        )

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        """The base address, for the target."""
        return f"http://{HOST}:{self._server.server_port}{BASE}"

    @property
    def usage(self) -> Usage:
        """The tokens that replies told of."""
        return self._usage

    def count(self, reply: Reply, *, is_stream: bool) -> None:
        """Add what a reply cost."""
        found = usage_of(reply.body, is_stream=is_stream)
        with self._changed:
            self._usage = self._usage.plus(found)

    @contextmanager
    def under_way(self) -> Iterator[None]:
        """Count a request that is being answered."""
        with self._changed:
            self._under_way += 1
        try:
            yield
        finally:
            with self._changed:
                self._under_way -= 1
                self._changed.notify_all()

    def settle(self, timeout_s: float = _LONGEST_WAIT_S) -> None:
        """Wait until every request has been answered and kept, but no longer than this.

        A client may have what it wants of a stream before its last line is here.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._under_way == 0, timeout_s)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False  # a stream that its reader has left may hang on the model for minutes

    def __init__(self, proxy: ModelProxy) -> None:
        self.proxy = proxy
        super().__init__((HOST, 0), _Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing where a client has gone; a traceback could show a key."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the name that the base class gives it
        """Log nothing: an address may hold a key."""

    def _handle(self) -> None:
        with self.server.proxy.under_way():
            self._begun = False
            self._answer(self.server.proxy)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _handle  # noqa: N815  the names that the base class looks for

    def _answer(self, proxy: ModelProxy) -> None:
        if not self.path.startswith((BASE + "/", BASE + "?")) and self.path != BASE:
            self._refuse(_NOT_FOUND, note("models.other_path", base=BASE))
            return
        body = self._body()
        if body is None:
            return
        moment, path = proxy.tape.now, self.path.removeprefix(BASE)
        proxy.masking.learn_headers(self.headers.items())
        request = request_of(self.command, path, body, proxy.masking)
        if proxy.mode != "replay":
            self._forward(proxy, moment, request, body)
            return
        # A made-up key, such as "recorded", may be a word of the prompt; then the prompt as it stands is what is known.
        as_it_stands = request_of(self.command, path, body, Masking())
        if proxy.tape.knows(as_it_stands):
            request = as_it_stands
        reply = proxy.tape.recorded(moment, request)
        if isinstance(reply, Reply):
            proxy.count(reply, is_stream=is_stream(reply.content_type))
            self._send(reply)
        else:
            self._refuse(_NOT_FOUND, reply)

    def _body(self) -> bytes | None:
        length = self.headers.get("Content-Length", "0")
        if "Transfer-Encoding" in self.headers or not (length.isascii() and length.isdigit()):
            self._refuse(_LENGTH_REQUIRED, note("models.no_length"))
            return None
        if len(length) > len(str(MOST_BYTES)) or int(length) > MOST_BYTES:
            self._refuse(_TOO_LARGE, note("models.too_large", most=MOST_BYTES >> 20))
            return None
        return self.rfile.read(int(length))

    def _forward(self, proxy: ModelProxy, moment: Moment, request: Request, body: bytes) -> None:
        upstream = proxy.upstream
        assert upstream is not None  # noqa: S101  only a replay has none
        try:
            incoming = upstream.send(self.command, self.path.removeprefix(BASE), dict(self.headers.items()), body)
            relayed = is_stream(incoming.content_type) and self.request_version != "HTTP/1.0"
            whole = self._relay(incoming) if relayed else b"".join(incoming.pieces)
        except UpstreamError as problem:
            reason = note("models.upstream", host=upstream.host, reason=proxy.masking.text(str(problem)))
            proxy.tape.fail(moment, request, reason)
            self._refuse(_BAD_GATEWAY, reason)
            return
        reply = Reply(incoming.status, proxy.masking.text(incoming.content_type), proxy.masking.data(whole))
        proxy.count(reply, is_stream=is_stream(reply.content_type))
        proxy.tape.keep(moment, request, reply)
        if not relayed:
            self._send(reply, retry_after=incoming.retry_after)

    def _relay(self, incoming: Incoming) -> bytes:
        """Send a stream of events on as it comes, without keys, and return it whole, however long its reader stays."""
        whole: list[bytes] = []
        with suppress(OSError):
            self._head(incoming.status, incoming.content_type)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for piece in incoming.pieces:
                whole.append(self.server.proxy.masking.data(piece))
                self.wfile.write(b"%x\r\n%b\r\n" % (len(whole[-1]), whole[-1]))
            self.wfile.write(b"0\r\n\r\n")
            return b"".join(whole)
        self.close_connection = True
        return b"".join((*whole, *map(self.server.proxy.masking.data, incoming.pieces)))

    def _send(self, reply: Reply, *, retry_after: str = "") -> None:
        self._head(reply.status, reply.content_type)
        if retry_after:
            self.send_header("Retry-After", retry_after)
        self.send_header("Content-Length", str(len(reply.body)))
        self.end_headers()
        self.wfile.write(reply.body)

    def _head(self, status: int, content_type: str) -> None:
        self._begun = True
        self.send_response_only(status)
        if content_type:
            self.send_header("Content-Type", " ".join(content_type.split()))

    def _refuse(self, status: int, reason: Note) -> None:
        """Send an error in the form that OpenAI-compatible clients read; cut a stream off that has begun already."""
        self.close_connection = self.close_connection or status != _NOT_FOUND
        if self._begun:
            return
        error = {"message": reason.render("en"), "type": "sekisho", "param": None, "code": reason.code}
        self._send(Reply(status, "application/json", json.dumps({"error": error}).encode()))
