from __future__ import annotations

import asyncio
import gc
import threading
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from sekisho.adapters.targets import with_target
from sekisho.calling import event_loop
from sekisho.core.errors import RetrievalError, TargetError
from sekisho.retrieval import EvalCase, EvalReport, evaluate_retrieval

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator


@pytest.fixture(autouse=True)
def _collect() -> Iterator[None]:
    """Let a coroutine that nobody awaited or a loop that nobody closed fail the test that left it."""
    gc.freeze()  # what was there before is not looked at, which makes it quick
    yield
    gc.collect()
    gc.unfreeze()


def measure(target: object, **options: Any) -> EvalReport:  # noqa: ANN401  any option
    """Evaluate three cases."""
    return evaluate_retrieval([EvalCase(f"c{n}", n, [f"d{n}"]) for n in range(3)], target, **options)


def opened(made: object, use: Callable[[object], Any] = measure) -> Any:  # noqa: ANN401  what use returns
    """Use what a factory returned."""
    return with_target(made, reference="m:f", use=use)


def right(query: int) -> list[str]:
    """Return what the case expects."""
    return [f"d{query}"]


class Events(list[str]):
    """What happened, in order, and the loops and tasks it happened in."""

    def __init__(self) -> None:
        super().__init__()
        self.loops: set[object] = set()
        self.tasks: list[object] = []

    async def note(self, event: str) -> None:
        """Add an event, in the loop that runs."""
        await asyncio.sleep(0)
        self.append(event)
        self.loops.add(asyncio.get_running_loop())
        self.tasks.append(asyncio.current_task())


@asynccontextmanager
async def connection(events: Events) -> AsyncIterator[object]:
    """Open a target whose calls need the loop it was opened in."""
    await events.note("open")

    async def retrieve(query: int) -> list[str]:
        await events.note("retrieve")
        return right(query)

    try:
        yield retrieve
    finally:
        await events.note("close")


def test_a_plain_target_is_used_as_it_is() -> None:
    """Sync or async, in no loop of the opening."""

    async def retrieve(query: int) -> list[str]:
        return right(query)

    assert opened("target", use=lambda target: target) == "target"
    assert opened(right).mean_recall == 1
    assert opened(retrieve).mean_recall == 1


def test_a_context_manager_is_entered_and_left() -> None:
    """In the caller's thread, around the use."""
    events: list[object] = []

    @contextmanager
    def manager() -> Iterator[object]:
        events.append(threading.current_thread())
        yield right
        events.append("close")

    assert opened(manager()).mean_recall == 1
    assert events == [threading.current_thread(), "close"]


@pytest.mark.parametrize("error", [ValueError("mine"), KeyboardInterrupt(), RetrievalError("retrieval.no_cases")])
def test_a_context_manager_is_left_with_the_error_of_the_use(error: BaseException) -> None:
    """The error goes through as it is: it is not the target's, and the target cannot swallow it."""
    seen: list[object] = []

    class Manager:
        def __enter__(self) -> object:
            return right

        def __exit__(self, *details: object) -> bool:
            seen.append(details[1])
            return True

    def use(_target: object) -> object:
        raise error

    with pytest.raises(type(error)) as raised:
        opened(Manager(), use)

    assert raised.value is error
    assert seen == [error]


def test_a_failure_to_close_does_not_hide_the_error_before_it() -> None:
    """The first error is the one to mend."""

    @contextmanager
    def manager() -> Iterator[object]:
        try:
            yield right
        finally:
            raise OSError("close")

    def use(_target: object) -> object:
        raise LookupError("first")

    with pytest.raises(LookupError, match="first"):
        opened(manager(), use)
    with pytest.raises(TargetError, match="OSError: close"):
        opened(manager())


def test_an_async_context_manager_lives_in_one_loop_with_the_calls() -> None:
    """A connection belongs to the loop that opened it; it is opened and closed in one task."""
    events = Events()

    report = opened(connection(events))

    assert report.mean_recall == 1
    assert events == ["open", "retrieve", "retrieve", "retrieve", "close"]
    (loop,) = events.loops
    assert isinstance(loop, asyncio.AbstractEventLoop)
    assert loop.is_closed()
    assert events.tasks[0] is events.tasks[-1]


@pytest.mark.parametrize("limits", [{"concurrency": 3}, {"timeout_s": 30}])
def test_an_opened_target_takes_limits(limits: dict[str, Any]) -> None:
    """Calls from several threads all end up in its loop."""
    events = Events()

    report = opened(connection(events), lambda target: measure(target, **limits))

    assert report.mean_recall == 1
    assert len(events.loops) == 1
    assert events[-1] == "close"


def test_an_awaitable_factory_gives_a_target_in_its_loop() -> None:
    """Or a context manager of either kind, which is then entered."""
    events = Events()

    async def make() -> object:
        await events.note("make")

        async def retrieve(query: int) -> list[str]:
            await events.note("retrieve")
            return right(query)

        return retrieve

    async def make_manager() -> object:
        await events.note("make")
        return connection(events)

    assert opened(make()).mean_recall == 1
    assert events == ["make", "retrieve", "retrieve", "retrieve"]
    assert len(events.loops) == 1

    events.clear()
    events.loops.clear()
    assert opened(make_manager()).mean_recall == 1
    assert events == ["make", "open", "retrieve", "retrieve", "retrieve", "close"]
    assert len(events.loops) == 1


def test_an_opened_target_may_be_a_plain_one() -> None:
    """Only its opening is async; it is then called in the caller's thread."""
    threads = set()

    def retrieve(query: int) -> list[str]:
        threads.add(threading.current_thread())
        return right(query)

    @asynccontextmanager
    async def manager() -> AsyncIterator[object]:
        yield retrieve

    assert opened(manager()).mean_recall == 1
    assert threads == {threading.current_thread()}


@pytest.mark.parametrize("error", [ValueError("mine"), KeyboardInterrupt(), RetrievalError("retrieval.no_cases")])
def test_an_async_context_manager_is_closed_where_the_use_fails(error: BaseException) -> None:
    """The error goes through as it is."""
    events = Events()

    def use(_target: object) -> object:
        raise error

    with pytest.raises(type(error)) as raised:
        opened(connection(events), use)

    assert raised.value is error
    assert events == ["open", "close"]


class Fails:
    """An async context manager that fails when it is opened or closed."""

    def __init__(self, error: BaseException, *, at: str) -> None:
        self._error = error
        self._at = at

    async def __aenter__(self) -> object:
        await asyncio.sleep(0)
        if self._at == "open":
            raise self._error
        return right

    async def __aexit__(self, *details: object) -> None:
        await asyncio.sleep(0)
        if self._at == "close":
            raise self._error


@pytest.mark.parametrize("at", ["open", "close"])
@pytest.mark.parametrize("kind", [ValueError, SystemExit, asyncio.CancelledError, BaseException])
def test_a_target_that_cannot_be_opened_or_closed_is_a_target_error(kind: type[BaseException], at: str) -> None:
    """With what the target raised; and the loop is closed all the same."""
    made = Fails(kind("lost"), at=at)
    assert isinstance(made, AbstractAsyncContextManager)

    with pytest.raises(TargetError, match=kind.__name__) as refusal:
        opened(made)

    assert refusal.value.code == "app.target_factory"


def test_an_awaitable_factory_that_raises_is_a_target_error() -> None:
    """An error of this package goes through as it is."""

    async def broken() -> object:
        raise ValueError("no index")

    async def refuses() -> object:
        raise RetrievalError("retrieval.no_cases")

    with pytest.raises(TargetError, match=r"no index \(at .*\(broken\)"):
        opened(broken())
    with pytest.raises(RetrievalError):
        opened(refuses())


def test_an_opened_target_that_blocks_its_loop_cannot_block_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its cases time out, and what it opened is left behind."""
    monkeypatch.setattr(event_loop, "GRACE_S", 0.3)
    stop = threading.Event()

    @asynccontextmanager
    async def manager() -> AsyncIterator[object]:
        async def retrieve(query: int) -> list[str]:
            if query == 1:
                stop.wait(30)
            return right(query)

        yield retrieve

    try:
        report = opened(manager(), lambda target: measure(target, timeout_s=0.1))
    finally:
        stop.set()

    assert [case.error.kind if case.error else None for case in report.cases] == [None, "timeout", "timeout"]
