"""One request to a model server, with its time limit, attempts and secrets."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeVar

import httpx
from pydantic import BaseModel, SecretStr, ValidationError

from knowledge_search.llm.faults import ModelCallError, ModelFault

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable, Iterator, Mapping

    _Watch = Callable[[str, dict[str, Any]], None]

Reply = TypeVar("Reply", bound=BaseModel)
_AGAIN: Final = frozenset({408, 429, 500, 502, 503, 504, 529})
"""Busy or failing for now; 529 is Anthropic's "overloaded"."""
_FIRST_DELAY_S: Final = 0.5
_LONGEST_DELAY_S: Final = 20.0
_MAX_REPLY_BYTES: Final = 8 * 2**20


@dataclass(frozen=True, kw_only=True)
class Transport:
    """Where and how to ask. ``repr`` and errors hold neither the address's query nor the key.

    Attributes:
        endpoint: The whole address.
        headers: Of each request, secret.
        timeout_s: For one answer: all attempts, pauses and the whole stream.
        attempts: At least 1.
        sleep: Waits between attempts.
        tls: Trusted certificates, read once: reading them costs more than a request.
    """

    endpoint: httpx.URL = field(repr=False)
    headers: Mapping[str, SecretStr] = field(repr=False)
    timeout_s: float
    attempts: int
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False)
    tls: ssl.SSLContext = field(default_factory=httpx.create_ssl_context, repr=False)

    @contextmanager
    def ask(self, payload: object) -> Iterator[Iterator[bytes]]:
        """Give the pieces of a successful answer's body as they arrive.

        Broken connections and the statuses 408, 429 and 5xx are tried again after growing pauses, or the one that
        ``Retry-After`` asks for, as long as the time limit allows; never after the answer has begun.

        Raises:
            ModelCallError: There is no answer, also while the pieces are read.
        """
        deadline = time.monotonic() + self.timeout_s
        with httpx.Client(timeout=self.timeout_s, verify=self.tls) as client, _cut_off_at(deadline) as watch:
            response = self._response(client, payload, deadline, watch)
            try:
                yield _pieces(response, deadline)
            finally:
                response.close()

    def _response(self, client: httpx.Client, payload: object, deadline: float, watch: _Watch) -> httpx.Response:
        delay_s = _FIRST_DELAY_S
        for attempt in range(1, self.attempts + 1):
            response, failure = self._attempt(client, payload, deadline, watch)
            if response is not None and response.status_code == httpx.codes.OK:
                return response
            wait_s = delay_s
            if response is not None:
                wait_s = max(delay_s, _wanted_pause_s(response))
                response.close()
            last = attempt == self.attempts or time.monotonic() + wait_s >= deadline
            if last or (response is not None and response.status_code not in _AGAIN):
                raise failure
            self.sleep(wait_s)
            delay_s = min(2 * delay_s, _LONGEST_DELAY_S)
        raise ModelCallError("unreachable")

    def _attempt(
        self, client: httpx.Client, payload: object, deadline: float, watch: _Watch
    ) -> tuple[httpx.Response | None, ModelCallError]:
        """Return the answer, its body unread, if any came, and what to raise if it is not to be used."""
        headers = {name: value.get_secret_value() for name, value in self.headers.items()}
        headers["Accept-Encoding"] = "identity"
        left_s = max(deadline - time.monotonic(), 0.001)
        request = client.build_request(
            "POST", self.endpoint, json=payload, headers=headers, timeout=left_s, extensions={"trace": watch}
        )
        try:
            response = client.send(request, stream=True)
        except httpx.TimeoutException:
            raise ModelCallError("timed_out") from None
        except httpx.HTTPError:
            if time.monotonic() >= deadline:
                raise ModelCallError("timed_out") from None
            return None, ModelCallError("unreachable")
        return response, ModelCallError(_fault(response.status_code), status=response.status_code)


def endpoint(url: str, path: str) -> httpx.URL:
    """Return the address of ``path`` (such as ``chat/completions``) for a server, its ``/v1``, or the address itself.

    Raises:
        ModelCallError: ``url`` is no such address.
    """
    try:
        parsed = httpx.URL(url.strip())
    except httpx.InvalidURL:
        raise ModelCallError("bad_url") from None
    if parsed.scheme not in {"http", "https"} or not parsed.host or parsed.userinfo:
        raise ModelCallError("bad_url")
    base = parsed.path.rstrip("/")
    if base.endswith(f"/{path}"):
        return parsed
    version = "" if base.rpartition("/")[2].startswith("v") else "/v1"
    return parsed.copy_with(path=f"{base}{version}/{path}")


def secret(key: SecretStr | str) -> SecretStr:
    """Return a key that can be a header; an HTTP library would show one that cannot in its error.

    Raises:
        ModelCallError: It is empty, or holds anything but visible ASCII.
    """
    value = key.get_secret_value() if isinstance(key, SecretStr) else key
    if not value or not all("!" <= each <= "~" for each in value):
        raise ModelCallError("bad_key")
    return SecretStr(value)


def _pieces(response: httpx.Response, deadline: float) -> Iterator[bytes]:
    size = 0
    try:
        for piece in response.iter_bytes():
            if time.monotonic() >= deadline:
                raise ModelCallError("timed_out")
            size += len(piece)
            if size > _MAX_REPLY_BYTES:
                raise ModelCallError("too_long")
            yield piece
    except httpx.TimeoutException:
        raise ModelCallError("timed_out") from None
    except (httpx.HTTPError, httpx.StreamError):
        raise ModelCallError("timed_out" if time.monotonic() >= deadline else "cut_off") from None
    if time.monotonic() >= deadline:
        raise ModelCallError("timed_out")


@contextmanager
def _cut_off_at(deadline: float) -> Iterator[_Watch]:
    """Close every connection at the deadline; give what must be told of them, as httpx traces a request.

    A time limit on each read alone lets a server that drips, be it its headers or its body, hold us for ever.
    """
    opened: list[socket.socket] = []

    def watch(event: str, about: dict[str, Any]) -> None:
        if event in {"connection.connect_tcp.complete", "connection.start_tls.complete"}:
            connection = about["return_value"].get_extra_info("socket")
            if isinstance(connection, socket.socket):
                opened.append(connection)

    def cut() -> None:
        for connection in opened:
            with suppress(OSError):
                # An SSL socket's own method drops its state under the reader's feet.
                socket.socket.shutdown(connection, socket.SHUT_RDWR)

    timer = threading.Timer(max(deadline - time.monotonic(), 0), cut)
    timer.daemon = True
    timer.start()
    try:
        yield watch
    finally:
        timer.cancel()


def _wanted_pause_s(response: httpx.Response) -> float:
    wanted = response.headers.get("retry-after", "")
    return float(wanted) if wanted.isascii() and wanted.isdecimal() else 0.0


def _fault(status: int) -> ModelFault:
    if status in {401, 403}:
        return "key_refused"
    if status == httpx.codes.NOT_FOUND:
        return "not_there"
    return "busy" if status in _AGAIN else "refused"


def parsed(data: str | bytes, model: type[Reply]) -> Reply:
    """Return what a server sent, as the record that it should be.

    Raises:
        ModelCallError: It is none; what was sent is not repeated, since it may hold the key.
    """
    try:
        return model.model_validate_json(data)
    except ValidationError:
        raise ModelCallError("garbage") from None
