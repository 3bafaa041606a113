"""A run against judgments in columns: the same bits as :func:`sekisho.ranking.score_many`, for millions of rows.

Ids are compared by 64-bit hashes, and every hit is verified on the texts; no vocabulary of ids is built, which costs
more than all the rest. Where something is not plain (a document twice, two ids with one hash, a metric that judgments
cannot give), the engine gives up, and the plain one says what is wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sekisho.ranking.columns_hits import find_matches
from sekisho.ranking.columns_order import rank_hits
from sekisho.ranking.columns_sides import Side, by_query, to_scores
from sekisho.ranking.columns_values import ColumnHits, ColumnJudgments
from sekisho.ranking.inputs import checked_threshold
from sekisho.ranking.judgment import LARGEST_GRADE
from sekisho.ranking.many import RunScores
from sekisho.ranking.names import parse_metric
from sekisho.ranking.summary import mean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sekisho.ranking.bounds import Bounds
    from sekisho.ranking.names import Metric


def score_arrays(
    run: Side,
    qrels: Side,
    metrics: Sequence[str | Metric],
    *,
    relevance_threshold: float | None = None,
) -> RunScores | None:
    """Return the scores of a run with bounds over tied ids, or None where the plain engine must look at it.

    Raises:
        RankingError: No such metric or threshold.
    """
    asked = tuple(dict.fromkeys(map(parse_metric, metrics)))
    threshold = checked_threshold(relevance_threshold)
    if not asked or any(metric.name == "overlap" for metric in asked) or np.abs(qrels.values).max() > LARGEST_GRADE:
        return None
    places = {query: place for place, query in enumerate(dict.fromkeys(qrels.queries))}
    unjudged = [query for query in dict.fromkeys(run.queries) if query not in places]
    judged_rows = by_query(qrels, places)
    run_rows = by_query(run, places | {query: len(places) + place for place, query in enumerate(unjudged)})
    matches = find_matches(run, qrels, run_rows, judged_rows)
    if matches is None or not len(matches.at):
        return None
    grades = qrels.values[matches.qrels_rows]
    gaining = grades > 0
    at, grades = matches.at[gaining], grades[gaining]
    cutoffs = tuple(dict.fromkeys(metric.k for metric in asked if metric.k is not None))
    ranked = rank_hits(run, run_rows, at, cutoffs, judged=len(places))
    judgments = ColumnJudgments(
        judged_rows.queries, judged_rows.take(qrels.values), count=len(places), threshold=threshold
    )
    hits = ColumnHits(run_rows.queries[at], ranked.ranks, grades, judgments)
    values = {str(metric): tuple(hits.values(metric).tolist()) for metric in asked}
    tied = {place: (to_scores(run, run_rows, place), to_scores(qrels, judged_rows, place)) for place in ranked.tied}
    ids, retrieved = tuple(places), set(run.queries)
    return RunScores(
        metrics=asked,
        query_ids=ids,
        values=values,
        means={name: mean(column) for name, column in values.items()},
        missing=tuple(query for query in ids if query not in retrieved),
        unjudged=tuple(unjudged),
        without_relevant=tuple(ids[place] for place in np.flatnonzero(judgments.relevant == 0).tolist()),
        duplicates={},
        ties={k: tuple(ids[place] for place in queries) for k, queries in ranked.crossing.items()},
        bounds=_bounds(values, tied, threshold),
    )


def _bounds(
    values: Mapping[str, tuple[float, ...]],
    tied: Mapping[int, tuple[dict[str, float], dict[str, float]]],
    threshold: float | None,
) -> dict[str, Bounds]:
    from sekisho.ranking.bounds import Bounds, tie_bounds  # noqa: PLC0415  most runs have no ties that matter

    means = {}
    for name, column in values.items():
        low, high = list(column), list(column)
        for place, (scores, grades) in tied.items():
            low[place], high[place] = tie_bounds(scores, grades, name, relevance_threshold=threshold)
        means[name] = Bounds(mean(low), mean(high))
    return means
