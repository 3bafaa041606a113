"""``sekisho score``: a run file against a file of judgments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import click

from sekisho.cli import help as pages
from sekisho.cli.output import Output
from sekisho.core.messages import message
from sekisho.core.text import apart, compared, shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sekisho.core.messages import Language
    from sekisho.ranking.many import RunScores

DEFAULT_METRICS = ("recall@10", "precision@10", "mrr", "map", "ndcg@10")
_LONGEST_ID = 60
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
        click.Option(
            ["--min", "minimums"], multiple=True, metavar="METRIC=X", help=say("min"), callback=_read_minimums(language)
        ),
        click.Option(["--per-query"], is_flag=True, help=say("per_query")),
        click.Option(["--duplicates"], type=click.Choice(["error", "first"]), default="error", help=say("duplicates")),
        click.Option(["--relevance-threshold"], metavar="GRADE", help=say("threshold"), callback=_read_grade(language)),
        click.Option(["--json", "as_json"], is_flag=True, help=say("json")),
    ]
    return pages.Command(
        "score", language=language, callback=run, params=parameters, help=message("files.help_score", language)
    )


class Rule(NamedTuple):
    """The mean of one metric against the least that it may be."""

    metric: str
    value: float
    threshold: float
    holds: bool


def _read_minimums(language: Language) -> Callable[..., tuple[tuple[str, float], ...]]:
    """Return what turns ``recall@10=0.6`` into a metric and a number; NaN is refused, which would hold nothing."""

    def read(_ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[tuple[str, float], ...]:
        found = []
        for value in values:
            metric, sign, least = value.partition("=")
            number = _number(least)
            if number is None or not (metric.strip() and sign and 0 <= number <= 1):
                sentence = message("files.score_not_a_minimum", language, value=shorten(value, 80))
                raise click.BadParameter(sentence, param=param)
            found.append((metric.strip(), number))
        return tuple(found)

    return read


def _read_grade(language: Language) -> Callable[..., float | None]:
    """Return what turns a word into a grade; whether it can be a threshold is for the metrics to say."""

    def read(_ctx: click.Context, param: click.Parameter, value: str | None) -> float | None:
        number = None if value is None else _number(value)
        if value is not None and number is None:
            raise click.BadParameter(message("cli.not_a_number", language), param=param)
        return number

    return read


def _number(text: str) -> float | None:
    """Return the number that a word spells as other tools of the field do: Python alone reads 1_000 and ０.５."""
    try:
        return float(text) if text.isascii() and "_" not in text else None
    except ValueError:
        return None


def _score(
    language: Language,
    *,
    run: str,
    qrels: str,
    metrics: tuple[str, ...],
    minimums: tuple[tuple[str, float], ...],
    per_query: bool,
    duplicates: Any,  # noqa: ANN401  one of two words, which click has checked
    relevance_threshold: float | None,
    as_json: bool,
) -> int:
    from sekisho.adapters.files.score import score_files  # noqa: PLC0415  after the words have been checked

    asked = [*(metrics or DEFAULT_METRICS), *(metric for metric, _ in minimums)]
    scores = score_files(run, qrels, asked, duplicates=duplicates, relevance_threshold=relevance_threshold)
    gate = _judge(scores, minimums)
    code = 0 if all(rule.holds for rule in gate) else 1
    text = [*(_per_query(scores) if per_query else ()), *_summary(scores, language), *_verdicts(gate, language)]
    output = Output(as_json=as_json)
    with output.text() as stream:
        stream.write("\n".join(text) + "\n")
    if as_json:
        from sekisho.reports.json_report import encode  # noqa: PLC0415  only when asked for

        content = _document(scores, run, qrels, per_query=per_query)
        content |= {"gate": [_as_entry(rule) for rule in gate], "exit_code": code}
        output.write_document(encode(content))
    return code


def _judge(scores: RunScores, minimums: Sequence[tuple[str, float]]) -> list[Rule]:
    from sekisho.ranking import gate_holds, parse_metric  # noqa: PLC0415  after the words have been checked

    rules = []
    for metric, threshold in minimums:
        name = str(parse_metric(metric))
        rules.append(Rule(name, scores.means[name], threshold, gate_holds(scores.means[name], threshold)))
    return sorted(rules, key=lambda rule: not rule.holds)


def _as_entry(rule: Rule) -> dict[str, object]:
    return {"rule": rule.metric, "value": rule.value, "threshold": rule.threshold, "holds": rule.holds}


def _verdicts(gate: Sequence[Rule], language: Language) -> Iterator[str]:
    """Yield a line for each minimum, those that do not hold last."""
    for rule in gate:
        value, threshold = compared(rule.value, rule.threshold)
        code = "files.score_holds" if rule.holds else "files.score_fails"
        yield message(code, language, metric=rule.metric, value=value, threshold=threshold)


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
            shown = ", ".join(shorten(id_, _LONGEST_ID) for id_ in ids[:_SHOWN]) + (", …" if len(ids) > _SHOWN else "")
            yield message(f"files.score_{name}", language, count=len(ids), examples=shown)


def _ties(scores: RunScores, language: Language) -> Iterator[str]:
    for k, queries in scores.ties.items():
        if queries:
            yield message("files.score_ties", language, count=len(queries), k=k)
    for name, bounds in (scores.bounds or {}).items():
        if bounds.low < bounds.high:
            low, high = apart(bounds.low, bounds.high)
            yield message("files.score_bounds", language, metric=name, low=low, high=high)


def _spelling(scores: RunScores, language: Language) -> Iterator[str]:
    if scores.missing and scores.unjudged:
        from sekisho.adapters.files.near_ids import near_ids  # noqa: PLC0415  only where queries do not match

        near = near_ids(scores.missing, scores.unjudged)
        if near.matches:
            values = {
                "count": near.matches,
                "wanted": shorten(near.wanted, _LONGEST_ID),
                "known": shorten(near.known, _LONGEST_ID),
            }
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
