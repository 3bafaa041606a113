"""Many queries at once: a run against judgments, as ``sekisho score`` does it."""

from __future__ import annotations

from collections.abc import Mapping

from sekisho.ranking.frozen import Frozen
from sekisho.ranking.hits import find_in_list, find_in_scores
from sekisho.ranking.inputs import checked_threshold, duplicate_ids, ranked_ids
from sekisho.ranking.judgment import judge
from sekisho.ranking.names import parse_metric
from sekisho.ranking.order import float_scores, tie_crosses
from sekisho.ranking.refusal import in_query, refusal
from sekisho.ranking.summary import mean
from sekisho.ranking.values import value_of

TYPE_CHECKING = False  # see refusal.py
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence
    from typing import Literal, SupportsFloat

    from sekisho.ranking.bounds import Bounds
    from sekisho.ranking.names import Metric

    Ranking = Sequence[Hashable] | Mapping[str, SupportsFloat]
    Relevant = Mapping[str, float] | Iterable[Hashable]


class RunScores(Frozen):
    """The values of a run, query by query and as means, and what they were and were not measured on.

    Attributes:
        metrics: What was asked for, in that order. The mappings below go by their printed names.
        query_ids: The judged queries, in the order of the judgments.
        values: Name of a metric to one value a query, in the order of ``query_ids``.
        means: Name of a metric to its mean over ``query_ids``.
        missing: Judged queries that the run lacks; each counts 0 (``trec_eval -c``).
        unjudged: Queries of the run without judgments; they are left out.
        without_relevant: Queries whose judgments hold no relevant id; each counts 0.
        duplicates: Query to the ids that came more than once; empty unless ``duplicates="first"``.
        ties: Cut-off to the queries with scores in which a tie crosses it; one entry for each cut-off of ``metrics``.
        bounds: Name of a metric to the bounds of its mean over all orders of tied ids; None unless asked for.
    """

    __slots__ = (
        "bounds",
        "duplicates",
        "means",
        "metrics",
        "missing",
        "query_ids",
        "ties",
        "unjudged",
        "values",
        "without_relevant",
    )

    metrics: tuple[Metric, ...]
    query_ids: tuple[str, ...]
    values: Mapping[str, tuple[float, ...]]
    means: Mapping[str, float]
    missing: tuple[str, ...]
    unjudged: tuple[str, ...]
    without_relevant: tuple[str, ...]
    duplicates: Mapping[str, tuple[Hashable, ...]]
    ties: Mapping[int, tuple[str, ...]]
    bounds: Mapping[str, Bounds] | None


def score_many(
    run: Mapping[str, Ranking],
    qrels: Mapping[str, Relevant],
    metrics: Iterable[str | Metric],
    *,
    duplicates: Literal["refuse", "first"] = "refuse",
    relevance_threshold: float | None = None,
    with_bounds: bool = False,
) -> RunScores:
    """Return the values of metrics for every judged query of a run, and their means.

    Each value equals, bit for bit, what the function of :mod:`sekisho.ranking.metrics` returns for that query. One walk
    over a ranking serves all metrics and cut-offs; of results with scores only the relevant ids are looked up.

    Args:
        run: Query to its ranking: ids, best first, or id to score (then ordered as by
            :func:`~sekisho.ranking.rank_by_score`).
        qrels: Query to its relevant ids, or id to grade.
        metrics: Names or :class:`~sekisho.ranking.Metric` values; one that comes twice counts once.
        duplicates: What to do with a list that holds an id twice: refuse it, as trec_eval does, or count each id at its
            first place only, its later places staying taken.
        relevance_threshold: Lowest grade that counts as relevant, for all metrics but nDCG; None for all above 0.
        with_bounds: Whether to work out how far ties can move the means: two more rankings a metric and tied query.

    Raises:
        RankingError: No judged query or no metric; ``overlap@k``, whose truth judgments do not hold; an id twice; what
            the metrics themselves refuse, the query named.
    """
    asked = _asked(metrics)
    if duplicates not in ("refuse", "first"):
        raise refusal("ranking.duplicates_option", value=duplicates)
    if not qrels:
        raise refusal("ranking.no_queries")
    reading = _Reading(asked, threshold=checked_threshold(relevance_threshold), duplicates=duplicates)
    for query, relevant in qrels.items():
        reading.read(query, run.get(query), relevant)
    values = {str(metric): tuple(column) for metric, column in zip(asked, reading.columns, strict=True)}
    return RunScores(
        metrics=asked,
        query_ids=tuple(qrels),
        values=values,
        means={name: mean(column) for name, column in values.items()},
        missing=tuple(reading.missing),
        unjudged=tuple(query for query in run if query not in qrels),
        without_relevant=tuple(reading.without_relevant),
        duplicates=reading.repeated,
        ties={k: tuple(queries) for k, queries in reading.ties.items()},
        bounds=_bounds(run, qrels, reading, values) if with_bounds else None,
    )


def _asked(metrics: Iterable[str | Metric]) -> tuple[Metric, ...]:
    names = (metrics,) if isinstance(metrics, str) else metrics
    asked = tuple(dict.fromkeys(map(parse_metric, names)))
    if not asked:
        raise refusal("ranking.no_metrics")
    for metric in asked:
        if metric.name == "overlap":
            raise refusal("ranking.overlap_of_qrels", metric=str(metric))
    return asked


class _Reading:
    """The walk over the queries: values, and what the report must say beside them."""

    def __init__(self, asked: Sequence[Metric], *, threshold: float | None, duplicates: str) -> None:
        self.threshold = threshold
        self._keep_first = duplicates == "first"
        self.columns: list[list[float]] = [[] for _ in asked]
        self._cells = [(column.append, value_of(metric)) for column, metric in zip(self.columns, asked, strict=True)]
        self.ties: dict[int, list[str]] = {metric.k: [] for metric in asked if metric.k is not None}
        self.missing: list[str] = []
        self.without_relevant: list[str] = []
        self.repeated: dict[str, tuple[Hashable, ...]] = {}

    def read(self, query: str, ranking: Ranking | None, relevant: Relevant) -> None:
        """Take in one query; ``ranking`` is None where the run lacks it."""
        try:
            judgment = judge(relevant, self.threshold)
            if not judgment.relevant:
                self.without_relevant.append(query)
            if isinstance(ranking, list):  # the most common first; an abstract class is slow to ask
                repeats = len(set(ranking)) < len(ranking)
                find_in_list(judgment, self._first_places(query, ranking) if repeats else ranking)
            elif isinstance(ranking, (dict, Mapping)):
                self._note_ties(query, find_in_scores(judgment, ranking))
            elif ranking is None:
                self.missing.append(query)
            else:
                find_in_list(judgment, self._first_places(query, list(ranked_ids(ranking))))
        except ValueError as error:
            raise in_query(error, query) from error
        for append, value in self._cells:
            append(value(judgment))

    def _first_places(self, query: str, ids: list[Hashable]) -> list[Hashable]:
        repeated = duplicate_ids(ids)
        if not repeated:
            return ids
        if not self._keep_first:
            raise refusal("ranking.duplicate", id=repeated[0], count=len(repeated))
        self.repeated[query] = repeated
        return _first_places(ids)

    def _note_ties(self, query: str, ascending: list[float]) -> None:
        for k, queries in self.ties.items():
            if tie_crosses(ascending, k):
                queries.append(query)


def _first_places(ids: list[Hashable]) -> list[Hashable]:
    taken = object()  # equal to no id
    first: dict[Hashable, int] = {}
    for place, id_ in enumerate(ids):
        first.setdefault(id_, place)
    return [id_ if first[id_] == place else taken for place, id_ in enumerate(ids)]


def _bounds(
    run: Mapping[str, Ranking], qrels: Mapping[str, Relevant], reading: _Reading, values: Mapping[str, Sequence[float]]
) -> dict[str, Bounds]:
    from sekisho.ranking.bounds import Bounds, tie_bounds  # noqa: PLC0415  most runs need no bounds

    rankings = ((place, run.get(query), relevant) for place, (query, relevant) in enumerate(qrels.items()))
    tied = [
        (place, ranking, relevant)
        for place, ranking, relevant in rankings
        if isinstance(ranking, Mapping) and len(set(float_scores(ranking))) < len(ranking)
    ]
    means = {}
    for name, column in values.items():
        low, high = list(column), list(column)
        for place, scores, relevant in tied:
            low[place], high[place] = tie_bounds(scores, relevant, name, relevance_threshold=reading.threshold)
        means[name] = Bounds(mean(low), mean(high))
    return means
