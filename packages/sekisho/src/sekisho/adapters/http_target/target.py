"""A target over HTTP: what is asked of it, and what its replies mean."""

from __future__ import annotations

import time
from contextlib import contextmanager
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from sekisho.adapters.files.content import Content
from sekisho.adapters.files.json_text import parse
from sekisho.adapters.http_target.secrets import HidingFilter
from sekisho.adapters.http_target.sending import MOST_BYTES_OF_ERROR, BrokenError, OutOfTimeError, Reply, Sender
from sekisho.adapters.http_target.template import filled
from sekisho.calling.answers import read_answer, read_documents, read_ids
from sekisho.calling.records import WrongResultError
from sekisho.core.answers import Answer, Context
from sekisho.core.errors import InputFileError, TargetError
from sekisho.core.messages import Note, note
from sekisho.core.text import shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sekisho.adapters.http_target.expressions import Expression
    from sekisho.adapters.http_target.settings import Call, Headers, HttpSettings
    from sekisho.core.answers import Document

Value = TypeVar("Value")
AGAIN = frozenset({429, 502, 503, 504})
"""Busy, or not there for the moment: the system itself has not answered."""
FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 30.0
"""Also of what a server asks for: one that wants a quarter of an hour would hold a pipeline for as long."""
_LONGEST_QUOTE = 300


@contextmanager
def http_target(settings: HttpSettings) -> Iterator[HttpTarget]:
    """Give a target that answers over HTTP, with ``search`` and ``documents`` where they are set up.

    It may be called from many threads at once. Calls that were left behind are cut off at the end.

    Raises:
        MissingExtraError: The extra ``http`` is not installed.
    """
    with Sender(proxies=settings.proxies) as sender, HidingFilter(settings.hiding):
        yield HttpTarget(settings, sender)


class HttpTarget:
    """A target over HTTP. ``search`` and ``documents`` exist only where the settings have their addresses.

    What goes wrong is a :class:`~sekisho.core.errors.TargetError`, and a reply of the wrong shape a
    :class:`~sekisho.calling.WrongResultError`; neither holds a value that came from the environment.
    """

    search: Callable[[str, Sequence[str], int], tuple[str, ...]]
    documents: Callable[[], tuple[Document, ...]]

    def __init__(self, settings: HttpSettings, sender: Sender) -> None:
        self._settings = settings
        self._sender = sender
        if settings.search is not None:
            self.search = self._search
        if settings.documents is not None:
            self.documents = self._documents

    def answer(self, question: str, departments: Sequence[str]) -> Answer:
        """Return the answer to a question of somebody who may see ``departments``."""
        settings = self._settings
        values: dict[str, object] = {"question": question, "departments": list(departments)}
        reply = self._ask(settings.answer, values, settings.headers_of(departments))
        parts = {
            name: () if expression is None else self._part(reply, name, expression)
            for name, expression in (
                ("text", settings.text), ("found", settings.found),
                ("sources", settings.sources), ("contexts", settings.contexts),
            )
        }  # fmt: skip
        answer = self._read(read_answer, parts)
        hide = settings.hiding.hide_in_answer
        return Answer(
            text=hide(answer.text),
            sources=tuple(map(hide, answer.sources)),
            found=answer.found,
            contexts=tuple(Context(hide(each.document_id), hide(each.text)) for each in answer.contexts),
        )

    def _search(self, question: str, departments: Sequence[str], k: int) -> tuple[str, ...]:
        """Return the ids of the best documents for a question, best first."""
        settings = self._settings
        values = {"question": question, "departments": list(departments), "k": k}
        reply = self._ask(settings.search, values, settings.headers_of(departments))
        hide = settings.hiding.hide_in_answer
        return tuple(map(hide, self._read(read_ids, self._part(reply, "search", settings.search_ids))))

    def _documents(self) -> tuple[Document, ...]:
        """Return all documents that the system holds."""
        settings = self._settings
        reply = self._ask(settings.documents, {}, {})
        hide = settings.hiding.hide_in_answer
        return tuple(
            msgspec.structs.replace(
                each, id=hide(each.id), name=hide(each.name), title=hide(each.title), text=hide(each.text)
            )
            for each in self._read(read_documents, self._part(reply, "documents", settings.documents_list))
        )

    def _ask(self, call: Call | None, values: dict[str, object], of_asker: Headers) -> object:
        """Return the JSON value that a call is answered with."""
        assert call is not None  # noqa: S101  the methods without one do not exist
        own = {name.lower() for name in of_asker}
        headers = {name: value for name, value in call.headers.items() if name.lower() not in own}
        headers.update(of_asker)
        reply = self._reply(call, headers, filled(call.request, values))
        if not reply.is_success:
            raise self._refusal(call, reply)
        kind = reply.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind and kind != "application/json" and not kind.endswith("+json"):
            raise self._error("targets.http_type", call, kind=kind, body=self._quoted(reply))
        try:
            text = reply.body.decode("utf-8-sig")
            return parse(Content(call.place, text), text, 1)
        except UnicodeDecodeError:
            raise self._error("targets.http_not_utf8", call) from None
        except InputFileError:
            raise self._not_json(call, text, reply) from None

    def _reply(self, call: Call, headers: Headers, payload: object) -> Reply:
        """Return what the server says in the end: a busy one and a broken connection are tried again."""
        settings = self._settings
        deadline = time.monotonic() + settings.timeout_s
        for attempt in range(settings.retries + 1):
            pause_s = min(FIRST_PAUSE_S * 2**attempt, LONGEST_PAUSE_S)
            try:
                reply = self._sender.send(call, headers, payload, deadline=deadline)
                if reply.status not in AGAIN:
                    return reply
                pause_s = max(pause_s, min(_wanted_pause_s(reply), LONGEST_PAUSE_S))
                failure = self._refusal(call, reply)
            except OutOfTimeError:
                raise self._error("targets.http_timeout", call, timeout_s=settings.timeout_s) from None
            except BrokenError as problem:
                failure = self._error("targets.http_broken", call, reason=str(problem))
            if attempt == settings.retries or time.monotonic() + pause_s >= deadline:
                break
            if self._sender.closed.wait(pause_s):
                break
        raise failure

    def _refusal(self, call: Call, reply: Reply) -> TargetError:
        """Return the error of a status that is no success, with the beginning of what the server says."""
        status, body = reply.status, self._quoted(reply)
        if 300 <= status < 400 and "location" in reply.headers:  # noqa: PLR2004  the class of redirections
            location = reply.headers["location"].partition("?")[0]
            return self._error("targets.http_redirect", call, status=status, location=location)
        if status in {401, 403}:
            return self._error("targets.http_key", call, status=status, body=body)
        return self._error("targets.http_status", call, status=status, body=body)

    def _not_json(self, call: Call, text: str, reply: Reply) -> TargetError:
        """Return the error of a text that is no JSON; what it quotes is cut, so the text is blanked before."""
        reason = "-"
        try:
            hidden = self._settings.hiding.hide(text)
            parse(Content(call.place, hidden), hidden, 1)
        except InputFileError as problem:
            reason = str(problem).removeprefix(f"{problem.where}: ")
        return self._error("targets.http_not_json", call, reason=reason, body=self._quoted(reply))

    def _quoted(self, reply: Reply) -> str:
        """Return the beginning of a reply in one line."""
        text = self._settings.hiding.hide(reply.body[:MOST_BYTES_OF_ERROR].decode("utf-8", "replace"))
        return " ".join(text[: 4 * _LONGEST_QUOTE].split()) or "-"

    def _part(self, reply: object, name: str, expression: Expression | None) -> Any:  # noqa: ANN401  any JSON value
        """Return a part of a reply."""
        assert expression is not None  # noqa: S101  it goes with the address
        try:
            found = expression.find(reply)
        except ValueError as problem:
            reason = " ".join(str(problem).split())
            raise self._wrong(
                note("targets.http_part_failed", part=name, expression=expression.text, reason=reason)
            ) from None
        if found is None:
            raise self._wrong(note("targets.http_part_missing", part=name, expression=expression.text))
        return found

    def _read(self, read: Callable[[Any], Value], value: object) -> Value:
        try:
            return read(value)
        except WrongResultError as problem:
            raise self._wrong(problem.reason) from None

    def _wrong(self, reason: Note) -> WrongResultError:
        return WrongResultError(Note(reason.code, self._hidden(reason.values)))

    def _error(self, code: str, call: Call, /, **values: object) -> TargetError:
        return TargetError(code, **self._hidden({"place": call.place, **values}))

    def _hidden(self, values: dict[str, Any]) -> dict[str, Any]:
        """Return the values of a sentence, blanked before they are cut, or half a secret could stay."""
        hide = self._settings.hiding.hide
        return {
            name: shorten(hide(value), _LONGEST_QUOTE) if isinstance(value, str) else value
            for name, value in values.items()
        }


def _wanted_pause_s(reply: Reply) -> float:
    """Return the pause that ``Retry-After`` asks for: seconds, or a date, measured by the server's own clock."""
    wanted = reply.headers.get("retry-after", "").strip()
    if wanted.isascii() and wanted.isdecimal():
        return float(wanted[:9])
    try:
        until, now = (parsedate_to_datetime(text) for text in (wanted, reply.headers.get("date", "")))
        return max((until - now).total_seconds(), 0.0)
    except (TypeError, ValueError):  # no date, or one with and one without its time zone
        return 0.0
