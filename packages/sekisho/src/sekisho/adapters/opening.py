"""An async context manager, opened and closed from code that has no event loop."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager
    from types import TracebackType

    from sekisho.calling.event_loop import LoopThread


class OpenedInLoop:
    """A context manager around an async one, which lives in one task of ``loop``.

    Cancel scopes, as anyio has them, must be left in the task that entered them. Where the block ends with an error
    the task is cancelled, which is what the async context manager then sees.
    """

    def __init__(self, opening: AbstractAsyncContextManager[Any], loop: LoopThread) -> None:
        self._opening = opening
        self._loop = loop

    def __enter__(self) -> object:
        return self._loop.run(self._open())

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._loop.is_blocked():  # else nothing in it can be closed any more
            self._loop.run(self._close(failed=kind is not None))

    async def _open(self) -> object:
        self._leave = asyncio.Event()
        opened: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        self._task = asyncio.ensure_future(self._hold(opened))
        return await opened

    async def _hold(self, opened: asyncio.Future[object]) -> None:
        try:
            async with self._opening as target:
                opened.set_result(target)
                await self._leave.wait()
        except BaseException as error:
            if opened.done():
                raise
            opened.set_exception(error)

    async def _close(self, *, failed: bool) -> None:
        if failed:
            self._task.cancel()
        self._leave.set()
        await asyncio.wait({self._task})
        if not failed:
            self._task.result()
        elif not self._task.cancelled():
            self._task.exception()  # looked at, or the loop would report it; the first error is the one to mend
