from __future__ import annotations

import asyncio
import functools
import gc
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from sekisho.calling import event_loop
from sekisho.calling.event_loop import LoopThread, run_in_loop
from sekisho.core.errors import RetrievalError
from sekisho.retrieval import EvalCase, EvalReport, evaluate_retrieval, evaluate_retrieval_async

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LIMIT_S = 0.15
"""A time limit of tests: long beside a call that returns at once, short beside one that hangs."""
SHORT_GRACE_S = 0.3
"""So that tests do not wait as long as a user may have to."""
LIMITS = [{}, {"concurrency": 3}, {"timeout_s": 30}, {"concurrency": 2, "timeout_s": 30}]


@pytest.fixture(autouse=True)
def _collect() -> Iterator[None]:
    """Let a coroutine that nobody awaited or a loop that nobody closed fail the test that left it."""
    gc.freeze()  # what was there before is not looked at, which makes it quick
    yield
    gc.collect()
    gc.unfreeze()


def cases(count: int = 3) -> list[EvalCase]:
    """Return cases whose query is their number."""
    return [EvalCase(f"c{n}", n, [f"d{n}"]) for n in range(count)]


def kinds(report: EvalReport) -> list[str | None]:
    """Return the kind of error of each case."""
    return [result.error.kind if result.error else None for result in report.cases]


def evaluate_in_loop(target: object, count: int = 3, **options: Any) -> EvalReport:  # noqa: ANN401  any option
    """Evaluate with the async twin, in a loop."""
    return asyncio.run(evaluate_retrieval_async(cases(count), target, **options))


def evaluate(target: object, count: int = 3, **options: Any) -> EvalReport:  # noqa: ANN401  any option
    """Evaluate from a thread without a loop."""
    return evaluate_retrieval(cases(count), target, **options)


BOTH = pytest.mark.parametrize("run", [evaluate, evaluate_in_loop])


async def right(query: int) -> list[str]:
    """Return what the case expects."""
    await asyncio.sleep(0)
    return [f"d{query}"]


class AsyncCall:
    """An object that is an async function."""

    async def __call__(self, query: int) -> list[str]:
        """Return what the case expects."""
        return await right(query)


class Retriever:
    """An object with async methods."""

    async def retrieve(self, query: int) -> list[str]:
        """Return what the case expects."""
        return await right(query)

    async def retrieve_many(self, queries: list[int]) -> list[list[str]]:
        """Return what all cases expect."""
        return [await right(query) for query in queries]


class Lazy:
    """An awaitable that is no coroutine."""

    def __init__(self, query: int) -> None:
        self._query = query

    def __await__(self) -> Any:  # noqa: ANN401  as the protocol has it
        return right(self._query).__await__()


@BOTH
@pytest.mark.parametrize("limits", LIMITS)
@pytest.mark.parametrize(
    "target",
    [
        right,
        AsyncCall(),
        Retriever(),
        functools.partial(right),
        lambda query: right(query),  # noqa: PLW0108  not an async function, on purpose
        Lazy,
        lambda query: [f"d{query}"],
    ],
)
def test_every_kind_of_target_works_with_and_without_a_running_loop(
    run: Callable[..., EvalReport], target: object, limits: dict[str, Any]
) -> None:
    """Results keep the order of the cases, and progress counts each of them."""
    seen: list[tuple[int, int]] = []

    report = run(target, on_progress=lambda *numbers: seen.append(numbers), **limits)

    assert kinds(report) == [None] * 3
    assert report.mean_recall == 1
    assert [result.id for result in report.cases] == ["c0", "c1", "c2"]
    assert seen == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize("limits", LIMITS)
@pytest.mark.parametrize("declared", [True, False])
def test_all_calls_of_one_evaluation_share_one_loop(declared: bool, limits: dict[str, Any]) -> None:  # noqa: FBT001  a parameter of the test
    """A client keeps its connections in the loop of its first call."""
    loops = set()

    async def retrieve(query: int) -> list[str]:
        loops.add(asyncio.get_running_loop())
        return await right(query)

    report = evaluate(retrieve if declared else lambda query: retrieve(query), **limits)  # noqa: PLW0108  not an async function, on purpose

    assert report.mean_recall == 1
    (loop,) = loops
    assert loop.is_closed()


@BOTH
@pytest.mark.parametrize("limits", LIMITS)
@pytest.mark.parametrize(
    "error", [ValueError, SystemExit, GeneratorExit, asyncio.CancelledError, TimeoutError, BaseException]
)
def test_whatever_an_async_target_raises_is_an_error_of_its_case(
    run: Callable[..., EvalReport], error: type[BaseException], limits: dict[str, Any]
) -> None:
    """The loop goes on; a TimeoutError of the target's own is not one of the evaluation."""

    async def retrieve(query: int) -> list[str]:
        await asyncio.sleep(0)
        if query == 1:
            raise error
        return await right(query)

    report = run(retrieve, **limits)

    assert kinds(report) == [None, "raised", None]
    record = report.cases[1].error
    assert record is not None
    assert error.__name__ in record.message
    assert record.traceback.count("File ") == 1
    assert "raise error" in record.traceback


def test_keyboard_interrupt_in_a_loop_ends_the_evaluation() -> None:
    """It reaches the thread that evaluates."""

    async def retrieve(_query: int) -> list[str]:
        raise KeyboardInterrupt

    for limits in LIMITS:
        with pytest.raises(KeyboardInterrupt):
            evaluate(retrieve, **limits)


async def sleeping(_stop: threading.Event) -> None:
    """Hang so that cancelling ends it."""
    await asyncio.sleep(30)


async def in_executor(stop: threading.Event) -> None:
    """Hang in a thread of the executor."""
    await asyncio.to_thread(stop.wait, 30)


async def ignoring(stop: threading.Event) -> None:
    """Hang and ignore being cancelled."""
    while not stop.is_set():
        try:
            await asyncio.sleep(0.02)
        except asyncio.CancelledError:
            continue


async def blocking(stop: threading.Event) -> None:
    """Hang so that the loop hangs too."""
    stop.wait(30)


@pytest.mark.parametrize("hang", [sleeping, in_executor, ignoring, blocking])
def test_an_async_call_that_hangs_is_given_up_and_all_others_run(
    hang: Callable[[threading.Event], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where it blocks the loop itself: the others then get a new one."""
    monkeypatch.setattr(event_loop, "GRACE_S", SHORT_GRACE_S)
    stop = threading.Event()

    async def retrieve(query: int) -> list[str]:
        if query == 1:
            await hang(stop)
        return await right(query)

    try:
        report = evaluate(retrieve, 4, timeout_s=LIMIT_S)
    finally:
        stop.set()

    assert kinds(report) == [None, "timeout", None, None]
    assert report.mean_recall == 1


@pytest.mark.parametrize("hang", [sleeping, ignoring])
def test_a_call_that_hangs_in_the_callers_loop_is_given_up(hang: Callable[[threading.Event], Any]) -> None:
    """It is cancelled; where it ignores that, it is left."""
    stop = threading.Event()

    async def retrieve(query: int) -> list[str]:
        if query == 1:
            await hang(stop)
        return await right(query)

    async def main() -> EvalReport:
        report = await evaluate_retrieval_async(cases(4), retrieve, timeout_s=LIMIT_S)
        stop.set()
        return report

    assert kinds(asyncio.run(main())) == [None, "timeout", None, None]


@BOTH
def test_a_call_past_its_limit_is_cancelled_in_the_loop(run: Callable[..., EvalReport]) -> None:
    """So that it lets go of what it holds while the others run, not at the end of the loop."""
    events: list[str] = []

    async def retrieve(query: int) -> list[str]:
        try:
            await asyncio.sleep(30 if query == 0 else LIMIT_S / 3)
        finally:
            events.append(f"end {query}")
        return await right(query)

    report = run(retrieve, 2, timeout_s=LIMIT_S)

    assert report.cases[0].error is not None
    assert events == ["end 0", "end 1"]


def test_what_waits_in_a_blocked_loop_times_out_without_being_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not begun later either, when the loop has long been left behind."""
    monkeypatch.setattr(event_loop, "GRACE_S", SHORT_GRACE_S)
    stop = threading.Event()
    begun: list[int] = []
    threads: list[threading.Thread] = []

    async def retrieve(query: int) -> list[str]:
        begun.append(query)
        if query == 0:
            threads.append(threading.current_thread())
            stop.wait(30)
        return await right(query)

    def in_order(query: int) -> object:
        while query == 1 and not begun:
            time.sleep(0.001)
        return retrieve(query)

    report = evaluate(in_order, 4, concurrency=2, timeout_s=LIMIT_S)
    stop.set()
    threads[0].join(30)

    assert kinds(report)[:2] == ["timeout", "timeout"]
    assert kinds(report)[-1] is None
    assert 1 not in begun


def test_a_loop_left_behind_asks_for_nothing_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once the call that blocked it ends, its thread ends too; progress has long been told."""
    monkeypatch.setattr(event_loop, "GRACE_S", SHORT_GRACE_S)
    stop = threading.Event()
    asked: list[int] = []
    seen: list[tuple[int, int]] = []
    threads: list[threading.Thread] = []

    async def retrieve(query: int) -> list[str]:
        asked.append(query)
        if query == 0:
            threads.append(threading.current_thread())
            stop.wait(30)
        return await right(query)

    evaluate(retrieve, timeout_s=LIMIT_S, on_progress=lambda *numbers: seen.append(numbers))
    stop.set()
    threads[0].join(30)

    assert not threads[0].is_alive()
    assert asked == [0, 1, 2]
    assert seen == [(1, 3), (2, 3), (3, 3)]


@BOTH
def test_as_many_async_calls_run_at_once_as_asked_for(run: Callable[..., EvalReport]) -> None:
    """Three are inside together, never four."""
    inside: set[int] = set()
    most: list[int] = []

    async def retrieve(query: int) -> list[str]:
        inside.add(query)
        most.append(len(inside))
        while len(most) < 3:  # noqa: ASYNC110  an Event belongs to one loop, this to any; the first waits until three are inside
            await asyncio.sleep(0)
        await asyncio.sleep(0.01)
        inside.remove(query)
        return await right(query)

    report = run(retrieve, 9, concurrency=3)

    assert max(most) == 3
    assert [result.retrieved for result in report.cases] == [(f"d{n}",) for n in range(9)]


def test_an_async_target_is_refused_inside_a_running_loop() -> None:
    """Waiting for it would block the loop; the message names the async twin."""

    async def main() -> None:
        evaluate(right)

    with pytest.raises(RetrievalError, match="evaluate_retrieval_async") as refusal:
        asyncio.run(main())

    assert refusal.value.code == "calling.running_loop"


def test_an_awaitable_from_a_plain_function_inside_a_running_loop_is_an_error_of_its_case() -> None:
    """Only the call shows that the function is async at heart."""

    async def main() -> EvalReport:
        return evaluate(lambda query: right(query))  # noqa: PLW0108  not an async function, on purpose

    report = asyncio.run(main())

    assert kinds(report) == ["raised"] * 3
    assert report.cases[0].error is not None
    assert "evaluate_retrieval_async" in report.cases[0].error.message


def test_a_plain_target_runs_inside_a_running_loop_in_the_callers_thread() -> None:
    """Nothing has to be awaited."""
    threads = set()

    def retrieve(query: int) -> list[str]:
        threads.add(threading.current_thread())
        return [f"d{query}"]

    async def main() -> EvalReport:
        return evaluate(retrieve)

    assert asyncio.run(main()).mean_recall == 1
    assert threads == {threading.main_thread()}


def test_a_plain_target_does_not_block_the_loop_of_the_async_twin() -> None:
    """Its call waits here for what only the loop can do meanwhile."""
    ticked = threading.Event()

    async def tick() -> None:
        await asyncio.sleep(0.01)
        ticked.set()

    def retrieve(query: int) -> list[str]:
        return [f"d{query}"] if ticked.wait(30) else []

    async def main() -> EvalReport:
        report, _ = await asyncio.gather(evaluate_retrieval_async(cases(), retrieve), tick())
        return report

    assert asyncio.run(main()).mean_recall == 1


def test_what_a_plain_function_returns_is_awaited_in_the_callers_loop() -> None:
    """The client that made it lives there."""
    loops = set()

    async def retrieve(query: int) -> list[str]:
        loops.add(asyncio.get_running_loop())
        return await right(query)

    async def main() -> None:
        await evaluate_retrieval_async(cases(), lambda query: retrieve(query))  # noqa: PLW0108  not an async function, on purpose
        assert loops == {asyncio.get_running_loop()}

    asyncio.run(main())


@pytest.mark.parametrize("target", [right, lambda query: [f"d{query}"]])
def test_what_progress_raises_ends_the_async_twin(target: object) -> None:
    """It never waits for results that nobody will give."""

    def progress(_done: int, _total: int) -> None:
        raise LookupError("mine")

    with pytest.raises(LookupError):
        evaluate_in_loop(target, 20, on_progress=progress)


@pytest.mark.parametrize("declared", [True, False])
def test_cancelling_the_async_twin_stops_it(declared: bool) -> None:  # noqa: FBT001  a parameter of the test
    """Calls under way are cancelled or left, and nothing more is asked."""
    asked: list[int] = []
    cancelled: list[int] = []

    async def retrieve(query: int) -> list[str]:
        asked.append(query)
        try:
            await asyncio.sleep(30)
        except asyncio.CancelledError:
            cancelled.append(query)
            raise
        return []

    def plain(query: int) -> list[str]:
        asked.append(query)
        time.sleep(0.05)
        return []

    async def main() -> int:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(evaluate_retrieval_async(cases(50), retrieve if declared else plain), 0.12)
        await asyncio.sleep(0.12)
        return len(asked)

    count = asyncio.run(main())
    time.sleep(0.1)

    assert len(asked) == count < 50
    assert cancelled == ([0] if declared else [])


def test_a_task_of_the_target_that_exits_does_not_end_the_loop() -> None:
    """A library may start tasks of its own; one of them calling sys.exit must not hang the evaluation."""
    tasks = []

    async def leave() -> None:
        raise SystemExit(1)

    async def retrieve(query: int) -> list[str]:
        tasks.append(asyncio.create_task(leave()))
        await asyncio.sleep(0.01)
        tasks[-1].exception()
        return await right(query)

    assert evaluate(retrieve).mean_recall == 1


def test_tasks_and_generators_that_a_target_leaves_are_ended_with_the_loop() -> None:
    """As asyncio.run does it."""
    ended: list[str] = []

    async def generate() -> Any:  # noqa: ANN401  an async generator
        try:
            yield 1
            yield 2
        finally:
            ended.append("generator")

    kept = []

    async def forever() -> None:
        try:
            await asyncio.sleep(30)
        finally:
            ended.append("task")

    async def retrieve(query: int) -> list[str]:
        kept.append(asyncio.create_task(forever()))
        kept.append(generate())
        await anext(kept[-1])
        return await right(query)

    evaluate(retrieve, 1)

    assert ended == ["task", "generator"]


def test_no_loop_is_started_for_a_target_that_is_not_async() -> None:
    """Most targets are not, and pay nothing."""
    before = threading.active_count()
    seen = []

    evaluate(lambda query: seen.append(threading.active_count()) or [f"d{query}"])

    assert set(seen) == {before}


def test_a_closed_loop_refuses_without_leaving_a_coroutine() -> None:
    """A call left behind may still return one when the evaluation is over."""
    with LoopThread() as loop:
        assert loop.run(right(1)) == ["d1"]
    closed = asyncio.new_event_loop()
    closed.close()

    with pytest.raises(RetrievalError):
        loop.run(right(1))
    with pytest.raises(RuntimeError):
        run_in_loop(closed, right(1), timeout_s=None)
