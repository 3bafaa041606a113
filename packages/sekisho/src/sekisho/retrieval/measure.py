"""From what a target returned to the record of a case, and from the cases to their summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from sekisho import ranking
from sekisho.core.messages import Note, note
from sekisho.core.text import apart, shorten
from sekisho.retrieval.records import CaseResult, EvalReport, Finding, Structure

if TYPE_CHECKING:
    from sekisho.calling import Outcome
    from sekisho.core.records import EvalCase
    from sekisho.retrieval.results import Ranked

_NAMED_IN_A_WARNING = 5
_LONGEST_ID = 80


def report_of(
    cases: Sequence[EvalCase],
    outcomes: Sequence[Outcome[Ranked]],
    *,
    k: int,
    relevance_threshold: float,
    documents: Collection[str] | None,
) -> EvalReport:
    """Return the report on cases and what came back for them, in the same order."""
    known = documents if documents is None or isinstance(documents, (set, frozenset, Mapping)) else frozenset(documents)
    results = [
        measure(case, outcome, k=k, relevance_threshold=relevance_threshold)
        for case, outcome in zip(cases, outcomes, strict=True)
    ]
    return summarise(cases, results, k=k, documents=known)


def measure(case: EvalCase, outcome: Outcome[Ranked], *, k: int, relevance_threshold: float) -> CaseResult:
    """Return the record of one case."""
    grades = case.grades
    relevant = tuple(id_ for id_, grade in grades.items() if grade >= relevance_threshold)
    if outcome.value is None:
        return CaseResult(
            id=case.id,
            query=case.query,
            relevant=relevant,
            missed=relevant,
            error=outcome.error,
            elapsed_ms=outcome.elapsed_ms,
        )
    ids, scores = outcome.value
    first_rank = {id_: rank for rank, id_ in reversed(list(enumerate(ids, start=1)))}
    in_reach = set(ids[:k])
    return CaseResult(
        id=case.id,
        query=case.query,
        recall=ranking.recall_at_k(ids, relevant, k),
        precision=ranking.precision_at_k(ids, relevant, k),
        reciprocal_rank=ranking.reciprocal_rank(ids, relevant),
        average_precision=ranking.average_precision(ids, relevant),
        ndcg=ranking.ndcg_at_k(ids, grades, k),
        overlap=_overlap(case, ids, k),
        retrieved=ids,
        relevant=relevant,
        missed=tuple(id_ for id_ in relevant if id_ not in in_reach),
        ranks={id_: first_rank[id_] for id_ in relevant if id_ in first_rank},
        recall_bounds=_recall_bounds(scores, relevant, k),
        elapsed_ms=outcome.elapsed_ms,
    )


def _recall_bounds(scores: Mapping[str, float] | None, relevant: Collection[str], k: int) -> tuple[float, float] | None:
    """Return how far the order of tied ids moves recall@k; None for a list, and where no tie crosses rank k."""
    if scores is None or not ranking.ties_cross(scores, k):
        return None
    bounds = ranking.tie_bounds(scores, relevant, f"recall@{k}")
    return bounds.low, bounds.high


def summarise(
    cases: Sequence[EvalCase],
    results: Sequence[CaseResult],
    *,
    k: int,
    documents: Collection[str] | None,
) -> EvalReport:
    """Return the report over all cases: means over the measured ones, malformed results, warnings."""
    measured = [result for result in results if result.error is None]
    return EvalReport(
        k=k,
        mean_recall=_mean(result.recall for result in measured),
        mean_precision=_mean(result.precision for result in measured),
        mrr=_mean(result.reciprocal_rank for result in measured),
        map=_mean(result.average_precision for result in measured),
        mean_ndcg=_mean(result.ndcg for result in measured),
        mean_overlap=_mean(result.overlap for result in measured),
        cases=tuple(results),
        structure=_structure(measured, k=k, documents=documents),
        documents_known=documents is not None,
        warnings=tuple(_warnings(cases, results, k=k)),
    )


def _overlap(case: EvalCase, ids: Sequence[str], k: int) -> float | None:
    if case.neighbours is None or case.neighbours.k != k:
        return None
    return ranking.overlap_at_k(ids, case.neighbours.ids, k)


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return ranking.mean(known) if known else None


def _structure(measured: Sequence[CaseResult], *, k: int, documents: Collection[str] | None) -> Structure:
    unknown, duplicate, empty, short = [], [], [], []
    for result in measured:
        distinct = dict.fromkeys(result.retrieved)
        count = len(result.retrieved)
        strangers = tuple(id_ for id_ in distinct if id_ not in documents) if documents is not None else ()
        if strangers:
            unknown.append(Finding(case_id=result.id, ids=strangers, count=count))
        if len(distinct) < count:
            again = tuple(id_ for id_, times in Counter(result.retrieved).items() if times > 1)
            duplicate.append(Finding(case_id=result.id, ids=again, count=count))
        if not count:
            empty.append(Finding(case_id=result.id))
        elif count < k and (result.missed if documents is None else len(distinct) < len(documents)):
            short.append(Finding(case_id=result.id, count=count))
    return Structure(unknown=tuple(unknown), duplicate=tuple(duplicate), empty=tuple(empty), short=tuple(short))


def _warnings(cases: Sequence[EvalCase], results: Sequence[CaseResult], *, k: int) -> Iterable[Note]:
    without = [result.id for result in results if not result.relevant]
    if without:
        named = ", ".join(shorten(id_, _LONGEST_ID) for id_ in without[:_NAMED_IN_A_WARNING]) + (
            ", …" if len(without) > _NAMED_IN_A_WARNING else ""
        )
        yield note("retrieval.without_relevant", count=len(without), cases=named)
    depths = {case.neighbours.k for case in cases if case.neighbours is not None}
    if depths and k not in depths:
        yield note("retrieval.no_neighbours_at_k", k=k, depth=max(depths))
    tied = [result for result in results if result.recall_bounds]
    if tied:
        measured = [result for result in results if result.recall is not None]
        low, high = (
            ranking.mean([(result.recall_bounds or (result.recall, result.recall))[side] or 0.0 for result in measured])
            for side in (0, 1)
        )
        if low != high:
            shown = apart(low, high)
            yield note("retrieval.ties", count=len(tied), k=k, low=shown[0], high=shown[1])
    sizes = {len(result.relevant) for result in results}
    if sizes == {k}:
        yield note("retrieval.recall_is_precision", k=k)
