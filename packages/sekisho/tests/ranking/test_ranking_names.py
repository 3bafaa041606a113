"""Metrics as values."""

from __future__ import annotations

import copy
import pickle

import pytest

from sekisho.core.errors import RankingError
from sekisho.ranking import METRIC_NAMES, Metric, average_precision, ndcg_at_k, parse_metric, reciprocal_rank

SPELLINGS = {
    "recall@10": "recall_10",
    "precision@5": "P_5",
    "mrr": "recip_rank",
    "mrr@10": None,
    "map": "map",
    "map@100": "map_cut_100",
    "ndcg@10": "ndcg_cut_10",
    "success@5": "success_5",
    "overlap@10": None,
}
SUGGESTIONS = {
    "nDCG@10": "ndcg@10",
    "NDCG@5": "ndcg@5",
    "P_10": "precision@10",
    "P@5": "precision@5",
    "recall_10": "recall@10",
    "R@20": "recall@20",
    "Recall@20": "recall@20",
    "ndcg_cut_10": "ndcg@10",
    "recip_rank": "mrr",
    "RR@10": "mrr@10",
    "map_cut_10": "map@10",
    "AP": "map",
    "success_5": "success@5",
    "hit_rate@5": "success@5",
    "recal@10": "recall@10",
    " recall@10": "recall@10",
    "mean_average_precision": "map",
}


@pytest.mark.parametrize(("name", "trec_eval"), SPELLINGS.items())
def test_a_name_is_parsed_and_printed_the_same(name: str, trec_eval: str | None) -> None:
    """Parsing and printing are inverse, and each metric knows its name in trec_eval."""
    metric = Metric.parse(name)

    assert str(metric) == name
    assert eval(repr(metric), {"Metric": Metric}) == metric  # noqa: S307  our own text
    assert metric.trec_eval == trec_eval


def test_equal_metrics_are_one_key_and_survive_copies() -> None:
    """Equality and hash go by name and cut-off, also after pickling."""
    metric = Metric.parse("recall@10")

    assert metric == Metric("recall", 10) == parse_metric(metric)
    assert len({metric, Metric("recall", 10), pickle.loads(pickle.dumps(metric)), copy.deepcopy(metric)}) == 1  # noqa: S301  our own bytes
    assert metric != Metric("recall", 5)
    assert metric != "recall@10"


def test_a_metric_cannot_be_changed() -> None:
    """Neither set nor deleted."""
    metric = Metric("recall", 10)

    with pytest.raises(AttributeError):
        metric.k = 5
    with pytest.raises(AttributeError):
        del metric.k


def test_metrics_sort_in_the_order_of_reports() -> None:
    """By the table of names, then by cut-off as a number."""
    shuffled = ["ndcg@10", "map@5", "recall@10", "map", "mrr", "recall@5", "overlap@10"]

    assert [str(metric) for metric in sorted(map(Metric.parse, shuffled))] == [
        "recall@5",
        "recall@10",
        "mrr",
        "map",
        "map@5",
        "ndcg@10",
        "overlap@10",
    ]


@pytest.mark.parametrize(("written", "meant"), SUGGESTIONS.items())
def test_a_misspelt_or_foreign_name_gets_ours(written: str, meant: str) -> None:
    """The error says which name was most likely meant, with the cut-off that was written."""
    with pytest.raises(RankingError) as refused:
        Metric.parse(written)

    assert refused.value.code == "ranking.metric_misspelt"
    assert refused.value.values["suggestion"] == meant


@pytest.mark.parametrize("written", ["bpref", "zzz", "", "@", "@10", "\n", "日本語", 10, None])
def test_a_name_like_none_gets_the_list(written: object) -> None:
    """Where nothing is close, the error lists what there is."""
    with pytest.raises(RankingError) as refused:
        Metric.parse(written)  # type: ignore[arg-type]  # wrong types are among the subjects

    assert refused.value.code == "ranking.metric_unknown"


@pytest.mark.parametrize("name", ["recall", "precision", "ndcg", "success", "overlap"])
def test_a_missing_cutoff_is_said_with_how_to_write_it(name: str) -> None:
    """Only mrr and map may go over the whole ranking."""
    with pytest.raises(RankingError) as refused:
        Metric.parse(name)

    assert refused.value.code == "ranking.metric_needs_cutoff"
    assert f"{name}@10" in str(refused.value)


@pytest.mark.parametrize("digits", ["", "0", "01", "+1", "-1", "1.0", "x", "１０", "1_0", " 1", "1 ", "1234567890"])
def test_a_malformed_cutoff_is_refused(digits: str) -> None:
    """A cut-off is written in plain digits, in one way only."""
    with pytest.raises(RankingError) as refused:
        Metric.parse(f"recall@{digits}")

    assert refused.value.code == "ranking.metric_cutoff"


def test_a_metric_computes_what_its_function_does() -> None:
    """Names are values: each is also the calculation."""
    ranking, grades = ["a", "b", "c"], {"b": 1, "c": 2}

    assert Metric("ndcg", 3).compute(ranking, grades, relevance_threshold=2) == ndcg_at_k(ranking, grades, 3)
    assert Metric("mrr").compute(ranking, grades, relevance_threshold=2) == 1 / 3
    assert Metric("mrr", 2).compute(ranking, grades) == reciprocal_rank(ranking, grades, 2)
    assert Metric("map", 2).compute(ranking, grades) == average_precision(ranking, grades, 2)
    assert [Metric(name, 2).compute(ranking, grades) for name in ("recall", "precision", "success", "overlap")] == [
        0.5,
        0.5,
        1.0,
        0.5,
    ]


def test_every_name_has_a_value() -> None:
    """No name of the table is forgotten by the calculation."""
    assert [Metric(name, 1).compute(["a"], ["a"]) for name in METRIC_NAMES] == [1.0] * len(METRIC_NAMES)
