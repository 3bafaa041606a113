"""Sending requests: the one place that imports httpx. What goes wrong is told without the values of any header."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections import deque
from collections.abc import Mapping
from contextlib import contextmanager, suppress
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, NamedTuple, Self
from urllib.parse import urlsplit

from sekisho.core.errors import MissingExtraError, TargetError

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx

    from sekisho.adapters.http_target.secrets import Secret
    from sekisho.adapters.http_target.settings import Call

MOST_BYTES = 10_000_000
"""Of a reply, unpacked; an answer with all that the model was given has some hundred thousand."""
MOST_BYTES_OF_ERROR = 65_536
"""Of a reply that is only quoted."""
_ENCODINGS = frozenset({"", "identity", "gzip", "deflate"})
"""One packing at most: several, one inside the other, make gigabytes of a few bytes."""
_CONNECTED = ("connect_tcp.complete", "start_tls.complete")
_LEAST_S = 0.001


class Reply(NamedTuple):
    """What a server sent.

    Attributes:
        status: Such as 200.
        headers: With names in lower case.
        body: Unpacked. Whole where the status is 2xx, else at most its beginning.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def is_success(self) -> bool:
        """Whether the status is 2xx."""
        return 200 <= self.status < 300  # noqa: PLR2004  the bounds of the class (RFC 9110, section 15)


class BrokenError(Exception):
    """A connection could not be made, or broke before the reply was there; another attempt may succeed."""


class OutOfTimeError(Exception):
    """The deadline has passed."""


class Sender:
    """Sends requests from any number of threads at once; use it as a context manager.

    Each call under way has a connection of its own, so that it can be cut off at its deadline: limits on single reads
    would let a server that drips its reply hold a call for ever. Nothing but the connection outlives a call: no cookie
    of one asker is sent for another.

    Raises:
        MissingExtraError: httpx is not installed.
    """

    def __init__(self, *, proxies: bool) -> None:
        try:
            import httpx  # noqa: PLC0415  an extra, needed for targets over HTTP alone
        except ImportError:
            raise MissingExtraError("targets.needs_http", library="httpx", extra="http") from None
        self._httpx = httpx
        self._proxies = proxies
        self._tls = httpx.create_ssl_context()
        self._idle: dict[bool, deque[_Line]] = {True: deque(), False: deque()}
        self._lines: set[_Line] = set()
        self._lock = threading.Lock()
        self.closed = threading.Event()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self.closed.set()
            idle = [line for lines in self._idle.values() for line in lines]
            left_behind = self._lines.difference(idle)
        for line in left_behind:
            line.cut()  # whoever uses it ends it
        for line in idle:
            self._end(line)

    def send(self, call: Call, headers: Mapping[str, Secret], payload: object, *, deadline: float) -> Reply:
        """Return the reply to one request.

        Args:
            call: Where and how.
            headers: All but those of the sending itself.
            payload: The body; the query, where the method is GET.
            deadline: A reading of ``time.monotonic``.

        Raises:
            BrokenError: With the reason in the words of the library.
            OutOfTimeError: There is no whole reply by the deadline.
            TargetError: The request cannot be sent, or the reply is too large or packed in an unknown way.
        """
        httpx = self._httpx
        with self._line(loopback=_is_loopback(call.url.reveal())) as line, line.cut_off_at(deadline):
            try:
                response = line.client.send(self._request(line, call, headers, payload, deadline), stream=True)
                try:
                    reply = _read(response, call.place)
                finally:
                    response.close()
            except (httpx.HTTPError, httpx.StreamError) as problem:
                if isinstance(problem, httpx.TimeoutException) or time.monotonic() >= deadline:
                    raise OutOfTimeError from None
                if isinstance(problem, httpx.DecodingError):
                    raise TargetError("targets.http_packed", place=call.place) from None
                raise BrokenError(str(problem) or type(problem).__name__) from None
            if time.monotonic() >= deadline:  # cut off, which ends a reply without a stated length like a whole one
                raise OutOfTimeError
            return reply

    def _request(
        self, line: _Line, call: Call, headers: Mapping[str, Secret], payload: object, deadline: float
    ) -> httpx.Request:
        httpx, url, content = self._httpx, call.url.reveal(), None
        plain = {name: value.reveal() for name, value in headers.items()}  # not before: other frames may be shown
        sent = httpx.Headers({"Accept": "application/json", "Content-Type": "application/json"})
        sent.update({**plain, "Accept-Encoding": "gzip, deflate"})
        try:
            if call.method == "GET":
                address = httpx.URL(url).copy_merge_params(_parameters(payload))
                del sent["Content-Type"]
            else:
                address, content = httpx.URL(url), json.dumps(payload, allow_nan=False).encode()
        except (httpx.InvalidURL, ValueError):  # too long for an address, or half a surrogate pair in it
            raise TargetError("targets.http_unsendable", place=call.place) from None
        left_s = max(deadline - time.monotonic(), _LEAST_S)
        return line.client.build_request(
            call.method, address, content=content, headers=sent, timeout=left_s, extensions={"trace": line.watch}
        )

    @contextmanager
    def _line(self, *, loopback: bool) -> Iterator[_Line]:
        if self.closed.is_set():
            raise BrokenError("closed")
        try:
            line = self._idle[loopback].pop()
        except IndexError:
            line = self._new_line(loopback=loopback)
        line.client.cookies.clear()
        is_sound = False
        try:
            yield line
            is_sound = True
        finally:  # what was not read to its end, also where it was interrupted, is no connection for the next call
            with self._lock:
                is_sound = is_sound and not self.closed.is_set()
                if is_sound:
                    self._idle[loopback].append(line)
            if not is_sound:
                self._end(line)

    def _new_line(self, *, loopback: bool) -> _Line:
        line = _Line(
            self._httpx.Client(
                verify=self._tls,
                trust_env=self._proxies and not loopback,
                follow_redirects=False,
                limits=self._httpx.Limits(max_connections=1, max_keepalive_connections=1),
            )
        )
        with self._lock:
            self._lines.add(line)
        return line

    def _end(self, line: _Line) -> None:
        with self._lock:
            self._lines.discard(line)
        line.client.close()


class _Line:
    """A client with at most one connection, whose socket is known while it is used."""

    def __init__(self, client: httpx.Client) -> None:
        self.client = client
        self._connection: socket.socket | None = None

    def watch(self, event: str, about: dict[str, Any]) -> None:
        """Take note of a new connection, as the library traces a request."""
        if event.endswith(_CONNECTED):
            connection = about["return_value"].get_extra_info("socket")
            if isinstance(connection, socket.socket):
                self._connection = connection

    def cut(self) -> None:
        """End the connection under the hands of whoever reads from it."""
        if self._connection is not None:
            with suppress(OSError):
                # An SSL socket's own method drops its state while another thread reads.
                socket.socket.shutdown(self._connection, socket.SHUT_RDWR)

    @contextmanager
    def cut_off_at(self, deadline: float) -> Iterator[None]:
        """Cut the connection at the deadline, where the block has not ended by then."""
        timer = threading.Timer(max(deadline - time.monotonic(), 0), self.cut)
        timer.daemon = True
        timer.name = "sekisho-http-deadline"
        timer.start()
        try:
            yield
        finally:
            timer.cancel()


def _read(response: httpx.Response, place: str) -> Reply:
    if response.headers.get("content-encoding", "").strip().lower() not in _ENCODINGS:
        raise TargetError("targets.http_packed", place=place)
    body = bytearray()
    reply = Reply(response.status_code, {name.lower(): value for name, value in response.headers.items()}, b"")
    most = MOST_BYTES if reply.is_success else MOST_BYTES_OF_ERROR
    for piece in response.iter_bytes():
        body += piece
        if len(body) > most:
            if reply.is_success:
                raise TargetError("targets.http_too_large", place=place, most=MOST_BYTES)
            break
    return reply._replace(body=bytes(body[:most]))


def _parameters(payload: object) -> dict[str, Any]:
    """Return a request as the names and values of a query."""
    return dict(payload) if isinstance(payload, dict) else {}


def _is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:  # a name
        return False
