from __future__ import annotations

import html
import json
import logging
import subprocess
import sys
import time
import traceback
from itertools import product
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, quote_plus

import pytest

from sekisho.adapters.http_target import http_settings, http_target
from sekisho.adapters.http_target.secrets import Hiding
from sekisho.calling.answers import read_answer
from sekisho.calling.asking import asked
from sekisho.core.errors import TargetError
from sekisho.core.messages import LANGUAGES

from .http_server import SETTINGS, Request, Response, as_json, serving

if TYPE_CHECKING:
    from collections.abc import Callable

SECRET = 'pl4nted/\\"s3cret"&<key>+~ x\''  # noqa: S105  no password of anything
MARKS = ("pl4nted", "s3cret")
HEADERS = {"Authorization": "Bearer ${PLANTED}", "X-Key": "${PLANTED}"}
CUT = 80
"""Characters that an error quotes of a key."""
FOUND = {"text": "t", "found": True, "sources": [], "contexts": []}


def said(request: Request) -> str:
    """Return a text in which the server gives back what it was sent, in every form."""
    key = request.headers["X-Key"]
    again = json.dumps({"error": json.dumps(key)})
    forms = [
        again,
        json.dumps(again),
        quote(quote(key)),
        quote_plus(key),
        html.escape(html.escape(key)),
        key,
        json.dumps(key),
        html.escape(key),
        quote(key),
        repr(key),
        json.dumps(key).replace("/", "\\/"),
    ]
    return f"bad key {' '.join(forms)} in {request.headers['Authorization']}"


ECHOES: dict[str, Callable[[Request], Response]] = {
    "status 500": lambda request: Response(status=500, body=said(request).encode()),
    "status 401": lambda request: Response(status=401, body=json.dumps({"error": said(request)}).encode()),
    "status 503": lambda request: Response(status=503, body=said(request).encode()),
    "at the edge of what is quoted": lambda request: Response(
        status=500, body=b"x" * 280 + said(request).encode()
    ),
    "redirect": lambda request: Response(status=302, headers={"Location": f"http://x/{request.headers['X-Key']}"}),
    "content type": lambda request: Response(headers={"Content-Type": f"text/{request.headers['X-Key']}"}),
    "page": lambda request: Response(headers={"Content-Type": "text/html"}, body=said(request).encode()),
    "no JSON": lambda request: Response(body=said(request).encode()),
    "a key twice": lambda request: Response(body=b"{%(k)b: 1, %(k)b: 2}" % {b"k": json.dumps(said(request)).encode()}),
    "a key twice, cut": lambda request: Response(body=b"{%(k)b: 1, %(k)b: 2}" % {
        b"k": json.dumps("x" * (CUT - len(MARKS[0]) - 2) + request.headers["X-Key"]).encode()
    }),
    "a redirect, cut": lambda request: Response(
        status=302, headers={"Location": f"http://x/{'y' * 280}{request.headers['X-Key']}"}
    ),
    "a value of the wrong type": lambda request: as_json({"result": {**FOUND, "found": said(request)}}),
    "an answer": lambda request: as_json({"result": {
        **FOUND, "text": said(request), "sources": [said(request)],
        "contexts": [{"document_id": said(request), "text": said(request)}],
    }}),
    "a header of the reply": lambda request: as_json({"result": FOUND}, **{"X-Echo": request.headers["X-Key"]}),
    "nothing": lambda _: Response(pieces=lambda: iter([b""])),
}  # fmt: skip


@pytest.mark.parametrize("echo", ECHOES.values(), ids=ECHOES)
def test_a_secret_is_in_nothing_that_a_run_gives(
    echo: Callable[[Request], Response], caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    """Outcome, error, traceback, records of the settings, logs at the lowest level, and both streams."""
    caplog.set_level(logging.DEBUG)
    keys: dict[str, Any] = {"headers": HEADERS, "retries": 0, "found": "length(result.found) > `0` || result.found"}
    for found in ("result.found", keys["found"]):
        with serving(echo) as url:
            settings = http_settings({"url": url, **SETTINGS, **keys, "found": found}, environment={"PLANTED": SECRET})
            with http_target(settings) as target, asked(target) as ready:
                outcome = ready.ask_all(ready.method("answer"), [("q", ("all",))], read=read_answer)[0]
                try:
                    told = [repr(target.answer("q", ["all"]))]
                except Exception as error:  # noqa: BLE001  whatever it is, it is shown to somebody
                    told = [repr(error), repr(vars(error)), *traceback.format_exception(error, chain=True)]
            reason = outcome.error and outcome.error.reason
            told += [reason.render(language) for language in LANGUAGES if reason]
            told += [repr(outcome), repr(settings), repr(target), repr(vars(target)), str(settings)]
        told += [record.getMessage() for record in caplog.records]
        told += [caplog.text, *capfd.readouterr()]

        assert [text for text, mark in product(told, MARKS) if mark in text] == []
    assert any("send_request_headers" in record.getMessage() for record in caplog.records)


def test_no_frame_of_an_error_holds_a_secret_in_plain_text() -> None:
    """Test runners can show the values of every frame."""
    with serving(lambda _: Response(status=500)) as url:
        settings = http_settings({"url": url, **SETTINGS, "headers": HEADERS}, environment={"PLANTED": SECRET})
        with http_target(settings) as target, pytest.raises(TargetError) as caught:
            target.answer("q", ["all"])

    frames = [frame for frame, _ in traceback.walk_tb(caught.value.__traceback__)]
    held = [repr(value) for frame in frames[1:] for value in frame.f_locals.values()]
    assert len(frames) > 1
    assert [text for text, mark in product(held, MARKS) if mark in text] == []


def test_a_secret_is_not_on_the_screen_when_a_program_ends_with_the_error() -> None:
    """Nor in a warning, where the interpreter shows everything it has."""
    program = """
import logging, sys, warnings
from sekisho.adapters.http_target import http_settings, http_target
logging.basicConfig(level=0)
warnings.simplefilter("always")
table = {"url": sys.argv[1], "text": "t", "found": "f", "headers": {"X-Key": "${PLANTED}"}, "retries": 0}
with http_target(http_settings(table)) as target:
    target.answer("q", ["all"])
"""

    with serving(lambda request: Response(status=500, body=request.headers["X-Key"].encode())) as url:
        done = subprocess.run(
            [sys.executable, "-X", "dev", "-c", program, url],
            env={"PLANTED": SECRET}, capture_output=True, text=True, check=False,
        )  # fmt: skip

    assert done.returncode == 1
    assert "status 500. It says: ***" in done.stderr
    assert [mark for mark in MARKS if mark in done.stdout + done.stderr] == []


def test_the_logs_of_the_libraries_are_as_before_once_the_target_is_closed() -> None:
    """The filters belong to the run alone."""
    names = ("httpx", "httpcore.http11", "httpcore.connection")
    before = [list(logging.getLogger(name).filters) for name in names]
    with serving(lambda _: Response()) as url, http_target(http_settings({"url": url, **SETTINGS})):
        during = [list(logging.getLogger(name).filters) for name in names]

    assert during != before
    assert [list(logging.getLogger(name).filters) for name in names] == before


def test_a_short_value_is_hidden_in_messages_and_left_in_answers() -> None:
    """``hr`` is a word; an answer without it would be another answer."""
    hiding = Hiding(["hr", "a-long-secret"])

    assert hiding.hide("hr: a-long-secret") == "***: ***"
    assert hiding.hide_in_answer("hr: a-long-secret") == "hr: ***"


def test_of_two_secrets_of_which_one_begins_the_other_nothing_stays() -> None:
    """The longer one is taken first."""
    assert Hiding(["abc", "abcdef"]).hide("abcdef abc") == "*** ***"
    assert Hiding([]).hide("nothing to hide") == "nothing to hide"


def test_a_secret_is_hidden_in_any_case_of_letters() -> None:
    """The type of a reply is lowered before it is told, and names of headers are."""
    hiding = Hiding(["Key-Of-Nine"])

    assert hiding.hide("application/key-of-nine KEY-OF-NINE") == "application/*** ***"
    assert hiding.hide_in_answer("key-of-nine") == "***"


def test_hiding_takes_time_in_proportion_to_the_text() -> None:
    """Also in a reply that is made to be slow to search."""
    planted = '\\\\a\\\\\\b/"c'
    hiding = Hiding([planted])

    for text in ("\\" * 1_000_000, "\\\\a" * 300_000, "%25" * 300_000, "&amp;" * 200_000):
        start = time.process_time()
        assert hiding.hide(text) == text
        assert time.process_time() - start < 2
    assert hiding.hide(f"{planted} {json.dumps(planted)} {quote(planted)}") == '*** "***" ***'
