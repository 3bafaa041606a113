"""The embedder behind an OpenAI-compatible endpoint, against a real HTTP server."""

# ruff: noqa: ANN401 - the scripted server is loaded by its path, so that its types have no names here

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from knowledge_search.domain import EmbedderError
from knowledge_search.embed import HashingEmbedder, OpenAIEmbedder

if TYPE_CHECKING:
    from knowledge_search.ports import Embedder

KEY = "sk-very-secret-0123456789"


def reply(asked: Any, dimensions: int = 3) -> dict[str, object]:
    """Return vectors that tell the texts apart, last one first, as the protocol allows."""
    vectors = [[float(len(text)), 1.0, 0.0][:dimensions] for text in asked.body["input"]]
    return {"data": [{"index": at, "embedding": each} for at, each in enumerate(vectors)][::-1]}


@pytest.fixture
def server(model_server: Any, local: Any) -> Any:
    """Give a server that embeds."""
    model_server.respond = lambda asked: local.Reply.json(reply(asked))
    return model_server


def test_both_kinds_keep_the_protocol(server: Any) -> None:
    """Length and fingerprint are known before anything is embedded, and the server may move."""
    embedders: list[Embedder] = [HashingEmbedder(), OpenAIEmbedder(server.url, "small", KEY)]

    assert [each.dimensions for each in embedders] == [1024, 3]
    assert embedders[1].fingerprint == "openai:small,dimensions=3"


@pytest.mark.parametrize("path", ["", "/", "/v1", "/v1/", "/v1/embeddings"])
def test_any_form_of_the_address_will_do(server: Any, path: str) -> None:
    """The endpoint is found from the server's address, its version, or its own."""
    OpenAIEmbedder(server.url + path, "small").embed_query("text")

    assert server.asked[0].path == "/v1/embeddings"


def test_vectors_come_in_order_of_unit_length_and_in_batches(server: Any) -> None:
    """A hundred texts are two requests; the server's order does not matter; the key is a bearer token."""
    texts = ["x" * number for number in range(1, 101)]

    vectors = OpenAIEmbedder(server.url, "small", KEY).embed_passages(texts)

    assert [len(each.body["input"]) for each in server.asked] == [64, 36]
    assert np.allclose(vectors[:, 0] / vectors[:, 1], np.arange(1, 101))
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1)
    assert server.asked[0].headers["authorization"] == f"Bearer {KEY}"


def test_a_busy_server_is_asked_again(server: Any, local: Any) -> None:
    """Twice busy, then an answer: the pauses grow, and Retry-After is heeded."""
    pauses: list[float] = []
    ready = server.respond
    busy = [local.Reply(status=429, headers={"Retry-After": "3"}), local.Reply(status=503)]
    server.respond = lambda asked: busy.pop(0) if busy else ready(asked)

    OpenAIEmbedder(server.url, "small", sleep=pauses.append).embed_query("text")

    assert pauses == [3.0, 1.0]


@pytest.mark.parametrize(
    ("status", "requests", "words"),
    [(401, 1, "EMBEDDER_KEY"), (404, 1, "EMBEDDER_MODEL"), (400, 1, "400"), (500, 4, "500")],
)
def test_refusals_say_what_to_do_and_show_no_secret(
    server: Any, local: Any, status: int, requests: int, words: str
) -> None:
    """Only failures that may pass are tried again; what the server says is not repeated, since it may say the key."""
    server.respond = lambda _: local.Reply.json({"error": {"message": f"bad key {KEY}"}}, status=status)
    embedder = OpenAIEmbedder(server.url + "?token=hidden", "small", KEY, sleep=lambda _: None)

    with pytest.raises(EmbedderError, match=words) as caught:
        embedder.embed_query("text")

    assert len(server.asked) == requests
    assert "埋め込み" in str(caught.value)
    assert not any(secret in f"{caught.value!s}{caught.value!r}{embedder!r}" for secret in (KEY, "hidden"))


@pytest.mark.parametrize(
    "answer",
    [
        b"<html>", b"", b"{}", b'{"data": []}', b'{"data": [{"index": 0, "embedding": []}]}',
        b'{"data": [{"index": 1, "embedding": [1]}]}', b'{"data": [{"index": 0, "embedding": [0, 0]}]}',
        b'{"data": [{"index": 0, "embedding": [1e999]}]}', b'{"data": [{"index": 0, "embedding": ["a"]}]}', b"\xff\xfe",
    ],
)  # fmt: skip
def test_garbage_is_an_error(server: Any, local: Any, answer: bytes) -> None:
    """Whatever comes with status 200 is either one finite vector for each text, or refused."""
    server.respond = lambda _: local.Reply(pieces=(answer,))

    with pytest.raises(EmbedderError, match="cannot be read"):
        OpenAIEmbedder(server.url, "small").embed_query("text")


def test_another_length_later_is_an_error(server: Any, local: Any) -> None:
    """A model that was replaced behind the endpoint is noticed."""
    embedder = OpenAIEmbedder(server.url, "small")
    embedder.embed_query("text")
    server.respond = lambda asked: local.Reply.json(reply(asked, 2))

    with pytest.raises(EmbedderError, match="2 ≠ 3"):
        embedder.embed_query("text")


@pytest.mark.parametrize("how", ["silent", "dripping"])
def test_a_hanging_server_costs_no_more_than_the_limit(server: Any, local: Any, how: str) -> None:
    """Neither silence nor a drip of bytes holds the ingest up."""
    drip = local.Reply(pieces=(b" ",) * 200, pause_s=0.05)
    server.respond = lambda _: local.Reply(silent=True) if how == "silent" else drip
    start = time.monotonic()

    with pytest.raises(EmbedderError, match="in time"):
        OpenAIEmbedder(server.url, "small", timeout_s=0.25).embed_query("text")

    assert time.monotonic() - start < 5


def test_an_unreachable_server_is_an_error() -> None:
    """Nothing listens there."""
    with pytest.raises(EmbedderError, match="cannot be reached"):
        OpenAIEmbedder("http://127.0.0.1:9", "small", attempts=2, sleep=lambda _: None).embed_query("text")


@pytest.mark.parametrize("url", ["", "ftp://host", "host/v1", "http://user:pass@host/v1", "http://"])
def test_what_is_no_address_is_refused_unshown(url: str) -> None:
    """At the start, not at the first question; a password in it is not printed."""
    with pytest.raises(EmbedderError, match="EMBEDDER_URL") as caught:
        OpenAIEmbedder(url, "small")

    assert "pass@" not in str(caught.value)


@pytest.mark.parametrize("key", ["", "sk-with\nbreak", "日本語", "sk with blank"])
def test_what_is_no_key_is_refused_unshown(key: str) -> None:
    """An HTTP library would show it in its error."""
    with pytest.raises(EmbedderError, match="key holds"):
        OpenAIEmbedder("http://127.0.0.1:9", "small", key)


def test_empty_and_broken_texts_are_sent_as_something(server: Any) -> None:
    """Endpoints refuse empty texts, and JSON holds no half of a surrogate pair."""
    vectors = OpenAIEmbedder(server.url, "small").embed_passages(["", " ", "a\ud800"])

    assert server.asked[0].body["input"] == ["-", "-", "a\ufffd"]
    assert vectors.shape == (3, 3)
