"""Vectors from any endpoint that speaks OpenAI's embeddings protocol (``POST /v1/embeddings``)."""

from __future__ import annotations

import threading
import time
from functools import cached_property
from typing import TYPE_CHECKING, Final

import httpx
import numpy as np
from pydantic import SecretStr

from knowledge_search.embed.refusals import Fault, embedder_error
from knowledge_search.embed.reply import vectors_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

_BATCH_TEXTS: Final = 64
_BATCH_CHARS: Final = 100_000
"""Hosted endpoints refuse batches of more than some 300,000 tokens; a character is at most about two."""
_AGAIN: Final = frozenset({408, 429, 500, 502, 503, 504, 529})
_FIRST_DELAY_S: Final = 0.5
_LONGEST_DELAY_S: Final = 30.0
_MAX_REPLY_BYTES: Final = 64 * 2**20
_EMPTY: Final = "-"
"""Given in place of a text without characters, which such endpoints refuse."""


class OpenAIEmbedder:
    """Embeds with a model behind an OpenAI-compatible endpoint: hosted, or one's own server.

    Requests are cut into batches. Busy and failing answers (408, 429, 5xx) and broken connections are tried again
    with growing pauses (or what ``Retry-After`` asks for), within one time limit for each batch. Vectors are brought to
    unit length. Redirects are not followed, since the key would go along.

    Attributes:
        name: ``openai``.
        evaluation_grade: False.
        default_max_distance: 1.0, which drops nothing but opposites: distances differ from model to model, so run
            ``knowledge-search calibrate``.

    Args:
        url: The server, its ``/v1``, or the whole address of the endpoint.
        model: Its name there.
        key: Sent as a bearer token; never in errors or ``repr``.
        timeout_s: For one batch with all its attempts.
        attempts: At least 1.
        sleep: Waits between attempts.

    Raises:
        EmbedderError: ``url`` or ``key`` can be none.
    """

    name = "openai"
    default_max_distance = 1.0
    evaluation_grade = False

    def __init__(
        self,
        url: str,
        model: str,
        key: SecretStr | str | None = None,
        *,
        timeout_s: float = 60.0,
        attempts: int = 4,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._endpoint = _endpoint(url)
        self._key = key if isinstance(key, SecretStr) or key is None else SecretStr(key)
        if self._key is not None and not _printable(self._key.get_secret_value()):
            raise embedder_error("bad_key", self._where)
        self._model = model
        self._timeout_s = timeout_s
        self._attempts = max(attempts, 1)
        self._sleep = sleep
        self._dimensions: int | None = None
        self._learning = threading.Lock()
        self._tls = httpx.create_ssl_context()

    def __repr__(self) -> str:
        return f"OpenAIEmbedder({self._where!r}, {self._model!r})"

    @cached_property
    def dimensions(self) -> int:
        """Length of a vector; learnt from the endpoint's first answer, for which it may be asked here.

        Raises:
            EmbedderError: The endpoint does not answer.
        """
        if self._dimensions is None:
            self.embed_query(self._model)
        if self._dimensions is None:  # pragma: no cover - embed_query has set it
            raise embedder_error("garbage", self._where)
        return self._dimensions

    @cached_property
    def fingerprint(self) -> str:
        """Of the model's name and dimensions; the address does not count, so that a server can move."""
        return f"openai:{self._model},dimensions={self.dimensions}"

    def embed_passages(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return unit vectors of shape ``(len(texts), dimensions)``.

        Raises:
            EmbedderError: The endpoint refuses, does not answer in time, or answers with something else.
        """
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        cleaned = [_cleaned(each) for each in texts]
        return np.concatenate([self._embed(batch) for batch in _batches(cleaned)])

    def embed_query(self, text: str) -> npt.NDArray[np.float32]:
        """Return a unit vector of shape ``(dimensions,)``; raises EmbedderError as ``embed_passages``."""
        vector: npt.NDArray[np.float32] = self._embed([_cleaned(text)])[0]
        return vector

    @property
    def _where(self) -> str:
        return self._endpoint.netloc.decode()

    def _embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        vectors = vectors_of(self._ask(texts), len(texts), self._where)
        with self._learning:
            if self._dimensions is None:
                self._dimensions = vectors.shape[1]
        if vectors.shape[1] != self._dimensions:
            raise embedder_error("other_dimensions", self._where, detail=f"{vectors.shape[1]} ≠ {self._dimensions}")
        return vectors

    def _ask(self, texts: Sequence[str]) -> bytes:
        """Return the body of a successful answer."""
        deadline = time.monotonic() + self._timeout_s
        delay_s = _FIRST_DELAY_S
        for attempt in range(1, self._attempts + 1):
            wait_s = delay_s
            try:
                status, wanted_s, body = self._post(texts, deadline)
            except httpx.TimeoutException:
                raise embedder_error("timed_out", self._where, detail=f"{self._timeout_s:g} s") from None
            except httpx.HTTPError:
                fault: Fault = "unreachable"
                detail = ""
            else:
                if status == httpx.codes.OK:
                    return body
                fault, detail = _fault(status), f"HTTP {status}"
                if status not in _AGAIN:
                    break
                wait_s = max(delay_s, wanted_s)
            if attempt == self._attempts or time.monotonic() + wait_s >= deadline:
                break
            self._sleep(wait_s)
            delay_s = min(2 * delay_s, _LONGEST_DELAY_S)
        raise embedder_error(fault, self._where, detail=detail)

    def _post(self, texts: Sequence[str], deadline: float) -> tuple[int, float, bytes]:
        """Return status, the pause asked for in seconds, and body of one attempt."""
        headers = {"Accept-Encoding": "identity"}
        if self._key is not None:
            headers["Authorization"] = f"Bearer {self._key.get_secret_value()}"
        payload = {"model": self._model, "input": list(texts), "encoding_format": "float"}
        left_s = max(deadline - time.monotonic(), 0.001)
        with (
            httpx.Client(timeout=left_s, verify=self._tls) as client,
            client.stream("POST", self._endpoint, json=payload, headers=headers) as response,
        ):
            body = bytearray()
            for piece in response.iter_bytes():
                body += piece
                if time.monotonic() >= deadline:
                    message = "time is up"
                    raise httpx.ReadTimeout(message)
                if len(body) > _MAX_REPLY_BYTES:
                    raise embedder_error("garbage", self._where)
            asked = response.headers.get("retry-after", "")
            return response.status_code, float(asked) if asked.isdecimal() and asked.isascii() else 0.0, bytes(body)


def _endpoint(url: str) -> httpx.URL:
    """Return the endpoint's address; what is wrong with ``url`` is said without showing it: it may hold a secret."""
    try:
        parsed = httpx.URL(url.strip())
    except httpx.InvalidURL:
        raise embedder_error("bad_url", "KNOWLEDGE_SEARCH_EMBEDDER_URL") from None
    if parsed.scheme not in {"http", "https"} or not parsed.host or parsed.userinfo:
        raise embedder_error("bad_url", "KNOWLEDGE_SEARCH_EMBEDDER_URL")
    path = parsed.path.rstrip("/")
    if not path.endswith("/embeddings"):
        path += "/embeddings" if path.rpartition("/")[2].startswith("v") else "/v1/embeddings"
    return parsed.copy_with(path=path)


def _batches(texts: Sequence[str]) -> list[list[str]]:
    batches: list[list[str]] = []
    size = 0
    for each in texts:
        if not batches or len(batches[-1]) == _BATCH_TEXTS or size + len(each) > _BATCH_CHARS:
            batches.append([])
            size = 0
        batches[-1].append(each)
        size += len(each)
    return batches


def _fault(status: int) -> Fault:
    if status in {401, 403}:
        return "key_refused"
    if status == httpx.codes.NOT_FOUND:
        return "not_there"
    return "busy" if status in _AGAIN else "refused"


def _printable(key: str) -> bool:
    return bool(key) and all("!" <= each <= "~" for each in key)


def _cleaned(text: str) -> str:
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return whole if whole.strip() else _EMPTY
