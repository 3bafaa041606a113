"""A model behind an OpenAI-compatible interface that the tests run, and a small system that asks it."""

from __future__ import annotations

import json
import sys
import threading
import urllib.error
import urllib.request
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

from sekisho.app.configuration import Configuration
from sekisho.app.models import run_model_check
from sekisho.app.settings import AnswersSuite

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from sekisho.reports.model_records import ModelRun

KEY = "sk-planted-0123456789/+abc"
DOCUMENTS = {
    "travel.pdf": "宿泊費の上限は1泊20万円です。2026年4月1日から適用します。",
    "pay.pdf": "賞与は7月に支給します。",
}
CASES = [
    {"id": "q1", "question": "宿泊費の上限は？", "expect_source": "travel.pdf", "expect_text": ["20万円"]},
    {"id": "q2", "question": "賞与はいつ？", "expect_text": ["7月"], "forbid": ["極秘"]},
]


class ModelServer(ThreadingHTTPServer):
    """Answers like a model: what ``replies`` gives for a question, in turn, the last one for ever.

    Attributes:
        replies: Question to texts, or to ``(status, text)`` for a refusal.
        requests: The bodies that came.
    """

    daemon_threads = True
    block_on_close = False

    def __init__(self) -> None:
        self.replies: dict[str, list[str | tuple[int, str]]] = {}
        self.requests: list[dict[str, Any]] = []
        super().__init__(("127.0.0.1", 0), _Handler)

    @property
    def url(self) -> str:
        """The base address."""
        return f"http://127.0.0.1:{self.server_port}/v1"

    def next_reply(self, prompt: str) -> str | tuple[int, str]:
        """Return what the model says to a prompt now."""
        for question, replies in self.replies.items():
            if question in prompt:
                return replies.pop(0) if len(replies) > 1 else replies[0]
        return "分かりません。"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: ModelServer

    def log_message(self, *_: object) -> None:
        """Stay quiet."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append(body)
        if self.headers.get("Authorization") != f"Bearer {KEY}":
            wrong = {"error": {"message": f"Incorrect API key provided: {self.headers.get('Authorization')}"}}
            self._send(401, "application/json", json.dumps(wrong).encode())
            return
        reply = self.server.next_reply(body["messages"][-1]["content"])
        if isinstance(reply, tuple):
            self._send(reply[0], "application/json", json.dumps({"error": {"message": reply[1]}}).encode())
        elif body.get("stream"):
            pieces = [{"choices": [{"delta": {"content": char}}]} for char in reply]
            usage = {"choices": [], "usage": {"prompt_tokens": 11, "completion_tokens": len(reply)}}
            events = [f"data: {json.dumps(each, ensure_ascii=False)}\n\n" for each in (*pieces, usage)]
            self._send(200, "text/event-stream; charset=utf-8", "".join([*events, "data: [DONE]\n\n"]).encode())
        else:
            usage = {"prompt_tokens": 11, "completion_tokens": len(reply)}
            whole = {"choices": [{"message": {"role": "assistant", "content": reply}}], "usage": usage}
            self._send(200, "application/json", json.dumps(whole, ensure_ascii=False).encode())

    def _send(self, status: int, content_type: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Set-Cookie", f"session={KEY}")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def running() -> Iterator[ModelServer]:
    """Give a model server that runs."""
    with ModelServer() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def model_server() -> Iterator[ModelServer]:
    """Give a model that knows both answers."""
    with running() as server:
        server.replies = {"宿泊費": ["上限は20万円です [1]。"], "賞与": ["7月です [1]。"]}
        yield server


def asked(url: str, key: str, body: dict[str, object]) -> str:
    """Return what a model answers, the status 429 tried again once."""
    data = json.dumps(body).encode()
    for attempt in range(2):
        request = urllib.request.Request(f"{url}/chat/completions", data, {"Content-Type": "application/json"})  # noqa: S310  our own server
        request.add_header("Authorization", f"Bearer {key}")
        try:
            with urllib.request.urlopen(request, timeout=10) as reply:  # noqa: S310  as above
                content = reply.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                text = error.read().decode()
            if error.code != 429 or attempt:
                raise ValueError(text) from None
            continue
        if not body.get("stream"):
            return str(json.loads(content)["choices"][0]["message"]["content"])
        events = [json.loads(line[6:]) for line in content.split("\n") if line.startswith("data: {")]
        return "".join(each["choices"][0]["delta"]["content"] for each in events if each["choices"])
    raise AssertionError


def assistant(
    model: str,
    model_url: str,
    *,
    key: str = KEY,
    prompt: str = "文脈だけで答えてください。",
    stream: bool = False,
    warm: bool = False,
) -> Callable[..., dict[str, object]]:
    """Return a system that looks for a document by two signs of the question and lets the model write."""
    if warm:
        asked(model_url, key, {"model": model, "messages": [{"role": "user", "content": f"warm {prompt}"}]})

    def answer(question: str, _departments: object) -> dict[str, object]:
        found = [(name, text) for name, text in DOCUMENTS.items() if question[:2] in text]
        context = "\n".join(f"[{number}] {text}" for number, (_, text) in enumerate(found, 1))
        messages = [{"role": "system", "content": f"{prompt}\n{context}"}, {"role": "user", "content": question}]
        text = asked(model_url, key, {"model": model, "messages": messages, **({"stream": True} if stream else {})})
        return {
            "text": text,
            "sources": [name for name, _ in found],
            "found": "分かりません" not in text,
            "contexts": [{"document_id": name, "text": text} for name, text in found],
        }

    return answer


def deaf() -> Callable[..., dict[str, object]]:
    """Return a system that takes no model."""
    return lambda _question, _departments: {"text": "", "sources": [], "found": False, "contexts": []}


def named(model: str) -> Callable[..., dict[str, object]]:
    """Return a system that takes a model's name alone."""
    return lambda _question, _departments: {"text": model, "sources": [], "found": True, "contexts": []}


@pytest.fixture(autouse=True)
def model_targets() -> Iterator[None]:
    """Make the systems of this file importable as ``model_targets``."""
    module = ModuleType("model_targets")
    module.__dict__.update(assistant=assistant, deaf=deaf, named=named)
    sys.modules["model_targets"] = module
    before = list(sys.path)
    yield
    sys.path[:] = before
    del sys.modules["model_targets"]


@pytest.fixture
def try_model(tmp_path: Path) -> Callable[..., ModelRun]:
    """Return a function that runs the cases with a model."""

    def run(
        *,
        target: str | dict[str, Any] = "model_targets:assistant",
        cases: list[dict[str, Any]] | None = None,
        suite: dict[str, Any] | None = None,
        **options: Any,  # noqa: ANN401  those of run_model_check
    ) -> ModelRun:
        file = tmp_path / "cases.json"
        file.write_text(json.dumps(CASES if cases is None else cases), encoding="utf-8")
        settings = AnswersSuite(name="policies", target=target, cases=file, **(suite or {}))
        options = {"environment": {}, "model": "tiny", **options}
        return run_model_check(Configuration(suites=(settings,), root=tmp_path), **options)

    return run
