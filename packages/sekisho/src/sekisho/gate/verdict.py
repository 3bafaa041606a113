"""The verdict over several suites, and the exit code that stands for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sekisho.gate.records import Verdict

_EXIT_CODES: dict[Verdict, int] = {"passed": 0, "reported": 0, "failed": 1, "not_measured": 3}


def overall(verdicts: Sequence[Verdict]) -> Verdict:
    """Return the verdict over all suites: any failure first, then anything unmeasured; nothing at all is unmeasured."""
    if "failed" in verdicts:
        return "failed"
    if "not_measured" in verdicts or not verdicts:
        return "not_measured"
    return "passed" if "passed" in verdicts else "reported"


def exit_code(verdict: Verdict) -> int:
    """Return 0 for passed or only reported, 1 for failed, 3 for not measured. 2 never comes from a measurement."""
    return _EXIT_CODES[verdict]
