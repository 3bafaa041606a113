"""A run of ``sekisho check --target`` without a suite: one suite of retrieval, and what to do where it does not fit."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from sekisho.core.errors import SekishoError, TargetError
from sekisho.reports.verdict import ALONE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sekisho.app.configuration import Configuration
    from sekisho.gate import RunResult

_NO_RETRIEVE = "retrieval.not_callable"
"""Why no case was measured where the target has no ``retrieve``."""
_SUITES_NAMED = 5


def configuration_alone(target: str) -> Configuration:
    """Return the configuration that stands for a target without one: the preset ``seed``, the default gate."""
    from sekisho.app.configuration import Configuration  # noqa: PLC0415  after the words have been checked
    from sekisho.app.settings import RetrievalSuite  # noqa: PLC0415  as above

    return Configuration(suites=(RetrievalSuite(name=ALONE, target=target),), root=Path.cwd())


def refuse_without_retrieve(run: RunResult, target: str) -> None:
    """Raise where nothing was measured since the target answers and does not retrieve.

    Raises:
        TargetError: With the suites whose target it could replace.
    """
    reasons = [case.error.reason for suite in run.retrieval for case in suite.report.errors if case.error]
    if not reasons or any(reason.code != _NO_RETRIEVE for reason in reasons):
        return
    kind = reasons[0].values["kind"]
    names = _other_suites()
    if not names:
        raise TargetError("app.target_needs_suites", target=target, kind=kind)
    command = shlex.join(["sekisho", "check", names[0], "--target", target])
    shown = ", ".join(names[:_SUITES_NAMED]) + (", …" if len(names) > _SUITES_NAMED else "")
    raise TargetError("app.target_needs_suite", target=target, kind=kind, suites=shown, command=command)


def _other_suites() -> Sequence[str]:
    """Return the suites of the project that measure something else than retrieval; none where it cannot be read."""
    from sekisho.app.configuration import load_found  # noqa: PLC0415  where a run failed

    try:
        suites = load_found(None).suites
    except SekishoError:
        return []
    return [suite.name for suite in suites if suite.kind != "retrieval"]
