"""Calling the system under test so that whatever it does becomes one record a case.

A target may raise, hang, block its event loop, return the wrong type or exit. None of these may stop the other
cases, and a call that never ends may not keep the process alive: such calls run in daemon threads, which the
interpreter leaves behind at exit.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from inspect import isawaitable
from itertools import islice
from queue import Empty, SimpleQueue
from typing import Any

from sekisho.calling.event_loop import Overdue, discard
from sekisho.calling.exceptions import raised
from sekisho.calling.records import CaseError, Outcome, WrongResultError
from sekisho.core.messages import note

Ask = Callable[[Any], Any]
Finish = Callable[[Awaitable[Any]], object]
"""Brings an awaitable that the target returned to its end, and returns its value."""
Read = Callable[[Any], Any]
"""Turns what the target returned into a record of built-in types; raises WrongResultError where it is none."""
_POLL_S = 0.02
"""How often deadlines are looked at while calls are under way."""


def timed_out(timeout_s: float) -> Outcome[Any]:
    """Return the outcome of a call that did not end in time."""
    error = CaseError(kind="timeout", reason=note("calling.timeout", timeout_s=timeout_s))
    return Outcome(None, error, timeout_s * 1000)


def in_time(outcome: Outcome[Any], timeout_s: float | None) -> Outcome[Any]:
    """Return the outcome, or that of a call that did not end in time, however late that was seen."""
    return outcome if timeout_s is None or outcome.elapsed_ms <= timeout_s * 1000 else timed_out(timeout_s)


def call(ask: Ask, query: object, finish: Finish, read: Read) -> Outcome[Any]:
    """Call ``ask`` in this thread; an awaitable that it returns is brought to its end, and the result read."""
    start = time.perf_counter()
    try:
        value = ask(query)
        if isawaitable(value):
            value = finish(value)
        return Outcome(read(value), None, milliseconds_since(start))
    except KeyboardInterrupt:
        raise
    except Overdue as overdue:
        return timed_out(overdue.timeout_s)
    except BaseException as error:  # noqa: BLE001  a target that exits or raises anything is an error of this case
        return Outcome(None, error_of(error), milliseconds_since(start))


def error_of(error: BaseException) -> CaseError:
    """Return the record of what came out of a call, or out of reading its result."""
    if isinstance(error, WrongResultError):
        return CaseError(kind="wrong_type", reason=error.reason)
    return raised(error)


def call_in_turn(
    ask: Ask, queries: Sequence[Any], done: Callable[[], None], *, finish: Finish, read: Read
) -> list[Outcome[Any]]:
    """Call for one query after the other, in this thread and without a time limit."""
    outcomes = []
    for query in queries:
        outcomes.append(call(ask, query, finish, read))
        done()
    return outcomes


def call_many(
    ask_many: Ask, queries: Sequence[Any], done: Callable[[], None], *, finish: Finish, read: Read
) -> list[Outcome[Any]] | None:
    """Call once for all queries; None where that raises or does not give one result a query."""
    start = time.perf_counter()
    try:
        results = ask_many(_stacked(queries))
        if isawaitable(results):
            results = finish(results)
        results = [] if isinstance(results, (str, bytes, Mapping)) else list(islice(results, len(queries) + 1))
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001  each query is then asked by itself, which names the case that fails
        return None
    if len(results) != len(queries):
        return None
    share = milliseconds_since(start) / len(queries)
    outcomes = []
    for result in results:
        outcomes.append(call(_itself, result, _itself, read)._replace(elapsed_ms=share))
        done()
    return outcomes


def _itself(value: Any) -> Any:  # noqa: ANN401  any result
    return value


def call_in_threads(
    ask: Ask,
    queries: Sequence[Any],
    done: Callable[[], None],
    *,
    finish: Finish,
    read: Read,
    concurrency: int,
    timeout_s: float | None,
) -> list[Outcome[Any]]:
    """Call from daemon threads, ``concurrency`` at a time, and leave behind each call that passes its deadline."""
    calls = _Calls(ask, queries, finish, read)
    outcomes: dict[int, Outcome[Any]] = {}
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
            outcomes[index] = in_time(outcome, timeout_s)
            done()
    finally:
        calls.start_no_more()
    return [outcomes[index] for index in range(len(queries))]


class _Calls:
    """Calls that are waiting, under way and finished, shared by the threads that make them."""

    def __init__(self, ask: Ask, queries: Sequence[Any], finish: Finish, read: Read) -> None:
        self._ask = ask
        self._queries = queries
        self._finish = finish
        self._read = read
        self._waiting: SimpleQueue[int] = SimpleQueue()
        for index in range(len(queries)):
            self._waiting.put(index)
        self._started: dict[int, float] = {}
        self.finished: SimpleQueue[tuple[int, Outcome[Any] | KeyboardInterrupt]] = SimpleQueue()

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
                outcome: Outcome[Any] | KeyboardInterrupt = call(
                    self._ask, self._queries[index], partial(self._await, index), self._read
                )
            except KeyboardInterrupt as interrupt:
                outcome = interrupt
            if not self._end(index):
                return  # given up on: another thread has this one's place
            self.finished.put((index, outcome))

    def _await(self, index: int, awaitable: Awaitable[Any]) -> object:
        """Wait for an awaitable, whose deadline the event loop keeps, so that it can be cancelled there."""
        since = self._started.pop(index, None)
        if since is None:
            discard(awaitable)
            return ()
        try:
            return self._finish(awaitable)
        finally:
            self._started[index] = since  # reading the result is part of the call

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


def milliseconds_since(start: float) -> float:
    """Return the milliseconds since a reading of ``time.perf_counter``."""
    return (time.perf_counter() - start) * 1000
