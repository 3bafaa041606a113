"""What comparing two runs costs, in CPU time, beside scipy's permutation test of the same statistic.

Ratios within one table carry over to another machine. Run: python benchmarks/paired_statistics.py
"""

from __future__ import annotations

import os
import time
from statistics import median
from typing import TYPE_CHECKING

import numpy as np
from scipy import stats

from sekisho.compare.statistics import Ruler, draws, judge_drops, paired
from sekisho.compare.statistics.randomisation import DRAWS

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 5
RELEVANT = {"of 10": (10,), "of 3 or 4": (3, 4), "of 1 to 10": tuple(range(1, 11))}
"""Numbers of relevant documents: what lattice recall lies on."""


def seconds(*calls: Callable[[], object]) -> list[float]:
    """Return the CPU time of each call, the median of some turns."""
    taken: list[list[float]] = [[] for _ in calls]
    for _ in range(ROUNDS):
        for call, times in zip(calls, taken, strict=True):
            start = time.process_time()
            call()
            times.append(time.process_time() - start)
    return [median(times) for times in taken]


def changed(before: list[float], after: list[float], random: np.random.Generator) -> list[float]:
    """Return the values after, of which half stayed, as they do between two real runs."""
    stays = random.integers(0, 2, len(before))
    return [b if same else a for b, a, same in zip(before, after, stays, strict=True)]


def recall(cases: int, relevant: tuple[int, ...], random: np.random.Generator) -> tuple[list[float], list[float]]:
    """Return recall before and after."""
    of = random.choice(relevant, cases).tolist()
    before, after = ([int(random.integers(0, r + 1)) / r for r in of] for _ in range(2))
    return before, changed(before, after, random)


def ndcg(cases: int, random: np.random.Generator) -> tuple[list[float], list[float]]:
    """Return values off any lattice, before and after."""
    before, after = (random.uniform(0, 1, cases).tolist() for _ in range(2))
    return before, changed(before, after, random)


def draws_table() -> None:
    """Print draws beside scipy's: every case differs, and each engine makes 10,000 of them."""
    print(f"| {DRAWS:,} draws | sekisho, CPU s | scipy permutation_test, CPU s | ratio |\n|---|---:|---:|---:|")
    for cases in (120, 1_000, 10_000):
        gains = np.random.default_rng(cases).normal(0, 0.2, cases)
        sizes, observed = sorted(np.abs(gains).tolist()), abs(float(gains.sum()))
        ours, theirs = seconds(
            lambda sizes=sizes, observed=observed: draws.tails(sizes, observed, count=DRAWS, seed=42),
            lambda gains=gains: stats.permutation_test(
                (gains,),
                lambda values, axis: values.mean(axis=axis),
                permutation_type="samples",
                n_resamples=DRAWS - 1,
                vectorized=True,
                batch=1_000,  # its fastest: all at once, which is the default, takes four times as long at 10,000 cases
                rng=np.random.default_rng(1),
            ),
        )
        print(f"| {cases:,} cases | {ours:.4f} | {theirs:.3f} | {theirs / ours:.0f} |")


def comparison_table() -> None:
    """Print what one ruler costs in all: checks, interval, p, smallest visible difference."""
    print("| one ruler, half of the cases differ | cases | p by | CPU ms |\n|---|---:|---|---:|")
    random = np.random.default_rng(1)
    for cases in (120, 1_000, 10_000):
        inputs = {f"recall {name}": recall(cases, relevant, random) for name, relevant in RELEVANT.items()}
        inputs["ndcg"] = ndcg(cases, random)
        inputs["nothing differs"] = (inputs["ndcg"][0], inputs["ndcg"][0])
        for name, (before, after) in inputs.items():
            method = paired(before, after).method
            [cost] = seconds(lambda before=before, after=after: paired(before, after))
            print(f"| {name} | {cases:,} | {method} | {cost * 1000:.2f} |")


def rule_table() -> None:
    """Print the whole comparison of 10,000 cases on three rulers, the rule included."""
    random = np.random.default_rng(2)
    sides = {
        "recall@10": recall(10_000, RELEVANT["of 1 to 10"], random),
        "ndcg@10": ndcg(10_000, random),
        "overlap@10": recall(10_000, RELEVANT["of 10"], random),
    }

    def compare() -> object:
        rulers = [Ruler(name=n, comparison=paired(b, a), max_drop=0.02) for n, (b, a) in sides.items()]
        return judge_drops(rulers)

    print("| the rule on three rulers | CPU s |\n|---|---:|")
    print(f"| 10,000 cases | {seconds(compare)[0]:.3f} |")


def main() -> None:
    """Print the tables."""
    print(f"Medians of {ROUNDS} runs, engines in turn; {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}.\n")
    draws_table()
    print()
    comparison_table()
    print()
    rule_table()


if __name__ == "__main__":
    main()
