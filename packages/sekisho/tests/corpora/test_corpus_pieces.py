from __future__ import annotations

import json
import subprocess
import sys

import numpy as np

from sekisho.corpora import as_arrays, as_lines, load_preset


def test_arrays_hold_vectors_and_ids() -> None:
    """Ready for ``numpy.savez``, without pickles, in one byte order."""
    corpus = load_preset("calibrated")

    arrays = as_arrays(corpus)

    assert set(arrays) == {"chunks", "chunk_ids", "queries", "query_ids"}
    assert arrays["chunks"].dtype == np.dtype("<f4")
    assert np.array_equal(arrays["chunks"], corpus.chunks.values)
    assert tuple(arrays["chunk_ids"].tolist()) == corpus.chunks.ids
    assert tuple(arrays["query_ids"].tolist()) == corpus.queries.ids
    assert not any(array.dtype.hasobject for array in arrays.values())


def test_lines_hold_what_is_relevant() -> None:
    """One JSON record a query, in the order of the rows."""
    corpus = load_preset("seed")

    lines = [json.loads(json.dumps(line)) for line in as_lines(corpus)]

    assert [line["id"] for line in lines] == list(corpus.queries.ids)
    assert lines[0] == {"id": "t00-q0", "relevant": {f"t00-c{place:02}": 1 for place in range(10)}}


def test_lines_hold_texts_and_grades_where_there_are_any() -> None:
    """Real queries come with their words."""
    corpus = load_preset("real-vectors")

    line = next(as_lines(corpus))

    assert line["text"] == corpus.texts[line["id"]]
    assert set(line["relevant"].values()) <= {1, 2}


def test_texts_are_read_without_vectors() -> None:
    """Reading a collection of texts imports neither numpy nor the generators; every exported name resolves."""
    code = """
import sys
import sekisho.corpora as corpora
corpora.Document
print("numpy" in sys.modules, all(getattr(corpora, name) for name in corpora.__all__))
"""

    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

    assert shown.split() == ["False", "True"]
