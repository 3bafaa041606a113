"""One run of a command: a line in, a line out, and nothing left of it at the end."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING

from sekisho.adapters.command_target.last_words import LastWords
from sekisho.core.errors import TargetError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MOST_BYTES = 10_000_000
"""Of one line; an answer with all that the model was given has some hundred thousand."""
_PIECE = 65_536
_POLL_S = 0.05
"""How often it is looked at whether the process has ended, while a child of its own may hold its output open."""
GRACE_OF_INPUT_S = 0.5
"""How long a process may take to end by itself once its input is closed."""
GRACE_OF_SIGNAL_S = 2.0
"""How long it may take to end once it is asked to with SIGTERM."""
GRACE_OF_KILL_S = 0.5
"""How long is waited after SIGKILL, which nothing survives; a group of which only the dead are left goes on as one."""


class EndedError(Exception):
    """The process ended, or closed its output, before it gave a whole line."""


class Process:
    """A started command in a process group of its own, used by one thread at a time.

    Attributes:
        was_stopped: Whether it had to be ended with a signal.

    Raises:
        TargetError: It cannot be started.
    """

    def __init__(self, command: Sequence[str], *, folder: Path) -> None:
        if not hasattr(os, "killpg"):
            raise TargetError("targets.command_platform")
        try:
            self._process = subprocess.Popen(  # noqa: S603  the user's own command, as a list and without a shell
                list(command),
                cwd=folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except (OSError, ValueError) as problem:
            reason = getattr(problem, "strerror", None) or str(problem)
            raise TargetError("targets.command_start", command=command[0], reason=reason) from None
        self._words = LastWords(Path(command[0]).name)
        self._input, self._output, self._errors = (
            _descriptor(each) for each in (self._process.stdin, self._process.stdout, self._process.stderr)
        )
        self._unread = bytearray()
        self._searched = 0  # how much of it is known to hold no line break
        self._open = {self._output, self._errors}
        self.was_stopped = False

    @property
    def last_words(self) -> str:
        """The last lines that it wrote to its standard error."""
        return self._words.text

    @property
    def status(self) -> int | None:
        """Its exit status; the negative number of the signal that ended it; None while it runs."""
        return self._process.poll()

    def has_spoken(self) -> bool:
        """Tell whether it wrote something that nobody has read yet."""
        if self._output in self._open:
            self._take(self._output)
        return bool(self._unread)

    def exchange(self, line: bytes, *, deadline: float) -> bytes:
        """Write one line and return the next one that comes, without its line break.

        Writing and reading go on side by side, so that neither a full pipe nor an unread one can stop both. An end of
        output ends a line too.

        Raises:
            EndedError: It ended or closed its output first.
            TimeoutError: No whole line by the deadline, a reading of ``time.monotonic``.
            OverflowError: A line is longer than 10 MB.
        """
        unsent = memoryview(line + b"\n")
        with selectors.DefaultSelector() as selector:
            for descriptor in self._open:
                selector.register(descriptor, selectors.EVENT_READ)
            selector.register(self._input, selectors.EVENT_WRITE)
            while (found := self._next_line()) is None:
                ready = selector.select(min(max(deadline - time.monotonic(), 0.0), _POLL_S))
                for key, _ in ready:
                    if key.fd == self._input:
                        unsent = self._send(unsent)
                        if not unsent:
                            selector.unregister(self._input)
                    elif not self._take(key.fd):
                        selector.unregister(key.fd)
                if self._output not in self._open or (not ready and self.status is not None):
                    return self._rest_at_end()
                if time.monotonic() >= deadline:
                    raise TimeoutError
            return found

    def _send(self, unsent: memoryview) -> memoryview:
        try:
            return unsent[os.write(self._input, unsent[:_PIECE]) :]
        except BlockingIOError:
            return unsent
        except OSError:  # nobody reads any more; what it still has to say is read to its end
            return unsent[:0]

    def _take(self, descriptor: int) -> bool:
        """Take what is there; False where that stream has ended."""
        data = self._read(descriptor)
        if data and descriptor == self._output:
            self._unread += data
        elif data:
            self._words.take(data)
        return data != b""

    def _read(self, descriptor: int) -> bytes | None:
        """Return what is there: None where it is nothing for now, no bytes where that stream has ended."""
        try:
            data = os.read(descriptor, _PIECE)
        except BlockingIOError:
            return None
        except OSError:
            data = b""
        if not data:
            self._open.discard(descriptor)
        return data

    def _next_line(self) -> bytes | None:
        end = self._unread.find(b"\n", self._searched)
        if max(end, len(self._unread) if end < 0 else 0) > MOST_BYTES:
            raise OverflowError
        if end < 0:
            self._searched = len(self._unread)
            return None
        line = bytes(self._unread[:end])
        del self._unread[: end + 1]
        self._searched = 0
        return line

    def _rest_at_end(self) -> bytes:
        """Return the last line of a process that has ended, which may lack its line break."""
        line = self._next_line()
        if line is None:
            line = bytes(self._unread)
            self._unread.clear()
            self._searched = 0
        if not line.strip():
            raise EndedError
        return line

    def end(self) -> int | None:
        """End the process and all of its group, and return its exit status; may be called again.

        Its input is closed first; then come SIGTERM and SIGKILL, each where the one before was not enough.
        """
        if self._process.stdin is not None:
            with suppress(OSError):
                self._process.stdin.close()
        self._wait(GRACE_OF_INPUT_S, until=lambda: self.status is not None)
        self.was_stopped = self.was_stopped or self.status is None
        for number, grace_s in ((signal.SIGTERM, GRACE_OF_SIGNAL_S), (signal.SIGKILL, GRACE_OF_KILL_S)):
            if not self._signal_group(number):
                break
            self._wait(grace_s, until=lambda: self.status is not None and not self._signal_group(0))
        self._drain()
        self._words.end()
        for stream in (self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()
        self._open.clear()
        return self.status

    def kill(self) -> None:
        """End the process and its group at once, as from another thread than the one that uses it."""
        self._signal_group(signal.SIGKILL)

    def _wait(self, seconds: float, *, until: Callable[[], bool]) -> None:
        """Wait for an end, reading on: a process that waits for its output to be read would never come to it."""
        deadline = time.monotonic() + seconds
        pause_s = 0.001
        while not until() and time.monotonic() < deadline:
            self._drain()
            time.sleep(pause_s)
            pause_s = min(2 * pause_s, _POLL_S)

    def _drain(self) -> None:
        """Read on without keeping the output, which nobody asks for any more."""
        for descriptor in tuple(self._open):
            for _ in range(1024):  # a stream that never runs dry is left at some point
                data = self._read(descriptor)
                if not data:
                    break
                if descriptor == self._errors:
                    self._words.take(data)

    def _signal_group(self, number: int) -> bool:
        """Send a signal to what is left of the group (0 sends none); False where nothing is."""
        try:
            os.killpg(self._process.pid, number)
        except (ProcessLookupError, PermissionError):  # macOS says the latter of a group of dead processes
            return False
        return True


def _descriptor(stream: IO[bytes] | None) -> int:
    assert stream is not None  # noqa: S101  all three were asked for
    os.set_blocking(stream.fileno(), False)
    return stream.fileno()
