"""How much one principal may ask."""

from __future__ import annotations

import math
import threading
import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

_MINUTE_S: Final = 60.0
_REMEMBERED: Final = 10_000
"""Principals that are remembered; beyond that, those who are back at their full allowance are forgotten."""


class RateLimit:
    """A bucket for each principal that holds a minute's requests and refills evenly.

    Args:
        per_minute: Requests, at least 1.
        clock: Seconds, monotonic.
    """

    def __init__(self, per_minute: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._capacity = float(per_minute)
        self._per_second = per_minute / _MINUTE_S
        self._clock = clock
        self._buckets: dict[str, tuple[float, float]] = {}
        self._mutex = threading.Lock()

    def wait_s(self, principal: str) -> int:
        """Take one request from the allowance: 0 where it was there, else the whole seconds until it will be."""
        now = self._clock()
        with self._mutex:
            if len(self._buckets) >= _REMEMBERED and principal not in self._buckets:
                self._forget(now)
            left, since = self._buckets.get(principal, (self._capacity, now))
            left = min(self._capacity, left + (now - since) * self._per_second)
            if left >= 1:
                self._buckets[principal] = (left - 1, now)
                return 0
            self._buckets[principal] = (left, now)
        return max(1, math.ceil((1 - left) / self._per_second))

    def _forget(self, now: float) -> None:
        self._buckets = {
            name: (left, since)
            for name, (left, since) in self._buckets.items()
            if left + (now - since) * self._per_second < self._capacity
        }
