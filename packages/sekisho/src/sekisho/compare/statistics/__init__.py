"""Paired statistics of two runs over the same cases: how far apart they are, and what these cases could have shown.

Everything here is arithmetic on numbers: no files, no clock, no randomness but the project's own fixed draws. The order
of the cases has no effect on any result, to the last bit, and neither has the order in which partial results are put
together. Exchanging the two runs negates the difference and exchanges the two one-sided p values, to the last bit too.

Wilcoxon's test and the percentile bootstrap are left out on purpose: where most cases gain a little and few lose much
at equal means, the first rejects nearly always, and the second rejects too often for few cases
(Smucker, Allan and Carterette 2007 on the first; benchmarks/type_one_errors.py measures both).
"""

from sekisho.compare.statistics.holm import holm
from sekisho.compare.statistics.power import (
    PowerFigures,
    cases_for_drop,
    cases_for_margin,
    detectable_drop,
    least_differing,
    power_figures,
    power_of_drop,
)
from sekisho.compare.statistics.randomisation import Method
from sekisho.compare.statistics.regression import (
    LEAST_DROP,
    SIGNIFICANCE,
    DropFinding,
    Ruler,
    judge_drops,
)
from sekisho.compare.statistics.student import Interval, mean_interval, t_quantile, t_tail
from sekisho.compare.statistics.summary import PairedComparison, paired

__all__ = [
    "LEAST_DROP",
    "SIGNIFICANCE",
    "DropFinding",
    "Interval",
    "Method",
    "PairedComparison",
    "PowerFigures",
    "Ruler",
    "cases_for_drop",
    "cases_for_margin",
    "detectable_drop",
    "holm",
    "judge_drops",
    "least_differing",
    "mean_interval",
    "paired",
    "power_figures",
    "power_of_drop",
    "t_quantile",
    "t_tail",
]
