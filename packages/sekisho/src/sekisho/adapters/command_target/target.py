"""A target that is a command, asked and answering in JSON Lines."""

from __future__ import annotations

import json
import shlex
import threading
import time
from contextlib import contextmanager
from signal import Signals
from typing import TYPE_CHECKING, Any

from sekisho.adapters.command_target.process import MOST_BYTES, EndedError, Process
from sekisho.adapters.files.content import Content
from sekisho.adapters.files.json_text import kind_of, parse
from sekisho.calling.answers import read_answer, read_documents, read_ids
from sekisho.core.errors import InputFileError, TargetError
from sekisho.core.text import shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sekisho.adapters.command_target.settings import CommandSettings
    from sekisho.core.answers import Answer, Document

MOST_DEATHS = 3
"""In a row; a command that does not last for one reply is not started for every case of a suite."""
_LONGEST_QUOTE = 200


@contextmanager
def command_target(settings: CommandSettings) -> Iterator[CommandTarget]:
    """Give a target that is a command, started at once and ended with its whole process group.

    Raises:
        TargetError: It cannot be started.
    """
    target = CommandTarget(settings)
    try:
        yield target
    finally:
        target.close()


class CommandTarget:
    r"""A target that is a command: one JSON object a line each way, in UTF-8 whatever the locale.

    What it reads, of which it gets the next only after it has answered::

        {"id": 1, "method": "answer", "question": "…", "departments": ["all", "sales"]}
        {"id": 2, "method": "search", "question": "…", "departments": ["all"], "k": 10}
        {"id": 3, "method": "documents"}

    What it writes, under the same id, the result under the name of the method, and nothing else on its standard
    output::

        {"id": 1, "answer": {"text": "…", "sources": ["a.pdf p.2"], "found": true, "contexts": [
            {"document_id": "a", "text": "…"}]}}        (on one line)
        {"id": 2, "search": ["a", "b"]}
        {"id": 3, "documents": [{"id": "a", "name": "a.pdf", "title": "", "departments": ["all"], "text": "…"}]}
        {"id": 4, "error": "A sentence that says what went wrong."}

    Requests are written with every character beyond ASCII as a ``\u`` escape, which any JSON parser reads. A line ends
    with a line break and must be flushed. An ``error`` is an error of that case; the command goes on. Whatever else it
    does fails the case and ends the process, and the next case gets a new one: to end, to answer late, to write
    anything that is no reply or has another id, or a line beyond 10 MB. After three such cases in a row no new one is
    started. Its standard error is passed through. It ends when its input does; what then still runs of its process
    group is ended. Calls from several threads wait for each other: one at a time is asked.

    ``search`` and ``documents`` exist only where the settings name them, as does ``answer``.
    """

    answer: Callable[[str, Sequence[str]], Answer]
    search: Callable[[str, Sequence[str], int], tuple[str, ...]]
    documents: Callable[[], tuple[Document, ...]]

    def __init__(self, settings: CommandSettings) -> None:
        self._settings = settings
        self._shown = shlex.join(settings.command)
        self._lock = threading.Lock()
        self._closed = False
        self._deaths = 0
        self._last_id = 0
        if "answer" in settings.methods:
            self.answer = self._answer
        if "search" in settings.methods:
            self.search = self._search
        if "documents" in settings.methods:
            self.documents = self._documents
        self._process: Process | None = self._started()

    def _answer(self, question: str, departments: Sequence[str]) -> Answer:
        """Return the answer to a question of somebody who may see ``departments``."""
        return read_answer(self._ask("answer", question=question, departments=list(departments)))

    def _search(self, question: str, departments: Sequence[str], k: int) -> tuple[str, ...]:
        """Return the ids of the best documents for a question, best first."""
        return read_ids(self._ask("search", question=question, departments=list(departments), k=k))

    def _documents(self) -> tuple[Document, ...]:
        """Return all documents that the system holds."""
        return read_documents(self._ask("documents"))

    def close(self) -> None:
        """End the process and its group, also under a call that was left behind."""
        self._closed = True
        process = self._process
        if not self._lock.acquire(blocking=False):
            if process is not None:
                process.kill()
            self._lock.acquire()
        try:
            self._end()
        finally:
            self._lock.release()

    def _ask(self, method: str, **values: object) -> Any:  # noqa: ANN401  any JSON value
        """Return what stands in the reply under the name of the method.

        Raises:
            TargetError: Whatever else happened.
        """
        with self._lock:
            if self._deaths >= MOST_DEATHS:
                raise self._error("targets.command_given_up", deaths=MOST_DEATHS)
            process = self._process or self._started()
            self._process = process
            self._last_id += 1
            request = {"id": self._last_id, "method": method, **values}
            sound = False
            try:
                reply = self._reply(process, json.dumps(request).encode("ascii"), method)
                sound = True
            finally:  # also where it was interrupted: the next reply would be the one to this request
                if not sound:
                    self._deaths += 1
                    self._end()
            self._deaths = 0
        if "error" in reply:
            raise self._error("targets.command_error", reason=shorten(reply["error"], 1000))
        return reply[method]

    def _reply(self, process: Process, request: bytes, method: str) -> dict[str, Any]:
        spoke_before = process.has_spoken()
        try:
            line = process.exchange(request, deadline=time.monotonic() + self._settings.timeout_s)
        except EndedError:
            raise self._ended(process) from None
        except TimeoutError:
            timeout_s = self._settings.timeout_s
            raise self._error("targets.command_timeout", timeout_s=timeout_s, lines=process.last_words) from None
        except OverflowError:
            raise self._error("targets.command_long_line", most=MOST_BYTES) from None
        reply = self._understood(line, method)
        if spoke_before:  # a reply that was there before its request is none to it
            raise self._error("targets.command_unasked")
        return reply

    def _understood(self, line: bytes, method: str) -> dict[str, Any]:
        """Return the reply that a line holds: its id is that of the request, and beside it stands one other key."""
        try:
            text = line.decode("utf-8")
            reply = parse(Content("", text), text, 1)
        except UnicodeDecodeError:
            raise self._error("targets.command_not_utf8", line=_quoted(line)) from None
        except InputFileError as problem:
            reason = problem.render("en").partition(": ")[2]
            raise self._error("targets.command_not_json", reason=reason, line=_quoted(line)) from None
        if not isinstance(reply, dict):
            raise self._error("targets.command_not_object", kind=kind_of(reply), line=_quoted(line))
        id_ = reply.get("id")
        if type(id_) is not int or id_ != self._last_id:
            raise self._error("targets.command_id", wanted=self._last_id, line=_quoted(line))
        if set(reply) not in ({"id", method}, {"id", "error"}) or not isinstance(reply.get("error", ""), str):
            raise self._error("targets.command_keys", method=method, line=_quoted(line))
        return reply

    def _started(self) -> Process:
        if self._closed:
            raise self._error("targets.command_closed")
        return Process(self._settings.command, folder=self._settings.folder)

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.end()

    def _ended(self, process: Process) -> TargetError:
        """Return the error of a process that ended, or closed its output, before it answered."""
        status = process.end()
        if process.was_stopped:
            return self._error("targets.command_silent", lines=process.last_words)
        if status is not None and status < 0:
            return self._error("targets.command_signal", signal=_signal_name(-status), lines=process.last_words)
        return self._error("targets.command_ended", status=status, lines=process.last_words)

    def _error(self, code: str, /, **values: object) -> TargetError:
        return TargetError(code, where=None, command=shorten(self._shown, _LONGEST_QUOTE), **values)


def _quoted(line: bytes) -> str:
    return shorten(line[: 4 * _LONGEST_QUOTE].decode("utf-8", "replace").strip(), _LONGEST_QUOTE)


def _signal_name(number: int) -> str:
    try:
        return Signals(number).name
    except ValueError:  # a real-time signal has no name of its own
        return str(number)
