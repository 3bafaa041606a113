"""The baseline of a project: where it is, and what to do where there is none. Cheap, since most runs ask."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING

from sekisho.app.configuration import FILE_NAME, PROJECT_FILE
from sekisho.app.settings import RetrievalSuite
from sekisho.core.errors import BaselineError
from sekisho.core.messages import note

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence
    from pathlib import Path

    from sekisho.app.configuration import Configuration
    from sekisho.app.settings import SuiteSettings
    from sekisho.compare.baseline import SuiteBaseline
    from sekisho.core.messages import Note
    from sekisho.gate import SuiteResult

BASELINE_FILE = "sekisho.baseline.json"
MANUAL = "manual"
"""In the ruler of a suite that was accepted as one that runs only when it is named."""
_NAMES_SHOWN = 3


def baseline_path(configuration: Configuration) -> Path:
    """Return where the baseline of a configuration is: ``sekisho.baseline.json`` beside it.

    A configuration of another name has one of its own (``nightly.toml``: ``nightly.baseline.json``), so that two of
    them in one folder never overwrite or miss each other's suites.
    """
    name = FILE_NAME if configuration.path is None else configuration.path.name
    file = BASELINE_FILE if name in {FILE_NAME, PROJECT_FILE} else f"{name.removesuffix('.toml')}.baseline.json"
    return configuration.root / file


def load_baseline(configuration: Configuration) -> dict[str, SuiteBaseline]:
    """Return the accepted suites by name; none where there is no file.

    Raises:
        SekishoError: There is a file, and it cannot be used.
    """
    path = baseline_path(configuration)
    if not os.path.lexists(path):
        return {}
    from sekisho.adapters.baseline_file import read_baseline  # noqa: PLC0415  only where there is one

    return read_baseline(path)


def refuse_without_baseline(
    configuration: Configuration, suites: Sequence[SuiteSettings], known: Container[str]
) -> None:
    """Raise where a suite has a ``max_drop`` and nothing that a drop could be measured from.

    Args:
        configuration: Of the project.
        suites: Those that run.
        known: Names of the suites that have a baseline.

    Raises:
        BaselineError: With how to make a baseline.
    """
    for suite in suites:
        if isinstance(suite, RetrievalSuite) and suite.max_drop is not None and suite.name not in known:
            file = baseline_path(configuration).name
            raise BaselineError(
                "compare.no_baseline",
                where=suite.places.get("gate"),
                name=suite.name,
                command=shlex.quote(suite.name),
                file=file,
            )


def gone_suites(configuration: Configuration, baseline: Mapping[str, SuiteBaseline]) -> tuple[str, ...]:
    """Return the suites of a baseline that a run of everything no longer meets.

    They were renamed, taken out or made manual since they were accepted, and with them went their gates. Suites that
    were manual when they were accepted are none of these as long as the configuration has them.
    """
    manual = {suite.name: suite.manual for suite in configuration.suites}
    return tuple(
        name
        for name, accepted in sorted(baseline.items())
        if name not in manual or (manual[name] and MANUAL not in accepted.ruler)
    )


def how_to_accept(results: Sequence[SuiteResult]) -> Note | None:
    """Return how the suites without a baseline get one, of those that hold their gate or have none."""
    names = [
        result.name for result in results if result.comparison is None and result.verdict in {"passed", "reported"}
    ]
    if not names:
        return None
    compared = any(result.comparison is not None for result in results)
    shown = ", ".join(names[:_NAMES_SHOWN]) + (", …" if len(names) > _NAMES_SHOWN else "")
    code = "compare.how_to_accept_rest" if compared else "compare.how_to_accept"
    return note(code, names=shown, command=shlex.quote(names[0]))
