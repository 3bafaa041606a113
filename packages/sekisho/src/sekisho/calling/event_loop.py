"""Event loops in threads of their own, so that code without a loop can await what a target returns.

A target may block its loop, ignore cancellation, exit from a task or hang in a worker of the loop's executor. None of
these may stop the caller or keep the process alive: all threads here are daemons, which the interpreter leaves behind.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from functools import partial
from inspect import iscoroutine
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from sekisho.core.errors import RetrievalError

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Awaitable
    from concurrent.futures import ThreadPoolExecutor
    from types import TracebackType

GRACE_S = 1.0
"""How long a loop may take to answer before it counts as blocked, and cancelled tasks to end."""


class Overdue(Exception):  # noqa: N818  an outcome that is passed on, not a mistake
    """An awaitable did not end in time."""

    def __init__(self, timeout_s: float) -> None:
        super().__init__(timeout_s)
        self.timeout_s = timeout_s


def run_in_loop(loop: asyncio.AbstractEventLoop, awaitable: Awaitable[Any], *, timeout_s: float | None) -> object:
    """Return what an awaitable gives in a loop that runs in another thread.

    Raises:
        Overdue: It did not end in time; it is then cancelled.
        BaseException: What the awaitable raised.
    """
    asking = _Asking(loop, awaitable)
    try:
        loop.call_soon_threadsafe(asking.begin)
    except RuntimeError:  # the loop was closed
        discard(awaitable)
        raise
    try:
        value, error = asking.answers.get(timeout=None if timeout_s is None else min(timeout_s, threading.TIMEOUT_MAX))
    except BaseException as error:
        with suppress(RuntimeError):  # the loop may have been closed meanwhile
            loop.call_soon_threadsafe(asking.give_up)
        if isinstance(error, Empty) and timeout_s is not None:
            raise Overdue(timeout_s) from None
        raise
    if error is not None:
        raise error
    return value


class _Asking:
    """One awaitable, awaited in a loop for a thread that waits for the answer; all but ``answers`` runs in the loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop, awaitable: Awaitable[Any]) -> None:
        self._loop = loop
        self._awaitable = awaitable
        self._begun = False
        self._task: asyncio.Task[None] | None = None
        self.answers: SimpleQueue[tuple[object, BaseException | None]] = SimpleQueue()

    def begin(self) -> None:
        self._task = self._loop.create_task(self._ask())
        self._task.add_done_callback(self._settle)

    def give_up(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def _ask(self) -> None:
        self._begun = True
        try:
            self.answers.put((await self._awaitable, None))
        except BaseException as error:  # noqa: BLE001  handed to the thread that waits; SystemExit would end the loop
            self.answers.put((None, error))

    def _settle(self, _task: asyncio.Task[None]) -> None:
        if not self._begun:  # cancelled before its first step, as where the evaluation has ended
            discard(self._awaitable)
            self.answers.put((None, RetrievalError("calling.running_loop")))


def discard(awaitable: Awaitable[Any]) -> None:
    """Close a coroutine that nobody will await, which Python would otherwise warn about."""
    if iscoroutine(awaitable):
        awaitable.close()


class LoopThread:
    """One event loop in a daemon thread, started with the first awaitable; use it as a context manager.

    Args:
        replace: Whether a loop that the target has blocked is left behind and a new one takes its place. Not where
            the target was opened in the loop and belongs to it.
    """

    def __init__(self, *, replace: bool = True) -> None:
        self._replace = replace
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = threading.Lock()
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            self._closed = True
            loop, self._loop = self._loop, None
        if loop is not None:
            self._stop(loop)
            self._ended.wait(2 * GRACE_S)

    def run(self, awaitable: Awaitable[Any], *, timeout_s: float | None = None) -> object:
        """Return what an awaitable gives; raises as :func:`run_in_loop`.

        Raises:
            RetrievalError: This thread is inside a loop of its own, whose connections may be needed; or the evaluation
                is over, and nobody reads what a call left behind still gives.
        """
        if self._closed or loop_is_running():
            discard(awaitable)
            raise RetrievalError("calling.running_loop")
        loop = self._started()
        try:
            return run_in_loop(loop, awaitable, timeout_s=timeout_s)
        except Overdue:
            if self._replace and not answers(loop):
                self._leave_behind(loop)
            raise

    def is_blocked(self) -> bool:
        """Tell whether the loop runs and does not answer."""
        return self._loop is not None and not answers(self._loop)

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                import asyncio  # noqa: PLC0415  most targets are not async, and this is a tenth of the default run

                self._loop = asyncio.new_event_loop()
                self._loop.set_default_executor(_daemon_executor())
                self._stopping, self._ended = threading.Event(), threading.Event()
                work = partial(_serve, self._loop, self._stopping, self._ended)
                threading.Thread(target=work, daemon=True, name="sekisho-event-loop").start()
            return self._loop

    def _leave_behind(self, loop: asyncio.AbstractEventLoop) -> None:
        with self._lock:
            if self._loop is loop:
                self._stop(loop)
                self._loop = None

    def _stop(self, loop: asyncio.AbstractEventLoop) -> None:
        self._stopping.set()
        with suppress(RuntimeError):  # the target closed it
            loop.call_soon_threadsafe(loop.stop)


class BoundTarget(NamedTuple):
    """A target whose awaitables belong to one loop: the one that it was opened in."""

    target: object
    loop: LoopThread


def loop_is_running() -> bool:
    """Tell whether this thread is inside an event loop."""
    import asyncio  # noqa: PLC0415  as above

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def answers(loop: asyncio.AbstractEventLoop) -> bool:
    """Tell whether a loop in another thread gets to its callbacks."""
    answered = threading.Event()
    try:
        loop.call_soon_threadsafe(answered.set)
    except RuntimeError:  # closed
        return False
    return answered.wait(GRACE_S)


def _serve(loop: asyncio.AbstractEventLoop, stopping: threading.Event, ended: threading.Event) -> None:
    """Run the loop until it is stopped from outside, then end its tasks and close it; a target may stop it as well."""
    while not loop.is_closed():
        try:
            loop.run_forever()
            if not stopping.is_set():
                continue
            if _ended_all_tasks(loop):
                loop.close()
            ended.set()
        except (SystemExit, KeyboardInterrupt):  # let out by a task of the target; the others go on
            continue


def _ended_all_tasks(loop: asyncio.AbstractEventLoop) -> bool:
    """Cancel what still runs; False where a task ignores it, and the loop can only be left running as it is."""
    import asyncio  # noqa: PLC0415  as above

    tasks = asyncio.all_tasks(loop)
    for task in tasks:
        task.cancel()
    if tasks and loop.run_until_complete(asyncio.wait(tasks, timeout=GRACE_S))[1]:
        return False
    loop.run_until_complete(loop.shutdown_asyncgens())
    return True


def _daemon_executor() -> ThreadPoolExecutor:
    """Return an executor for ``asyncio.to_thread`` whose threads do not keep the process alive.

    The interpreter waits at its exit for the threads of the usual one, however long they hang.
    """
    from concurrent.futures import Future, ThreadPoolExecutor  # noqa: PLC0415  as above

    class DaemonExecutor(ThreadPoolExecutor):
        def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:  # noqa: ANN401  any call
            future: Future[Any] = Future()

            def work() -> None:
                if not future.set_running_or_notify_cancel():
                    return
                try:
                    future.set_result(function(*args, **kwargs))
                except BaseException as error:  # noqa: BLE001  handed to whoever awaits it
                    future.set_exception(error)

            threading.Thread(target=work, daemon=True, name="sekisho-executor").start()
            return future

    return DaemonExecutor()
