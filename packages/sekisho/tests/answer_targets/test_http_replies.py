from __future__ import annotations

import gzip
import json
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from sekisho.adapters.http_target import HttpTarget, http_settings, http_target
from sekisho.calling.records import WrongResultError
from sekisho.core.answers import Answer, Context
from sekisho.core.errors import TargetError

from . import system_under_test as system
from .http_server import SETTINGS, Request, Response, as_json, serving, whole_system

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FOUND = {"text": "はい", "found": True, "sources": ["a.pdf p.2"], "contexts": [{"document_id": 1, "text": "…"}]}
ANSWER = Answer("はい", ("a.pdf p.2",), True, (Context("1", "…"),))  # noqa: FBT003  the record's own order
SECONDS = 0.4


@contextmanager
def target(respond: Callable[[Request], Response], **keys: Any) -> Iterator[HttpTarget]:  # noqa: ANN401  any key
    """Give a target behind a server of its own; ``URL`` in an address stands for the server's."""
    with serving(respond) as url:
        table = {"url": "URL/", **SETTINGS, "retries": 0, **keys}
        table = {name: value.replace("URL", url) if isinstance(value, str) else value for name, value in table.items()}
        with http_target(http_settings(table)) as made:
            yield made


def refused(respond: Callable[[Request], Response] | Response, **keys: Any) -> TargetError:  # noqa: ANN401  any key
    """Return the error that a question ends with."""
    reply = respond
    with (
        target(reply if callable(reply) else lambda _: reply, **keys) as made,
        pytest.raises(TargetError) as caught,
    ):
        made.answer("q", ["all"])
    return caught.value


def raw(*pieces: bytes, pause_s: float = 0.0, times: int = 1) -> Response:
    """Return a response that is written as it stands, with a pause after each piece."""

    def written() -> Iterator[bytes]:
        for _ in range(times):
            for piece in pieces:
                yield piece
                time.sleep(pause_s)

    return Response(pieces=written)


def test_an_answer_is_read_from_where_the_expressions_say() -> None:
    """With ids brought to text; the request holds the values that stand for themselves, whatever they hold."""
    asked: list[Request] = []
    question = 'Say "}, {departments} \\ {question}\n\u2028 日本 👍'

    def respond(request: Request) -> Response:
        asked.append(request)
        return as_json({"result": FOUND})

    request = {"messages": [{"role": "user", "content": "{question}"}], "who": "{departments}", "n": 1, "s": None}
    with target(respond, request=request) as made:
        answer = made.answer(question, ("all", "hr"))

    assert answer == ANSWER
    assert asked[0].json == {
        "messages": [{"role": "user", "content": question}], "who": ["all", "hr"], "n": 1, "s": None,
    }  # fmt: skip
    assert asked[0].headers["Content-Type"] == "application/json"


def test_a_get_request_holds_the_question_in_its_query() -> None:
    """Encoded, with a list as a repeated name, and what the address had before stays."""
    asked: list[Request] = []

    def respond(request: Request) -> Response:
        asked.append(request)
        return as_json({"result": FOUND})

    with target(respond, url="URL/ask?v=1", method="GET", request={"q": "{question}", "d": "{departments}"}) as made:
        made.answer("a&d=board 日本", ["all", "hr"])

    assert asked[0].query == {"v": ["1"], "q": ["a&d=board 日本"], "d": ["all", "hr"]}


def test_headers_of_the_asker_are_sent_and_take_the_place_of_the_general_ones() -> None:
    """Whatever their case; and only those of this asker."""
    seen: list[dict[str, str]] = []

    def respond(request: Request) -> Response:
        assert len(request.headers.get_all("X-User", ["-"])) == 1
        seen.append({name.lower(): value for name, value in request.headers.items()})
        return as_json({"result": FOUND})

    keys = {
        "request": {"q": "{question}"},
        "headers": {"X-User": "anyone", "X-App": "gate"},
        "principals": {"hr": {"x-user": "h"}, "nobody": {"X-Other": "n"}},
    }
    with target(respond, **keys) as made:
        made.answer("q", ["all", "hr"])
        made.answer("q", ["all"])
        with pytest.raises(TargetError, match="ask as somebody else"):
            made.answer("q", ["all", "it"])

    wanted = ("x-user", "x-app", "x-other")
    assert [[each.get(name) for name in wanted] for each in seen] == [["h", "gate", None], ["anyone", "gate", "n"]]


def test_no_cookie_of_one_asker_is_sent_for_another() -> None:
    """A session would make two askers one."""
    cookies = []

    def respond(request: Request) -> Response:
        cookies.append(request.headers.get("Cookie"))
        return as_json({"result": FOUND}, **{"Set-Cookie": "session=hr"})

    with target(respond) as made:
        made.answer("q", ["hr"])
        made.answer("q", ["all"])

    assert cookies == [None, None]


WRONG = [
    ("a failure", Response(status=500, body=b"<b>out\n of  order</b>"), "status 500. It says: <b>out of order</b>"),
    ("no permission", Response(status=403, body=b""), "refuses who asks, with status 403.*It says: -"),
    ("another page", Response(status=302, headers={"Location": "http://x.example/?t=1"}), "to http://x.example/, wh"),
    ("a page for people", Response(headers={"Content-Type": "text/html; charset=utf-8"}), "answers with text/html"),
    ("half of it", Response(body=b'{"result": '), "cannot be read. Not valid JSON"),
    ("nothing", Response(body=b""), "cannot be read. Not valid JSON"),
    ("two truths", Response(body=b'{"result": {"found": true, "found": false}}'), "'found' comes twice"),
    ("no number", Response(body=b'{"result": NaN}'), "not a finite number"),
    ("depths", Response(body=b"[" * 100_000), "nested too deeply"),
    ("another encoding", Response(body='{"result": "日本"}'.encode("shift_jis")), "not UTF-8"),
    ("an unknown packing", Response(headers={"Content-Encoding": "br"}), "packed in a way"),
    ("packings in packings", Response(headers={"Content-Encoding": "gzip, gzip"}), "packed in a way"),
    ("a damaged packing", Response(headers={"Content-Encoding": "gzip"}, body=b"no gzip"), "or damaged"),
    ("too much", Response(body=b" " * 10_000_001), "more than 10,000,000 bytes"),
    ("a bomb", Response(headers={"Content-Encoding": "gzip"}, body=gzip.compress(b" " * 50_000_000)), "more than 10,"),
]  # fmt: skip


@pytest.mark.parametrize(("reply", "says"), [each[1:] for each in WRONG], ids=[each[0] for each in WRONG])
def test_a_reply_that_is_no_answer_is_an_error_that_says_what_came(reply: Response, says: str) -> None:
    """Never an answer, and never an answer that says that nothing was found."""
    error = refused(reply)

    assert error.values["place"].startswith("http://127.0.0.1")
    with pytest.raises(TargetError, match=says):
        raise error


PARTS: list[tuple[str, dict[str, Any], str]] = [
    ("no text", {"text": None}, "'result.text' for text finds nothing"),
    ("a number for text", {"text": 5}, "`text` must be text"),
    ("no found", {"found": None}, "for found finds nothing"),
    ("found as text", {"found": "false"}, "`found` must be true or false"),
    ("no sources", {"sources": None}, r"result.sources \|\| `\[\]`"),
    ("sources in one text", {"sources": "a.pdf, b.pdf"}, "`sources` must be list"),
    ("no contexts", {"contexts": None}, "for contexts finds nothing"),
    ("a context without its text", {"contexts": [{"document_id": "a"}]}, "`text` must be text"),
]


@pytest.mark.parametrize(("part", "says"), [each[1:] for each in PARTS], ids=[each[0] for each in PARTS])
def test_a_part_that_is_missing_or_wrong_is_an_error(part: dict[str, Any], says: str) -> None:
    """What was left out is never taken for a default."""
    with target(lambda _: as_json({"result": {**FOUND, **part}})) as made, pytest.raises(WrongResultError, match=says):
        made.answer("q", ["all"])


def test_an_expression_that_fails_on_a_reply_is_named() -> None:
    """With the words of the library."""
    wrong = {"found": "length(result.found) > `0`"}

    with target(lambda _: as_json({"result": FOUND}), **wrong) as made, pytest.raises(WrongResultError, match="length"):
        made.answer("q", ["all"])


def test_parts_that_are_not_set_up_are_empty() -> None:
    """A system that cites nothing and shows no contexts can still be asked."""
    with target(lambda _: as_json({"result": FOUND}), sources="`[]`", contexts="`[]`") as made:
        answer = made.answer("q", ["all"])

    assert (answer.sources, answer.contexts) == ((), ())
    assert not hasattr(made, "search")
    assert not hasattr(made, "documents")


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_a_busy_server_is_asked_again(status: int) -> None:
    """After a pause, as often as the settings say."""
    replies = iter([Response(status=status), as_json({"result": FOUND})])

    with target(lambda _: next(replies), retries=1) as made:
        answer = made.answer("q", ["all"])

    assert answer == ANSWER


def test_a_failing_server_is_not_asked_again() -> None:
    """Status 500 is an answer of the system; to ask until it is another would hide it."""
    calls: list[Request] = []

    def respond(request: Request) -> Response:
        calls.append(request)
        return Response(status=500)

    refused(respond, retries=3)
    assert len(calls) == 1


def test_a_broken_connection_is_tried_again() -> None:
    """Also one that breaks before the reply has begun."""
    replies = iter([raw(b""), as_json({"result": FOUND})])

    with target(lambda _: next(replies), retries=1) as made:
        assert made.answer("q", ["all"]) == ANSWER


@pytest.mark.parametrize(
    ("headers", "least_s", "most_s"),
    [
        ({"Retry-After": "1"}, 1.0, 3.0),
        ({"Retry-After": "Mon, 30 Nov 2026 10:00:01 GMT", "Date": "Mon, 30 Nov 2026 10:00:00 GMT"}, 1.0, 3.0),
        ({"Retry-After": "soon"}, 0.5, 1.0),
        ({"Retry-After": "Mon, 30 Nov 2026 10:00:01 GMT"}, 0.5, 3.0),
        ({"Retry-After": "-5"}, 0.5, 1.0),
    ],
)
def test_the_pause_that_the_server_asks_for_is_kept(headers: dict[str, str], least_s: float, most_s: float) -> None:
    """In seconds, or as a date by the server's own clock; and never less than the usual one."""
    replies = iter([Response(status=503, headers=headers), as_json({"result": FOUND})])
    with target(lambda _: next(replies), retries=1) as made:
        start = time.monotonic()

        made.answer("q", ["all"])

        assert least_s <= time.monotonic() - start < most_s


def test_a_pause_beyond_the_time_limit_is_not_waited_for() -> None:
    """What the server said is told at once."""
    start = time.monotonic()

    error = refused(Response(status=503, headers={"Retry-After": "999999999999"}), retries=5, timeout_s=5)

    assert error.code == "targets.http_status"
    assert time.monotonic() - start < 3


def test_a_server_that_is_not_there_is_named() -> None:
    """With the reason of the system."""
    with serving(whole_system) as url:
        pass

    error = refused(whole_system, url=url + "/?key=1")
    assert error.code == "targets.http_broken"
    assert error.values["place"] == url + "/"


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
BODY = json.dumps({"result": FOUND}).encode()
DRIPS = {
    "silence": raw(b"", pause_s=5),
    "a dripping head": raw(b"H", b"T", b"T", b"P", b"/", b"1", pause_s=SECONDS / 2),
    "endless headers": raw(b"X-A: b\r\n", pause_s=SECONDS / 4, times=40),
    "a dripping body": raw(HEAD + b"Content-Length: 1000\r\n\r\n", *[b" "] * 20, pause_s=SECONDS / 4),
    "a body without length": raw(HEAD + b"\r\n" + BODY, *[b" "] * 20, pause_s=SECONDS / 4),
    "chunks": raw(HEAD + b"Transfer-Encoding: chunked\r\n\r\n", *[b"1\r\n \r\n"] * 20, pause_s=SECONDS / 4),
}  # fmt: skip


@pytest.mark.parametrize("reply", DRIPS.values(), ids=DRIPS)
def test_a_call_ends_at_its_deadline_however_the_server_drips(reply: Response) -> None:
    """A limit on each read alone would never pass."""
    with target(lambda _: reply, timeout_s=SECONDS, retries=3) as made:
        start = time.monotonic()
        with pytest.raises(TargetError, match=r"did not answer within 0\.4 s"):
            made.answer("q", ["all"])
        elapsed_s = time.monotonic() - start

    assert elapsed_s < 2 * SECONDS


def test_a_call_that_was_left_behind_ends_with_the_target() -> None:
    """Its thread does not wait for the rest of its limit."""
    ended = threading.Event()
    entered = threading.Event()

    def respond(_: Request) -> Response:
        entered.set()
        return raw(b"", pause_s=3)

    with target(respond, timeout_s=60) as made:

        def ask() -> None:
            with pytest.raises(TargetError):
                made.answer("q", ["all"])
            ended.set()

        thread = threading.Thread(target=ask, daemon=True)
        thread.start()
        assert entered.wait(5)

    assert ended.wait(2)
    thread.join()
    with pytest.raises(TargetError, match="closed"):
        made.answer("q", ["all"])


def test_a_question_that_fits_in_no_address_is_an_error() -> None:
    """It says to use POST, where the same question can be sent."""
    keys = {"method": "GET", "request": {"q": "{question}", "d": "{departments}"}}
    with target(whole_system, **keys) as made:
        for question in ("長" * 30_000, "\ud800"):
            with pytest.raises(TargetError, match="Use POST"):
                made.answer(question, ["all"])


def test_proxies_of_the_environment_are_not_used_for_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even where proxies are asked for."""
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    with target(lambda _: as_json({"result": FOUND}), proxies=True) as made:
        assert made.answer("q", ["all"]) == ANSWER


def test_proxies_of_the_environment_are_used_only_where_the_settings_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without them the name of this host is not even found."""
    asked: list[Request] = []

    def respond(request: Request) -> Response:
        asked.append(request)
        return as_json({"result": FOUND})

    monkeypatch.delenv("no_proxy", raising=False)
    with serving(respond) as proxy:
        monkeypatch.setenv("http_proxy", proxy)
        table = {"url": "http://nowhere.invalid/", **SETTINGS, "retries": 0, "timeout_s": 5}
        with http_target(http_settings(table)) as made, pytest.raises(TargetError):
            made.answer("q", ["all"])
        assert asked == []

        with http_target(http_settings({**table, "proxies": True})) as made:
            assert made.answer("q", ["all"]) == ANSWER


def test_many_threads_get_each_their_own_answer() -> None:
    """Connections are not shared between calls under way."""

    def respond(request: Request) -> Response:
        time.sleep(0.002)
        return as_json({"result": {**FOUND, "text": request.json["question"]}})

    wrong: list[str] = []
    with target(respond) as made:

        def ask(number: int) -> None:
            for turn in range(20):
                question = f"{number}-{turn}"
                if made.answer(question, ["all"]).text != question:
                    wrong.append(question)

        threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert wrong == []


def test_documents_and_search_are_read_and_asked_for_with_headers_of_their_own() -> None:
    """The list of documents is nobody's question."""
    seen = {}

    def respond(request: Request) -> Response:
        seen[request.path] = (request.method, request.headers.get("X-Key"), request.json)
        return whole_system(request) if request.path != "/documents" else as_json({"items": system.documents()[1:]})

    keys = {
        "headers": {"X-Key": "gate"}, "documents_url": "URL/documents", "documents": "items",
        "documents_headers": {"X-Key": "admin"}, "search_url": "URL/search", "search": "hits[].id",
    }  # fmt: skip
    with target(respond, **keys) as made:
        documents = made.documents()
        ids = made.search("quota", ["all", "sales"], 1)

    assert [each.id for each in documents] == ["d2", "d3"]
    assert ids == ("d3",)
    asked = {"question": "quota", "departments": ["all", "sales"], "k": 1}
    assert seen == {"/documents": ("GET", "admin", None), "/search": ("POST", "gate", asked)}
