"""The baseline of a project: where it is, and what to do where there is none. Cheap, since most runs ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sekisho.app.settings import RetrievalSuite
from sekisho.core.errors import BaselineError
from sekisho.core.messages import note

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from sekisho.app.settings import SuiteSettings
    from sekisho.compare.baseline import SuiteBaseline
    from sekisho.core.messages import Note
    from sekisho.gate import SuiteResult

BASELINE_FILE = "sekisho.baseline.json"
_NAMES_SHOWN = 3


def load_baseline(root: Path) -> dict[str, SuiteBaseline]:
    """Return the accepted suites by name; none where there is no file.

    Raises:
        BaselineError: There is a file, and it cannot be used.
    """
    path = root / BASELINE_FILE
    if not (path.exists() or path.is_symlink()):
        return {}
    from sekisho.adapters.baseline_file import read_baseline  # noqa: PLC0415  only where there is one

    return read_baseline(path)


def refuse_without_baseline(suites: Sequence[SuiteSettings], baseline: Mapping[str, SuiteBaseline]) -> None:
    """Raise where a suite has a ``max_drop`` and nothing that a drop could be measured from.

    Raises:
        BaselineError: With how to make a baseline.
    """
    for suite in suites:
        if isinstance(suite, RetrievalSuite) and suite.max_drop is not None and suite.name not in baseline:
            raise BaselineError(
                "compare.no_baseline", where=suite.places.get("gate"), name=suite.name, file=BASELINE_FILE
            )


def how_to_accept(results: Sequence[SuiteResult]) -> Note | None:
    """Return how the suites that passed without a baseline get one; None where each has one."""
    names = [result.name for result in results if result.comparison is None and result.verdict == "passed"]
    if not names:
        return None
    compared = any(result.comparison is not None for result in results)
    shown = ", ".join(names[:_NAMES_SHOWN]) + (", …" if len(names) > _NAMES_SHOWN else "")
    return note("compare.how_to_accept_rest" if compared else "compare.how_to_accept", names=shown, first=names[0])
