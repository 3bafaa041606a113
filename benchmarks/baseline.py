"""What a baseline of 10,000 cases costs, in CPU time: to make, to write, to load, and to compare on three metrics.

Run: python benchmarks/baseline.py
"""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from sekisho.adapters.baseline_file import read_baseline, write_baseline
from sekisho.calling import Outcome
from sekisho.compare.baseline import Accepted, RetrievalBaseline
from sekisho.compare.comparison import compare_suites
from sekisho.compare.entries import retrieval_entries
from sekisho.core.records import EvalCase, Neighbours
from sekisho.gate.drops import DropRule, judge_comparisons
from sekisho.retrieval.measure import report_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from sekisho.retrieval.records import EvalReport

CASES, K, DEPTH, RELEVANT = 10_000, 10, 20, 4
ROUNDS = 5


def cases(graded: bool) -> list[EvalCase]:  # noqa: FBT001  one of two tables
    """Return cases with a few relevant documents each, and their exact neighbours."""
    random = np.random.default_rng(1)
    documents = [f"doc-{number:05d}" for number in range(5_000)]
    made = []
    for number in range(CASES):
        drawn = [documents[place] for place in random.choice(len(documents), RELEVANT + K, replace=False)]
        relevant = {id_: float(1 + place % 3 if graded else 1) for place, id_ in enumerate(drawn[:RELEVANT])}
        made.append(EvalCase(f"case-{number:05d}", "query", relevant, Neighbours(k=K, ids=tuple(drawn[-K:]))))
    return made


def report(asked: list[EvalCase], seed: int) -> EvalReport:
    """Return a measurement in which most of what is expected came back, somewhere."""
    random = np.random.default_rng(seed)
    outcomes = []
    for case in asked:
        known = [*case.grades, *(case.neighbours.ids if case.neighbours else ())]
        pool = [*known, *(f"doc-x{place}" for place in range(DEPTH))]
        ids = [pool[place] for place in random.permutation(len(pool))[:DEPTH]]
        outcomes.append(Outcome((tuple(ids), None), None, 1.0))
    return report_of(asked, outcomes, k=K, relevance_threshold=1, documents=None)


def suite(measured: EvalReport, asked: list[EvalCase]) -> RetrievalBaseline:
    """Return what a baseline keeps of a measurement."""
    accepted = Accepted(reason="first", time="2000-01-01T00:00:00+00:00")
    return RetrievalBaseline(accepted=accepted, made_of={}, ruler={}, k=K, cases=retrieval_entries(measured, asked))


def seconds(call: Callable[[], object]) -> float:
    """Return the median CPU time of some turns."""
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return median(times)


def row(name: str, asked: list[EvalCase], path: Path) -> str:
    """Return a line of the table."""
    before, now = (suite(report(asked, seed), asked) for seed in (1, 2))
    measured = report(asked, 2)
    rule = DropRule(max_drop=0.02)

    def compare() -> None:
        judge_comparisons([(compare_suites(before, suite(measured, asked)), rule)])

    write_baseline(path, {"search": now})
    figures = [
        seconds(lambda: suite(measured, asked)),
        seconds(compare),
        seconds(lambda: write_baseline(path, {"search": now})),
        seconds(lambda: read_baseline(path)),
    ]
    size = path.stat().st_size / 1e6
    return f"| {name} | {' | '.join(f'{figure:.3f}' for figure in figures)} | {size:.1f} |"


def main() -> None:
    """Print the table."""
    print(f"{CASES:,} cases, {RELEVANT} relevant each, k = {K}; medians of {ROUNDS}, {os.cpu_count()} cores\n")
    print("| CPU s | entries | entries and comparison, every case moved | write | load | file, MB |")
    print("|---|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        for name, graded in (("one grade", False), ("three grades", True)):
            print(row(name, cases(graded), Path(folder) / "sekisho.baseline.json"))


if __name__ == "__main__":
    main()
