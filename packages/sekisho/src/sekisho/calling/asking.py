"""Many calls of one method of a target, sync or async, with or without a time limit."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from sekisho.calling import calls
from sekisho.calling.event_loop import BoundTarget, LoopThread, loop_is_running
from sekisho.calling.methods import is_async, method_of
from sekisho.core.errors import RetrievalError, TargetError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sekisho.calling.records import Outcome


class Asked(NamedTuple):
    """A target under evaluation: its awaitables are brought to their end in one event loop.

    Attributes:
        target: The target itself.
        finish: Waits for an awaitable that it returned.
    """

    target: object
    finish: Callable[..., object]

    def method(self, name: str) -> Callable[..., Any]:
        """Return a method of the target.

        Raises:
            TargetError: It has none of that name.
            RetrievalError: It is async, and this thread is inside an event loop that it would block.
        """
        found = method_of(self.target, name)
        if not callable(found):
            raise TargetError("calling.no_method", method=name, kind=type(self.target).__name__)
        if is_async(found) and loop_is_running():
            raise RetrievalError("calling.running_loop")
        return found  # type: ignore[no-any-return]  # callable() cannot tell the signature

    def ask_all(
        self,
        method: Callable[..., Any],
        arguments: Sequence[tuple[Any, ...]],
        *,
        read: calls.Read,
        concurrency: int = 1,
        timeout_s: float | None = None,
        done: Callable[[], None] = lambda: None,
    ) -> list[Outcome[Any]]:
        """Return what the method gives for each tuple of arguments, or why it gives nothing, in their order."""
        finish = partial(self.finish, timeout_s=timeout_s)

        def ask(one: tuple[Any, ...]) -> Any:  # noqa: ANN401  whatever the target returns
            return method(*one)

        if concurrency == 1 and timeout_s is None:
            return calls.call_in_turn(ask, arguments, done, finish=finish, read=read)
        return calls.call_in_threads(
            ask, arguments, done, finish=finish, read=read, concurrency=concurrency, timeout_s=timeout_s
        )


@contextmanager
def asked(target: object) -> Iterator[Asked]:
    """Give a target ready to be asked; one that was opened in an event loop is asked in that loop."""
    bound: LoopThread | None = None
    if type(target) is BoundTarget:  # isinstance would ask the target's own class
        target, bound = target
    with LoopThread() as own:
        yield Asked(target, (bound or own).run)
