"""What a command writes to its standard error: passed through within bounds, and the end of it kept for messages."""

from __future__ import annotations

import sys
from collections import deque

from sekisho.core.text import printable, shorten

MOST_PASSED = 200
"""Lines that are passed through of one process; a target that logs every step would bury the report."""
MOST_KEPT = 8
LONGEST_LINE = 400


class LastWords:
    """Takes bytes as they come, and passes each line through, printable and shortened.

    Args:
        name: Stands before each line.
    """

    def __init__(self, name: str) -> None:
        self._name = printable(name)
        self._rest = b""
        self._passed = 0
        self._last: deque[str] = deque(maxlen=MOST_KEPT)

    def take(self, data: bytes) -> None:
        """Take what was read."""
        *lines, rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._pass_through(line)
        self._rest = rest[: 4 * LONGEST_LINE]  # the rest of an endless line is not kept

    def end(self) -> None:
        """Take the end of the output, which may stand in the middle of a line."""
        if self._rest:
            self._pass_through(self._rest)
            self._rest = b""

    @property
    def text(self) -> str:
        """The last lines in one; a dash where there are none."""
        return " / ".join(self._last) or "-"

    def _pass_through(self, line: bytes) -> None:
        text = shorten(printable(line[: 4 * LONGEST_LINE].decode("utf-8", "replace").rstrip("\r")), LONGEST_LINE)
        if text.strip():
            self._last.append(text)
        self._passed += 1
        if self._passed <= MOST_PASSED:
            _write(f"{self._name}: {text}\n")
        elif self._passed == MOST_PASSED + 1:
            _write(f"{self._name}: […]\n")


def _write(text: str) -> None:
    """Write to standard error what can be written there; a closed stream is no reason to fail a case."""
    stream = sys.stderr
    try:
        encoding = getattr(stream, "encoding", None) or "utf-8"
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
        stream.flush()
    except (AttributeError, OSError, ValueError):
        return
