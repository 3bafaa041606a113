"""Results of a search from a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from sekisho.adapters.files.content import failure, names_memory
from sekisho.adapters.files.pairs import Entry, items
from sekisho.adapters.files.values import BadValueError, id_of, number_of

if TYPE_CHECKING:
    from sekisho.adapters.files.content import Path

Duplicates = Literal["error", "first"]
Run = dict[str, dict[str, float] | list[str]]


@names_memory
def read_run(path: Path, *, duplicates: Duplicates = "error") -> Run:
    """Return what a search returned: query id to document id to score, or to a list of documents, best first.

    Read are TREC runs (six columns; the rank is ignored, as in trec_eval), tables of query, document and score or rank
    (TSV or CSV with a header; three columns without one), JSON (``{query: {document: score}}`` or
    ``{query: [documents]}``), JSON Lines and JSON arrays of records, Parquet (needs the extra ``columns``); each also
    packed by gzip.

    Args:
        path: The file.
        duplicates: What a document that comes twice for one query means: ``error`` refuses it, as trec_eval does;
            ``first`` gives the query as a list, best first, in which it stands twice: metrics count its first place.

    Raises:
        InputFileError: With file and line: unreadable, another format, a score that is no finite number, a document
            that comes twice.
        MissingExtraError: Parquet without polars.
    """
    name, found, maybe_ranks = items(path, "run")
    run: Run = {}
    repeated: dict[str, list[tuple[float, str]]] = {}
    for item in found:
        if isinstance(item, Entry):
            if item.query in run:
                raise failure("repeated_query", name, item.line_of(), id=item.query)
            run[item.query] = _documents(item, duplicates)
            continue
        line, query, document, value = item
        scores = run.setdefault(query, {})
        if not isinstance(scores, dict):
            raise failure("repeated_query", name, line, id=query)
        if document not in scores:
            scores[document] = float(value)
        elif duplicates == "first":
            repeated.setdefault(query, []).append((float(value), document))
        else:
            raise failure("repeated_document", name, line, query=query, document=document)
    _check(run, name, maybe_ranks=maybe_ranks and not repeated)
    for query, more in repeated.items():
        run[query] = _ranked(run[query], more)
    return run


def _check(run: Run, name: str, *, maybe_ranks: bool) -> None:
    if not run:
        raise failure("no_rows", name)
    if maybe_ranks and _are_ranks(run):
        raise failure("ranks", name)


def _ranked(scores: dict[str, float] | list[str], more: list[tuple[float, str]]) -> list[str]:
    """Return all documents, repeated ones too, by score descending, then id descending: trec_eval's order."""
    once = [(score, document) for document, score in scores.items()] if isinstance(scores, dict) else []
    return [document for _, document in sorted(once + more, reverse=True)]


def _are_ranks(run: Run) -> bool:
    """Tell whether the values of every query count 1, 2, 3 in the order of the file, and somewhere beyond 1."""
    longest = 0
    for scores in run.values():
        values = list(scores.values()) if isinstance(scores, dict) else []
        if values != list(range(1, len(values) + 1)):
            return False
        longest = max(longest, len(values))
    return longest > 1


def _documents(entry: Entry, duplicates: Duplicates) -> dict[str, float] | list[str]:
    name = entry.content.name
    if isinstance(entry.documents, dict):
        scores: dict[str, float] = {}
        for document, score in entry.documents.items():
            try:
                scores[id_of(document)] = float(number_of(score))
            except BadValueError as problem:
                raise problem.at(name, entry.line_of(document)) from None
        return scores
    if not isinstance(entry.documents, list):
        from sekisho.adapters.files.json_text import kind_of  # noqa: PLC0415  only for the error

        raise failure("entry_type_run", name, entry.line_of(), query=entry.query, found=kind_of(entry.documents))
    ranking: list[str] = []
    seen: set[str] = set()
    for place, value in enumerate(entry.documents):
        try:
            document = id_of(value)
        except BadValueError as problem:
            raise problem.at(name, entry.line_of(place)) from None
        if document in seen and duplicates == "error":
            raise failure("repeated_document", name, entry.line_of(place), query=entry.query, document=document)
        seen.add(document)
        ranking.append(document)
    return ranking
