"""The model's real server: one request handed on, one reply brought back."""

from __future__ import annotations

import http.client
import urllib.error
import urllib.request
from collections.abc import Iterator
from ipaddress import ip_address
from typing import IO, TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from sekisho.core.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from email.message import Message

MOST_BYTES = 32 << 20
"""Of a reply; a long answer, streamed word by word with log-probabilities, has a few megabytes."""
_HOP_BY_HOP = frozenset(
    {"connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "te", "trailer", "transfer-encoding",
     "upgrade", "host", "content-length", "accept-encoding", "expect"}
)  # fmt: skip
"""Headers that belong to one connection (RFC 9110, section 7.6.1), and those that are made anew for the next one."""
_PIECE = 64 << 10


class UpstreamError(Exception):
    """There is no reply that could be recorded; the text says why, without address or key."""


class Incoming(NamedTuple):
    """A reply whose body is read piece by piece.

    Attributes:
        status: Such as 200.
        content_type: As the server gave it.
        retry_after: The header of that name; empty where there is none.
        pieces: The body. Of a stream of events: whole lines, as they arrive.
    """

    status: int
    content_type: str
    retry_after: str
    pieces: Iterator[bytes]


def is_stream(content_type: str) -> bool:
    """Tell whether a body of this type is a stream of events."""
    return content_type.partition(";")[0].strip().lower() == "text/event-stream"


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(  # noqa: PLR0917  the signature of the base class
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> None:
        """Follow nowhere: the key would travel along, and the recording would hold another server's words."""


class Upstream:
    """A server that requests are handed on to; proxies of the environment are used, but not to this machine itself.

    Args:
        url: Its base address, such as ``https://example.com/v1``; without a path, ``/v1`` is meant.
        timeout_s: For the connection and for each pause within a reply.

    Raises:
        ConfigurationError: The address is not http or https, or holds a user, a query or a fragment, where keys hide.
    """

    def __init__(self, url: str, *, timeout_s: float = 600.0) -> None:
        self._base = _checked(url)
        self._timeout_s = timeout_s
        handlers: list[urllib.request.BaseHandler] = [_NoRedirects()]
        if _is_loopback(urlsplit(self._base).hostname or ""):
            handlers.append(urllib.request.ProxyHandler({}))
        self._opener = urllib.request.build_opener(*handlers)

    @property
    def host(self) -> str:
        """The server, for reports; the path may hold a key."""
        return urlsplit(self._base).netloc

    def __repr__(self) -> str:
        return f"Upstream({self.host!r})"

    def send(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> Incoming:
        """Return the reply to one request.

        Args:
            method: Such as ``POST``.
            path: Below the base address, with its query.
            headers: Of the client; those of its connection are left out.
            body: As it came.

        Raises:
            UpstreamError: There is none.
        """
        kept = {name: value for name, value in headers.items() if name.lower() not in _HOP_BY_HOP}
        kept["Accept-Encoding"] = "identity"
        request = urllib.request.Request(  # noqa: S310  the scheme has been checked
            self._base + path, data=body or None, headers=kept, method=method
        )
        try:
            reply = self._opener.open(request, timeout=self._timeout_s)
        except urllib.error.HTTPError as refusal:  # a reply like any other, which the client may answer by a retry
            reply = refusal
        except (OSError, http.client.HTTPException, ValueError) as problem:
            raise UpstreamError(_reason(problem)) from None
        found: Message = reply.headers
        if found.get("Content-Encoding", "identity").strip().lower() not in {"", "identity"}:
            reply.close()
            raise UpstreamError("the reply is compressed although it was asked for uncompressed")
        incoming = Incoming(
            reply.status, found.get("Content-Type", "").strip(), found.get("Retry-After", "").strip(), iter(())
        )
        return incoming._replace(pieces=_lines(_pieces(reply)) if is_stream(incoming.content_type) else _pieces(reply))


def _pieces(reply: Any) -> Iterator[bytes]:  # noqa: ANN401  a response or an HTTPError, which act alike
    """Yield a body as it arrives; the end of a connection within it is not taken for its end."""
    size = 0
    with reply:
        while True:
            try:
                piece: bytes = reply.read1(_PIECE)
            except (OSError, http.client.HTTPException, ValueError) as problem:
                raise UpstreamError(_reason(problem)) from None
            if not piece:
                break
            size += len(piece)
            if size > MOST_BYTES:
                raise UpstreamError("the reply is too large")
            yield piece
        length = reply.headers.get("Content-Length", "")
        if length.isdigit() and size < int(length):
            raise UpstreamError("the reply was cut off")


def _lines(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield whole lines, as soon as they are there: a key can be found in a line, but not in half of one."""
    rest: list[bytes] = []
    for piece in pieces:
        whole, end, begun = piece.rpartition(b"\n")
        if end:
            yield b"".join((*rest, whole, end))
            rest = []
        rest.append(begun)
    if last := b"".join(rest):
        yield last


def _reason(problem: BaseException) -> str:
    """Return what went wrong in the words of the system, without the address."""
    inner = problem.reason if isinstance(problem, urllib.error.URLError) else problem
    if isinstance(inner, TimeoutError):
        return "timed out"
    return (inner.strerror if isinstance(inner, OSError) and inner.strerror else None) or type(inner).__name__


def _checked(url: str) -> str:
    """Return a base address without a slash at its end."""
    try:
        parts = urlsplit(url.strip())
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable or not url.strip().isascii() or not url.strip().isprintable() or " " in url.strip():
        raise ConfigurationError("models.url")
    if "@" in parts.netloc or parts.query or parts.fragment or "?" in url:
        raise ConfigurationError("models.url_parts")
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/') or '/v1'}"


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
