"""The exchanges of a run, as they are recorded or replayed, and which case they belong to."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Literal, NamedTuple

from sekisho.adapters.model_recording.differences import first_difference
from sekisho.adapters.model_recording.exchange import Exchange
from sekisho.core.messages import Note, note

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sekisho.adapters.model_recording.exchange import Reply, Request

Mode = Literal["live", "record", "replay"]
"""``live``: handed on, nothing kept; ``record``: handed on and kept; ``replay``: answered from what was kept."""


class Moment(NamedTuple):
    """What a run is at: a sample of a case, counted from 1; an empty case and 0 while the target is made or closed."""

    suite: str
    case: str
    sample: int


class Tape:
    """What was recorded, and where the run is. Safe to use from several threads.

    Args:
        exchanges: What is replayed; empty while recording.
    """

    def __init__(self, exchanges: Iterable[Exchange] = ()) -> None:
        self._lock = threading.Lock()
        self._recorded = {exchange.place: exchange for exchange in exchanges}
        self._keys = frozenset(exchange.request.key for exchange in self._recorded.values())
        self._new: list[Exchange] = []
        self._counts: dict[tuple[Moment, str], int] = {}
        self._now = Moment("", "", 0)
        self._missing: Note | None = None
        self._failed: dict[str, Note] = {}

    @property
    def now(self) -> Moment:
        """What the run is at."""
        return self._now

    def begin(self, moment: Moment) -> None:
        """Take note of what the run is at from now on."""
        with self._lock:
            self._now = moment
            self._missing, self._failed = None, {}

    def end(self) -> Note | None:
        """Return why what was answered since ``begin`` is worth nothing: a request that got no reply. Else None."""
        with self._lock:
            return self._missing or next(iter(self._failed.values()), None)

    def keep(self, moment: Moment, request: Request, reply: Reply) -> None:
        """Record an exchange."""
        with self._lock:
            self._failed.pop(request.key, None)
            number = self._next(moment, request)
            self._new.append(Exchange(*moment, request, number, reply))

    def fail(self, moment: Moment, request: Request, reason: Note) -> None:
        """Take note of a request that got no reply; one more attempt may mend it."""
        with self._lock:
            if moment == self._now:
                self._failed[request.key] = reason

    def recorded(self, moment: Moment, request: Request) -> Reply | Note:
        """Return the recorded reply to a request that comes just now, or the sentence that says what to record."""
        with self._lock:
            number = self._next(moment, request)
            found = self._recorded.get((*moment, request.key, number))
            if found is not None:
                return found.reply
            missing = self._why(moment, request, number)
            if moment == self._now:
                self._missing = self._missing or missing
            return missing

    def knows(self, request: Request) -> bool:
        """Tell whether this request is recorded for any case."""
        return request.key in self._keys

    def taken(self) -> list[Exchange]:
        """Return what was recorded so far."""
        with self._lock:
            return list(self._new)

    def _next(self, moment: Moment, request: Request) -> int:
        counted = (moment, request.key)
        self._counts[counted] = self._counts.get(counted, 0) + 1
        return self._counts[counted]

    def _why(self, moment: Moment, request: Request, number: int) -> Note:
        """Return what is missing: everything of the case, this request in its new form, or one more of it."""
        of_case = [each for each in self._recorded.values() if (each.suite, each.case) == moment[:2]]
        values = {"suite": moment.suite, "case": moment.case or "-", "sample": moment.sample}
        if not of_case:
            return note("models.missing_recording", **values)
        if any(each.request.key == request.key for each in of_case):
            return note("models.missing_recording_sample", **values, number=number)
        alike = [each for each in of_case if (each.request.method, each.request.path) == (request.method, request.path)]
        if not alike:
            return note("models.missing_recording_path", **values, path=request.path)
        way = first_difference(alike[0].request.body, request.body)
        return note("models.missing_recording_changed", **values, way=way or "-")
