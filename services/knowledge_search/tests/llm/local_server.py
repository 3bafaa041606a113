"""A real HTTP server on the loopback address that answers as a test scripts it."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@dataclass(frozen=True, kw_only=True)
class Reply:
    """One scripted answer: pieces of a body with a pause before each; ``hang`` keeps the connection open after them."""

    status: int = 200
    pieces: tuple[bytes, ...] = ()
    headers: dict[str, str] = field(default_factory=dict)
    pause_s: float = 0.0
    hang: bool = False
    silent: bool = False

    @classmethod
    def json(cls, value: object, *, status: int = 200, **headers: str) -> Reply:
        """Return an answer in JSON."""
        named = {name.replace("_", "-"): text for name, text in headers.items()}
        return cls(status=status, pieces=(json.dumps(value).encode(),), headers=named)


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A request as it arrived."""

    path: str
    headers: dict[str, str]
    body: dict[str, object]


class LocalServer:
    """Answers with ``script`` in order, the last one for ever, or with what ``respond`` makes of a request."""

    def __init__(self) -> None:
        self.script: list[Reply] = []
        self.respond: Callable[[Asked], Reply] | None = None
        self.asked: list[Asked] = []
        self.stopping = threading.Event()
        self.broken_pipes = 0
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                outer.serve(self)

            def log_message(self, *arguments: object) -> None:
                """Say nothing."""

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}"

    def serve(self, handler: BaseHTTPRequestHandler) -> None:
        """Answer one request."""
        body = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
        headers = {name.lower(): value for name, value in handler.headers.items()}
        asked = Asked(path=handler.path, headers=headers, body=body)
        self.asked.append(asked)
        reply = self.respond(asked) if self.respond else self.script[min(len(self.asked), len(self.script)) - 1]
        handler.close_connection = True
        if reply.silent:
            self.stopping.wait(20)
            return
        handler.send_response(reply.status)
        for name, value in {"Connection": "close", **reply.headers}.items():
            handler.send_header(name, value)
        handler.end_headers()
        try:
            for each in reply.pieces:
                if reply.pause_s:
                    self.stopping.wait(reply.pause_s)
                handler.wfile.write(each)
                handler.wfile.flush()
        except OSError:
            self.broken_pipes += 1
        if reply.hang:
            self.stopping.wait(20)


@contextmanager
def running_server() -> Iterator[LocalServer]:
    """Give a running server."""
    server = LocalServer()
    thread = threading.Thread(target=server.http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.stopping.set()
        server.http.shutdown()
        with suppress(OSError):
            server.http.server_close()
        thread.join(5)
