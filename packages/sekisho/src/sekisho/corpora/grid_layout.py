"""The layout ``grid-v1``: int16 on a grid of 2**-12, made with whole numbers only; any row by itself.

Draws, in 32-bit words, one section after the other, a section only where it is used::

    topics * dims           centres, 13 bits of a word each: uniform in [-1, 1) on the grid
    ⌈(n + q) * dims / 2⌉    a half-word a component, low half first: n chunks row by row, then q queries
    n, q                    the order of chunks and of queries, for opaque ids
    dims                    the common offset: its sign in each component, the highest bit
    parents * dims          the centres of the parents
    ⌈passages * dims / 2⌉   a half-word a component: what near-duplicates have in common

Row ``r`` belongs to topic ``r`` modulo ``topics``; where sizes differ, topics take turns until they are full.
A component is ``centre + (jitter * factor >> 16)``, the factor in 1/65536, the shift arithmetic (rounding down).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from sekisho.corpora.drawn import Drawn, permutation
from sekisho.corpora.mulberry32 import check_draws, words
from sekisho.corpora.normals import normal_table
from sekisho.corpora.parameters import GRID, parts

if TYPE_CHECKING:
    import numpy.typing as npt

    from sekisho.corpora.parameters import CorpusParameters

_BLOCK: Final = 1 << 18
"""Components made at once, so that working memory stays at a few megabytes."""


class _Sections(NamedTuple):
    """Where each section of the draws begins."""

    rows: int
    chunk_order: int
    query_order: int
    offset: int
    parents: int
    passages: int


class GridLayout:
    """A corpus of which any rows can be made without the others.

    Attributes:
        parameters: The corpus's arguments.
        chunk_topics: The topic of each chunk, in the order of the draws.
    """

    def __init__(self, parameters: CorpusParameters) -> None:
        self.parameters = parameters
        self._sections = _sections(parameters)
        self.chunk_topics, self._levels = _take_turns(topic_sizes(parameters))
        self._centres = self._make_centres()

    def chunk_rows(self, start: int, stop: int) -> npt.NDArray[np.int16]:
        """Return the chunks ``start`` to ``stop``, in the order of the draws, shape ``(stop - start, dims)``."""
        values, sections = self.parameters, self._sections
        topics = self.chunk_topics[start:stop]
        if values.copies == 1:
            return self._finish(self._jitter(sections.rows, start, stop, values.noise), topics)
        shared = self._levels[start:stop] // values.copies * values.topics + topics
        first, last = int(shared.min()), int(shared.max())
        jitter = self._jitter(sections.passages, first, last + 1, values.noise)[shared - first]
        jitter += self._jitter(sections.rows, start, stop, values.copy_noise)
        return self._finish(jitter, topics)

    def query_rows(self, start: int, stop: int) -> npt.NDArray[np.int16]:
        """Return the queries ``start`` to ``stop``, in the order of the draws, shape ``(stop - start, dims)``."""
        chunks = self.parameters.chunks
        own = self._jitter(self._sections.rows, chunks + start, chunks + stop, self.parameters.noise)
        return self._finish(own, np.arange(start, stop) % self.parameters.topics)

    def draw(self) -> Drawn:
        """Return all vectors in the order in which the corpus shows them."""
        values = self.parameters
        query_topics = np.arange(values.queries) % values.topics
        chunk_order, query_order = np.arange(values.chunks), np.arange(values.queries)
        if values.ids == "opaque":
            chunk_order = permutation(values.seed, self._sections.chunk_order, values.chunks)
            query_order = permutation(values.seed, self._sections.query_order, values.queries)
        chunks = np.empty((values.chunks, values.dims), np.int16)
        queries = np.empty((values.queries, values.dims), np.int16)
        chunk_places, query_places = np.argsort(chunk_order), np.argsort(query_order)
        step = max(1, _BLOCK // values.dims)
        for start in range(0, values.chunks, step):
            places = chunk_places[start : start + step]
            chunks[places] = self.chunk_rows(start, start + len(places))
        for start in range(0, values.queries, step):
            places = query_places[start : start + step]
            queries[places] = self.query_rows(start, start + len(places))
        return Drawn(chunks, queries, self.chunk_topics[chunk_order], query_topics[query_order])

    def _make_centres(self) -> npt.NDArray[np.int32]:
        """Return the centre of each topic with the common offset, in steps of the grid."""
        values, sections = self.parameters, self._sections
        centres = self._uniform(0, values.topics)
        if values.parents:
            parents = self._uniform(sections.parents, values.parents)
            centres = parents[np.arange(values.topics) % values.parents] + (centres * parts(values.spread) >> 16)
        if values.centres == "unit":
            squares = (centres * centres).sum(axis=1)  # whole numbers: exact in any order
            squares[squares == 0] = 1
            centres = np.rint(GRID * centres / np.sqrt(squares)[:, None]).astype(np.int64)
        if values.offset:
            signs = 1 - 2 * (words(values.seed, sections.offset, values.dims) >> 31).astype(np.int64)
            centres = centres + signs * (GRID * parts(values.offset) >> 16)
        return centres.astype(np.int32)

    def _uniform(self, position: int, rows: int) -> npt.NDArray[np.int64]:
        """Return rows uniform in [-1, 1), in steps of the grid."""
        drawn = words(self.parameters.seed, position, rows * self.parameters.dims) >> 19
        return drawn.astype(np.int64).reshape(rows, -1) - GRID

    def _jitter(self, position: int, start: int, stop: int, factor: float) -> npt.NDArray[np.int32]:
        """Return the jitter of rows ``start`` to ``stop`` of the section at ``position``, times ``factor``."""
        dims = self.parameters.dims
        first, last = start * dims, stop * dims
        drawn = words(self.parameters.seed, position + first // 2, _halves(last, 1) - first // 2)
        halves = drawn.astype("<u4", copy=False).view("<u2")[first % 2 :][: last - first]
        steps: npt.NDArray[np.int32] = halves.astype(np.int32)
        if self.parameters.jitter == "normal":
            steps[:] = normal_table()[halves]
        else:
            steps >>= 3
            steps -= GRID
        steps *= parts(factor)
        steps >>= 16
        return steps.reshape(stop - start, dims)

    def _finish(self, jitter: npt.NDArray[np.int32], topics: npt.NDArray[np.intp]) -> npt.NDArray[np.int16]:
        jitter += self._centres[topics]
        if self.parameters.components == "nonnegative":
            np.maximum(jitter, 0, out=jitter)
        return jitter.astype(np.int16)


def topic_sizes(parameters: CorpusParameters) -> npt.NDArray[np.intp]:
    """Return how many chunks each topic has.

    With ``sizes="zipf"`` every topic has one, and the rest is shared out in proportion to 1, 1/2, 1/3, ...: whole
    parts first, then one each to the largest remainders, the earlier topic first among equal ones.
    """
    topics, chunks = parameters.topics, parameters.chunks
    if parameters.sizes == "equal":
        return np.full(topics, parameters.chunks_per_topic, np.intp)
    weights = [(1 << 64) // rank for rank in range(1, topics + 1)]
    total = sum(weights)
    shares = [divmod((chunks - topics) * weight, total) for weight in weights]
    sizes = np.array([1 + whole for whole, _ in shares], np.intp)
    by_remainder = sorted(range(topics), key=lambda topic: -shares[topic][1])
    sizes[by_remainder[: chunks - int(sizes.sum())]] += 1
    return sizes


def _take_turns(sizes: npt.NDArray[np.intp]) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Return each row's topic and how many rows of that topic came before it."""
    topics = np.repeat(np.arange(len(sizes)), sizes)
    levels = np.arange(len(topics)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    order = np.argsort(levels, kind="stable")
    return topics[order], levels[order]


def _sections(parameters: CorpusParameters) -> _Sections:
    """Return where the sections begin.

    Raises:
        CorpusError: They take more than 2**32 draws.
    """
    dims, chunks, queries = parameters.dims, parameters.chunks, parameters.queries
    rows = parameters.topics * dims
    chunk_order = rows + _halves(chunks + queries, dims)
    check_draws(0, chunk_order)
    opaque = parameters.ids == "opaque"
    query_order = chunk_order + (chunks if opaque else 0)
    offset = query_order + (queries if opaque else 0)
    parents = offset + (dims if parameters.offset else 0)
    passages = parents + parameters.parents * dims
    end = passages
    if parameters.copies > 1:
        largest = int(topic_sizes(parameters).max())
        end += _halves(-(-largest // parameters.copies) * parameters.topics, dims)
    check_draws(0, end)
    return _Sections(rows, chunk_order, query_order, offset, parents, passages)


def _halves(rows: int, dims: int) -> int:
    """Return how many words hold the half-words of so many rows."""
    return (rows * dims + 1) // 2
