"""Locks that the kernel takes back when their process ends, however it ends."""

from __future__ import annotations

import fcntl
import os
import weakref
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_held: weakref.WeakSet[FileLock] = weakref.WeakSet()


class FileLock:
    """A file that can be locked (flock), by many shared or by one alone.

    A child made by ``fork`` does not keep its parent's locks alive.
    """

    def __init__(self, path: Path) -> None:
        self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        _held.add(self)

    @property
    def fd(self) -> int:
        """The open file, for a child that inherits it and the lock with it; -1 when closed."""
        return self._fd

    def try_shared(self) -> bool:
        """Take or keep the lock beside others; False where one holds it alone."""
        return self._try(fcntl.LOCK_SH)

    def try_alone(self) -> bool:
        """Take the lock alone; False where anyone else holds it, and then nothing is held any more."""
        return self._try(fcntl.LOCK_EX)

    def release(self) -> None:
        """Let go, and keep the file open."""
        fcntl.flock(self._fd, fcntl.LOCK_UN)

    def close(self) -> None:
        """Close this file; the lock goes with it unless a child inherited it."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def _try(self, kind: int) -> bool:
        try:
            fcntl.flock(self._fd, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


@contextmanager
def hold(path: Path) -> Iterator[None]:
    """Hold the lock of ``path`` alone within the block, waiting for it as long as it takes."""
    lock = FileLock(path)
    try:
        fcntl.flock(lock.fd, fcntl.LOCK_EX)
        yield
    finally:
        lock.close()


def _close_in_child() -> None:
    for lock in list(_held):
        lock.close()


os.register_at_fork(after_in_child=_close_in_child)
