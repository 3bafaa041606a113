"""Calling the system under test from inside a running event loop."""

from __future__ import annotations

import asyncio
import threading
import time
from contextlib import suppress
from functools import partial
from inspect import isawaitable
from typing import TYPE_CHECKING, Any

from sekisho.calling.calls import call_in_threads, error_of, in_time, milliseconds_since, timed_out
from sekisho.calling.event_loop import run_in_loop
from sekisho.calling.records import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sekisho.calling.calls import Ask, Read


async def call_in_this_loop(
    ask: Ask,
    queries: Sequence[Any],
    done: Callable[[], None],
    *,
    read: Read,
    concurrency: int,
    timeout_s: float | None,
) -> list[Outcome[Any]]:
    """Call an async target, ``concurrency`` at a time; a call past its deadline is cancelled and left."""
    places = asyncio.Semaphore(concurrency)

    async def one(query: object) -> Outcome[Any]:
        async with places:
            outcome = await _call_in_time(ask, query, read, timeout_s)
        done()
        return outcome

    tasks = [asyncio.ensure_future(one(query)) for query in queries]
    try:
        return list(await asyncio.gather(*tasks))
    finally:
        for task in tasks:
            task.cancel()


async def _call_in_time(ask: Ask, query: object, read: Read, timeout_s: float | None) -> Outcome[Any]:
    task = asyncio.ensure_future(_call(ask, query, read))
    try:
        finished, _ = await asyncio.wait({task}, timeout=timeout_s)
        return in_time(task.result(), timeout_s) if finished or timeout_s is None else timed_out(timeout_s)
    finally:
        task.cancel()


async def _call(ask: Ask, query: object, read: Read) -> Outcome[Any]:
    start = time.perf_counter()
    try:
        value = ask(query)
        if isawaitable(value):
            value = await value
        return Outcome(read(value), None, milliseconds_since(start))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001  caught inside the task, since SystemExit would end the loop
        return Outcome(None, error_of(error), milliseconds_since(start))


async def call_in_background(
    ask: Ask,
    queries: Sequence[Any],
    done: Callable[[], None],
    *,
    read: Read,
    concurrency: int,
    timeout_s: float | None,
) -> list[Outcome[Any]]:
    """Call a target that is not async from threads, so that the loop stays free; what it returns is awaited here."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[list[Outcome[Any]]] = loop.create_future()

    def advance() -> None:
        if future.cancelled():
            raise asyncio.CancelledError
        done()

    def settle(outcomes: list[Outcome[Any]], error: BaseException | None) -> None:
        if future.done():
            return
        if error is None:
            future.set_result(outcomes)
        else:
            future.set_exception(error)

    def work() -> None:
        outcomes: list[Outcome[Any]] = []
        failure: BaseException | None = None
        try:
            outcomes = call_in_threads(
                ask,
                queries,
                advance,
                finish=partial(run_in_loop, loop, timeout_s=timeout_s),
                read=read,
                concurrency=concurrency,
                timeout_s=timeout_s,
            )
        except BaseException as error:  # noqa: BLE001  handed to the coroutine that waits
            failure = error
        with suppress(RuntimeError):  # the loop was closed meanwhile
            loop.call_soon_threadsafe(settle, outcomes, failure)

    threading.Thread(target=work, daemon=True, name="sekisho-calls").start()
    return await future
