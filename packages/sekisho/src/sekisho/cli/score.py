"""``sekisho score``: a run file against a file of judgments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from sekisho.cli import help as pages
from sekisho.cli.output import Output
from sekisho.core.messages import message

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sekisho.core.messages import Language
    from sekisho.ranking.many import RunScores

DEFAULT_METRICS = ("recall@10", "precision@10", "mrr", "map", "ndcg@10")
_SHOWN = 5  # ids that the text names; the document for programs holds all


def build(language: Language) -> click.Command:
    """Return the command in one language."""

    def run(**options: Any) -> int:  # noqa: ANN401  the options below
        return _score(language, **options)

    def say(name: str) -> str:
        return message(f"files.score_{name}", language)

    parameters: list[click.Parameter] = [
        click.Argument(["run"], metavar="RUN"),
        click.Argument(["qrels"], metavar="QRELS"),
        click.Option(["-m", "--metric", "metrics"], multiple=True, metavar="METRIC", help=say("metric")),
        click.Option(["--per-query"], is_flag=True, help=say("per_query")),
        click.Option(["--duplicates"], type=click.Choice(["error", "first"]), default="error", help=say("duplicates")),
        click.Option(["--relevance-threshold"], type=float, default=1.0, metavar="GRADE", help=say("threshold")),
        click.Option(["--json", "as_json"], is_flag=True, help=say("json")),
    ]
    return pages.Command(
        "score", language=language, callback=run, params=parameters, help=message("files.help_score", language)
    )


def _score(
    language: Language,
    *,
    run: str,
    qrels: str,
    metrics: tuple[str, ...],
    per_query: bool,
    duplicates: Any,  # noqa: ANN401  one of two words, which click has checked
    relevance_threshold: float,
    as_json: bool,
) -> int:
    from sekisho.adapters.files.score import score_files  # noqa: PLC0415  after the words have been checked

    scores = score_files(
        run, qrels, metrics or DEFAULT_METRICS, duplicates=duplicates, relevance_threshold=relevance_threshold
    )
    text = [*(_per_query(scores) if per_query else ()), *_summary(scores, language)]
    output = Output(as_json=as_json)
    with output.text() as stream:
        stream.write("\n".join(text) + "\n")
    if as_json:
        import json  # noqa: PLC0415  only when asked for

        document = json.dumps(_document(scores, run, qrels, per_query=per_query), ensure_ascii=False, indent=1)
        output.write_document(document.encode("utf-8", "backslashreplace") + b"\n")
    return 0


def _per_query(scores: RunScores) -> Iterator[str]:
    """Yield a line for each query and metric, as ``trec_eval -q`` does."""
    from sekisho.core.text import printable  # noqa: PLC0415  only when asked for

    for place, query in enumerate(scores.query_ids):
        for metric in scores.metrics:
            yield f"{metric!s:<14}\t{printable(query)}\t{scores.values[str(metric)][place]:.4f}"


def _summary(scores: RunScores, language: Language) -> Iterator[str]:
    count = len(scores.query_ids)
    for metric in scores.metrics:
        name = str(metric)
        yield f"{name:<14}\t{scores.means[name]:.4f}\t{message('files.score_queries', language, count=count)}"
    yield from _counts(scores, language)
    yield from _ties(scores, language)
    yield from _spelling(scores, language)


def _counts(scores: RunScores, language: Language) -> Iterator[str]:
    for name, ids in (
        ("missing", scores.missing),
        ("unjudged", scores.unjudged),
        ("without_relevant", scores.without_relevant),
        ("repeated", tuple(scores.duplicates)),
    ):
        if ids:
            shown = ", ".join(ids[:_SHOWN]) + (", …" if len(ids) > _SHOWN else "")
            yield message(f"files.score_{name}", language, count=len(ids), examples=shown)


def _ties(scores: RunScores, language: Language) -> Iterator[str]:
    for k, queries in scores.ties.items():
        if queries:
            yield message("files.score_ties", language, count=len(queries), k=k)
    for name, bounds in (scores.bounds or {}).items():
        if bounds.low < bounds.high:
            low, high = _apart(bounds.low, bounds.high)
            yield message("files.score_bounds", language, metric=name, low=low, high=high)


def _apart(low: float, high: float) -> tuple[str, str]:
    """Return two numbers with as many decimals as it takes to tell them apart."""
    decimals = next((n for n in range(4, 17) if f"{low:.{n}f}" != f"{high:.{n}f}"), 17)
    return f"{low:.{decimals}f}", f"{high:.{decimals}f}"


def _spelling(scores: RunScores, language: Language) -> Iterator[str]:
    if scores.missing and scores.unjudged:
        from sekisho.adapters.files.near_ids import near_ids  # noqa: PLC0415  only where queries do not match

        near = near_ids(scores.missing, scores.unjudged)
        if near.matches:
            values = {"count": near.matches, "wanted": near.wanted, "known": near.known}
            yield message(f"files.score_near_{near.change}", language, **values)


def _document(scores: RunScores, run: str, qrels: str, *, per_query: bool) -> dict[str, object]:
    metrics = {
        name: {"value": value, **({"low": bounds.low, "high": bounds.high} if bounds else {})}
        for name, value in scores.means.items()
        for bounds in [(scores.bounds or {}).get(name)]
    }
    document: dict[str, object] = {
        "schema": "sekisho.score/1",
        "run": run,
        "qrels": qrels,
        "queries": len(scores.query_ids),
        "metrics": metrics,
        "missing": list(scores.missing),
        "unjudged": list(scores.unjudged),
        "without_relevant": list(scores.without_relevant),
        "duplicates": {query: list(ids) for query, ids in scores.duplicates.items()},
        "ties": {str(k): list(queries) for k, queries in scores.ties.items()},
    }
    if per_query:
        names = list(scores.values)
        rows = zip(scores.query_ids, zip(*scores.values.values(), strict=True), strict=True)
        document["per_query"] = {query: dict(zip(names, row, strict=True)) for query, row in rows}
    return document
