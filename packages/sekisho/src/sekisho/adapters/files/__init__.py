"""Files of the field, read into plain data: relevance judgments, runs, queries, corpora.

The format is told by what stands in a file, never by its name alone. Whatever cannot be read is an
:class:`~sekisho.core.errors.InputFileError` with file and line. Names are imported when first used: ``sekisho score``
on small files needs neither numpy nor msgspec.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sekisho.adapters.files.collection import load_text_collection as load_text_collection
    from sekisho.adapters.files.corpora import read_corpus as read_corpus
    from sekisho.adapters.files.qrels import read_qrels as read_qrels
    from sekisho.adapters.files.queries import read_queries as read_queries
    from sekisho.adapters.files.runs import read_run as read_run
    from sekisho.adapters.files.score import score_files as score_files

_HOME = {
    "load_text_collection": "collection",
    "read_corpus": "corpora",
    "read_qrels": "qrels",
    "read_queries": "queries",
    "read_run": "runs",
    "score_files": "score",
}

__all__ = sorted(_HOME)  # noqa: PLE0605  the names are the keys above


def __getattr__(name: str) -> object:
    if name not in _HOME:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    value: object = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value
