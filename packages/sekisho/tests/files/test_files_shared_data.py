"""Files that others wrote."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from sekisho.adapters.files import load_text_collection, read_qrels, read_queries
from sekisho.adapters.files.score import score_files
from sekisho.core.errors import InputFileError

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.shared_data

COLLECTIONS = {
    "jsquad/valid": (1145, 4442),
    "xquad-en": (240, 1190),
    "debian-faq/ja": (147, 147),
    "debian-faq/en": (147, 147),
    "anthropic-docs-rag": (232, 100),
}
# What is no set of queries is refused: a list of section names, and topics that point to a document instead of asking.
NO_QUERIES = {
    "topics.car17v1.5.benchmarkY1test.txt": "files.columns_queries",
    "topics.backgroundlinking18.txt": "files.topic_lacks_text",
}


@pytest.mark.parametrize("name", COLLECTIONS)
def test_real_collections_load(shared_data: Path, name: str) -> None:
    """Documents and queries in the numbers that their source states."""
    folder = shared_data / name

    found = load_text_collection(folder / "corpus.jsonl", folder / "queries.jsonl", folder / "qrels.tsv")

    assert (len(found.documents), len(found.cases)) == COLLECTIONS[name]
    assert found.warnings == ()


def test_every_file_of_the_zoo_reads_or_is_refused_with_a_reason(shared_data: Path) -> None:
    """None crashes, none reads as nothing."""
    refused = {}
    for path in sorted((shared_data / "metric-reference" / "trec-format-zoo").iterdir()):
        reader = read_qrels if path.name.startswith("qrels") else read_queries
        try:
            assert len(reader(path)) > 5, path.name
        except InputFileError as error:
            refused[path.name] = error.code

    assert refused == NO_QUERIES


def test_the_command_gives_the_numbers_of_trec_eval(shared_data: Path) -> None:
    """Its own test files against its own expected output, to its four decimals."""
    folder = shared_data / "metric-reference" / "trec_eval"
    expected = dict(
        line.split("\tall\t") for line in (folder / "out.test").read_text().splitlines() if "\tall\t" in line
    )
    names = {"map": "map", "mrr": "recip_rank"} | {
        f"precision@{k}": f"P_{k}" for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000)
    }
    words = [word for name in names for word in ("-m", name)]

    files = [str(folder / "results.test"), str(folder / "qrels.test")]
    command = [sys.executable, "-m", "sekisho", "--lang", "en", "score", *files, *words]
    result = subprocess.run(command, capture_output=True, text=True, check=True)

    found = {line.split()[0]: line.split()[1] for line in result.stdout.splitlines()[: len(names)]}
    wanted = {name.strip(): value for name, value in expected.items()}
    assert found == {ours: wanted[theirs] for ours, theirs in names.items()}


@pytest.mark.parametrize(
    ("run", "qrels", "out"),
    [
        ("results.test", "qrels.test", "out.test.aq"),
        ("results.trunc", "qrels.test", "out.test.aqc"),
        ("results.test", "qrels.test.with-comments", "out.test.aq"),
    ],
)
@pytest.mark.parametrize("columns", [False, True])
def test_each_query_has_the_numbers_of_trec_eval(
    shared_data: Path, run: str, qrels: str, out: str, *, columns: bool
) -> None:
    """With comments, with a truncated run under -c, on both readers."""
    folder = shared_data / "metric-reference" / "trec_eval"
    wanted = {
        (measure.strip(), query): value
        for measure, query, value in (line.split("\t") for line in (folder / out).read_text().splitlines())
    }
    metrics = ["recall@10", "precision@10", "mrr", "map", "ndcg@10", "success@10", "map@10", "recall@1000"]

    scores = score_files(folder / run, folder / qrels, metrics, columns=columns)

    for metric in scores.metrics:
        for query, value in zip(scores.query_ids, scores.values[str(metric)], strict=True):
            assert f"{value:.4f}" == wanted[(str(metric.trec_eval), query)]
        assert f"{scores.means[str(metric)]:.4f}" == wanted[(str(metric.trec_eval), "all")]


def test_the_other_reference_files_read(shared_data: Path) -> None:
    """JSON, TREC, packed and Parquet forms of one run score alike."""
    folder = shared_data / "metric-reference" / "ranx"
    pairs = [(f"run.{ending}", f"qrels.{ending}") for ending in ("json", "trec", "trec.gz", "parquet")]

    found = {
        json.dumps(score_files(folder / run, folder / qrels, ["mrr", "ndcg@2"]).means, sort_keys=True)
        for run, qrels in pairs
    }

    assert len(found) == 1
