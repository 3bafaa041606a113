"""A run file against a file of judgments: what ``sekisho score`` does."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sekisho.adapters.files.content import failure, names_memory
from sekisho.adapters.files.qrels import read_qrels
from sekisho.adapters.files.runs import read_run
from sekisho.adapters.files.values import quoted
from sekisho.ranking.many import score_many
from sekisho.ranking.names import parse_metric

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sekisho.adapters.files.content import Path
    from sekisho.adapters.files.runs import Duplicates, Run
    from sekisho.ranking.many import RunScores
    from sekisho.ranking.names import Metric

# Below this size of a run file, importing numpy costs more than it saves.
COLUMNS_FROM_BYTES = 4_000_000


@names_memory
def score_files(
    run: Path,
    qrels: Path,
    metrics: Sequence[str | Metric],
    *,
    duplicates: Duplicates = "error",
    relevance_threshold: float | None = None,
    columns: bool | None = None,
) -> RunScores:
    """Return the values of metrics for a run file, query by query and as means, with bounds over tied ids.

    Args:
        run: What a search returned; for formats see :func:`~sekisho.adapters.files.read_run`.
        qrels: The judgments; see :func:`~sekisho.adapters.files.read_qrels`.
        metrics: Names such as ``recall@10``.
        duplicates: ``error`` refuses a document that comes twice for one query; ``first`` counts its first place.
        relevance_threshold: Lowest grade that counts as relevant; None for every grade above 0.
        columns: Whether to try the columnar reader; None tries it for large files. It gives the same bits, and leaves
            whatever it cannot read to the plain one.

    Raises:
        InputFileError: A file cannot be read, run and judgments have no id in common, or no query has a relevant
            document.
        RankingError: No such metric or threshold.
        MissingExtraError: Parquet without polars.
    """
    scores = _score(run, qrels, metrics, duplicates, relevance_threshold, columns=columns)
    if len(scores.without_relevant) == len(scores.query_ids):
        code = "nothing_positive" if relevance_threshold is None else "nothing_relevant"
        raise failure(
            code,
            os.fspath(qrels),
            count=len(scores.query_ids),
            examples=quoted(scores.query_ids),
            threshold=f"{relevance_threshold or 0:g}",
        )
    return scores


def _score(
    run: Path,
    qrels: Path,
    metrics: Sequence[str | Metric],
    duplicates: Duplicates,
    relevance_threshold: float | None,
    *,
    columns: bool | None,
) -> RunScores:
    asked = tuple(map(parse_metric, metrics))
    if columns or (columns is None and _is_large(run)):
        from sekisho.adapters.files.columns import score_columns  # noqa: PLC0415  needs numpy

        scores = score_columns(run, qrels, asked, relevance_threshold=relevance_threshold)
        if scores is not None:
            return scores
    judged = read_qrels(qrels)
    found = read_run(run, duplicates=duplicates)
    check_overlap(os.fspath(run), os.fspath(qrels), found, judged)
    return score_many(
        found,
        judged,
        asked,
        duplicates="first" if duplicates == "first" else "refuse",
        relevance_threshold=relevance_threshold,
        with_bounds=True,
    )


def check_overlap(run_name: str, qrels_name: str, run: Run, qrels: Mapping[str, Mapping[str, float]]) -> None:
    """Refuse files with no query, or no document, in common: every metric would silently be 0.

    Raises:
        InputFileError: With the change of spelling under which most ids would match.
    """
    if run.keys().isdisjoint(qrels):
        raise _no_overlap("no_common_query", run_name, qrels_name, run, qrels)
    documents = {document for judged in qrels.values() for document in judged}
    if not documents or all(documents.isdisjoint(ranking) for ranking in run.values()):
        retrieved = dict.fromkeys(document for ranking in run.values() for document in ranking)
        if retrieved and documents:
            raise _no_overlap("no_common_document", run_name, qrels_name, retrieved, sorted(documents))


def _no_overlap(code: str, run_name: str, qrels_name: str, found: Iterable[str], judged: Iterable[str]) -> Exception:
    from sekisho.adapters.files.near_ids import near_ids  # noqa: PLC0415  only for the error

    ids, known = list(found), list(judged)
    near = near_ids(ids, known)
    return failure(
        f"{code}_{near.change}",
        run_name,
        file=qrels_name,
        here=ids[0],
        there=known[0],
        matches=near.matches,
        total=len(ids),
        wanted=near.wanted,
        known=near.known,
    )


def _is_large(run: Path) -> bool:
    try:
        return os.stat(run).st_size >= COLUMNS_FROM_BYTES  # noqa: PTH116  pathlib would cost a third of a small run's start
    except (OSError, ValueError):
        return False  # the reader says what is wrong
