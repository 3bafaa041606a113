"""Calling the system under test so that whatever it does becomes one record a case.

A target may raise, hang, block its event loop, return the wrong type or exit. None of these may stop the other
cases, and a call that never ends may not keep the process alive: such calls run in daemon threads, which the
interpreter leaves behind at exit.
"""

from __future__ import annotations

import threading
import time
import traceback
from inspect import isawaitable, iscoroutinefunction
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from sekisho.core.messages import message
from sekisho.retrieval.records import CaseError

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Coroutine, Sequence

Value = TypeVar("Value")
_POLL_S = 0.02
"""How often deadlines are looked at while calls are under way."""
_BLOCKED_LOOP_GRACE_S = 1.0
"""How long an event loop may stay silent past a deadline before it counts as blocked."""


class Outcome(NamedTuple):
    """What one call gave: a value, or the error that stands for it."""

    value: Any
    error: CaseError | None
    elapsed_ms: float


def is_async(retrieve: Callable[[Any], Any]) -> bool:
    """Tell whether calling ``retrieve`` makes a coroutine."""
    return iscoroutinefunction(retrieve) or iscoroutinefunction(getattr(retrieve, "__call__", None))  # noqa: B004  its kind is asked, not whether it exists


def raised(error: BaseException) -> CaseError:
    """Return the record of an exception that the target let out, with its traceback from the target's frame on."""
    head = f"{type(error).__name__}: {error}".strip()
    lines = traceback.format_exception(type(error), error, error.__traceback__)
    return CaseError(kind="raised", message=head, traceback="".join(lines))


def timed_out(timeout_s: float) -> CaseError:
    """Return the record of a call that did not end in time."""
    return CaseError(kind="timeout", message=message("retrieval.timeout", timeout_s=timeout_s))


def call(retrieve: Callable[[Any], Any], query: object) -> Outcome:
    """Call ``retrieve`` in this thread; an awaitable that it returns is run to its end."""
    start = time.perf_counter()
    try:
        value = retrieve(query)
        if isawaitable(value):
            value = _run_awaitable(value)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001  a target that exits or raises anything is an error of this case
        return Outcome(None, raised(error), _milliseconds_since(start))
    return Outcome(value, None, _milliseconds_since(start))


def call_in_turn(retrieve: Callable[[Any], Any], queries: Sequence[Any], done: Callable[[], None]) -> list[Outcome]:
    """Call for one query after the other, in this thread and without a time limit."""
    outcomes = []
    for query in queries:
        outcomes.append(call(retrieve, query))
        done()
    return outcomes


def call_many(retrieve_many: Callable[[Any], Any], queries: Sequence[Any]) -> list[Outcome] | None:
    """Call once for all queries; None where that raises or the number of results is not the number of queries."""
    start = time.perf_counter()
    try:
        results = list(retrieve_many(queries))
    except Exception:  # noqa: BLE001  each query is then asked by itself, which names the case that fails
        return None
    if len(results) != len(queries):
        return None
    share_ms = _milliseconds_since(start) / max(1, len(queries))
    return [Outcome(result, None, share_ms) for result in results]


def call_in_threads(
    retrieve: Callable[[Any], Any],
    queries: Sequence[Any],
    done: Callable[[], None],
    *,
    concurrency: int,
    timeout_s: float | None,
) -> list[Outcome]:
    """Call from daemon threads, ``concurrency`` at a time, and leave behind each call that passes its deadline."""
    calls = _Calls(retrieve, queries)
    for _ in range(min(concurrency, len(queries))):
        calls.start_thread()
    outcomes: dict[int, Outcome] = {}
    while len(outcomes) < len(queries):
        if timeout_s is not None:
            calls.give_up_overdue(timeout_s)
        try:
            index, outcome = calls.finished.get(timeout=_POLL_S)
        except Empty:
            continue
        outcomes[index] = outcome
        done()
    return [outcomes[index] for index in range(len(queries))]


class _Calls:
    """Calls that are waiting, under way and finished, shared by the threads that make them."""

    def __init__(self, retrieve: Callable[[Any], Any], queries: Sequence[Any]) -> None:
        self._retrieve = retrieve
        self._queries = queries
        self._waiting: SimpleQueue[int] = SimpleQueue()
        for index in range(len(queries)):
            self._waiting.put(index)
        self._started: dict[int, float] = {}
        self.finished: SimpleQueue[tuple[int, Outcome]] = SimpleQueue()

    def start_thread(self) -> None:
        """Add a thread that makes one waiting call after the other."""
        threading.Thread(target=self._work, daemon=True, name="sekisho-target").start()

    def give_up_overdue(self, timeout_s: float) -> None:
        """Record each call past its deadline as timed out, and let a new thread take the place of its own."""
        now = time.perf_counter()
        overdue = [index for index, since in list(self._started.items()) if now - since > timeout_s]
        for index in overdue:
            if self._end(index):
                self.finished.put((index, Outcome(None, timed_out(timeout_s), timeout_s * 1000)))
                self.start_thread()

    def _work(self) -> None:
        while True:
            try:
                index = self._waiting.get_nowait()
            except Empty:
                return
            self._started[index] = time.perf_counter()
            outcome = call(self._retrieve, self._queries[index])
            if not self._end(index):
                return  # given up on: another thread has this one's place
            self.finished.put((index, outcome))

    def _end(self, index: int) -> bool:
        """Tell whether this thread is the first to end the call; ``dict.pop`` is atomic."""
        return self._started.pop(index, None) is not None


async def call_async(
    retrieve: Callable[[Any], Any],
    queries: Sequence[Any],
    done: Callable[[], None],
    *,
    concurrency: int,
    timeout_s: float | None,
    finished: dict[int, Outcome],
) -> list[Outcome]:
    """Call in the running event loop, ``concurrency`` at a time; a call past its deadline is cancelled and left.

    Each outcome also enters ``finished`` as soon as it is there, for a caller that may have to give the loop up.
    """
    import asyncio  # noqa: PLC0415  most targets are not async, and this import is a tenth of the default run

    places = asyncio.Semaphore(concurrency)

    async def one(index: int) -> Outcome:
        async with places:
            outcome = await _await_one(retrieve, queries[index], timeout_s)
        finished[index] = outcome
        done()
        return outcome

    return list(await asyncio.gather(*(one(index) for index in range(len(queries)))))


async def _await_one(retrieve: Callable[[Any], Any], query: object, timeout_s: float | None) -> Outcome:
    import asyncio  # noqa: PLC0415  as above

    async def ask() -> object:
        value = retrieve(query)
        return await value if isawaitable(value) else value

    start = time.perf_counter()
    task: asyncio.Task[object] = asyncio.ensure_future(ask())
    finished, _ = await asyncio.wait({task}, timeout=timeout_s)
    if not finished:
        task.cancel()
        return Outcome(None, timed_out(timeout_s or 0), _milliseconds_since(start))
    try:
        return Outcome(task.result(), None, _milliseconds_since(start))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001  as in call()
        return Outcome(None, raised(error), _milliseconds_since(start))


def run_in_daemon_loop(main: Callable[[], Coroutine[Any, Any, Value]], *, silent: Callable[[], bool]) -> Value | None:
    """Run a coroutine in an event loop of its own, in a daemon thread, and return what it returns.

    Args:
        main: Makes the coroutine, inside the thread.
        silent: Asked from time to time; True means that the loop has been blocked for too long.

    Returns:
        The coroutine's value, or None where the loop was given up as blocked.
    """
    import asyncio  # noqa: PLC0415  as above

    results: SimpleQueue[tuple[Value | None, BaseException | None]] = SimpleQueue()

    def work() -> None:
        loop = asyncio.new_event_loop()
        asyncio.set_event_loop(loop)
        try:
            results.put((loop.run_until_complete(main()), None))
        except BaseException as error:  # noqa: BLE001  handed to the caller's thread
            results.put((None, error))

    threading.Thread(target=work, daemon=True, name="sekisho-loop").start()
    while True:
        try:
            value, error = results.get(timeout=_POLL_S)
        except Empty:
            if silent():
                return None
            continue
        if error is not None:
            raise error
        return value


def call_async_in_daemon_loop(
    retrieve: Callable[[Any], Any],
    queries: Sequence[Any],
    done: Callable[[], None],
    *,
    concurrency: int,
    timeout_s: float | None,
) -> list[Outcome]:
    """Call an async target from sync code; where it blocks its loop past a deadline, what is left timed out."""
    finished: dict[int, Outcome] = {}
    last = time.perf_counter()

    def touch() -> None:
        nonlocal last
        last = time.perf_counter()
        done()

    def main() -> Coroutine[Any, Any, list[Outcome]]:
        return call_async(retrieve, queries, touch, concurrency=concurrency, timeout_s=timeout_s, finished=finished)

    def silent() -> bool:
        return timeout_s is not None and time.perf_counter() - last > timeout_s + _BLOCKED_LOOP_GRACE_S

    outcomes = run_in_daemon_loop(main, silent=silent)
    if outcomes is not None or timeout_s is None:
        return outcomes or []
    blocked = Outcome(None, timed_out(timeout_s), timeout_s * 1000)
    return [finished.get(index, blocked) for index in range(len(queries))]


async def call_in_background(
    retrieve: Callable[[Any], Any],
    queries: Sequence[Any],
    done: Callable[[], None],
    *,
    concurrency: int,
    timeout_s: float | None,
) -> list[Outcome]:
    """Call a target that is not async from a running event loop, which stays free meanwhile."""
    import asyncio  # noqa: PLC0415  as above

    loop = asyncio.get_running_loop()
    future: asyncio.Future[list[Outcome]] = loop.create_future()

    def work() -> None:
        outcomes = call_in_threads(retrieve, queries, done, concurrency=concurrency, timeout_s=timeout_s)
        loop.call_soon_threadsafe(future.set_result, outcomes)

    threading.Thread(target=work, daemon=True, name="sekisho-calls").start()
    return await future


def _run_awaitable(awaitable: Any) -> object:  # noqa: ANN401  whatever the target returned
    import asyncio  # noqa: PLC0415  as above

    async def ask() -> object:
        return await awaitable

    return asyncio.run(ask())


def _milliseconds_since(start: float) -> float:
    return (time.perf_counter() - start) * 1000
