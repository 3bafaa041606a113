"""The models behind HTTP, against a real server: whole answers, streams, and everything that goes wrong."""

# ruff: noqa: ANN401 - the scripted server is loaded by its path, so that its types have no names here

from __future__ import annotations

import json
import time
import traceback
from typing import TYPE_CHECKING, Any, Literal

import pytest
from pydantic import SecretStr

from knowledge_search.domain import ModelError
from knowledge_search.llm import AnthropicModel, ModelCallError, OpenAIModel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

KEY = "sk-very-secret-0123456789"
PIECES = ["三日まで", "です [1]。", "\u2028 end"]


def sse(*events: object, done: str = "") -> tuple[bytes, ...]:
    """Return a stream in awkward pieces: comments, CRLF, and cuts in the middle of a character."""
    text = ": ping\r\n\r\n" + "".join(f"data: {json.dumps(each, ensure_ascii=False)}\r\n\r\n" for each in events)
    data = (text + (f"data: {done}\n\n" if done else "")).encode()
    return tuple(data[at : at + 7] for at in range(0, len(data), 7))


def openai_events(pieces: Iterable[str] = PIECES, *, finished: bool = True) -> list[object]:
    """Return the chunks of OpenAI's protocol."""
    chunks: list[object] = [{"choices": [{"delta": {"role": "assistant", "content": ""}}]}]
    chunks += [{"choices": [{"delta": {"content": each}, "finish_reason": None}]} for each in pieces]
    return chunks + ([{"choices": [{"delta": {}, "finish_reason": "stop"}]}, {"choices": []}] if finished else [])


def anthropic_events(pieces: Iterable[str] = PIECES, *, finished: bool = True) -> list[object]:
    """Return the events of Anthropic's protocol."""
    events: list[object] = [{"type": "message_start", "message": {}}, {"type": "ping"}]
    events += [{"type": "content_block_delta", "delta": {"type": "thinking_delta", "thinking": "hm"}}]
    events += [{"type": "content_block_delta", "delta": {"type": "text_delta", "text": each}} for each in pieces]
    return events + (
        [{"type": "message_delta", "delta": {"stop_reason": "end_turn"}}, {"type": "message_stop"}] if finished else []
    )


WHOLE = {
    OpenAIModel: {"choices": [{"message": {"content": "".join(PIECES)}}]},
    AnthropicModel: {"content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "".join(PIECES)}]},
}
STREAM: dict[type, Callable[..., list[object]]] = {OpenAIModel: openai_events, AnthropicModel: anthropic_events}
Kind = type[OpenAIModel] | type[AnthropicModel]
both = pytest.mark.parametrize("kind", [OpenAIModel, AnthropicModel])


def quick(kind: Kind, url: str, **options: Any) -> OpenAIModel | AnthropicModel:
    """Return a model that does not wait between attempts."""
    return kind(url, "some-model", KEY, **{"sleep": lambda _: None, **options})


@both
def test_a_whole_answer(kind: Kind, model_server: Any, local: Any) -> None:
    """The request holds both parts of the prompt and the key; the answer is the text alone."""
    model_server.script = [local.Reply.json(WHOLE[kind])]

    answer = quick(kind, model_server.url).generate("rules", "question")

    assert answer == "".join(PIECES)
    asked = model_server.asked[0]
    assert asked.path == ("/v1/chat/completions" if kind is OpenAIModel else "/v1/messages")
    assert KEY in (asked.headers["authorization"] if kind is OpenAIModel else asked.headers["x-api-key"])
    assert asked.body["model"] == "some-model"
    assert {"rules", "question"} <= set(json.dumps(asked.body).replace('"', " ").split())


@both
@pytest.mark.parametrize("done", ["", "[DONE]"])
def test_a_streamed_answer(kind: Kind, done: str, model_server: Any, local: Any) -> None:
    """Pieces come as the model wrote them, whatever the packets; odd line separators stay text."""
    model_server.script = [local.Reply(pieces=sse(*STREAM[kind](), done=done))]

    assert list(quick(kind, model_server.url).stream("rules", "question")) == PIECES
    assert model_server.asked[0].body["stream"] is True


@both
def test_pieces_come_while_the_model_still_writes(kind: Kind, model_server: Any, local: Any) -> None:
    """The first piece does not wait for the last, and leaving early closes the connection."""
    model_server.script = [local.Reply(pieces=sse(*STREAM[kind](["早い"], finished=False)), hang=True)]
    pieces = quick(kind, model_server.url, timeout_s=10).stream("rules", "question")
    start = time.monotonic()

    assert next(pieces) == "早い"
    pieces.close()
    assert time.monotonic() - start < 5


@both
def test_a_busy_server_is_asked_again(kind: Kind, model_server: Any, local: Any) -> None:
    """Pauses grow or follow Retry-After."""
    pauses: list[float] = []
    busy = [local.Reply(status=429, headers={"Retry-After": "2"}), local.Reply(status=529)]
    model_server.script = [*busy, local.Reply.json(WHOLE[kind])]

    assert quick(kind, model_server.url, sleep=pauses.append).generate("", "") == "".join(PIECES)
    assert pauses == [2.0, 1.0]


def test_a_pause_beyond_the_limit_is_not_waited_for(model_server: Any, local: Any) -> None:
    """A server that wants an hour is busy now."""
    model_server.script = [local.Reply(status=429, headers={"Retry-After": "3600"})]

    with pytest.raises(ModelCallError, match="429") as caught:
        OpenAIModel(model_server.url, "some-model").generate("", "")

    assert caught.value.code == "busy"
    assert len(model_server.asked) == 1


@both
@pytest.mark.parametrize(
    "refusal",
    [(401, "key_refused", 1), (404, "not_there", 1), (400, "refused", 1), (302, "refused", 1), (500, "busy", 3)],
)
def test_refusals_show_no_secret(kind: Kind, refusal: tuple[int, str, int], model_server: Any, local: Any) -> None:
    """Neither key nor what the server says is in error, traceback or repr; redirects are not followed."""
    status, code, requests = refusal
    headers = {"Location": "http://127.0.0.1:9/"} if status == 302 else {}
    model_server.script = [local.Reply.json({"error": f"no {KEY}"}, status=status, **headers)]
    model = quick(kind, f"{model_server.url}/v1?token=hidden")

    with pytest.raises(ModelError) as caught:
        model.generate("", "")

    assert isinstance(caught.value, ModelCallError)
    assert (caught.value.code, caught.value.timed_out, len(model_server.asked)) == (code, False, requests)
    shown = "".join(traceback.format_exception(caught.value)) + repr(model) + str(vars(model))
    assert KEY not in shown
    assert "hidden" not in repr(model)
    assert "言語モデル" in caught.value.sentence.ja
    assert "language model" in caught.value.sentence.en or "server has no such" in caught.value.sentence.en


@both
@pytest.mark.parametrize(
    "answer", [b"<html>", b"", b"[]", b'{"choices": [], "content": 3}', b"\xff", b'{"choices": [{"message": 1}]}']
)
def test_garbage_is_an_error(kind: Kind, answer: bytes, model_server: Any, local: Any) -> None:
    """A whole answer that is none."""
    model_server.script = [local.Reply(pieces=(answer,))]

    with pytest.raises(ModelCallError) as caught:
        quick(kind, model_server.url).generate("", "")

    assert caught.value.code == "garbage"


@both
@pytest.mark.parametrize(
    "answer", [b"data: <html>\n\n", b"data: \xff\n\n", b"data: " + b"x" * 2_000_000, b"data:\n" * 1_200_000]
)
def test_a_garbled_stream_is_an_error(kind: Kind, answer: bytes, model_server: Any, local: Any) -> None:
    """No JSON, no UTF-8, a line without end, an event without end."""
    model_server.script = [local.Reply(pieces=(answer,))]

    with pytest.raises(ModelCallError) as caught:
        list(quick(kind, model_server.url).stream("", ""))

    assert caught.value.code == "garbage"


@both
@pytest.mark.parametrize("headers", [{}, {"Content-Length": "100000"}])
def test_half_a_stream_is_an_error(kind: Kind, headers: dict[str, str], model_server: Any, local: Any) -> None:
    """Pieces may have come; that the answer is not whole is said all the same, and nothing is asked twice."""
    model_server.script = [local.Reply(pieces=sse(*STREAM[kind](finished=False)), headers=headers)]
    came: list[str] = []

    with pytest.raises(ModelCallError) as caught:
        came.extend(quick(kind, model_server.url).stream("", ""))

    assert caught.value.code == "cut_off"
    assert len(model_server.asked) == 1


@both
def test_an_error_in_the_middle_of_a_stream_is_an_error(kind: Kind, model_server: Any, local: Any) -> None:
    """Both protocols can fail after status 200."""
    failure = {"type": "error", "error": {"type": "overloaded_error", "message": KEY}}
    model_server.script = [local.Reply(pieces=sse(*STREAM[kind](finished=False), failure))]

    with pytest.raises(ModelCallError) as caught:
        list(quick(kind, model_server.url).stream("", ""))

    assert caught.value.code == "busy"
    assert KEY not in str(caught.value)


@both
@pytest.mark.parametrize("how", ["silent", "stuck", "dripping"])
@pytest.mark.parametrize("way", ["whole", "streamed"])
def test_a_hanging_model_costs_no_more_than_the_limit(
    kind: Kind, how: str, way: Literal["whole", "streamed"], model_server: Any, local: Any
) -> None:
    """Silent from the start, stuck in the middle, or dripping for ever: over at the limit, and called a time-out."""
    drip = (b": still thinking\n\n",) * 300
    model_server.script = [
        {
            "silent": local.Reply(silent=True),
            "stuck": local.Reply(pieces=sse(*STREAM[kind](finished=False)), hang=True),
            "dripping": local.Reply(pieces=drip, pause_s=0.05),
        }[how]
    ]
    model = quick(kind, model_server.url, timeout_s=0.25)
    start = time.monotonic()

    with pytest.raises(ModelCallError) as caught:
        list(model.stream("", "")) if way == "streamed" else model.generate("", "")

    assert caught.value.timed_out
    assert time.monotonic() - start < 3


def test_a_model_that_falls_silent_late_gets_no_second_limit(model_server: Any, local: Any) -> None:
    """The limit is for the whole answer, not for the time since its last byte."""
    model_server.script = [local.Reply(pieces=(b": still here\n\n",) * 13, pause_s=0.1, hang=True)]
    start = time.monotonic()

    with pytest.raises(ModelCallError) as caught:
        list(OpenAIModel(model_server.url, "some-model", timeout_s=1.5).stream("", ""))

    assert caught.value.timed_out
    assert time.monotonic() - start < 2.4


def test_an_endless_answer_is_stopped(model_server: Any, local: Any) -> None:
    """Memory is bounded whatever the server sends."""
    model_server.script = [local.Reply(pieces=(b" " * 2**20,) * 20)]

    with pytest.raises(ModelCallError) as caught:
        OpenAIModel(model_server.url, "some-model").generate("", "")

    assert caught.value.code == "too_long"


def test_an_unreachable_server_is_tried_again() -> None:
    """Nothing listens there."""
    pauses: list[float] = []

    with pytest.raises(ModelCallError) as caught:
        OpenAIModel("http://127.0.0.1:9", "some-model", sleep=pauses.append).generate("", "")

    assert caught.value.code == "unreachable"
    assert pauses == [0.5, 1.0]


@both
@pytest.mark.parametrize(
    ("url", "key", "code"),
    [
        ("ftp://host", KEY, "bad_url"),
        ("http://u:pass@host", KEY, "bad_url"),
        ("", KEY, "bad_url"),
        ("http://host", "a\nb", "bad_key"),
        ("http://host", "", "bad_key"),
    ],
)
def test_what_cannot_be_asked_is_refused_at_the_start(kind: Kind, url: str, key: str, code: str) -> None:
    """Address and key are checked when the service starts, and not shown. None is Anthropic's own address."""
    if kind is AnthropicModel and not url:
        url = "nothing"

    with pytest.raises(ModelCallError) as caught:
        kind(url, "some-model", SecretStr(key))

    assert caught.value.code == code
    assert "pass@" not in str(caught.value)


def test_options_are_part_of_the_request(model_server: Any, local: Any) -> None:
    """Temperature and the like are sent only where they are wanted; they cannot replace the prompt."""
    model_server.script = [local.Reply.json(WHOLE[OpenAIModel])]

    OpenAIModel(model_server.url, "some-model", options={"temperature": 0, "messages": []}).generate("a", "b")

    assert model_server.asked[0].body["temperature"] == 0
    assert len(model_server.asked[0].body["messages"]) == 2
    assert "authorization" not in model_server.asked[0].headers
