"""A test collection from three files, checked against each other."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sekisho.adapters.files.content import failure, names_memory
from sekisho.adapters.files.corpora import read_corpus
from sekisho.adapters.files.near_ids import near_ids
from sekisho.adapters.files.qrels import read_qrels
from sekisho.adapters.files.queries import read_queries
from sekisho.adapters.files.values import quoted
from sekisho.core.messages import Note, note
from sekisho.core.records import EvalCase
from sekisho.corpora.text import TextCorpus, fingerprint_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from sekisho.adapters.files.content import Path
    from sekisho.core.errors import InputFileError

    Grades = Mapping[str, Mapping[str, float]]


@names_memory
def load_text_collection(
    corpus: Path,
    queries: Path,
    qrels: Path,
    *,
    allow_missing: bool = False,
    relevance_threshold: float = 1,
) -> TextCorpus:
    """Return a collection whose three files fit together.

    With ids that do not match, every metric is silently 0; so a judged query or document that does not exist is
    refused, and the message says which change of spelling would make the ids match.

    Args:
        corpus: The documents; for formats see :func:`~sekisho.adapters.files.read_corpus`.
        queries: The queries; see :func:`~sekisho.adapters.files.read_queries`. Those without judgments are left out.
        qrels: The judgments; see :func:`~sekisho.adapters.files.read_qrels`.
        allow_missing: Whether judgments of documents or queries that do not exist are left out and counted in
            ``warnings``, and queries without a relevant document with them.
        relevance_threshold: Lowest grade that counts as relevant.

    Raises:
        InputFileError: A file cannot be read; a judged query or document does not exist; no query and document match at
            all; a query has no relevant document.
    """
    documents = read_corpus(corpus)
    texts = read_queries(queries)
    grades: Grades = read_qrels(qrels)
    name = os.fspath(qrels)
    notes: list[Note] = []
    unknown = [query for query in grades if query not in texts]
    if unknown and not (allow_missing and len(unknown) < len(grades)):
        raise _unmatched("unknown_queries", name, unknown, texts, len(grades), file=os.fspath(queries))
    grades = {query: judged for query, judged in grades.items() if query in texts}
    grades = _known_documents(grades, documents, name, notes, corpus=os.fspath(corpus), allow_missing=allow_missing)
    grades = _answerable(grades, name, notes, threshold=relevance_threshold, allow_missing=allow_missing)
    if unknown:
        notes.insert(0, note("files.left_out_judged", count=len(unknown), examples=quoted(unknown)))
    unjudged = [query for query in texts if query not in grades]
    if unjudged:
        notes.append(note("files.left_out_unjudged", count=len(unjudged), total=len(texts)))
    used = {query: text for query, text in texts.items() if query in grades}
    return TextCorpus(
        documents=documents,
        queries=used,
        cases=tuple(EvalCase(query, text, grades[query]) for query, text in used.items()),
        fingerprint=fingerprint_of(documents, used, grades),
        warnings=tuple(notes),
    )


def _known_documents(
    grades: Grades,
    documents: Mapping[str, object],
    name: str,
    notes: list[Note],
    *,
    corpus: str,
    allow_missing: bool,
) -> Grades:
    judged = dict.fromkeys(document for judged in grades.values() for document in judged)
    unknown = [document for document in judged if document not in documents]
    if not unknown:
        return grades
    if not allow_missing or len(unknown) == len(judged):
        raise _unmatched("unknown_documents", name, unknown, documents, len(judged), file=corpus)
    notes.append(note("files.left_out_documents", count=len(unknown), total=len(judged), examples=quoted(unknown)))
    return {
        query: {document: grade for document, grade in judged.items() if document in documents}
        for query, judged in grades.items()
    }


def _answerable(grades: Grades, name: str, notes: list[Note], *, threshold: float, allow_missing: bool) -> Grades:
    without = [
        query for query, judged in grades.items() if not any(0 < grade >= threshold for grade in judged.values())
    ]
    if not without:
        return grades
    if not allow_missing or len(without) == len(grades):
        raise failure(
            "without_relevant", name, count=len(without), examples=quoted(without), threshold=f"{threshold:g}"
        )
    notes.append(note("files.left_out_without_relevant", count=len(without), examples=quoted(without)))
    left_out = set(without)
    return {query: judged for query, judged in grades.items() if query not in left_out}


def _unmatched(
    code: str, name: str, unknown: list[str], known: Collection[str], total: int, *, file: str
) -> InputFileError:
    near = near_ids(unknown, known)
    return failure(
        f"{code}_{near.change}",
        name,
        count=len(unknown),
        total=total,
        examples=quoted(unknown),
        file=file,
        matches=near.matches,
        wanted=near.wanted,
        known=near.known,
    )
