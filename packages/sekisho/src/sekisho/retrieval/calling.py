"""Calling the system under test so that whatever it does becomes one record a case.

A target may raise, hang, block its event loop, return the wrong type or exit. None of these may stop the other
cases, and a call that never ends may not keep the process alive: such calls run in daemon threads, which the
interpreter leaves behind at exit.
"""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from inspect import isawaitable
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple

from sekisho.core.messages import note
from sekisho.retrieval.event_loop import Overdue, discard
from sekisho.retrieval.records import CaseError

if TYPE_CHECKING:
    from types import TracebackType

Retrieve = Callable[[Any], Any]
Finish = Callable[[Awaitable[Any]], object]
"""Brings an awaitable that the target returned to its end, and returns its value."""
_POLL_S = 0.02
"""How often deadlines are looked at while calls are under way."""
_OWN_FOLDER = __file__.rpartition("calling")[0]
"""Frames of this folder at the head of a traceback that say nothing about the target."""


class Outcome(NamedTuple):
    """What one call gave: a value, or the error that stands for it."""

    value: Any
    error: CaseError | None
    elapsed_ms: float


def raised(error: BaseException) -> CaseError:
    """Return the record of an exception that the target let out, with its traceback from the target's frame on."""
    lines = traceback.format_exception(type(error), error, _from_target_on(error.__traceback__))
    error.__traceback__ = None  # one object raised for every case would gather the frames of all of them
    return CaseError(kind="raised", reason=note("retrieval.raised", text=described(error)), traceback="".join(lines))


def described(error: BaseException) -> str:
    """Return the type and text of an exception in one line."""
    try:
        text = " ".join(str(error).split())
    except Exception:  # noqa: BLE001  an exception of the target may even fail to describe itself
        text = "<str() failed>"
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def timed_out(timeout_s: float) -> Outcome:
    """Return the outcome of a call that did not end in time."""
    error = CaseError(kind="timeout", reason=note("retrieval.timeout", timeout_s=timeout_s))
    return Outcome(None, error, timeout_s * 1000)


def call(retrieve: Retrieve, query: object, finish: Finish) -> Outcome:
    """Call ``retrieve`` in this thread; an awaitable that it returns is brought to its end."""
    start = time.perf_counter()
    try:
        value = retrieve(query)
        if isawaitable(value):
            value = finish(value)
    except KeyboardInterrupt:
        raise
    except Overdue as overdue:
        return timed_out(overdue.timeout_s)
    except BaseException as error:  # noqa: BLE001  a target that exits or raises anything is an error of this case
        return Outcome(None, raised(error), milliseconds_since(start))
    return Outcome(value, None, milliseconds_since(start))


def call_in_turn(
    retrieve: Retrieve, queries: Sequence[Any], done: Callable[[], None], *, finish: Finish
) -> list[Outcome]:
    """Call for one query after the other, in this thread and without a time limit."""
    outcomes = []
    for query in queries:
        outcomes.append(call(retrieve, query, finish))
        done()
    return outcomes


def call_many(
    retrieve_many: Retrieve, queries: Sequence[Any], done: Callable[[], None], *, finish: Finish
) -> list[Outcome] | None:
    """Call once for all queries; None where that raises or does not give one result a query."""
    count = len(queries)
    whole = call(lambda batch: retrieve_many(_stacked(batch)), queries, finish)
    try:
        results = [] if isinstance(whole.value, (str, bytes, Mapping)) else list(whole.value)
    except Exception:  # noqa: BLE001  each query is then asked by itself, which names the case that fails
        return None
    if len(results) != count:
        return None
    for _ in results:
        done()
    return [Outcome(result, None, whole.elapsed_ms / count) for result in results]


def call_in_threads(
    retrieve: Retrieve,
    queries: Sequence[Any],
    done: Callable[[], None],
    *,
    finish: Finish,
    concurrency: int,
    timeout_s: float | None,
) -> list[Outcome]:
    """Call from daemon threads, ``concurrency`` at a time, and leave behind each call that passes its deadline."""
    calls = _Calls(retrieve, queries, finish)
    outcomes: dict[int, Outcome] = {}
    try:
        for _ in range(min(concurrency, len(queries))):
            calls.start_thread()
        while len(outcomes) < len(queries):
            if timeout_s is not None:
                calls.give_up_overdue(timeout_s)
            try:
                index, outcome = calls.finished.get(timeout=_POLL_S)
            except Empty:
                continue
            if isinstance(outcome, KeyboardInterrupt):
                raise outcome
            outcomes[index] = outcome
            done()
    finally:
        calls.start_no_more()
    return [outcomes[index] for index in range(len(queries))]


class _Calls:
    """Calls that are waiting, under way and finished, shared by the threads that make them."""

    def __init__(self, retrieve: Retrieve, queries: Sequence[Any], finish: Finish) -> None:
        self._retrieve = retrieve
        self._queries = queries
        self._finish = finish
        self._waiting: SimpleQueue[int] = SimpleQueue()
        for index in range(len(queries)):
            self._waiting.put(index)
        self._started: dict[int, float] = {}
        self.finished: SimpleQueue[tuple[int, Outcome | KeyboardInterrupt]] = SimpleQueue()

    def start_thread(self) -> None:
        """Add a thread that makes one waiting call after the other."""
        threading.Thread(target=self._work, daemon=True, name="sekisho-target").start()

    def start_no_more(self) -> None:
        """Take back the calls that still wait, where the evaluation ends before them."""
        while self._next() is not None:
            pass

    def give_up_overdue(self, timeout_s: float) -> None:
        """Record each call past its deadline as timed out, and let a new thread take the place of its own."""
        now = time.perf_counter()
        for index, since in self._started.copy().items():
            if now - since > timeout_s and self._end(index):
                self.finished.put((index, timed_out(timeout_s)))
                self.start_thread()

    def _work(self) -> None:
        while (index := self._next()) is not None:
            self._started[index] = time.perf_counter()
            try:
                outcome: Outcome | KeyboardInterrupt = call(
                    self._retrieve, self._queries[index], partial(self._await, index)
                )
            except KeyboardInterrupt as interrupt:
                outcome = interrupt
            if not self._end(index):
                return  # given up on: another thread has this one's place
            self.finished.put((index, outcome))

    def _await(self, index: int, awaitable: Awaitable[Any]) -> object:
        """Wait for an awaitable, whose deadline the event loop keeps, so that it can be cancelled there."""
        if not self._end(index):
            discard(awaitable)
            return None
        try:
            return self._finish(awaitable)
        finally:
            self._started[index] = time.perf_counter()  # ends in a moment

    def _next(self) -> int | None:
        try:
            return self._waiting.get_nowait()
        except Empty:
            return None

    def _end(self, index: int) -> bool:
        """Tell whether this thread is the first to end the call; ``dict.pop`` is atomic."""
        return self._started.pop(index, None) is not None


def _stacked(queries: Sequence[Any]) -> Any:  # noqa: ANN401  rows of an array stay an array
    if all(type(query).__module__ == "numpy" and hasattr(query, "shape") for query in queries):
        import numpy as np  # noqa: PLC0415  a query that is an array has imported it

        return np.stack(queries)
    return list(queries)


def _from_target_on(trace: TracebackType | None) -> TracebackType | None:
    while trace is not None and trace.tb_frame.f_code.co_filename.startswith(_OWN_FOLDER):
        trace = trace.tb_next
    return trace


def milliseconds_since(start: float) -> float:
    """Return the milliseconds since a reading of ``time.perf_counter``."""
    return (time.perf_counter() - start) * 1000
