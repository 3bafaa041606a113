"""Whether a target gives anything at all: one that finds nothing shows nothing, and has not been measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sekisho.access.probes import evenly
from sekisho.calling.records import CaseError
from sekisho.core.messages import note

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sekisho.access.asking import Asker
    from sekisho.access.leaks import Findings
    from sekisho.access.principals import Principal

_ASKED = 8
"""Questions about its own documents that who sees everything asks before an answer that finds nothing is believed."""


def refuse_emptiness(asker: Asker, unrestricted: Principal, own: Sequence[str], findings: Findings) -> None:
    """Keep an error for each method that gave nobody anything for any question.

    Args:
        asker: The target after all its calls.
        unrestricted: Who sees everything.
        own: Questions about documents, from their own words.
        findings: Of the unrestricted principal.
    """
    if asker.answer is not None and not asker.answered_any:
        findings.check(asker.ask(unrestricted, evenly(own, _ASKED), planned=False))
    for method, is_there, gave_any in (
        ("search", asker.search is not None, asker.searched_any),
        ("answer", asker.answer is not None, asker.answered_any),
    ):
        if is_there and not gave_any:
            reason = note("access.empty_method", method=method)
            findings.fail("", method, CaseError(kind="wrong_type", reason=reason))
