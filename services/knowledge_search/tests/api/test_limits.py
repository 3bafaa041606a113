"""How much one may ask: body, rate, concurrency, length."""

from __future__ import annotations

import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import httpx
import pytest

from knowledge_search.api.limits import RateLimit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

QUESTION = "食堂は何時に開きますか？"


class Waiting:
    """A model that answers once it is told to."""

    name = "waiting"

    def __init__(self) -> None:
        self.asked = threading.Semaphore(0)
        self.go = threading.Event()

    def generate(self, system: str, user: str) -> str:  # noqa: ARG002 - the protocol's
        """Wait, then answer."""
        self.asked.release()
        self.go.wait(20)
        return "はい。[1]"


HEAD = b'--b\r\nContent-Disposition: form-data; name="file"; filename="x.md"\r\n\r\n'


def parts(size: int) -> Iterator[bytes]:
    """Yield the body of an upload in parts, so that its length is not announced."""
    yield HEAD
    for _ in range(0, size, 65_536):
        yield b"x" * 65_536


@pytest.mark.parametrize("chunked", [False, True])
@pytest.mark.parametrize("path", ["/ask", "/documents"])
def test_too_large_a_body_is_refused(
    serve_with: Callable[..., AbstractContextManager[str]], keys: dict[str, str], path: str, *, chunked: bool
) -> None:
    """413 with the limit in the sentence, also where the length is not announced."""
    headers = {"Authorization": f"Bearer {keys['write-sales']}", "Content-Type": "application/json"}
    if path == "/documents":
        headers["Content-Type"] = "multipart/form-data; boundary=b"
    with serve_with(max_body_bytes=200_000) as url:
        body = parts(400_000) if chunked else b"x" * 400_000
        response = httpx.post(f"{url}{path}", content=body, headers=headers, timeout=30)

    assert response.status_code == 413
    assert response.json()["code"] == "too_large"
    assert ("200000" if path == "/documents" else "65536") in response.json()["message"]


def test_a_wrong_content_length_is_refused(address: str, keys: dict[str, str]) -> None:
    """What announces itself as no number is no body."""
    at = urlsplit(address)
    with socket.create_connection((at.hostname, at.port), timeout=10) as raw:
        key = keys["all"]
        raw.sendall(
            f"POST /ask HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\nContent-Length: 1e9\r\n\r\n".encode()
        )
        assert raw.recv(4096).split()[1] in {b"400", b"413"}


def test_too_many_requests_are_refused(
    serve_with: Callable[..., AbstractContextManager[str]], keys: dict[str, str]
) -> None:
    """429 with Retry-After for the one who asks too much; others go on asking."""
    with serve_with(requests_per_minute=3) as url:

        def status(name: str) -> tuple[int, str | None]:
            response = httpx.get(f"{url}/documents", headers={"Authorization": f"Bearer {keys[name]}"})
            return response.status_code, response.headers.get("retry-after")

        seen = [status("all") for _ in range(4)]
        other = status("hr")

    assert [code for code, _ in seen] == [200, 200, 200, 429]
    assert 1 <= int(seen[-1][1] or 0) <= 20
    assert other == (200, None)


def test_the_allowance_refills() -> None:
    """A minute's requests at once, then one each time the minute's share has passed."""
    now = [0.0]
    limit = RateLimit(60, clock=lambda: now[0])
    first = [limit.wait_s("a") for _ in range(61)]
    now[0] = 1.0

    assert first == [0] * 60 + [1]
    assert limit.wait_s("a") == 0
    assert limit.wait_s("a") == 1


def test_too_many_at_once_are_refused(
    serve_with: Callable[..., AbstractContextManager[str]], keys: dict[str, str]
) -> None:
    """503 with Retry-After beyond the limit; health and page still answer; those inside get their answers."""
    model = Waiting()
    headers = {"Authorization": f"Bearer {keys['all']}"}
    with serve_with(llm=model, max_concurrent=2) as url, ThreadPoolExecutor(2) as pool:
        running = [
            pool.submit(httpx.post, f"{url}/ask", json={"question": QUESTION}, headers=headers, timeout=30)
            for _ in range(2)
        ]
        for _ in range(2):
            assert model.asked.acquire(timeout=20)
        refused = httpx.post(f"{url}/ask", json={"question": QUESTION}, headers=headers)
        open_doors = [httpx.get(f"{url}{path}").status_code for path in ("/health", "/", "/static/app.js")]
        model.go.set()
        answered = [one.result().status_code for one in running]

    assert (refused.status_code, refused.json()["code"], refused.headers["retry-after"]) == (503, "busy", "1")
    assert open_doors == [200, 200, 200]
    assert answered == [200, 200]


def test_fifty_askers_at_once(address: str, keys: dict[str, str]) -> None:
    """Fifty people at once, four questions each, whole and streamed: no error, and everyone the same answer."""

    def asks(_: int) -> set[tuple[int, str]]:
        headers = {"Authorization": f"Bearer {keys['all']}"}
        streamed = headers | {"Accept": "text/event-stream"}
        with httpx.Client(base_url=address, timeout=60) as http:
            whole = [http.post("/ask", json={"question": QUESTION}, headers=headers) for _ in range(2)]
            events = [http.post("/ask", json={"question": QUESTION}, headers=streamed) for _ in range(2)]
        assert all("event: answer" in one.text for one in events)
        return {(one.status_code, one.text) for one in whole} | {(one.status_code, "") for one in events}

    with ThreadPoolExecutor(50) as pool:
        seen = set().union(*pool.map(asks, range(50)))

    assert {status for status, _ in seen} == {200}
    assert len(seen) == 2


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({}, "body.question"),
        ({"question": ""}, "body.question"),
        ({"question": " \n　"}, "body.question"),
        ({"question": "あ" * 2001}, "body.question"),
        ({"question": "a\x00b"}, "body.question"),
        ({"question": 5}, "body.question"),
        ({"question": "a", "k": 0}, "body.k"),
        ({"question": "a", "k": 51}, "body.k"),
        ({"question": "a", "departments": "hr"}, "body.departments"),
        ({"question": "a", "departments": ["HR'; --"]}, "body.departments.0"),
        ({"question": "a", "departments": ["hr"] * 65}, "body.departments"),
        ({"question": "a", "scope": ["hr"]}, "body.scope"),
    ],
)
def test_what_is_not_valid_is_named(
    client: Callable[..., httpx.Client], keys: dict[str, str], body: dict[str, Any], where: str
) -> None:
    """422 that names the field in both languages and repeats nothing of what was sent."""
    texts = set()
    for language in ("ja", "en"):
        response = client(keys["all"], language=language).post("/ask", json=body)
        told = response.json()
        assert (response.status_code, told["code"], told["problems"][0]["where"]) == (422, "invalid", where)
        assert "HR'" not in response.text
        assert response.headers["content-language"] == language
        texts.add(told["problems"][0]["what"])

    assert len(texts) == 2


def test_half_a_surrogate_pair_is_refused(client: Callable[..., httpx.Client], keys: dict[str, str]) -> None:
    """No database keeps it, so no part behind the edge ever sees it."""
    headers = {"Content-Type": "application/json"}
    response = client(keys["all"]).post("/ask", content=b'{"question": "\\ud800"}', headers=headers)

    assert response.status_code == 422


@pytest.mark.parametrize("question", ["!!!", "?", "　。", "\u200b1", "𠮷野家", "a" * 2000, "'; DROP TABLE chunk; --"])
def test_any_question_is_answered(client: Callable[..., httpx.Client], keys: dict[str, str], question: str) -> None:
    """Questions without a single letter, and hostile ones, have an answer and distances that are numbers."""
    http = client(keys["all"])
    answer = http.post("/ask", json={"question": question})
    hits = http.get("/search", params={"q": question}).json()["hits"]

    assert answer.status_code == 200
    assert all(0 <= hit["distance"] <= 2 for hit in hits)
