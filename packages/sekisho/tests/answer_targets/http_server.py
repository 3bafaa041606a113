"""A real HTTP server on this machine whose replies a test decides."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

from . import system_under_test as system


class Request(NamedTuple):
    """What came in; the body read as JSON where there is one."""

    method: str
    path: str
    query: dict[str, list[str]]
    headers: Message
    json: Any


class Response(NamedTuple):
    """What goes out. ``pieces`` are written as they come, and may wait between."""

    status: int = 200
    body: bytes = b"{}"
    headers: Mapping[str, str] = {"Content-Type": "application/json"}
    pieces: Callable[[], Iterator[bytes]] | None = None


def as_json(value: object, **headers: str) -> Response:
    """Return a JSON response."""
    return Response(body=json.dumps(value).encode(), headers={"Content-Type": "application/json", **headers})


def whole_system(request: Request) -> Response:
    """Answer as the whole system does."""
    if request.path == "/documents":
        return as_json({"items": system.documents()})
    if request.path == "/search":
        return as_json({"hits": [{"id": id_} for id_ in system.search(**request.json)]})
    return as_json({"result": system.answer(**request.json)})


SETTINGS = {
    "text": "result.text",
    "found": "result.found",
    "sources": "result.sources",
    "contexts": "result.contexts[].{document_id: document_id, text: text}",
}
"""Where ``whole_system`` puts the parts of an answer."""


@contextmanager
def serving(respond: Callable[[Request], Response]) -> Iterator[str]:
    """Serve on a free port of this machine; give the address."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def handle(self) -> None:
            try:
                super().handle()
            except ConnectionError:
                self.close_connection = True

        def do_POST(self) -> None:
            self.answer()

        do_GET = do_PUT = do_POST  # noqa: N815  names that the library looks for

        def answer(self) -> None:
            length = int(self.headers.get("Content-Length", 0))
            body = self.rfile.read(length)
            parts = urlsplit(self.path)
            content = json.loads(body) if body else None
            response = respond(Request(self.command, parts.path, parse_qs(parts.query), self.headers, content))
            if response.pieces is not None:
                self.close_connection = True
                for piece in response.pieces():
                    self.wfile.write(piece)
                return
            if "Date" in response.headers:
                self.send_response_only(response.status)
            else:
                self.send_response(response.status)
            for name, value in response.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(response.body)))
            self.end_headers()
            self.wfile.write(response.body)

        def log_message(self, *_: object) -> None:
            """Keep the output of the tests clean."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
