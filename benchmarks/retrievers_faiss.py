"""The reference retrievers beside faiss: CPU time on one thread each, and what both find.

    python benchmarks/retrievers_faiss.py [--chunks 100000] [--dims 384] [--queries 256 1024]

Needs ``requirements/bench.txt``. Both answer the same queries in turn (interleaved), five times; the table shows
medians. CPU seconds, not seconds by the clock, so that other work on the machine does not decide the outcome.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TypeVar

import faiss
import numpy as np
import numpy.typing as npt

from sekisho.corpora import SyntheticCorpus, generate_synthetic_corpus
from sekisho.retrievers import exact, ivf_flat, two_stage

K = 10
CANDIDATES = 40
PROBES = 4
ROUNDS = 5
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}

Built = TypeVar("Built")
Vectors = npt.NDArray[np.float32]
Search = Callable[[npt.NDArray[np.int16], Vectors], Sequence[Sequence[str]]]


@dataclass(frozen=True)
class Pair:
    """Ours and faiss's way of the same search, and the CPU seconds that building each took."""

    name: str
    ours: Search
    theirs: Search
    build: tuple[float, float]


def cpu(action: Callable[[], object]) -> float:
    """Return the CPU seconds that an action takes."""
    start = time.process_time()
    action()
    return time.process_time() - start


def timed(action: Callable[[], Built]) -> tuple[Built, float]:
    """Return what an action returns, and its CPU seconds."""
    start = time.process_time()
    value = action()
    return value, time.process_time() - start


def at_unit_length(values: npt.NDArray[np.int16]) -> Vectors:
    """Return float32 vectors of length 1."""
    floats = values.astype(np.float32)
    floats /= np.sqrt(np.einsum("ij,ij->i", floats, floats))[:, None]
    return floats


def names(corpus: SyntheticCorpus, rows: npt.NDArray[np.int64]) -> list[list[str]]:
    """Return the ids of rows, which faiss does not keep."""
    ids = corpus.chunks.ids
    return [[ids[row] for row in line] for line in rows.tolist()]


def flat_pair(corpus: SyntheticCorpus, unit: Vectors) -> Pair:
    """Return exact search and IndexFlatIP."""
    ours, our_build = timed(lambda: exact(corpus, K))
    index = faiss.IndexFlatIP(unit.shape[1])
    build = cpu(lambda: index.add(unit))
    return Pair(
        "exact · IndexFlatIP",
        lambda queries, _: ours.retrieve_many(queries),
        lambda _, queries: names(corpus, index.search(queries, K)[1]),
        (our_build, build),
    )


def lists_pair(corpus: SyntheticCorpus, unit: Vectors) -> Pair:
    """Return inverted lists and IndexIVFFlat, with equally many lists and probes."""
    lists = round(len(unit) ** 0.5)
    ours, our_build = timed(lambda: ivf_flat(corpus, K, lists=lists, probes=PROBES))
    index = faiss.IndexIVFFlat(faiss.IndexFlatIP(unit.shape[1]), unit.shape[1], lists, faiss.METRIC_INNER_PRODUCT)
    index.nprobe = PROBES
    build = cpu(lambda: (index.train(unit), index.add(unit)))
    return Pair(
        f"ivf_flat ({lists} lists, {PROBES} probes) · IndexIVFFlat",
        lambda queries, _: ours.retrieve_many(queries),
        lambda _, queries: names(corpus, index.search(queries, K)[1]),
        (our_build, build),
    )


def bits_pair(corpus: SyntheticCorpus, unit: Vectors) -> Pair:
    """Return two stages and IndexBinaryFlat with the re-ranking that its users write."""
    ours, our_build = timed(lambda: two_stage(corpus, K, candidates=CANDIDATES))
    index = faiss.IndexBinaryFlat(unit.shape[1])
    build = cpu(lambda: index.add(np.packbits(unit >= 0, axis=1)))

    def search(queries: Vectors) -> list[list[str]]:
        pool = index.search(np.packbits(queries >= 0, axis=1), CANDIDATES)[1]
        scores = np.einsum("qcd,qd->qc", unit[pool], queries)
        best = np.argsort(-scores, axis=1, kind="stable")[:, :K]
        return names(corpus, np.take_along_axis(pool, best, axis=1))

    return Pair(
        f"two_stage ({CANDIDATES} candidates) · IndexBinaryFlat + re-rank",
        lambda queries, _: ours.retrieve_many(queries),
        lambda _, queries: search(queries),
        (our_build, build),
    )


def overlap(found: Sequence[Sequence[str]], truth: Sequence[Sequence[str]]) -> float:
    """Return the mean share of the exact neighbours that came back."""
    return sum(len(set(ids) & set(near)) / K for ids, near in zip(found, truth, strict=True)) / len(truth)


def line(pair: Pair, queries: npt.NDArray[np.int16], truth: Sequence[Sequence[str]]) -> str:
    """Return one row of the table."""
    unit = at_unit_length(queries)
    spent: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS):
        spent[0].append(cpu(lambda: pair.ours(queries, unit)))
        spent[1].append(cpu(lambda: pair.theirs(queries, unit)))
    ours, theirs = median(spent[0]), median(spent[1])
    shares = overlap(pair.ours(queries, unit), truth), overlap(pair.theirs(queries, unit), truth)
    cells = [
        pair.name,
        str(len(queries)),
        f"{ours:.3f}",
        f"{theirs:.3f}",
        f"{ours / theirs:.2f}",
        f"{shares[0]:.4f} / {shares[1]:.4f}",
        f"{pair.build[0]:.2f} / {pair.build[1]:.2f}",
    ]
    return "| " + " | ".join(cells) + " |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Reference retrievers beside faiss")
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--dims", type=int, default=384)
    parser.add_argument("--queries", type=int, nargs="+", default=[256, 1024])
    parser.add_argument("--noise", type=float, default=0.6)
    options = parser.parse_args()
    if any(os.environ.get(name) != value for name, value in ONE_THREAD.items()):
        # The number of threads is read when numpy is imported, so the program starts anew with it.
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **ONE_THREAD})  # noqa: S606  no shell wanted
    faiss.omp_set_num_threads(1)
    corpus = generate_synthetic_corpus(
        topics=options.chunks // 10,
        queries_per_topic=1,
        dims=options.dims,
        noise=options.noise,
        centres="raw",
        jitter="normal",
        layout="grid-v1",
    )
    unit = at_unit_length(corpus.chunks.numbers)
    print(f"{len(unit)} x {options.dims} int16, faiss {faiss.__version__}, numpy {np.__version__}, one thread each\n")
    print("| ours · faiss | queries | ours, CPU s | faiss, CPU s | ratio | overlap@10 ours / faiss | build, CPU s |")
    print("|---|---|---|---|---|---|---|")
    truth = exact(corpus, K).retrieve_many(corpus.queries.values[: max(options.queries)])
    for make in (flat_pair, lists_pair, bits_pair):
        pair = make(corpus, unit)
        for count in options.queries:
            print(line(pair, corpus.queries.values[:count], truth[:count]), flush=True)


if __name__ == "__main__":
    main()
