"""From arguments to a corpus."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Literal

from sekisho.core.errors import CorpusError
from sekisho.core.vectors import VectorSet
from sekisho.corpora.grid_layout import GridLayout
from sekisho.corpora.parameters import GRID, CorpusParameters, resolve_parameters
from sekisho.corpora.seed_layout import draw_seed_layout
from sekisho.corpora.synthetic import SyntheticCorpus

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sekisho.corpora.drawn import Rows
    from sekisho.corpora.parameters import Centres, Components, Ids, Jitter, Layout, Sizes


def generate_synthetic_corpus(
    *,
    topics: int = 24,
    chunks_per_topic: int = 10,
    queries_per_topic: int = 5,
    dims: int = 96,
    noise: float | Literal["auto"] = 0.2,
    seed: int = 42,
    centres: Centres = "unit",
    jitter: Jitter = "uniform",
    layout: Layout = "seed",
    ids: Ids = "topic",
    sizes: Sizes = "equal",
    components: Components = "signed",
    parents: int = 0,
    spread: float = 0.0,
    copies: int = 1,
    copy_noise: float = 0.0,
    offset: float = 0.0,
) -> SyntheticCorpus:
    """Return chunks and queries scattered around topics; relevant to a query are all chunks of its topic.

    The same arguments give the same bits on every machine. ``docs/corpora.md`` says what each shape makes visible.

    Args:
        topics: How many topics.
        chunks_per_topic: Chunks of each topic; with ``sizes="zipf"`` their mean.
        queries_per_topic: Queries of each topic.
        dims: Components of a vector.
        noise: How far chunks and queries lie from their topic's centre: what multiplies the jitter. ``"auto"``, with
            normal jitter, takes the noise at which exact search finds 0.87 to 0.94 of ten relevant chunks.
        seed: Of the random numbers, modulo 2**32.
        centres: ``unit``: each centre, drawn from [-1, 1), is divided by its length (on the grid: rounded to it).
            ``raw``: taken as drawn, about sqrt(dims / 3) long.
        jitter: ``uniform`` in [-1, 1), or ``normal`` with standard deviation 1 (``grid-v1`` only).
        layout: ``seed``: float64; or ``grid-v1``: int16 in steps of 2**-12, made with whole numbers only.
        ids: ``topic``: ``t03-c07`` and ``t03-q2``. ``opaque``: rows are shuffled and numbered ``c000``, ``q000``, so
            that neither an id nor the next one tells the topic.
        sizes: ``equal``, or ``zipf``: the topic of rank r has about 1/r of the largest one's chunks.
        components: ``signed``, or ``nonnegative``: negative components become exactly 0, as after a ReLU.
        parents: Parents that topics belong to in turn; 0 for none.
        spread: What multiplies a topic's own centre before its parent's is added.
        copies: Consecutive chunks of a topic that are near-duplicates of one passage.
        copy_noise: What multiplies the jitter of each copy; 0 makes exact duplicates.
        offset: Size of each component of one common vector, its signs random, that is added to all chunks and queries.

    Raises:
        CorpusError: A value is of the wrong type or out of range, two do not go together, or it takes more than 2**32
            random numbers.

    Warns:
        SeedWarning: The seed is outside [0, 2**32).
    """
    return build_corpus(resolve_parameters(locals()))


def build_corpus(parameters: CorpusParameters, *, preset: str | None = None) -> SyntheticCorpus:
    """Return the corpus of checked arguments.

    Raises:
        CorpusError: It takes more than 2**32 random numbers, or more memory than there is.
    """
    try:
        return _built(parameters, preset)
    except MemoryError as error:
        raise CorpusError("corpora.no_memory") from error


def _built(parameters: CorpusParameters, preset: str | None) -> SyntheticCorpus:
    drawn = draw_seed_layout(parameters) if parameters.layout == "seed" else GridLayout(parameters).draw()
    chunk_topics, query_topics = drawn.chunk_topics.tolist(), drawn.query_topics.tolist()
    if parameters.ids == "opaque":
        chunk_ids, query_ids = _numbered("c", parameters.chunks), _numbered("q", parameters.queries)
    else:
        chunk_ids, query_ids = _topical("c", chunk_topics, 2), _topical("q", query_topics, 1)
    members: dict[int, list[str]] = defaultdict(list)
    for topic, id_ in zip(chunk_topics, chunk_ids, strict=True):
        members[topic].append(id_)
    relevant = {topic: tuple(ids) for topic, ids in members.items()}
    return SyntheticCorpus(
        chunks=_vectors(chunk_ids, drawn.chunks),
        queries=_vectors(query_ids, drawn.queries),
        relevant=tuple(relevant[topic] for topic in query_topics),
        parameters=parameters.as_dict(),
        preset=preset,
    )


def _vectors(ids: Sequence[str], numbers: Rows) -> VectorSet:
    numbers.setflags(write=False)  # a target that works in place must not change what the next one is measured on
    return VectorSet(ids=tuple(ids), numbers=numbers, step=1.0 if numbers.dtype.kind == "f" else 1 / GRID)


def _numbered(letter: str, count: int) -> list[str]:
    width = len(str(count - 1))
    return [f"{letter}{number:0{width}}" for number in range(count)]


def _topical(letter: str, topics: Sequence[int], least: int) -> list[str]:
    """Return ids such as ``t03-c07``: the topic, then the place in it, as wide as the largest needs."""
    seen: dict[int, int] = defaultdict(int)
    places = []
    for topic in topics:
        places.append(seen[topic])
        seen[topic] += 1
    wide, narrow = max(2, len(str(max(topics)))), max(least, len(str(max(places))))
    return [f"t{topic:0{wide}}-{letter}{place:0{narrow}}" for topic, place in zip(topics, places, strict=True)]
