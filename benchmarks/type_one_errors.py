"""How often tests of a mean difference see one where there is none, and where there is one of a known size.

Cases are drawn at random from populations whose mean difference is known. "Symmetric": both runs are equally good in
every respect, and which of two results is called the second is a coin's fall. "Skewed": nine cases of ten gain a little
and one loses as much as they gain together, so that the means are equal but the runs are not. The hardest case for a
test of means, and what a change does that helps most questions and breaks a few.

Wilcoxon's test and the percentile bootstrap are here to show why they are left out.
Run: python benchmarks/type_one_errors.py [SIMULATIONS]
"""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING

import numpy as np
from scipy import stats

from sekisho.compare.statistics import Ruler, detectable_drop, judge_drops, paired, t_tail

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    Values = npt.NDArray[np.float64]
    Runs = tuple[Values, Values]

SIZES = (30, 120, 500)
SIMULATIONS = 4_000
RESAMPLES = 1_000
ALPHA, STRICT = 0.05, 0.01
LIMIT = 0.02
NO_LIMIT = 2.0
"""No drop of a metric is as large: what the rule says by significance alone."""


def some(random: np.random.Generator, cases: int, share: float) -> npt.NDArray[np.bool_]:
    """Return which cases a share of all, drawn case by case, are."""
    return random.uniform(0, 1, cases) < share


def symmetric_recall(random: np.random.Generator, cases: int) -> Runs:
    """Return recall of 10 relevant documents; both runs have the same chance of each."""
    chance = random.beta(4, 2, cases)
    one, other = (random.binomial(10, chance) / 10 for _ in range(2))
    return one, other


def symmetric_hits(random: np.random.Generator, cases: int) -> Runs:
    """Return whether the one relevant document came back; most cases stay."""
    one, other = (some(random, cases, 0.8).astype(float) for _ in range(2))
    return one, np.where(some(random, cases, 0.5), one, other)


def symmetric_ndcg(random: np.random.Generator, cases: int) -> Runs:
    """Return values off any lattice, which half of the cases keep."""
    one, other = (random.beta(4, 2, cases) for _ in range(2))
    return one, np.where(some(random, cases, 0.5), one, other)


def skewed_losses(random: np.random.Generator, cases: int) -> Runs:
    """Nine of ten gain .05, one loses .45."""
    return np.full(cases, 0.5), 0.5 + np.where(some(random, cases, 0.9), 1, -9) / 20


def skewed_gains(random: np.random.Generator, cases: int) -> Runs:
    """Nine of ten lose .05, one gains .45."""
    after, before = skewed_losses(random, cases)
    return before, after


POPULATIONS = {
    "symmetric, recall of 10": symmetric_recall,
    "symmetric, hit or miss": symmetric_hits,
    "symmetric, ndcg": symmetric_ndcg,
    "skewed, rare large losses": skewed_losses,
    "skewed, rare large gains": skewed_gains,
}


def three_rulers(random: np.random.Generator, cases: int) -> list[Runs]:
    """Return recall, ndcg and overlap of two equally good runs, which go together as they do in practice."""
    recall = symmetric_recall(random, cases)
    ndcg = tuple(np.clip(side + random.normal(0, 0.05, cases), 0, 1) for side in recall)
    overlap = tuple(random.binomial(10, np.clip(side, 0.05, 0.95)) / 10 for side in recall)
    return [recall, (ndcg[0], ndcg[1]), (overlap[0], overlap[1])]


def t_test(gains: Values) -> float:
    """Return the two-sided p of the paired t test."""
    spread = gains.std(ddof=1)
    return 2 * t_tail(abs(gains.mean()) / spread * math.sqrt(len(gains)), len(gains) - 1) if spread > 0 else 1.0


def wilcoxon(gains: Values) -> float:
    """Return the two-sided p of Wilcoxon's signed-rank test, by its normal approximation."""
    return float(stats.wilcoxon(gains, method="asymptotic").pvalue) if gains.any() else 1.0


def bootstrap_rejects(gains: Values, random: np.random.Generator) -> bool:
    """Return whether the 95 % percentile interval of resampled means leaves 0 out."""
    means = gains[random.integers(0, len(gains), (RESAMPLES, len(gains)))].mean(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return bool(low > 0 or high < 0)


def errors(population: Callable[[np.random.Generator, int], Runs], cases: int, simulations: int) -> list[float]:
    """Return how often each test rejects at .05 (two sides), and a drop is seen at .05 and at .01."""
    random = np.random.default_rng(cases)
    counts = np.zeros(6)
    for number in range(simulations):
        before, after = population(random, cases)
        found = paired(before.tolist(), after.tolist())
        gains = np.round(after - before, 12)
        # The bootstrap costs most and is a fourth of the simulations; its count is scaled.
        bootstrap = 4 * bootstrap_rejects(gains, random) if number % 4 == 0 else 0
        counts += [
            t_test(gains) < ALPHA,
            found.p_two_sided < ALPHA,
            found.p_drop < ALPHA,
            found.p_drop < STRICT,
            wilcoxon(gains) < ALPHA,
            bootstrap,
        ]
    return (counts / simulations).tolist()


def error_table(simulations: int) -> None:
    """Print the share of rejections where the means are equal."""
    print("| no true difference | cases | t .05 | sign-flip .05 | drop .05 | drop .01 | Wilcoxon .05 | bootstrap .05 |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for name, population in POPULATIONS.items():
        for cases in SIZES:
            shares = " | ".join(f"{share:.3f}" for share in errors(population, cases, simulations))
            print(f"| {name} | {cases} | {shares} |", flush=True)


def rule_table(simulations: int) -> None:
    """Print how often the rule fails two equally good runs."""
    print("| no true difference, three rulers | cases | significant (.01) | an observed drop above .02 |")
    print("|---|---:|---:|---:|")
    for cases in SIZES:
        random = np.random.default_rng(cases + 1)
        significant, observed = 0, 0
        for _ in range(simulations // 4):
            comparisons = [paired(one.tolist(), other.tolist()) for one, other in three_rulers(random, cases)]
            findings = judge_drops(Ruler(name="", comparison=c, max_drop=NO_LIMIT) for c in comparisons)
            significant += any(finding.significant for finding in findings)
            observed += any(finding.drop > LIMIT for finding in findings)
        count = simulations // 4
        print(f"| recall@10, ndcg@10, overlap@10 | {cases} | {significant / count:.3f} | {observed / count:.3f} |")


def power_table(simulations: int) -> None:
    """Print how often a drop that should be found four times in five is."""
    print("| a true drop of the size to be found .800 of the time | cases | size | found at .05 | found at .01 |")
    print("|---|---:|---:|---:|---:|")
    shapes: dict[str, Callable[[np.random.Generator, int], Values]] = {
        "normal differences": lambda random, cases: random.normal(0, 0.12, cases),
        "half of the cases differ": lambda random, cases: (
            random.normal(0, 0.12 * math.sqrt(2), cases) * some(random, cases, 0.5)
        ),
        "rare large losses": lambda random, cases: np.where(some(random, cases, 0.9), 1, -9) * 0.04,
    }
    for name, shape in shapes.items():
        for cases in SIZES:
            random = np.random.default_rng(cases + 2)
            found = []
            for alpha in (ALPHA, STRICT):
                drop = detectable_drop(cases, 0.12, alpha=alpha)
                gains = (shape(random, cases) - drop for _ in range(simulations // 4))
                found.append(np.mean([paired([0.0] * cases, each.tolist()).p_drop < alpha for each in gains]))
            size = detectable_drop(cases, 0.12)
            print(f"| {name} | {cases} | {size:.4f} | {found[0]:.3f} | {found[1]:.3f} |", flush=True)


def main() -> None:
    """Print the tables."""
    simulations = int(sys.argv[1]) if len(sys.argv) > 1 else SIMULATIONS
    print(f"{simulations:,} simulated comparisons a row (a fourth for the bootstrap, the rule and power).\n")
    error_table(simulations)
    print()
    rule_table(simulations)
    print()
    power_table(simulations)


if __name__ == "__main__":
    main()
