"""A parent process that decides the exit code, since the target runs in the process that measures it.

A target can end its process at any point, with any exit code, or leave threads behind that keep it alive for ever. So
the measuring happens in a child process, which says what the exit code is only after its report is written whole. A
child that ends without a word has given no verdict; one that has spoken and does not end is ended.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

NO_VERDICT = 3
GRACE_S = 2.0
"""How long a child that has given its verdict may take to end."""
_POLL_S = 0.05
_SAME_KEYSTROKE_S = 0.3
"""Two interrupts within this time are one keystroke, which the terminal sends to both processes."""
_FORWARDED = (signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else []))


class SignalledError(KeyboardInterrupt):
    """The process was asked to end, which goes through everything that an interrupt goes through.

    Attributes:
        number: Of the signal.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def raise_when_signalled() -> None:
    """Turn the signals that end a process into exceptions, so that unfinished files are removed on the way out."""

    def end(number: int, _frame: FrameType | None) -> None:
        raise SignalledError(number)

    with suppress(ValueError):  # not the main thread: whoever called has handlers of their own
        for number in _FORWARDED[1:]:
            signal.signal(number, end)


def supervised(run: Callable[[], int], *, no_verdict: Callable[[], None]) -> int:
    """Return the exit code that ``run`` gives in a child process; 3 where the child ends without giving one.

    Args:
        run: What measures and writes the report; returns the exit code.
        no_verdict: Tells the user that the process ended before its verdict.
    """
    if not hasattr(os, "fork"):  # Windows: the target could end this process
        return run()
    reading, writing = os.pipe()
    parent_gone, parent_here = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        os.close(reading)
        os.close(parent_here)
        threading.Thread(target=_end_with_parent, args=(parent_gone,), daemon=True, name="sekisho-parent").start()
        return _measure(run, writing)
    os.close(writing)
    os.close(parent_gone)
    code, signalled = _verdict_of(child, reading)
    if code is not None:
        return code
    if signalled is not None:
        return 128 + signalled
    no_verdict()
    return NO_VERDICT


def _measure(run: Callable[[], int], writing: int) -> int:
    """Run in the child, and tell the parent the exit code; a copy of this process, forked by the target, tells none."""
    own = os.getpid()
    _take_one_interrupt_a_keystroke()
    code = run()
    if os.getpid() != own:
        os._exit(code)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    with suppress(OSError):  # the parent was killed: nobody asks
        os.write(writing, bytes([code]))
    return code


def _end_with_parent(parent_gone: int) -> None:
    """End this process as by SIGTERM once the parent was killed, which alone holds the other end of this pipe."""
    with suppress(OSError):
        os.read(parent_gone, 1)
    os.kill(os.getpid(), signal.SIGTERM)


def _take_one_interrupt_a_keystroke() -> None:
    last = -_SAME_KEYSTROKE_S

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last < _SAME_KEYSTROKE_S:
            return
        last = now
        raise KeyboardInterrupt

    with suppress(ValueError):  # as above
        signal.signal(signal.SIGINT, interrupt)


def _verdict_of(child: int, reading: int) -> tuple[int | None, int | None]:
    """Wait for the child's exit code or its end; return the code and the last signal that this process got."""
    signalled: int | None = None

    def forward(number: int, _frame: FrameType | None) -> None:
        nonlocal signalled
        signalled = number
        with suppress(ProcessLookupError):
            os.kill(child, number)

    with suppress(ValueError):  # as above
        for number in _FORWARDED:
            signal.signal(number, forward)
    code = None
    ended = False
    while code is None and not ended:
        ended = _has_ended(child)
        if select.select([reading], [], [], 0 if ended else _POLL_S)[0]:
            word = os.read(reading, 1)
            code = word[0] if word else None
            if not word:
                break
    os.close(reading)
    if not ended:
        _end(child)
    return code, signalled


def _has_ended(child: int) -> bool:
    try:
        return os.waitpid(child, os.WNOHANG)[0] != 0
    except ChildProcessError:
        return True


def _end(child: int) -> None:
    """Wait until the child has ended, and end it where threads of the target keep it alive."""
    patience = time.monotonic() + GRACE_S
    pause = 0.001
    while not _has_ended(child):
        if time.monotonic() > patience:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        time.sleep(pause)
        pause = min(2 * pause, _POLL_S)
