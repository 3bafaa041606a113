"""From the report of a suite to the entries that a baseline keeps of it."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import msgspec

from sekisho.compare.baseline import AccessEntry, AnswerEntry, RetrievalEntry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sekisho.access.records import AccessReport
    from sekisho.answers.records import AnswersReport
    from sekisho.answers.records import CaseResult as AnswerResult
    from sekisho.core.answers import Answer, KnownIssue
    from sekisho.core.records import EvalCase
    from sekisho.retrieval.records import CaseResult, EvalReport

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
    measured = [
        _retrieval_entry(case, result, report.k)
        for case, result in zip(cases, report.cases, strict=True)
        if result.error is None
    ]
    return tuple(sorted(measured, key=lambda entry: entry.id))


def _retrieval_entry(case: EvalCase, result: CaseResult, k: int) -> RetrievalEntry:
    grades = {id_: float(grade) for id_, grade in sorted(case.grades.items()) if grade > 0}
    ranks = result.ranks
    if len(grades) > len(result.relevant):  # nDCG counts ids below the relevance threshold, too
        ranks = {id_: rank for rank, id_ in reversed(list(enumerate(result.retrieved, start=1))) if id_ in grades}
        ranks |= result.ranks
    near = None
    if result.overlap is not None and case.neighbours is not None:
        of = min(k, len(case.neighbours.ids))
        near = (round(result.overlap * of), of)
    return RetrievalEntry(
        id=case.id,
        asked=fingerprint(_query_bytes(case.query)),
        hits=len(result.relevant) - len(result.missed),
        ranks={id_: ranks.get(id_, 0) for id_ in grades},
        grades={id_: grade for id_, grade in grades.items() if grade != 1},
        near=near,
        top=_fingerprint_of_all(result.retrieved[:k]),
    )


def answer_entries(report: AnswersReport, *, redact: bool) -> tuple[AnswerEntry, ...]:
    """Return an entry for each measured case, by id.

    Args:
        report: With its texts, also where they are to be kept back.
        redact: Keep fingerprints of what systems answered and cited, and of the reasons of known issues.
    """
    measured = [_answer_entry(result, result.answer, redact=redact) for result in report.cases if result.answer]
    return tuple(sorted(measured, key=lambda entry: entry.id))


def _answer_entry(result: AnswerResult, answer: Answer, *, redact: bool) -> AnswerEntry:
    expectations = msgspec.structs.replace(result.case, known_issue=None, tags=(), where=None)
    sources = tuple(map(_encodable, answer.sources))
    if redact:
        sources = (_fingerprint_of_all(answer.sources),) if answer.sources else ()
    return AnswerEntry(
        id=result.id,
        asked=fingerprint(msgspec.json.encode(expectations)),
        status=result.status,
        failures=tuple(sorted({failure.code for failure in result.failures})),
        issue=_issue(result.issue) if redact else result.issue,
        found=answer.found,
        sources=sources,
        text=fingerprint(answer.text) if redact else _encodable(answer.text),
    )


def _issue(issue: KnownIssue | None) -> KnownIssue | None:
    """Return an issue without its words; another reason is another fingerprint."""
    if issue is None:
        return None
    return msgspec.structs.replace(issue, reason=_fingerprint_of_all((issue.reason, issue.link)), link="")


def access_entries(report: AccessReport) -> tuple[AccessEntry, ...]:
    """Return an entry for each principal, by id."""
    entries = [
        AccessEntry(
            id="+".join(name.replace("\\", "\\\\").replace("+", r"\+") for name in principal.departments),
            leaks=principal.leak_count,
            visible=principal.visible,
            starved=tuple(sorted(principal.starved)),
        )
        for principal in report.principals
    ]
    return tuple(sorted(entries, key=lambda entry: entry.id))


def _fingerprint_of_all(texts: Sequence[str]) -> str:
    """Return the fingerprint of a list: with its lengths, so that no two lists read alike."""
    return fingerprint(f"{','.join(map(str, map(len, texts)))}:{''.join(texts)}")


def _encodable(text: str) -> str:
    """Return a text that a file in UTF-8 can hold: half of a surrogate pair becomes its escape."""
    return text.encode("utf-8", "backslashreplace").decode()


def _query_bytes(query: object) -> bytes:
    """Return the bytes of a query: of a text, of an array, else of its ``repr``."""
    if isinstance(query, str):
        return query.encode("utf-8", "surrogatepass")
    tobytes = getattr(query, "tobytes", None)
    return tobytes() if callable(tobytes) else repr(query).encode("utf-8", "surrogatepass")
