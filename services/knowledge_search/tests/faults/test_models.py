"""A language model that hangs, answers half, or drips; and readers who leave."""

from __future__ import annotations

import json
import socket
import sys
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from knowledge_search.llm import ModelCallError, OpenAIModel

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import ThreadPoolExecutor

    from knowledge_search.bootstrap import Services

    from .conftest import Kit

QUESTION = {"question": "規程の本文"}
STREAM = {"Accept": "text/event-stream"}
WHOLE = json.dumps({"choices": [{"message": {"content": "本文です。[1]"}, "finish_reason": "stop"}]}).encode()
PIECE = f"data: {json.dumps({'choices': [{'delta': {'content': '本文です。[1]'}}]})}\n\n".encode()


@pytest.fixture
def model(kit: Kit) -> Iterator[Any]:
    """Give a server that answers as a model does, or should not."""
    with kit.running_server() as server:
        yield server


@pytest.fixture
def reply(model: object) -> Any:  # noqa: ANN401 - a class of another test's module
    """Give the way to script an answer."""
    return sys.modules[type(model).__module__].Reply  # type: ignore[attr-defined]


@contextmanager
def served(kit: Kit, services: Services, model: Any, **settings: object) -> Iterator[str]:  # noqa: ANN401 - see above
    """Give the address of a service with two workers that gives the model one second."""
    changed = services.settings.model_copy(update={"max_concurrent": 2, **settings})
    llm = OpenAIModel(model.url, "m", None, timeout_s=1.0)
    with kit.serving(replace(services, settings=changed, llm=llm)) as url:
        yield url


@pytest.mark.parametrize(
    ("fault", "status", "code"),
    [
        ({"silent": True}, 504, "model_slow"),
        ({"pieces": (WHOLE[:20],), "hang": True, "headers": {"Content-Length": str(len(WHOLE))}}, 504, "model_slow"),
        ({"pieces": tuple(WHOLE[at : at + 1] for at in range(len(WHOLE))), "pause_s": 0.1}, 504, "model_slow"),
        ({"pieces": (WHOLE[:20],), "headers": {"Content-Length": str(len(WHOLE))}}, 502, "model_failed"),
        ({"status": 500, "pieces": (b"{}",)}, 502, "model_failed"),
    ],
    ids=["hangs", "half and hangs", "drips", "half and ends", "fails"],
)
def test_a_model_out_of_order_frees_its_worker(
    *, fault: dict[str, Any], status: int, code: str, kit: Kit, services: Services, key: str, model: Any, reply: Any,  # noqa: ANN401 - see above
    pool: ThreadPoolExecutor,
) -> None:  # fmt: skip
    """Both workers wait for it: a third asker hears 503, both end in time, and then two are there again."""
    headers = {"Authorization": f"Bearer {key}"}
    with served(kit, services, model) as url, httpx.Client(base_url=url, headers=headers, timeout=20) as http:
        kit.put(http, 1)
        model.script = [reply(**fault)]
        started = time.monotonic()
        waiting = [pool.submit(http.post, "/ask", json=QUESTION) for _ in range(2)]
        while len(model.asked) < 2 and time.monotonic() < started + 5:
            time.sleep(0.01)
        third = http.get("/documents").status_code
        answers = [one.result(20) for one in waiting]
        took_s = time.monotonic() - started
        model.asked.clear()
        model.script = [reply(pieces=(WHOLE,), pause_s=0.2)]
        after = [one.result(20) for one in [pool.submit(http.post, "/ask", json=QUESTION) for _ in range(2)]]

    assert [(one.status_code, one.json()["code"]) for one in answers] == [(status, code)] * 2
    assert took_s < 4
    assert third == 503 or code == "model_failed"  # one that fails may have failed already
    assert [(one.status_code, one.json()["text"]) for one in after] == [(200, "本文です。[1]")] * 2


def test_a_stream_that_hangs_ends_in_an_error(kit: Kit, services: Services, key: str, model: Any, reply: Any) -> None:  # noqa: ANN401 - see above
    """After a first piece nothing more comes: the last event says so."""
    headers = {"Authorization": f"Bearer {key}"}
    model.script = [reply(pieces=(PIECE,), hang=True, headers={"Content-Type": "text/event-stream"})]
    with served(kit, services, model) as url, httpx.Client(base_url=url, headers=headers, timeout=20) as http:
        kit.put(http, 1)
        told = http.post("/ask", json=QUESTION, headers=STREAM).text
        again = http.get("/documents").status_code

    assert told.rstrip().rsplit("\n\n", 1)[-1].startswith("event: error")
    assert '"model_slow"' in told
    assert again == 200


def test_a_reader_who_leaves_closes_the_connection_to_the_model(
    kit: Kit, services: Services, key: str, model: Any, reply: Any  # noqa: ANN401 - see above
) -> None:  # fmt: skip
    """Nobody pays for an answer that nobody reads; the worker is free again."""
    headers = {"Authorization": f"Bearer {key}"}
    model.script = [reply(pieces=(PIECE,) * 200, pause_s=0.03, headers={"Content-Type": "text/event-stream"})]
    with served(kit, services, model, max_concurrent=1) as url:
        with httpx.Client(base_url=url, headers=headers, timeout=20) as http:
            kit.put(http, 1)
        slow = OpenAIModel(model.url, "m", None, timeout_s=30.0)
        with kit.serving(replace(services, llm=slow)) as patient:
            with httpx.stream("POST", f"{patient}/ask", json=QUESTION, headers=headers | STREAM) as response:
                for line in response.iter_lines():
                    if line == "event: piece":
                        break
            until = time.monotonic() + 5
            while not model.broken_pipes and time.monotonic() < until:
                time.sleep(0.02)

            assert model.broken_pipes == 1
            assert httpx.get(f"{patient}/documents", headers=headers).status_code == 200


def test_a_sender_who_leaves_in_the_middle_of_an_upload(kit: Kit, services: Services, key: str, model: Any) -> None:  # noqa: ANN401 - see above
    """Nothing of the document is kept, and the only worker is free again."""
    headers = {"Authorization": f"Bearer {key}"}
    with served(kit, services, model, max_concurrent=1) as url, httpx.Client(base_url=url, headers=headers) as http:
        request = http.build_request(
            "POST", "/documents", files={"file": ("half.md", kit.text(3).encode())}, data={"department": "all"}
        )
        body = request.read()
        head = "".join(f"{name}: {value}\r\n" for name, value in request.headers.items())
        with socket.create_connection((request.url.host, request.url.port or 80)) as sender:
            sender.sendall(f"POST /documents HTTP/1.1\r\n{head}\r\n".encode() + body[: len(body) // 2])
            time.sleep(0.3)
            busy = http.get("/documents").status_code
        until = time.monotonic() + 5
        while (listed := http.get("/documents")).status_code == 503 and time.monotonic() < until:
            time.sleep(0.05)

    assert (busy, listed.status_code) == (503, 200)
    assert "half.md" not in listed.text


@contextmanager
def dripping(sent: bytes) -> Iterator[str]:
    """Give the address of a server that sends this a byte at a time, for ever slow."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def drip() -> None:
            with suppress(OSError):
                connection, _ = listener.accept()
                with connection:
                    connection.recv(65_536)
                    for at in range(len(sent)):
                        connection.sendall(sent[at : at + 1])
                        time.sleep(0.1)

        thread = threading.Thread(target=drip, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        listener.close()
        thread.join(10)


def test_a_model_that_drips_its_headers_is_cut_off() -> None:
    """Each byte comes in time, and yet the whole answer does not."""
    started = time.monotonic()
    with dripping(b"HTTP/1.1 200 OK\r\nX-Slow: " + b"a" * 60) as url, pytest.raises(ModelCallError) as refused:
        OpenAIModel(url, "m", None, timeout_s=1.0).generate("system", "user")

    assert refused.value.timed_out
    assert time.monotonic() - started < 3
