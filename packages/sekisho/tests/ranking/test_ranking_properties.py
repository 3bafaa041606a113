"""What holds for every ranking."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sekisho.ranking import METRIC_NAMES, Metric, recall_at_k, score_many

IDS = st.sampled_from("abcdefghij")
RANKINGS = st.lists(IDS, max_size=12)
DISTINCT = st.lists(IDS, max_size=10, unique=True)
GRADES = st.dictionaries(IDS, st.one_of(st.integers(-2, 4), st.floats(-1, 5)), max_size=10)
CUTOFFS = st.integers(1, 12)
THRESHOLDS = st.sampled_from([None, 0.5, 1, 2, 3])
METRICS = st.one_of(
    st.builds(Metric, st.sampled_from(METRIC_NAMES), CUTOFFS), st.builds(Metric, st.sampled_from(["mrr", "map"]))
)
SCORED = [Metric(name, k) for name in METRIC_NAMES if name != "overlap" for k in (1, 3, 2000)]


@given(RANKINGS, GRADES, METRICS, THRESHOLDS)
def test_every_value_lies_between_zero_and_one(
    ranking: list[str], grades: dict[str, float], metric: Metric, threshold: float | None
) -> None:
    """Also with repeated ids, fractional and negative grades."""
    assert 0.0 <= metric.compute(ranking, grades, relevance_threshold=threshold) <= 1.0


@given(GRADES, METRICS)
def test_the_ideal_ranking_reaches_what_its_length_allows(grades: dict[str, float], metric: Metric) -> None:
    """In descending order of grades every metric but precision and those cut before all relevant ids is 1."""
    ideal = sorted(grades, key=lambda id_: -grades[id_])
    relevant = sum(grade > 0 for grade in grades.values())
    whole = metric.name in ("ndcg", "mrr", "success") or (
        metric.name in ("recall", "map") and (metric.k or 99) >= relevant
    )

    assert not (whole and relevant) or metric.compute(ideal, grades) == 1.0


@given(RANKINGS, GRADES, METRICS.filter(lambda metric: metric.k is not None), st.randoms(use_true_random=False))
def test_what_stands_behind_the_cut_has_no_effect(
    ranking: list[str], grades: dict[str, float], metric: Metric, random: object
) -> None:
    """Any other order of the ids behind k gives the same value."""
    tail = ranking[metric.k :]
    random.shuffle(tail)  # type: ignore[attr-defined]  # hypothesis has no public type for it

    assert metric.compute(ranking[: metric.k] + tail, grades) == metric.compute(ranking, grades)


@given(RANKINGS, GRADES, CUTOFFS, CUTOFFS)
def test_recall_never_falls_with_a_deeper_cut(ranking: list[str], grades: dict[str, float], one: int, two: int) -> None:
    """More places, at least as many hits."""
    shallow, deep = sorted((one, two))

    assert recall_at_k(ranking, grades, shallow) <= recall_at_k(ranking, grades, deep)


@given(DISTINCT, st.sets(IDS, min_size=1), CUTOFFS, st.data())
def test_one_more_relevant_id_never_lowers_recall(
    ranking: list[str], relevant: set[str], k: int, data: st.DataObject
) -> None:
    """Put in place of an irrelevant id, or at the end, it can only help."""
    added = data.draw(st.sampled_from(sorted(relevant)))
    misses = [place for place, id_ in enumerate(ranking) if id_ not in relevant]
    place = data.draw(st.sampled_from([*misses, len(ranking)]))
    better = [*ranking[:place], added, *ranking[place + 1 :]]

    assert recall_at_k(better, relevant, k) >= recall_at_k(ranking, relevant, k)


@given(DISTINCT, GRADES, THRESHOLDS)
def test_a_threshold_is_the_same_as_leaving_the_lower_grades_out(
    ranking: list[str], grades: dict[str, float], threshold: float | None
) -> None:
    """For every metric but nDCG."""
    kept = {id_ for id_, grade in grades.items() if grade > 0 and grade >= (threshold or 0)}

    for metric in (Metric("recall", 3), Metric("precision", 3), Metric("success", 3), Metric("mrr"), Metric("map")):
        assert metric.compute(ranking, grades, relevance_threshold=threshold) == metric.compute(ranking, kept)


@given(st.lists(st.tuples(RANKINGS, GRADES), min_size=1, max_size=4), THRESHOLDS)
def test_the_engine_has_the_bits_of_the_functions(
    queries: list[tuple[list[str], dict[str, float]]], threshold: float | None
) -> None:
    """For lists with repeated ids, at every cut-off, with and without a threshold."""
    run = {f"q{place}": ranking for place, (ranking, _) in enumerate(queries)}
    qrels = {f"q{place}": grades for place, (_, grades) in enumerate(queries)}
    asked = [*SCORED, Metric("mrr"), Metric("map")]

    scores = score_many(run, qrels, asked, duplicates="first", relevance_threshold=threshold)

    assert scores.values == {
        str(metric): tuple(
            metric.compute(ranking, grades, relevance_threshold=threshold) for ranking, grades in queries
        )
        for metric in asked
    }
