"""What answer cases made in Python are refused for, before anything is asked; a file is checked where it is read."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sekisho.core.answers import AnswerCase
from sekisho.core.errors import RetrievalError
from sekisho.core.text import shorten

if TYPE_CHECKING:
    from collections.abc import Sequence

_LONGEST_ID = 80
_LISTS = ("departments", "expect_source", "expect_text", "forbid")


def check_cases(cases: Sequence[object]) -> None:
    """Raise RetrievalError where there is no case, or one that could not fail or does not say what it seems to."""
    if not cases:
        raise RetrievalError("answers.no_cases")
    seen: set[str] = set()
    for case in cases:
        if not isinstance(case, AnswerCase):
            raise RetrievalError("answers.not_a_case", kind=type(case).__name__)
        if case.id in seen:
            raise RetrievalError("answers.repeated_case", id=shorten(case.id, _LONGEST_ID))
        seen.add(case.id)
        for key in _LISTS:
            if isinstance(getattr(case, key), str):  # whose letters would be taken for texts
                raise RetrievalError("answers.text_for_list", id=shorten(case.id, _LONGEST_ID), key=key)
        if not (case.expect_source or case.expect_text or case.forbid or case.expect_not_found):
            raise RetrievalError("answers.no_expectation", id=shorten(case.id, _LONGEST_ID))


def check_calls(*, concurrency: object, timeout_s: object) -> None:
    """Raise RetrievalError where nothing would ever be called, or every call given up."""
    if isinstance(concurrency, bool) or not isinstance(concurrency, int) or concurrency < 1:
        raise RetrievalError("retrieval.not_positive", name="concurrency", value=concurrency)
    if timeout_s is None:
        return
    if isinstance(timeout_s, bool) or not isinstance(timeout_s, (int, float)) or not 0 < timeout_s < math.inf:
        raise RetrievalError("retrieval.not_positive_seconds", name="timeout_s", value=timeout_s)
