"""What an evaluation is refused for, before anything is asked."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING

from sekisho import ranking
from sekisho.core.errors import RankingError, RetrievalError
from sekisho.core.text import shorten

if TYPE_CHECKING:
    from sekisho.core.records import EvalCase

_LONGEST_ID = 80


def check_cases(cases: Iterable[EvalCase]) -> tuple[EvalCase, ...]:
    """Return the cases.

    Raises:
        RetrievalError: There is none, an id comes twice, or relevant ids are not of a usable type.
    """
    cases = tuple(cases)
    if not cases:
        raise RetrievalError("retrieval.no_cases")
    seen: set[str] = set()
    for case in cases:
        if case.id in seen:
            raise RetrievalError("retrieval.repeated_case", id=shorten(case.id, _LONGEST_ID))
        seen.add(case.id)
        _check_relevant(case)
    return cases


def _check_relevant(case: EvalCase) -> None:
    relevant: object = case.relevant
    if isinstance(relevant, (str, bytes)) or not isinstance(relevant, Collection):
        raise RetrievalError("retrieval.relevant", id=shorten(case.id, _LONGEST_ID))
    if not all(isinstance(id_, str) for id_ in relevant):
        raise RetrievalError("retrieval.relevant", id=shorten(case.id, _LONGEST_ID))
    if isinstance(relevant, Mapping):
        try:
            ranking.ndcg_at_k((), relevant, 1)
        except RankingError as error:
            raise RetrievalError("retrieval.relevant", id=shorten(case.id, _LONGEST_ID)) from error


def check_limits(*, concurrency: object, timeout_s: object) -> None:
    """Raise RetrievalError where a limit is out of range."""
    _check_positive("concurrency", concurrency)
    if timeout_s is None:
        return
    if isinstance(timeout_s, bool) or not isinstance(timeout_s, (int, float)) or not 0 < timeout_s < math.inf:
        raise RetrievalError("retrieval.not_positive_seconds", name="timeout_s", value=timeout_s)


def check_measure(*, k: object, relevance_threshold: float) -> None:
    """Raise RetrievalError where ``k`` is out of range, RankingError where the threshold is."""
    _check_positive("k", k)
    ranking.recall_at_k((), (), 1, relevance_threshold=relevance_threshold)


def _check_positive(name: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise RetrievalError("retrieval.not_positive", name=name, value=value)
