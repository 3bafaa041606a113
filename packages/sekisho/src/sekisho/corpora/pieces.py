"""A corpus as plain arrays and lines, for whoever writes it to files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from sekisho.corpora.synthetic import SyntheticCorpus


def as_arrays(corpus: SyntheticCorpus) -> dict[str, npt.NDArray[Any]]:
    """Return ``chunks`` and ``queries``, the vectors little-endian, and ``chunk_ids`` and ``query_ids`` as text."""
    return {
        "chunks": _little_endian(corpus.chunks.values),
        "chunk_ids": np.array(corpus.chunks.ids),
        "queries": _little_endian(corpus.queries.values),
        "query_ids": np.array(corpus.queries.ids),
    }


def as_lines(corpus: SyntheticCorpus) -> Iterator[dict[str, Any]]:
    """Yield one record a query, ready for JSON: ``id``, ``relevant`` (id to grade), and ``text`` where there is one."""
    for id_, relevant in zip(corpus.queries.ids, corpus.relevant, strict=True):
        grades = relevant if isinstance(relevant, Mapping) else dict.fromkeys(relevant, 1)
        text = {"text": corpus.texts[id_]} if id_ in corpus.texts else {}
        yield {"id": id_, "relevant": dict(grades), **text}


def _little_endian(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return values.astype(values.dtype.newbyteorder("<"), copy=False)
