"""A collection of texts: documents, queries, and what is relevant to which."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from sekisho.core.messages import Note
from sekisho.core.records import EvalCase


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """One document.

    Attributes:
        id: Unique in its corpus.
        title: Empty where it has none.
        text: Its text.
    """

    id: str
    title: str = ""
    text: str


class TextCorpus(msgspec.Struct, frozen=True, kw_only=True):
    """A real collection, ready to be measured on.

    Attributes:
        documents: Id to document.
        queries: Id to text, of every query that has judgments.
        cases: One case a query: its text, and document id to grade.
        fingerprint: SHA-256, in hex, of documents, queries and grades; neither the files' format nor their order
            changes it.
        warnings: What was left out.
    """

    documents: Mapping[str, Document]
    queries: Mapping[str, str]
    cases: tuple[EvalCase, ...]
    fingerprint: str
    warnings: tuple[Note, ...] = ()


def fingerprint_of(
    documents: Mapping[str, Document], queries: Mapping[str, str], grades: Mapping[str, Mapping[str, float]]
) -> str:
    """Return the SHA-256, in hex, over the content of a collection, ids in code-point order."""
    import hashlib  # noqa: PLC0415  loads OpenSSL, which only this function needs

    digest = hashlib.sha256()
    encode = msgspec.json.encode
    for id_ in sorted(documents):
        document = documents[id_]
        digest.update(encode(("document", id_, document.title, document.text)) + b"\n")
    for id_ in sorted(queries):
        digest.update(encode(("query", id_, queries[id_])) + b"\n")
    for id_ in sorted(grades):
        judged = sorted((document, float(grade)) for document, grade in grades[id_].items())
        digest.update(encode(("judgments", id_, judged)) + b"\n")
    return digest.hexdigest()
