"""From the report of a suite to the entries that a baseline keeps of it."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import msgspec

from sekisho import ranking
from sekisho.compare.baseline import AccessEntry, AnswerEntry, RetrievalEntry

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sekisho.access.records import AccessReport
    from sekisho.answers.records import AnswersReport
    from sekisho.core.records import EvalCase
    from sekisho.retrieval.records import EvalReport

_DIGITS = 12
"""Of a fingerprint in a baseline: enough to tell cases and texts apart, short enough to read a diff."""


def fingerprint(text: str | bytes) -> str:
    """Return a short fingerprint of a text, twelve hexadecimal digits of its SHA-256."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    return hashlib.sha256(data).hexdigest()[:_DIGITS]


def retrieval_entries(report: EvalReport, cases: Sequence[EvalCase]) -> tuple[RetrievalEntry, ...]:
    """Return an entry for each measured case, by id.

    Args:
        report: The measurement of these cases.
        cases: In the same order.
    """
    entries = []
    for case, result in zip(cases, report.cases, strict=True):
        if result.error is not None:
            continue
        grades = {id_: grade for id_, grade in case.grades.items() if grade > 0}
        near = None
        if result.overlap is not None and case.neighbours is not None:
            of = min(report.k, len(case.neighbours.ids))
            near = (round(result.overlap * of), of)
        entries.append(
            RetrievalEntry(
                id=case.id,
                asked=fingerprint(_query_bytes(case.query)),
                hits=len(result.relevant) - len(result.missed),
                ranks={id_: result.ranks.get(id_, 0) for id_ in sorted(result.relevant)},
                grades={id_: grades[id_] for id_ in sorted(grades) if grades[id_] != 1},
                near=near,
                top=fingerprint("\n".join(result.retrieved[: report.k])),
            )
        )
    return tuple(sorted(entries, key=lambda entry: entry.id))


def answer_entries(report: AnswersReport, *, redact: bool) -> tuple[AnswerEntry, ...]:
    """Return an entry for each measured case, by id; without texts of questions and answers where ``redact``."""
    entries = []
    for result in report.cases:
        answer, case = result.answer, result.case
        if answer is None:
            continue
        expectations = msgspec.structs.replace(case, known_issue=None, tags=(), where=None)
        entries.append(
            AnswerEntry(
                id=case.id,
                asked=fingerprint(msgspec.json.encode(expectations)),
                status=result.status,
                failures=tuple(sorted({failure.code for failure in result.failures})),
                issue=result.issue,
                found=answer.found,
                sources=() if redact else answer.sources,
                text=fingerprint(answer.text) if redact else answer.text,
            )
        )
    return tuple(sorted(entries, key=lambda entry: entry.id))


def access_entries(report: AccessReport) -> tuple[AccessEntry, ...]:
    """Return an entry for each principal."""
    return tuple(
        AccessEntry(
            id="+".join(principal.departments),
            leaks=principal.leak_count,
            visible=principal.visible,
            starved=tuple(sorted(principal.starved)),
        )
        for principal in sorted(report.principals, key=lambda principal: principal.departments)
    )


def recall_of(entry: RetrievalEntry, *, k: int, without: Iterable[str] = ()) -> float | None:
    """Return recall@k from the ranks; None where no relevant id is left."""
    ranks = _left(entry, without)
    return sum(0 < rank <= k for rank in ranks.values()) / len(ranks) if ranks else None


def ndcg_of(entry: RetrievalEntry, *, k: int, without: Iterable[str] = ()) -> float | None:
    """Return nDCG@k from the ranks and grades of the relevant ids; None where none is left."""
    ranks = _left(entry, without)
    if not ranks:
        return None
    retrieved = [""] * k
    for id_, rank in ranks.items():
        if 0 < rank <= k:
            retrieved[rank - 1] = id_
    padded = [id_ or f"\0{place}" for place, id_ in enumerate(retrieved)]
    return ranking.ndcg_at_k(padded, {id_: entry.grades.get(id_, 1) for id_ in ranks}, k)


def overlap_of(entry: RetrievalEntry) -> float | None:
    """Return the share of the exact nearest neighbours that came back; None where it was not measured."""
    return None if entry.near is None else entry.near[0] / entry.near[1]


def _left(entry: RetrievalEntry, without: Iterable[str]) -> dict[str, int]:
    gone = frozenset(without)
    return {id_: rank for id_, rank in entry.ranks.items() if id_ not in gone} if gone else entry.ranks


def _query_bytes(query: object) -> bytes:
    """Return the bytes of a query: of a text, of an array, else of its ``repr``."""
    if isinstance(query, str):
        return query.encode("utf-8", "surrogatepass")
    tobytes = getattr(query, "tobytes", None)
    return tobytes() if callable(tobytes) else repr(query).encode("utf-8", "surrogatepass")
