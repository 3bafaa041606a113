"""One run of an audit, in a process of its own: a request on standard input, lines of JSON on standard output.

Each line is a list: ``["progress", suite, done, total]``, and at last ``["results", suites]`` or ``["refused", code,
values]``.
"""

from __future__ import annotations

import json
import os
import pickle
import signal
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from sekisho.app.audit_observing import observed
from sekisho.app.inputs import load_tools
from sekisho.app.prepared import Selection
from sekisho.app.settings import CollectionFiles, RetrievalSuite, SuiteSettings
from sekisho.app.suites import prepare_suite, run_suites
from sekisho.core.errors import SekishoError

if TYPE_CHECKING:
    from types import FrameType

_BETWEEN_LINES_S = 0.1
_INTERRUPTED = 130


class Request(NamedTuple):
    """What a process of an audit runs.

    Attributes:
        suites: As they are run.
        root: Where imports start from.
        selection: Of cases, and their order.
        hidden: Suites whose texts leave the process as digests only.
        switch_s: Seconds after which threads take turns; None leaves it as usual.
    """

    suites: tuple[SuiteSettings, ...]
    root: Path
    selection: Selection
    hidden: frozenset[str]
    switch_s: float | None


def main() -> NoReturn:
    """Run the request and exit."""
    signal.signal(signal.SIGTERM, _interrupt)
    words = _Words()
    request: Request = pickle.load(sys.stdin.buffer)  # noqa: S301  from the process that started this one
    try:
        words.say(*_answer(request, words))
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
    sys.exit(0)


def _answer(request: Request, words: _Words) -> tuple[Any, ...]:
    if request.switch_s is not None:
        sys.setswitchinterval(request.switch_s)
    try:
        if any(_is_made_of_vectors(suite) for suite in request.suites):
            load_tools()
        prepared = [prepare_suite(suite, root=request.root, selection=request.selection) for suite in request.suites]
        results = run_suites([each for each in prepared if each.selected], on_progress=words.progress)
    except SekishoError as error:
        return "refused", error.code, {name: _plain(value) for name, value in error.values.items()}
    return "results", observed(results, hidden=request.hidden)


def _is_made_of_vectors(suite: SuiteSettings) -> bool:
    return isinstance(suite, RetrievalSuite) and not isinstance(suite.corpus, CollectionFiles)


def _plain(value: object) -> object:
    return value if value is None or isinstance(value, (bool, int, float)) else str(value)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


class _Words:
    """Standard output, kept for the lines; whatever else this process prints goes to standard error."""

    def __init__(self) -> None:
        self._own = os.getpid()
        self._kept = os.dup(1)
        os.dup2(2, 1)
        self._lock = threading.Lock()
        self._last = 0.0

    def progress(self, suite: str, done: int, total: int) -> None:
        """Tell how many cases of a suite are done, at most ten times a second."""
        now = time.monotonic()
        if done == total or now - self._last > _BETWEEN_LINES_S:
            self._last = now
            self.say("progress", suite, done, total)

    def say(self, *words: object) -> None:
        """Write a line; a copy of this process, forked by the target, writes none.

        Raises:
            KeyboardInterrupt: Nobody listens any more.
        """
        if os.getpid() != self._own:
            os._exit(_INTERRUPTED)
        line = memoryview(json.dumps(words).encode() + b"\n")
        with self._lock:
            while line:
                try:
                    line = line[os.write(self._kept, line) :]
                except OSError:
                    raise KeyboardInterrupt from None
