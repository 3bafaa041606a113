"""What an item raises to say how it ended: text for people instead of a traceback."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import os

    import pytest
    from _pytest._code.code import TerminalRepr  # the type of getrepr(), which has no public name


class OutcomeError(Exception):
    """How an item ended.

    Attributes:
        headline: The first sentence, for the short summary.
    """

    def __init__(self, text: str, *, headline: str) -> None:
        super().__init__(text)
        self.headline = headline


class FailedError(OutcomeError):
    """It was measured, and must not be so."""


class ExcusedError(OutcomeError):
    """A case fails only as its known issue says."""


class UnmeasuredError(OutcomeError):
    """It could not be measured; raised while an item is set up, which pytest reports as an error."""


def shown_as(
    excinfo: pytest.ExceptionInfo[BaseException],
    outcome: OutcomeError,
    *,
    path: str | os.PathLike[str],
    line: int,
) -> TerminalRepr:
    """Return what pytest shows for an outcome: its text alone, at a place in a file of the user's."""
    shown = excinfo.getrepr(style="value", chain=False)
    crash = shown.reprcrash
    if crash is not None:
        crash.path, crash.lineno, crash.message = str(path), line, outcome.headline
    return shown
