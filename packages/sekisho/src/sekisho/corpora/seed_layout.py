"""The layout ``seed``: float64, one draw a component, centres and vectors in one sequence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sekisho.corpora.drawn import Drawn, permutation
from sekisho.corpora.mulberry32 import PERIOD, words

if TYPE_CHECKING:
    import numpy.typing as npt

    from sekisho.corpora.parameters import CorpusParameters


def draw_seed_layout(parameters: CorpusParameters) -> Drawn:
    """Return the vectors: the draws hold all centres, then topic by topic its chunks, then its queries.

    Every component is a sum, a product or a quotient that IEEE 754 rounds correctly, taken in one order: the same bits
    on every machine.

    Raises:
        CorpusError: It takes more than 2**32 draws.
    """
    topics, dims, seed = parameters.topics, parameters.dims, parameters.seed
    count = topics * dims * (1 + parameters.chunks_per_topic + parameters.queries_per_topic)
    uniform = words(seed, 0, count) / PERIOD
    uniform *= 2
    uniform -= 1
    centres = uniform[: topics * dims].reshape(topics, dims)
    if parameters.centres == "unit":
        centres = centres / lengths(centres)[:, None]
    vectors = uniform[topics * dims :].reshape(topics, -1, dims)
    vectors *= parameters.noise
    vectors += centres[:, None]
    chunks = vectors[:, : parameters.chunks_per_topic].reshape(-1, dims)
    queries = vectors[:, parameters.chunks_per_topic :].reshape(-1, dims)
    chunk_topics = np.repeat(np.arange(topics), parameters.chunks_per_topic)
    query_topics = np.repeat(np.arange(topics), parameters.queries_per_topic)
    if parameters.ids == "topic":
        return Drawn(chunks, queries, chunk_topics, query_topics)
    shuffled = permutation(seed, count, len(chunks))
    asked = permutation(seed, count + len(chunks), len(queries))
    return Drawn(chunks[shuffled], queries[asked], chunk_topics[shuffled], query_topics[asked])


def lengths(rows: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the length of each row, 1 for a row of zeros.

    The squares are summed in index order; ``np.sum`` and BLAS choose an order of their own.
    """
    total = np.zeros(len(rows))
    for component in np.ascontiguousarray(rows.T):
        total += component * component
    total[total == 0] = 1
    return np.sqrt(total)
