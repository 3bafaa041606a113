"""Waiting with a limit, and with a word to the user when it takes long."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from knowledge_search.domain import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable

_QUIET_S = 2.0
_AGAIN_S = 10.0
_STEP_S = 0.01
_LONGEST_STEP_S = 0.1


class Patience:
    """Waits in steps that grow from 10 to 100 ms.

    Args:
        timeout_s: How long all waiting may take together.
        progress: Told what is waited for after 2 s, when that changes, and every 10 s.
    """

    def __init__(self, timeout_s: float, progress: Callable[[str], None]) -> None:
        self._begin = time.monotonic()
        self._timeout_s = timeout_s
        self._progress = progress
        self._said: tuple[str, float] = ("", 0.0)

    @property
    def waited_s(self) -> float:
        """Seconds since the beginning."""
        return time.monotonic() - self._begin

    def step(self, what: str) -> None:
        """Wait a little.

        Args:
            what: Is waited for, such as ``waiting for the server``.

        Raises:
            StoreError: It has taken too long.
        """
        waited = self.waited_s
        if waited > self._timeout_s:
            raise StoreError(
                f"Gave up after {waited:.0f} s: {what}. Look at the server's log, or start again with a longer time "
                f"limit."
            )
        if waited > _QUIET_S and (what != self._said[0] or waited - self._said[1] > _AGAIN_S):
            self._said = (what, waited)
            self._progress(f"{what} ({waited:.0f} s)")
        time.sleep(min(_STEP_S + waited / 20, _LONGEST_STEP_S))
