"""A run against judgments: what is measured, what is not, and that both are said."""

from __future__ import annotations

import pytest

from sekisho.core.errors import RankingError
from sekisho.ranking import Bounds, Metric, ndcg_at_k, recall_at_k, score_many

METRICS = ["recall@10", "precision@10", "mrr", "map", "ndcg@10"]


def test_missing_counts_zero_and_unjudged_is_left_out() -> None:
    """The mean goes over all judged queries, and both kinds are listed."""
    scores = score_many({"q1": ["a"], "stray": ["a"]}, {"q1": ["a"], "q2": ["b"]}, METRICS)

    assert scores.query_ids == ("q1", "q2")
    assert scores.values["recall@10"] == (1.0, 0.0)
    assert scores.means["mrr"] == 0.5
    assert scores.missing == ("q2",)
    assert scores.unjudged == ("stray",)


def test_an_empty_result_is_not_missing() -> None:
    """The system answered, with nothing."""
    scores = score_many({"q1": [], "q2": {}}, {"q1": ["a"], "q2": {"a": 2}}, METRICS)

    assert scores.missing == ()
    assert set(scores.means.values()) == {0.0}


def test_a_query_without_relevant_ids_counts_zero_and_is_listed() -> None:
    """Whether its judgments are empty, or all below the threshold."""
    run = {"q1": ["a"], "q2": ["a"], "q3": ["a"]}

    scores = score_many(run, {"q1": {"a": 1}, "q2": {"a": 2}, "q3": []}, METRICS, relevance_threshold=2)

    assert scores.without_relevant == ("q1", "q3")
    assert scores.means["recall@10"] == 1 / 3
    assert scores.values["ndcg@10"] == (1.0, 1.0, 0.0)


def test_a_repeated_id_is_refused_with_its_query() -> None:
    """As trec_eval refuses it; the error says which, where, and what to do."""
    with pytest.raises(RankingError) as refused:
        score_many({"q1": ["a"], "q2": ["b", "a", "b"]}, {"q1": ["a"], "q2": ["a"]}, METRICS)

    assert refused.value.code == "ranking.duplicate"
    assert all(part in str(refused.value) for part in ("'q2'", "'b'", "first"))
    assert refused.value.render("ja").startswith("クエリ 'q2'")


def test_a_repeated_id_counts_first_where_asked() -> None:
    """Its later places stay taken, and the repetition is listed."""
    run = {"q1": ["a", "a", "b"], "q2": ("c", "d")}

    scores = score_many(run, {"q1": ["a", "b"], "q2": ["d"]}, ["recall@2", "ndcg@3"], duplicates="first")

    assert scores.duplicates == {"q1": ("a",)}
    assert scores.values["recall@2"] == (0.5, 1.0)
    assert scores.values["ndcg@3"][0] == ndcg_at_k(["a", None, "b"], ["a", "b"], 3)


def test_ties_are_listed_for_each_cutoff_and_bound_the_means() -> None:
    """Two queries with scores, one of them with a tie across rank 1; a list has no ties."""
    run = {"q1": {"a": 1.0, "b": 1.0, "c": 0.5}, "q2": {"a": 3, "b": 2}, "q3": ["a", "b"]}
    qrels = {"q1": ["a"], "q2": ["a"], "q3": ["a"]}

    scores = score_many(run, qrels, ["recall@1", "recall@2", "mrr"], with_bounds=True)

    assert scores.ties == {1: ("q1",), 2: ()}
    assert scores.means["mrr"] == pytest.approx(2.5 / 3)
    assert scores.bounds == {
        "recall@1": Bounds(2 / 3, 1.0),
        "recall@2": Bounds(1.0, 1.0),
        "mrr": Bounds(pytest.approx(2.5 / 3), 1.0),
    }


def test_bounds_are_left_out_unless_asked_for() -> None:
    """They cost two rankings a metric and tied query."""
    assert score_many({"q1": {"a": 1.0, "b": 1.0}}, {"q1": ["a"]}, ["mrr"]).bounds is None


def test_the_arguments_stay_as_they_were() -> None:
    """Neither the run nor the judgments are changed, also where a document has the id of its query."""
    run = {"q1": {"q1": 2.0, "a": 1.0}}
    qrels = {"q1": {"q1": 1, "a": 0}}

    scores = score_many(run, qrels, METRICS)

    assert scores.means["mrr"] == 1.0
    assert run == {"q1": {"q1": 2.0, "a": 1.0}}
    assert qrels == {"q1": {"q1": 1, "a": 0}}


def test_deep_cutoffs_and_long_rankings_are_measured_as_by_the_functions() -> None:
    """Beyond the depth for which discounts are prepared in advance."""
    ranking = [f"d{place}" for place in range(3000)]
    relevant = set(ranking[::700]) | {"missing"}

    scores = score_many({"q1": ranking}, {"q1": relevant}, ["ndcg@2500", "ndcg@999999999", "recall@2500"])

    assert scores.means == {
        "ndcg@2500": ndcg_at_k(ranking, relevant, 2500),
        "ndcg@999999999": ndcg_at_k(ranking, relevant, 10**9),
        "recall@2500": recall_at_k(ranking, relevant, 2500),
    }


def test_a_metric_that_is_asked_for_twice_counts_once() -> None:
    """Names and values may be mixed, and one name may stand alone."""
    scores = score_many({"q1": ["a"]}, {"q1": ["a"]}, ["mrr", Metric("mrr"), "map"])

    assert scores.metrics == (Metric("mrr"), Metric("map"))
    assert score_many({"q1": ["a"]}, {"q1": ["a"]}, "recall@10").means == {"recall@10": 1.0}


@pytest.mark.parametrize(
    ("run", "qrels", "metrics", "code"),
    [
        ({}, {}, ["mrr"], "no_queries"),
        ({}, {"q": ["a"]}, [], "no_metrics"),
        ({}, {"q": ["a"]}, ["overlap@10"], "overlap_of_qrels"),
        ({"q": "abc"}, {"q": ["a"]}, ["mrr"], "retrieved_is_text"),
        ({"q": {"a"}}, {"q": ["a"]}, ["mrr"], "retrieved_unordered"),
        ({"q": ["a"]}, {"q": "abc"}, ["mrr"], "relevant_is_text"),
        ({"q": ["a"]}, {"q": {"a": float("nan")}}, ["mrr"], "grade"),
        ({"q": {"a": 1.0, "b": 1.0, 3: 1.0}}, {"q": ["a"]}, ["mrr"], "id_not_text"),
    ],
)
def test_what_cannot_be_measured_is_refused(run: dict, qrels: dict, metrics: list[str], code: str) -> None:  # type: ignore[type-arg]  # wrong types are among the subjects
    """With the code of what is wrong."""
    with pytest.raises(RankingError) as refused:
        score_many(run, qrels, metrics)

    assert refused.value.code == f"ranking.{code}"


def test_an_unknown_treatment_of_duplicates_is_refused() -> None:
    """A typing mistake must not choose one of the two."""
    with pytest.raises(RankingError) as refused:
        score_many({}, {"q": ["a"]}, ["mrr"], duplicates="last")  # type: ignore[arg-type]  # the subject

    assert refused.value.code == "ranking.duplicates_option"


def test_an_error_that_is_not_ours_passes_as_it_is() -> None:
    """A ranking whose iteration fails is no refusal of ours."""

    def broken() -> object:
        yield "a"
        raise ValueError

    with pytest.raises(ValueError) as failed:
        score_many({"q": broken()}, {"q": ["a"]}, ["mrr"])  # type: ignore[dict-item]  # the subject

    assert not isinstance(failed.value, RankingError)
