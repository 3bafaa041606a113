"""Models behind OpenAI's chat protocol (``POST /v1/chat/completions``), which most servers speak."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from pydantic import BaseModel, SecretStr

from knowledge_search.llm.faults import ModelCallError
from knowledge_search.llm.sse import server_events
from knowledge_search.llm.transport import Transport, endpoint, parsed, secret

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

_DONE: Final = "[DONE]"


class _Message(BaseModel):
    content: str | None = None


class _Choice(BaseModel):
    message: _Message = _Message()
    delta: _Message = _Message()
    finish_reason: str | None = None


class _Reply(BaseModel):
    choices: list[_Choice]


class _Chunk(BaseModel):
    choices: list[_Choice] = []
    error: object = None


class OpenAIModel:
    """Asks a model behind an OpenAI-compatible server.

    Neither temperature nor token limits are sent unless ``options`` holds them: servers disagree about their names, and
    newer models refuse them.

    Attributes:
        name: The model's.

    Args:
        url: The server, its ``/v1``, or the whole address of the endpoint.
        model: Its name there.
        key: Sent as a bearer token; None for a server without one.
        timeout_s: For one answer with all its attempts.
        attempts: At least 1.
        options: Further members of each request, such as ``{"temperature": 0}``.
        sleep: Waits between attempts.

    Raises:
        ModelCallError: ``url`` or ``key`` can be none.
    """

    def __init__(
        self,
        url: str,
        model: str,
        key: SecretStr | str | None = None,
        *,
        timeout_s: float = 60.0,
        attempts: int = 3,
        options: Mapping[str, object] | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.name = model
        self._options = dict(options or {})
        self._transport = Transport(
            endpoint=endpoint(url, "chat/completions"),
            headers={} if key is None else {"Authorization": SecretStr(f"Bearer {secret(key).get_secret_value()}")},
            timeout_s=timeout_s,
            attempts=max(attempts, 1),
            sleep=sleep,
        )

    def __repr__(self) -> str:
        return f"OpenAIModel({self._transport.endpoint.host!r}, {self.name!r})"

    def generate(self, system: str, user: str) -> str:
        """Return the whole answer; empty where the model says nothing.

        Raises:
            ModelCallError: There is none within the time limit, or it cannot be read.
        """
        with self._transport.ask(self._payload(system, user, stream=False)) as pieces:
            body = b"".join(pieces)
        choices = parsed(body, _Reply).choices
        if not choices:
            raise ModelCallError("garbage")
        return choices[0].message.content or ""

    def stream(self, system: str, user: str) -> Iterator[str]:
        """Yield the answer as the model writes it.

        Raises:
            ModelCallError: As for ``generate``; ``cut_off`` where the stream ends before the model says that it has
                finished.
        """
        finished = False
        with self._transport.ask(self._payload(system, user, stream=True)) as pieces:
            for event in server_events(pieces):
                if event.data.strip() == _DONE:
                    return
                for choice in _choices(event.data):
                    finished = finished or choice.finish_reason is not None
                    if choice.delta.content:
                        yield choice.delta.content
        if not finished:
            raise ModelCallError("cut_off")

    def _payload(self, system: str, user: str, *, stream: bool) -> dict[str, object]:
        messages = [{"role": "system", "content": system}, {"role": "user", "content": user}]
        return {**self._options, "model": self.name, "messages": messages, "stream": stream}


def _choices(data: str) -> list[_Choice]:
    """Return the first choice of a streamed chunk, if it holds one."""
    chunk = parsed(data, _Chunk)
    if chunk.error is not None:
        raise ModelCallError("busy")
    return chunk.choices[:1]
