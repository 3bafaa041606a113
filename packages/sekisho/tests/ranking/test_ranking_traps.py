"""Twenty-eight inputs on which metric libraries disagree, crash or are silently wrong, and what we say.

In the order of ties, duplicates, query sets, grades, cut-offs and strange values in which they were found.
"""

from __future__ import annotations

from math import log2, nan

import numpy as np
import pytest

from sekisho.core.errors import RankingError
from sekisho.ranking import Metric, RunScores, score_many, tie_bounds

METRICS = ["recall@10", "precision@10", "mrr", "mrr@10", "map", "map@10", "ndcg@10"]


def scored(ranking: object, relevant: object, threshold: float | None = None) -> dict[str, float]:
    """Return the values for one query."""
    return dict(score_many({"q1": ranking}, {"q1": relevant}, METRICS, relevance_threshold=threshold).means)  # type: ignore[dict-item]  # wrong types are among the subjects


def of_run(run: dict[str, object], qrels: dict[str, object]) -> RunScores:
    """Return the values for several queries."""
    return score_many(run, qrels, METRICS)  # type: ignore[arg-type]  # as above


TWENTY = [f"r{number}" for number in range(20)]
VALUES = {
    "01 ties: ids descend": (scored({"d1": 1.0, "d2": 1.0, "d3": 1.0}, ["d1"]), {"mrr": 1 / 3, "mrr@10": 1 / 3}),
    "02 close scores are not tied": (scored({"a": 0.1 + 1e-9, "z": 0.1}, ["a"]), {"mrr": 1.0}),
    "03 integers beyond float64 are": (scored({"a": 2**53 + 1, "b": 2**53}, ["a"]), {"mrr": 0.5}),
    "05 a judged query is missing": (
        of_run({"q1": ["a"]}, {"q1": ["a"], "q2": ["a"]}).means,
        dict.fromkeys(METRICS, 0.5) | {"precision@10": 0.05},
    ),
    "06 a query is not judged": (of_run({"q1": ["a"], "q2": ["b"]}, {"q1": ["a"]}).means, {"mrr": 1.0, "ndcg@10": 1.0}),
    "07 only irrelevant judgments": (
        of_run({"q1": ["a"], "q2": ["a"]}, {"q1": {"a": 1}, "q2": {"a": 0}}).means,
        {"mrr": 0.5, "ndcg@10": 0.5},
    ),
    "08 empty judgments": (
        of_run({"q1": ["a"], "q2": ["a"]}, {"q1": {"a": 1}, "q2": {}}).means,
        {"mrr": 0.5, "map": 0.5},
    ),
    "09 gains are linear": (
        scored(["d2", "d1"], {"d1": 3, "d2": 1}),
        {"ndcg@10": (1 + 3 / log2(3)) / (3 + 1 / log2(3))},
    ),
    "10 the ideal is cut at k": (scored(TWENTY[:10], TWENTY), {"ndcg@10": 1.0, "recall@10": 0.5}),
    "11 map divides by all relevant": (scored(TWENTY[:10], TWENTY), {"map": 0.5, "map@10": 0.5}),
    "12 precision divides by k": (scored(["a", "b", "x"], ["a", "b"]), {"precision@10": 0.2}),
    "13 the first hit behind the cut": (
        scored([*"abcdefghij", "r"], ["r"]),
        {"mrr": 1 / 11, "mrr@10": 0.0, "map": 1 / 11, "map@10": 0.0},
    ),
    "14 ndcg has no threshold": (
        scored(["d1", "d2"], {"d1": 1, "d2": 2}, 2),
        {"mrr": 0.5, "ndcg@10": (1 + 2 / log2(3)) / (2 + 1 / log2(3))},
    ),
    "16 a grade of -1 is not relevant": (
        scored(["u", "d2", "d1"], {"d1": 1, "d2": -1}),
        {"map": 1 / 3, "ndcg@10": 0.5},
    ),
    "18 fractional grades count": (
        scored(["a", "b"], {"a": 0.5, "b": 1.5}),
        {"recall@10": 1.0, "mrr": 1.0, "ndcg@10": (0.5 + 1.5 / log2(3)) / (1.5 + 0.5 / log2(3))},
    ),
    "19 all grades negative": (scored(["a"], {"a": -1, "b": -2}), dict.fromkeys(METRICS, 0.0)),
    "20 a huge grade": (
        scored(["b", "a"], {"a": 10**8, "b": 1}),
        {"ndcg@10": (1 + 1e8 / log2(3)) / (1e8 + 1 / log2(3)), "mrr": 1.0},
    ),
    "21 ids with NUL are compared whole": (scored(["a\0c"], ["a\0b"]), dict.fromkeys(METRICS, 0.0)),
    "22 half a surrogate pair": (scored({"\ud800": 1.0, "a": 1.0}, ["\ud800"]), {"mrr": 1.0, "map": 1.0}),
    "23 ids that are integers": (scored([7, 8], {8}), {"mrr": 0.5}),
    "23 numpy scores and grades": (
        scored({"a": np.float32(0.5), "b": np.float32(0.25)}, {"b": np.int64(2), "a": np.float32(0)}),
        {"mrr": 0.5, "ndcg@10": 1 / log2(3)},
    ),
    "24 a run without queries": (of_run({}, {"q1": ["a"]}).means, dict.fromkeys(METRICS, 0.0)),
    "25 a query without results": (scored({}, ["a"]), dict.fromkeys(METRICS, 0.0)),
    "26 a document with its query's id": (
        scored({"q1": 2.0, "a": 1.0}, {"q1": 1, "a": 1}),
        {"map": 1.0, "ndcg@10": 1.0},
    ),
    "27 values are not rounded": (scored(["x", "y", "a"], ["a"]), {"mrr": 0.3333333333333333}),
    "28 the unjudged keep their places": (
        scored(["u1", "d2", "d1"], {"d1": 1, "d2": 0}),
        {"ndcg@10": 0.5, "mrr": 1 / 3},
    ),
}


@pytest.mark.parametrize("trap", VALUES)
def test_a_trap_has_the_value_that_we_define(trap: str) -> None:
    """The values named in the row, to rounding."""
    computed, expected = VALUES[trap]

    assert {name: computed[name] for name in expected} == pytest.approx(expected, abs=1e-15)


REFUSED = {
    "04 an id twice": (["d1", "d1", "d2"], ["d1", "d2"], "ranking.duplicate"),
    "17 a NaN score first": ({"d1": nan, "d2": 1.0, "d3": 0.5}, ["d1"], "ranking.score"),
    "17 a NaN score last": ({"d2": 1.0, "d3": 0.5, "d1": nan}, ["d1"], "ranking.score"),
    "18 a NaN grade": (["a"], {"a": nan}, "ranking.grade"),
}


@pytest.mark.parametrize("trap", REFUSED)
def test_a_trap_without_a_value_is_refused(trap: str) -> None:
    """What has no value gets none."""
    ranking, relevant, code = REFUSED[trap]
    with pytest.raises(RankingError) as refused:
        scored(ranking, relevant)

    assert refused.value.code == code


def test_trap_01_the_bounds_show_how_much_a_tie_decides() -> None:
    """Anything between the first and the last place."""
    assert tie_bounds({"d1": 1.0, "d2": 1.0, "d3": 1.0}, ["d1"], "mrr") == (1 / 3, 1.0)


def test_trap_04_an_id_twice_never_passes_one() -> None:
    """The functions for one ranking count it at its first place."""
    values = [Metric(name, 10).compute(["d1", "d1", "d2"], ["d1", "d2"]) for name in ("recall", "ndcg", "map")]

    assert values == pytest.approx([1.0, 1.5 / (1 + 1 / log2(3)), (1 + 2 / 3) / 2])


def test_traps_05_to_08_are_counted() -> None:
    """Missing, unjudged and without relevant ids: the report can say all three."""
    scores = of_run(
        {"q1": ["a"], "q6": ["a"], "q7": ["a"], "q8": ["a"]}, {"q1": ["a"], "q5": ["a"], "q7": {"a": 0}, "q8": {}}
    )

    assert (scores.missing, scores.unjudged, scores.without_relevant) == (("q5",), ("q6",), ("q7", "q8"))


def test_trap_15_bpref_is_not_offered() -> None:
    """A measure that we do not have is refused, not approximated."""
    with pytest.raises(RankingError) as refused:
        Metric.parse("bpref")

    assert refused.value.code == "ranking.metric_unknown"


def test_trap_24_no_judgments_are_no_result() -> None:
    """Neither zero nor NaN."""
    with pytest.raises(RankingError) as refused:
        of_run({"q1": ["a"]}, {})

    assert refused.value.code == "ranking.no_queries"


def test_trap_25_a_query_without_results_is_not_missing() -> None:
    """An answer without results was still an answer."""
    assert of_run({"q1": {}}, {"q1": ["a"]}).missing == ()


def test_trap_27_equal_values_have_their_own_mean() -> None:
    """120 queries of 0.7 pass a gate of 0.7."""
    run = {f"q{number}": [*"abcdefg"] for number in range(120)}

    assert score_many(run, dict.fromkeys(run, frozenset("abcdefghij")), ["recall@10"]).means == {"recall@10": 0.7}
