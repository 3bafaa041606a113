"""Ten thousand random queries against pytrec_eval: equal in every bit.

Scores are multiples of 1/8, which float32 holds exactly, since pytrec_eval compares scores as float32. Where it adds
up floats (``map``, ``map_cut``, ``ndcg_cut``) it adds in the order of ranks, which we do too, and divides each gain by
the same log2, so that no measure needs a tolerance.
"""

from __future__ import annotations

from random import Random

import pytest
import pytrec_eval

from sekisho.ranking import Metric, rank_by_score, score_many

QUERIES = 10_000
MEASURES = {"recall.1,5,10", "P.1,5,10", "recip_rank", "map", "map_cut.5,10", "ndcg_cut.1,5,10", "success.1,5,10"}
METRICS = [
    Metric("mrr"),
    Metric("map"),
    *(Metric(name, k) for name in ("recall", "precision", "ndcg", "success") for k in (1, 5, 10)),
    Metric("map", 5),
    Metric("map", 10),
]


def random_queries() -> tuple[dict[str, dict[str, float]], dict[str, dict[str, int]]]:
    """Return a run with many ties, and judgments from -1 to 4 of which some are retrieved."""
    random = Random(20_26)  # noqa: S311  no secret
    run, qrels = {}, {}
    for query in range(QUERIES):
        ids = [f"d{number}" for number in random.sample(range(60), random.randint(1, 30))]
        step = random.choice([1, 4, 400])
        run[f"q{query}"] = {id_: random.randint(-step, step) / 8 for id_ in ids}
        judged = random.sample(range(60), random.randint(1, 25))
        grades = random.choice([[1], [0, 1], [-1, 0, 1, 2, 3, 4]])
        qrels[f"q{query}"] = {f"d{number}": random.choice(grades) for number in judged}
    return run, qrels


@pytest.fixture(scope="module")
def queries() -> tuple[dict[str, dict[str, float]], dict[str, dict[str, int]]]:
    """Return the same queries to each test."""
    return random_queries()


@pytest.mark.parametrize("threshold", [1, 2])
def test_every_value_equals_that_of_pytrec_eval(
    queries: tuple[dict[str, dict[str, float]], dict[str, dict[str, int]]], threshold: int
) -> None:
    """From ids with scores and from rankings, bit for bit, at both relevance levels."""
    run, qrels = queries

    theirs = pytrec_eval.RelevanceEvaluator(qrels, MEASURES, relevance_level=threshold).evaluate(run)
    from_scores = score_many(run, qrels, METRICS, relevance_threshold=threshold)
    rankings = {query: rank_by_score(scores) for query, scores in run.items()}
    from_rankings = score_many(rankings, qrels, METRICS, relevance_threshold=threshold)

    assert from_scores.query_ids == tuple(theirs)
    for metric in METRICS:
        expected = tuple(values[metric.trec_eval] for values in theirs.values())
        assert from_scores.values[str(metric)] == expected, metric
        assert from_rankings.values[str(metric)] == expected, metric
