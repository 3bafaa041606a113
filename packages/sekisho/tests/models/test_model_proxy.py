"""The server between a target and its model: streams, refusals, what belongs to which case."""

from __future__ import annotations

import http.client
import json
import os
import socket
import threading
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from sekisho.adapters.model_recording import Masking, ModelProxy, Moment, Tape, Upstream, read_cassette
from sekisho.core.messages import Note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from sekisho.adapters.model_recording.tape import Mode
    from sekisho.reports.model_records import ModelRun

    from .conftest import ModelServer

    Try = Callable[..., ModelRun]

EVENTS = [b'data: {"n": 1}\n\n', b"data: [DONE]\n\n"]


@contextmanager
def raw_server(*answers: Callable[[socket.socket], None]) -> Iterator[str]:
    """Give the address of a server that hands each connection in turn to a function, after reading its request."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            for answer in answers:
                connection, _ = listening.accept()
                with connection:
                    while not connection.recv(65_536).endswith(b"{}"):
                        pass
                    answer(connection)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
        thread.join(5)


@contextmanager
def proxied(url: str, mode: Mode = "record") -> Iterator[ModelProxy]:
    """Give a proxy in front of an address, in the first sample of a case."""
    with ModelProxy(mode, tape=Tape(), masking=Masking(), upstream=Upstream(url, timeout_s=5)) as proxy:
        proxy.tape.begin(Moment("s", "q", 1))
        yield proxy


@contextmanager
def requested(
    proxy: ModelProxy, path: str = "/v1/chat/completions", method: str = "POST", **headers: str
) -> Iterator[http.client.HTTPResponse]:
    """Give the reply to a request, its body unread; the connection ends with it."""
    connection = http.client.HTTPConnection(urlsplit(proxy.url).netloc, timeout=5)
    body = b"{}" if method == "POST" else None
    connection.request(method, path, body, {"Authorization": "Bearer 0123456789", **headers})
    with closing(connection), connection.getresponse() as reply:
        yield reply


def chunk(data: bytes) -> bytes:
    """Return a piece of a reply in chunks."""
    return b"%x\r\n%b\r\n" % (len(data), data)


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"


def test_a_stream_is_handed_on_as_it_comes() -> None:
    """The second event is sent only after the first has arrived."""
    arrived = threading.Event()

    def answer(connection: socket.socket) -> None:
        connection.sendall(HEAD + chunk(EVENTS[0]))
        assert arrived.wait(5)
        connection.sendall(chunk(EVENTS[1]) + chunk(b""))

    with raw_server(answer) as url, proxied(url) as proxy:
        with requested(proxy) as reply:
            first = reply.readline()
            arrived.set()
            rest = reply.read()
        proxy.settle()

        assert first + rest == b"".join(EVENTS)
        assert [each.reply.body for each in proxy.tape.taken()] == [b"".join(EVENTS)]


def test_a_stream_whose_reader_leaves_is_recorded_whole() -> None:
    """A client may stop at its last event, before the end of the reply."""
    left = threading.Event()
    many = [b"data: %d\n\n" % number for number in range(2_000)]

    def answer(connection: socket.socket) -> None:
        connection.sendall(HEAD + chunk(EVENTS[0]))
        assert left.wait(5)
        for event in many:
            connection.sendall(chunk(event))
        connection.sendall(chunk(b""))

    with raw_server(answer) as url, proxied(url) as proxy:
        with requested(proxy) as reply:
            reply.readline()
        left.set()
        proxy.settle()

        assert [each.reply.body for each in proxy.tape.taken()] == [EVENTS[0] + b"".join(many)]


@pytest.mark.parametrize(
    "sent",
    [
        HEAD + chunk(EVENTS[0]),
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}",
        b"no HTTP at all\r\n\r\n",
        b"",
    ],
)
def test_a_reply_that_is_not_whole_is_not_recorded(sent: bytes) -> None:
    """The sample that asked for it cannot be measured."""
    with raw_server(lambda connection: connection.sendall(sent)) as url, proxied(url) as proxy:
        try:
            with requested(proxy) as reply:
                reply.read()
        except http.client.HTTPException:
            pass  # a stream that was cut off
        proxy.settle()

        reason = proxy.tape.end()
        assert isinstance(reason, Note)
        assert reason.code == "models.upstream"
        assert proxy.tape.taken() == []


def test_a_second_attempt_mends_the_first() -> None:
    """Only the reply that came is recorded, as the first of its kind."""
    whole = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"

    with raw_server(lambda _: None, lambda connection: connection.sendall(whole)) as url, proxied(url) as proxy:
        statuses = []
        for _ in range(2):
            with requested(proxy) as reply:
                statuses.append(reply.status)
                reply.read()

        assert statuses == [502, 200]
        assert proxy.tape.end() is None
        assert [each.number for each in proxy.tape.taken()] == [1]


def test_a_redirection_is_not_followed() -> None:
    """The key would travel along."""
    moved = b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:9/\r\nContent-Length: 0\r\n\r\n"

    with (
        raw_server(lambda connection: connection.sendall(moved)) as url,
        proxied(url) as proxy,
        requested(proxy) as reply,
    ):
        assert (reply.status, reply.getheader("Location")) == (302, None)


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/other", {}, 404),
        ("/v1/x", {"Transfer-Encoding": "chunked"}, 411),
        ("/v1/x", {"Content-Length": "9" * 30}, 413),
    ],
)
def test_what_is_no_request_to_a_model_is_refused(path: str, headers: dict[str, str], status: int) -> None:
    """In the form of an error that clients read."""
    with proxied("http://127.0.0.1:9") as proxy, requested(proxy, path, "GET", **headers) as reply:
        error = json.loads(reply.read())["error"]

    assert reply.status == status
    assert error["message"]


def test_the_server_ends_with_the_run() -> None:
    """Nothing listens any more."""
    with proxied("http://127.0.0.1:9") as proxy:
        address = ("127.0.0.1", urlsplit(proxy.url).port)

    with pytest.raises(OSError, match="refused"):
        socket.create_connection(address, timeout=2)


def test_what_was_recorded_before_an_interruption_is_kept(
    try_model: Try, model_server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Answers cost money; of the case that was interrupted nothing is kept."""
    from sekisho.answers import sampling_run  # noqa: PLC0415  where the interruption is put in

    file = tmp_path / "answers.jsonl"
    read = sampling_run.read_answer

    def interrupted(value: dict[str, str]) -> object:
        if "7月" in value["text"]:
            raise KeyboardInterrupt
        return read(value)

    monkeypatch.setattr(sampling_run, "read_answer", interrupted)
    with pytest.raises(KeyboardInterrupt):
        try_model(model_url=model_server.url, record=file)

    assert {each.case for each in read_cassette(file).exchanges} == {"q1"}


def test_what_is_asked_while_the_target_is_made_is_recorded_apart(
    try_model: Try, model_server: ModelServer, tmp_path: Path
) -> None:
    """It belongs to no case, and a replay needs it, too."""
    model_server.replies["warm"] = ["ok"]
    file = tmp_path / "answers.jsonl"
    suite = {"target_options": {"warm": True}}
    recorded = try_model(model_url=model_server.url, record=file, suite=suite)

    replayed = try_model(replay=file, suite=suite)
    changed = try_model(replay=file, suite={"target_options": {"warm": True, "prompt": "other"}})

    assert (recorded.exit_code, replayed.exit_code, changed.exit_code) == (0, 0, 3)
    assert read_cassette(file).exchanges[0].case == ""


def test_cases_that_are_gone_leave_the_recording(try_model: Try, model_server: ModelServer, tmp_path: Path) -> None:
    """A file that only grew would hold answers that nobody can replay."""
    file = tmp_path / "answers.jsonl"
    try_model(model_url=model_server.url, record=file)

    try_model(
        model_url=model_server.url, record=file, cases=[{"id": "n", "question": "賞与は？", "expect_text": ["7月"]}]
    )

    assert {each.case for each in read_cassette(file).exchanges} == {"n"}


def test_a_live_run_asks_several_questions_at_once(try_model: Try, model_server: ModelServer) -> None:
    """As many as the suite says."""
    run = try_model(model_url=model_server.url, suite={"concurrency": 4, "timeout_s": 20})

    assert [case.passes for case in run.suites[0].cases] == [4, 5]


def test_a_recording_survives_a_time_limit(try_model: Try, model_server: ModelServer, tmp_path: Path) -> None:
    """Questions are then asked from a thread."""
    file = tmp_path / "answers.jsonl"
    suite = {"concurrency": 4, "timeout_s": 20}
    try_model(model_url=model_server.url, record=file, suite=suite)

    assert try_model(replay=file, suite=suite).exit_code == 0


def test_proxies_of_the_environment_are_passed_by(
    try_model: Try, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """None of them can reach this machine's own address."""
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.setenv("no_proxy", "example.com")
    monkeypatch.delenv("NO_PROXY", raising=False)

    run = try_model(model_url=model_server.url, samples=1)

    assert run.exit_code == 0
    assert [case.passes for case in run.suites[0].cases] == [1, 1]
    assert (os.environ["no_proxy"], os.environ.get("NO_PROXY")) == ("example.com", None)
