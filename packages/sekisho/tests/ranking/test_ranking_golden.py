"""Numbers that nobody here computed: trec_eval's own expected output, and a small table made with pytrec_eval."""

from __future__ import annotations

from collections import defaultdict
from math import fsum
from typing import TYPE_CHECKING, NamedTuple

import pytest

from sekisho.ranking import METRIC_NAMES, Metric, rank_by_score, score_many

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

QRELS = {
    "kyoto": {"p01": 3, "p02": 0, "p03": 1, "p04": 2, "p05": 0, "p06": 1},
    "nara": {"p11": 1, "p12": 1, "p13": 0},
    "uji": {"p21": 0, "p22": 0},
    "otsu": {"p31": 2, "p32": 1, "p33": 1, "p34": 3, "p35": 1, "p36": 2, "p37": 1},
}
RUN = {
    "kyoto": {
        "p02": 9.5,
        "p06": 9.5,
        "p01": 9.5,
        "p99": 8.25,
        "p04": 7.0,
        "p05": 7.0,
        "p98": 6.5,
        "p97": 1.0,
        "p03": -2.0,
    },
    "nara": {"p13": 4.0, "p90": 3.5, "p91": 3.0, "p92": 2.5, "p93": 2.0, "p12": 1.5},
    "uji": {"p21": 1.0, "p23": 0.5},
    "otsu": {
        "p37": 0.0,
        "p36": 0.25,
        "p35": 0.5,
        "p34": 0.75,
        "p33": 1.0,
        "p32": 1.25,
        "p31": 1.5,
        "p60": 1.5,
        "p61": 1.5,
    },
}
# pytrec-eval-terrier 0.5.11, in the order of QRELS.
EXPECTED = {
    "recall@1": (0.25, 0.0, 0.0, 0.0),
    "recall@3": (0.5, 0.0, 0.0, 0.14285714285714285),
    "recall@5": (0.5, 0.0, 0.0, 0.42857142857142855),
    "precision@1": (1.0, 0.0, 0.0, 0.0),
    "precision@3": (0.6666666666666666, 0.0, 0.0, 0.3333333333333333),
    "precision@5": (0.4, 0.0, 0.0, 0.6),
    "mrr": (1.0, 0.16666666666666666, 0.0, 0.3333333333333333),
    "map": (0.6527777777777777, 0.08333333333333333, 0.0, 0.6202947845804988),
    "map@3": (0.41666666666666663, 0.0, 0.0, 0.047619047619047616),
    "map@5": (0.41666666666666663, 0.0, 0.0, 0.20476190476190473),
    "ndcg@1": (0.3333333333333333, 0.0, 0.0, 0.0),
    "ndcg@3": (0.5250049893849101, 0.0, 0.0, 0.19004688335796713),
    "ndcg@5": (0.4814603054463053, 0.0, 0.0, 0.2989658012410077),
    "success@1": (1.0, 0.0, 0.0, 0.0),
    "success@3": (1.0, 0.0, 0.0, 1.0),
    "success@5": (1.0, 0.0, 0.0, 1.0),
}


class Output(NamedTuple):
    """One file that trec_eval printed, what it was made from, and at least how many of its measures we have."""

    expected: str
    qrels: str
    results: str
    measures: int
    depth: int | None = None
    threshold: int | None = None


OUTPUTS = [
    Output("out.test", "qrels.test", "results.test", 11),
    Output("out.test", "qrels.test.with-comments", "results.test", 11),
    Output("out.comment.test", "qrels.comment.test", "results.comment.test", 11),
    Output("out.test.a", "qrels.test", "results.test", 41),
    Output("out.test.aq", "qrels.test", "results.test", 41),
    Output("out.test.aqc", "qrels.test", "results.trunc", 41),
    Output("out.test.aqcM", "qrels.test", "results.trunc", 41, depth=100),
    Output("out.test.aql", "qrels.rel_level", "results.test", 41, threshold=2),
    Output("out.test.meas_params", "qrels.test", "results.test", 11),
]


def test_the_small_table_is_reproduced_to_the_last_bit() -> None:
    """Ties, grades from 0 to 3, relevant ids not retrieved, a query without relevant ids."""
    from_scores = score_many(RUN, QRELS, EXPECTED)
    from_rankings = score_many({query: rank_by_score(scores) for query, scores in RUN.items()}, QRELS, EXPECTED)

    assert from_scores.values == from_rankings.values == EXPECTED


@pytest.mark.shared_data
@pytest.mark.parametrize("output", OUTPUTS)
def test_the_output_of_trec_eval_is_reproduced_to_every_digit(shared_data: Path, output: Output) -> None:
    """Every measure that we have, for each query and over all, from ids with scores and from their ranking."""
    folder = shared_data / "metric-reference" / "trec_eval"
    expected = read_output(folder / output.expected)
    judged, run = read_qrels(folder / output.qrels), read_results(folder / output.results)
    rankings = {query: rank_by_score(scores)[: output.depth] for query, scores in run.items()}
    run = {query: {id_: run[query][id_] for id_ in ids} for query, ids in rankings.items()}
    metrics = {metric.trec_eval: metric for metric in map(metric_of, {name for name, _ in expected}) if metric}

    assert len(metrics) >= output.measures
    for ranked in (run, rankings):
        scores = score_many(ranked, judged, metrics.values(), relevance_threshold=output.threshold)
        computed = {(name, "all"): scores.means[str(metric)] for name, metric in metrics.items()} | {
            (name, query): value
            for name, metric in metrics.items()
            for query, value in zip(scores.query_ids, scores.values[str(metric)], strict=True)
        }
        wanted = {key: value for key, value in expected.items() if key[0] in metrics}
        assert {key: f"{computed[key]:.4f}" for key in wanted} == wanted


@pytest.mark.shared_data
def test_the_z_scores_of_trec_eval_are_reproduced(shared_data: Path) -> None:
    """Values of three queries, compared with means and deviations over many systems."""
    folder = shared_data / "metric-reference" / "trec_eval"
    norms = {}
    for line in (folder / "zscores_file").read_text().splitlines():
        query, name, mean, deviation = line.split()
        norms[name, query] = float(mean), float(deviation)
    expected = {
        (name.removeprefix("Z"), query): value
        for (name, query), value in read_output(folder / "out.test.aqZ").items()
        if metric_of(name.removeprefix("Z")) and query != "all"
    }
    metrics = {name: metric_of(name) for name, _ in expected}

    scores = score_many(read_results(folder / "results.test"), read_qrels(folder / "qrels.test"), metrics.values())

    assert len(expected) > 100
    for (name, query), value in expected.items():
        computed = scores.values[str(metrics[name])][scores.query_ids.index(query)]
        mean, deviation = norms[name, query]
        assert f"{(computed - mean) / deviation:.4f}" == value


@pytest.mark.shared_data
def test_the_mean_of_the_printed_values_is_the_printed_mean(shared_data: Path) -> None:
    """The reader of this module reads what trec_eval wrote: its totals are the means of its lines."""
    expected = read_output(shared_data / "metric-reference" / "trec_eval" / "out.test.aq")
    by_measure = defaultdict(list)
    for (name, query), value in expected.items():
        if metric_of(name) and query != "all":
            by_measure[name].append(float(value))

    assert len(by_measure) == 41
    for name, values in by_measure.items():
        assert fsum(values) / 3 == pytest.approx(float(expected[name, "all"]), abs=1.1e-4)


def metric_of(trec_eval: str) -> Metric | None:
    """Return our metric with this name in trec_eval, or None."""
    _, _, digits = trec_eval.rpartition("_")
    k = int(digits) if digits.isdigit() else None
    names = METRIC_NAMES if k else ("mrr", "map")
    return next((metric for metric in (Metric(name, k) for name in names) if metric.trec_eval == trec_eval), None)


def read_output(path: Path) -> dict[tuple[str, str], str]:
    """Return what trec_eval printed: measure and query to text."""
    return {(name, query): value for name, query, value in fields(path, 3)}


def read_qrels(path: Path) -> dict[str, dict[str, int]]:
    """Return judgments: query to id to grade."""
    qrels: dict[str, dict[str, int]] = defaultdict(dict)
    for query, _, id_, grade in fields(path, 4):
        qrels[query][id_] = int(grade)
    return qrels


def read_results(path: Path) -> dict[str, dict[str, float]]:
    """Return a run: query to id to score."""
    run: dict[str, dict[str, float]] = defaultdict(dict)
    for query, _, id_, _, score in fields(path, 5):
        run[query][id_] = float(score)
    return run


def fields(path: Path, count: int) -> Iterator[list[str]]:
    """Yield the first fields of each line; lines that begin with # are comments."""
    for line in path.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            yield line.split(maxsplit=count)[:count]
