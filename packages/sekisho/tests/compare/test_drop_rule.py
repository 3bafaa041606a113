"""The rule that tells a regression from noise."""

from __future__ import annotations

import numpy as np
import pytest

from sekisho.compare.statistics import DropFinding, PairedComparison, Ruler, judge_drops, mean_interval, paired


def judged(comparison: PairedComparison, max_drop: float | None = 0.02, **options: bool) -> DropFinding:
    """Return the finding on one comparison."""
    return judge_drops([Ruler(name="recall@10", comparison=comparison, max_drop=max_drop)], **options)[0]


def lost(cases: int, by: float, of: int = 120) -> PairedComparison:
    """Return the comparison in which some cases lost."""
    return paired([0.8] * of, [0.8 - by] * cases + [0.8] * (of - cases))


def test_a_drop_beyond_the_limit_fails() -> None:
    """Whether it is significant or not."""
    finding = judged(lost(4, 0.8))

    assert finding.drop == pytest.approx(0.8 * 4 / 120)
    assert (finding.too_large, finding.significant, finding.fails) == (True, False, True)
    assert (finding.unresolved, finding.cases_to_resolve) == (False, None)


def test_a_drop_of_just_the_limit_passes() -> None:
    """Rounding decides nothing: 24 of 120 cases lose a tenth, which is 0.02."""
    finding = judged(lost(24, 0.1))

    assert finding.drop == pytest.approx(0.02)
    assert not finding.too_large


def test_a_small_significant_drop_fails() -> None:
    """Twelve cases that all lose a tenth: one in 4,096 by chance."""
    finding = judged(lost(12, 0.1))

    assert finding.p_adjusted == 2**-12
    assert (finding.too_large, finding.significant, finding.fails) == (False, True, True)


def test_a_significant_drop_too_small_to_matter_passes() -> None:
    """Twelve of 1,200 cases lose a tenth: 0.001."""
    finding = judged(lost(12, 0.1, of=1200))

    assert (finding.significant, finding.fails) == (False, False)


def test_a_gain_never_fails() -> None:
    """However significant."""
    finding = judged(paired([0.5] * 120, [0.9] * 120))

    assert finding.drop < 0
    assert (finding.fails, finding.unresolved) == (False, False)


def test_no_difference_passes_without_a_warning() -> None:
    """Also where not even a rounding error may be lost."""
    finding = judged(paired([0.5] * 120, [0.5] * 120), 0.0)

    assert (finding.drop, finding.fails, finding.unresolved) == (0.0, False, False)


def test_an_interval_that_reaches_too_low_warns_with_the_cases_that_would_do() -> None:
    """It fails only where the absence of a drop has to be shown."""
    noise = np.random.default_rng(8).normal(0, 0.2, 40)
    comparison = paired([0.5] * 40, (0.5 + noise - noise.mean() - 0.001).tolist())

    finding = judged(comparison)

    assert finding.unresolved
    assert not finding.fails
    assert judged(comparison, non_inferiority=True).fails
    assert comparison.spread is not None
    assert finding.cases_to_resolve is not None
    low, lower = (
        mean_interval(comparison.mean_difference, comparison.spread, cases).low
        for cases in (finding.cases_to_resolve, finding.cases_to_resolve - 1)
    )
    assert lower < -0.02 <= low


def test_one_case_resolves_nothing() -> None:
    """And how many would is unknown."""
    finding = judged(paired([0.5], [0.5]))

    assert (finding.unresolved, finding.cases_to_resolve, finding.fails) == (True, None, False)


def test_a_mean_at_the_limit_is_resolved_by_no_number_of_cases() -> None:
    """Its interval always reaches beyond."""
    finding = judged(lost(24, 0.1))

    assert (finding.unresolved, finding.cases_to_resolve) == (True, None)


def test_rulers_share_one_chance_of_error() -> None:
    """Seven losses alone are significant at .01, among three rulers they are not."""
    seven, still = lost(7, 0.1), paired([0.5] * 120, [0.5] * 120)
    rulers = [
        Ruler(name=name, comparison=comparison, max_drop=0.02)
        for name, comparison in (("recall@10", seven), ("ndcg@10", still), ("overlap@10", still))
    ]

    together = judge_drops(rulers)

    assert judged(seven).significant
    assert [finding.name for finding in together] == ["recall@10", "ndcg@10", "overlap@10"]
    assert together[0].p_adjusted == 3 * 2**-7
    assert not any(finding.significant for finding in together)


def test_without_a_limit_drops_are_measured_and_not_judged() -> None:
    """The finding says what it saw."""
    finding = judged(lost(60, 0.5), None)

    assert (finding.significant, finding.too_large, finding.unresolved, finding.fails) == (True, False, False, False)


def test_no_rulers_give_no_findings() -> None:
    """Nothing is judged where nothing is measured."""
    assert judge_drops([]) == ()


@pytest.mark.parametrize("cases", [30, 120])
def test_symmetric_noise_is_called_a_drop_as_often_as_promised(cases: int) -> None:
    """One-sided p below .05 in at most 5 % and p on two sides as well, within two points, in 600 simulated runs."""
    random = np.random.default_rng(cases)
    drops, either, regressions = 0, 0, 0
    for _ in range(600):
        one, other = (random.integers(0, 11, cases) / 10 for _ in range(2))
        swap = random.uniform(0, 1, cases) < 0.5
        before, after = np.where(swap, one, other), np.where(swap, other, one)
        found = paired(before.tolist(), after.tolist())
        drops += found.p_drop < 0.05
        either += found.p_two_sided < 0.05
        regressions += judged(found, 1.0).significant

    assert drops / 600 == pytest.approx(0.05, abs=0.02)
    assert either / 600 == pytest.approx(0.05, abs=0.02)
    assert regressions / 600 <= 0.01 + 0.02
