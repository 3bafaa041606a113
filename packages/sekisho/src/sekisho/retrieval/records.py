"""What an evaluation of retrieval gives back: one record a case, and their summary."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from sekisho.calling.records import CaseError
from sekisho.core.messages import Note


class CaseResult(msgspec.Struct, frozen=True, kw_only=True):
    """One case, measured or not. The metrics of a case with an error are None.

    Attributes:
        id: The case.
        query: The query as given.
        recall: recall@k in [0, 1]; likewise ``precision`` and ``ndcg``.
        reciprocal_rank: Over the whole ranking.
        average_precision: Over the whole ranking.
        overlap: Share of the exact nearest neighbours that came back; None where the corpus cannot tell them.
        retrieved: All ids that came back, best first.
        relevant: The ids that should come back.
        missed: The relevant ids that are not among the first k.
        ranks: Relevant id to its first rank, from 1, anywhere in the ranking.
        error: Why the case could not be measured.
        recall_bounds: Lowest and highest recall@k over all orders of tied ids, where a tie of scores crosses rank k.
        elapsed_ms: Milliseconds that the target took; the share of a batch where it answers in batches.
    """

    id: str
    query: Any
    recall: float | None = None
    precision: float | None = None
    reciprocal_rank: float | None = None
    average_precision: float | None = None
    ndcg: float | None = None
    overlap: float | None = None
    retrieved: tuple[str, ...] = ()
    relevant: tuple[str, ...] = ()
    missed: tuple[str, ...] = ()
    ranks: Mapping[str, int] = {}
    error: CaseError | None = None
    recall_bounds: tuple[float, float] | None = None
    elapsed_ms: float = 0.0


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """A case whose result is malformed, apart from how good it is.

    Attributes:
        case_id: The case.
        ids: The ids concerned; none for an empty or short result.
        count: How many ids came back.
    """

    case_id: str
    ids: tuple[str, ...] = ()
    count: int = 0


class Structure(msgspec.Struct, frozen=True, kw_only=True):
    """Malformed results, kept apart from the statistics.

    Attributes:
        unknown: Ids that the corpus does not hold; measured only where the corpus is known.
        duplicate: Ids that came back more than once.
        empty: Nothing came back.
        short: Fewer than k came back although more exist.
    """

    unknown: tuple[Finding, ...] = ()
    duplicate: tuple[Finding, ...] = ()
    empty: tuple[Finding, ...] = ()
    short: tuple[Finding, ...] = ()


class EvalReport(msgspec.Struct, frozen=True, kw_only=True):
    """The summary of an evaluation. Means are over the measured cases; None where none was measured.

    Attributes:
        k: The cut-off of recall, precision, nDCG and overlap.
        mean_recall: Mean of recall@k; the others likewise.
        mrr: Mean reciprocal rank.
        map: Mean average precision.
        mean_overlap: None where no case knows its exact neighbours.
        cases: Every case, in the order given.
        structure: Malformed results.
        documents_known: Whether ids that the corpus does not hold could be told.
        warnings: What the reader should know about this measurement.
    """

    k: int
    mean_recall: float | None
    mean_precision: float | None
    mrr: float | None
    map: float | None
    mean_ndcg: float | None
    mean_overlap: float | None
    cases: tuple[CaseResult, ...]
    structure: Structure
    documents_known: bool = False
    warnings: tuple[Note, ...] = ()

    @property
    def errors(self) -> tuple[CaseResult, ...]:
        """The cases that could not be measured."""
        return tuple(case for case in self.cases if case.error)

    @property
    def metrics(self) -> dict[str, float | None]:
        """Metric name to mean, in the order of a report; overlap only where it was measured."""
        means = {
            f"recall@{self.k}": self.mean_recall,
            f"precision@{self.k}": self.mean_precision,
            "mrr": self.mrr,
            "map": self.map,
            f"ndcg@{self.k}": self.mean_ndcg,
        }
        return means if self.mean_overlap is None else {**means, f"overlap@{self.k}": self.mean_overlap}
