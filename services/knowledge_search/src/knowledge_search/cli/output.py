"""Where a command writes: results to standard output, everything else to standard error."""

from __future__ import annotations

import json
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from knowledge_search.cli.messages import message, printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from knowledge_search.cli.messages import Language

_QUIET_S: Final = 2.0
"""Nobody needs to be told about what takes less."""
_TERMINAL_S: Final = 0.1
_BAR: Final = 24


def say(text: str) -> None:
    """Write a result for people."""
    sys.stdout.write(printable(text) + "\n")


def note(text: str) -> None:
    """Write something about the result, to standard error."""
    sys.stderr.write(printable(text) + "\n")
    sys.stderr.flush()


def write_json(value: object) -> None:
    """Write a result for a program."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2, default=str) + "\n")


class Progress:
    """Tells how far something is, from its second second on: a bar on a terminal, else a line now and then."""

    def __init__(self, what: str, language: Language) -> None:
        self._what = what
        self._language = language
        self._started = self._told = time.monotonic()
        self._terminal = sys.stderr.isatty()
        self._shown = False

    def step(self, done: int, total: int | None = None) -> None:
        """Tell that ``done`` of ``total`` are done; without a total only how many."""
        now = time.monotonic()
        wait_s = _TERMINAL_S if self._terminal else _QUIET_S
        if now - self._started < _QUIET_S or now - self._told < wait_s:
            return
        self._told = now
        line = (
            f"{self._what} {_bar(done, total)}" if total and self._terminal else f"{self._what} {_count(done, total)}"
        )
        sys.stderr.write(f"\r\x1b[2K{line}" if self._terminal else f"{line}\n")
        sys.stderr.flush()
        self._shown = True

    def end(self) -> None:
        """Leave nothing of a bar on the screen."""
        if self._shown and self._terminal:
            sys.stderr.write("\r\x1b[2K")
            sys.stderr.flush()


@contextmanager
def progress(code: str, language: Language) -> Iterator[Progress]:
    """Give a progress that is named by the sentence ``code``, and clear it away in the end."""
    bar = Progress(message(code, language), language)
    try:
        yield bar
    finally:
        bar.end()


def _bar(done: int, total: int) -> str:
    filled = _BAR * done // total
    return f"{'█' * filled}{'░' * (_BAR - filled)} {_count(done, total)}"


def _count(done: int, total: int | None) -> str:
    return f"{done:,}" if total is None else f"{done:,} / {total:,}"
