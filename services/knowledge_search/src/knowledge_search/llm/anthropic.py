"""Models behind Anthropic's messages protocol (``POST /v1/messages``)."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from pydantic import BaseModel, SecretStr

from knowledge_search.llm.faults import ModelCallError
from knowledge_search.llm.sse import server_events
from knowledge_search.llm.transport import Transport, endpoint, parsed, secret

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

DEFAULT_URL: Final = "https://api.anthropic.com"
_VERSION: Final = "2023-06-01"
"""Of the protocol, which each request has to name."""
_MAX_TOKENS: Final = 2048
"""Required by the protocol; several times the length of an answer from a handful of passages."""


class _Block(BaseModel):
    type: str
    text: str = ""


class _Reply(BaseModel):
    content: list[_Block]


class _Event(BaseModel):
    type: str
    delta: _Block | None = None


class _Kind(BaseModel):
    type: str


class AnthropicModel:
    """Asks a model behind Anthropic's messages protocol.

    Attributes:
        name: The model's.

    Args:
        url: The server, its ``/v1``, or the whole address of the endpoint; None for Anthropic's own.
        model: Its name there.
        key: Sent as ``x-api-key``; never in errors or ``repr``.
        timeout_s: For one answer with all its attempts.
        attempts: At least 1.
        options: Further members of each request, such as ``{"max_tokens": 500}``.
        sleep: Waits between attempts.

    Raises:
        ModelCallError: ``url`` or ``key`` can be none.
    """

    def __init__(
        self,
        url: str | None,
        model: str,
        key: SecretStr | str,
        *,
        timeout_s: float = 60.0,
        attempts: int = 3,
        options: Mapping[str, object] | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.name = model
        self._options = {"max_tokens": _MAX_TOKENS, **(options or {})}
        self._transport = Transport(
            endpoint=endpoint(url or DEFAULT_URL, "messages"),
            headers={"x-api-key": secret(key), "anthropic-version": SecretStr(_VERSION)},
            timeout_s=timeout_s,
            attempts=max(attempts, 1),
            sleep=sleep,
        )

    def __repr__(self) -> str:
        return f"AnthropicModel({self._transport.endpoint.host!r}, {self.name!r})"

    def generate(self, system: str, user: str) -> str:
        """Return the whole answer; empty where the model says nothing.

        Raises:
            ModelCallError: There is none within the time limit, or it cannot be read.
        """
        with self._transport.ask(self._payload(system, user, stream=False)) as pieces:
            body = b"".join(pieces)
        blocks = parsed(body, _Reply).content
        return "".join(each.text for each in blocks if each.type == "text")

    def stream(self, system: str, user: str) -> Iterator[str]:
        """Yield the answer as the model writes it.

        Raises:
            ModelCallError: As for ``generate``; ``cut_off`` where the stream ends before the model says that it has
                finished.
        """
        with self._transport.ask(self._payload(system, user, stream=True)) as pieces:
            for event in server_events(pieces):
                kind = parsed(event.data, _Kind).type
                if kind == "message_stop":
                    return
                if kind == "error":
                    raise ModelCallError("busy")
                if kind == "content_block_delta":
                    delta = parsed(event.data, _Event).delta
                    if delta is not None and delta.type == "text_delta" and delta.text:
                        yield delta.text
        raise ModelCallError("cut_off")

    def _payload(self, system: str, user: str, *, stream: bool) -> dict[str, object]:
        messages = [{"role": "user", "content": user}]
        return {**self._options, "model": self.name, "system": system, "messages": messages, "stream": stream}
