"""Scoring run files: ``sekisho score`` against pytrec-eval-terrier, toolkit-rag-quality and trec_eval, whole processes.

Run: ``make bench``, or ``python benchmarks/score_peers.py`` in an environment with ``requirements/bench.txt``;
``--quick`` leaves out the 100,000 queries. Where ``TREC_EVAL`` names a binary of trec_eval, it is measured too.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

PYTHON = sys.executable
METRICS = ("recall@10", "precision@10", "mrr", "map", "ndcg@10")
JUDGED = 10
TOLERANCE = 1e-6  # peers print few decimals, or add in another order
PYTREC = """
import sys, pytrec_eval
with open(sys.argv[2]) as file:
    qrels = pytrec_eval.parse_qrel(file)
with open(sys.argv[1]) as file:
    run = pytrec_eval.parse_run(file)
found = pytrec_eval.RelevanceEvaluator(qrels, {"recall.10", "P.10", "recip_rank", "map", "ndcg_cut.10"}).evaluate(run)
print(sum(values["map"] for values in found.values()) / len(found))
"""
TREC_MEASURES = ("recall.10", "P.10", "recip_rank", "map", "ndcg_cut.10")


class Task(NamedTuple):
    """One row of the table."""

    name: str
    ours: list[str]
    peer: list[str]
    runs: int


class Cost(NamedTuple):
    """One process: CPU seconds and wall seconds."""

    cpu_s: float
    wall_s: float


def measure(command: list[str]) -> Cost:
    """Run a command to its end and return what it cost, as the operating system counts."""
    with tempfile.TemporaryFile() as sink:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=sink, stderr=sink)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        wall = time.perf_counter() - start
        if process.returncode != 0:
            sink.seek(0)
            sys.exit(f"{' '.join(command)}: exit code {process.returncode}\n{sink.read().decode()}")
    return Cost(used.ru_utime + used.ru_stime, wall)


def write_files(folder: Path, *, queries: int, depth: int) -> tuple[str, str]:
    """Write a run and its judgments; return their paths."""
    source = random.Random(1)  # noqa: S311  rows that can be made again are wanted, no secrets
    run, qrels = folder / f"run-{queries}.trec", folder / f"qrels-{queries}.trec"
    with run.open("w") as run_file, qrels.open("w") as qrels_file:
        for query in range(queries):
            numbers = source.sample(range(1_000_000), depth)
            ids = [f"doc{number // 10}:chunk{number % 10}" for number in numbers]
            scores = sorted((source.random() for _ in ids), reverse=True)
            rows = enumerate(zip(ids, scores, strict=True), start=1)
            run_file.writelines(f"q{query} Q0 {id_} {rank} {score:.6f} tag\n" for rank, (id_, score) in rows)
            judged = source.sample(ids, min(4, depth))
            judged += [f"doc{number}:other" for number in source.sample(range(100_000), JUDGED - len(judged))]
            qrels_file.writelines(f"q{query} 0 {id_} 1\n" for id_ in judged)
    return str(run), str(qrels)


def write_parquet(run: str, qrels: str) -> tuple[str, str]:
    """Write both files again as Parquet; return their paths."""
    import polars as pl  # noqa: PLC0415  the only part that needs it

    paths = []
    for path, names in ((run, ("qid", "", "docno", "", "score", "")), (qrels, ("qid", "", "docno", "grade"))):
        frame = pl.read_csv(path, has_header=False, separator=" ", quote_char=None)
        kept = [frame.to_series(place).rename(name) for place, name in enumerate(names) if name]
        pl.DataFrame(kept).write_parquet(path.replace(".trec", ".parquet"))
        paths.append(path.replace(".trec", ".parquet"))
    return paths[0], paths[1]


def tasks(folder: Path, trec_eval: str | None, *, quick: bool) -> list[Task]:
    """Return the rows of the table."""
    score = [PYTHON, "-m", "sekisho", "score"]
    small, middle = (write_files(folder, queries=n, depth=d) for n, d in ((120, 10), (10_000, 100)))
    toolkit = [PYTHON, "-m", "toolkit_rag_quality", "score", "--k", "10", "--format", "table"]
    rows = [
        Task(
            "TREC 120 × 10, toolkit-rag-quality",
            [*score, *small],
            [*toolkit, "--queries", small[1], "--retrieved", small[0]],
            9,
        ),
        Task("TREC 10,000 × 100, pytrec-eval-terrier", [*score, *middle], [PYTHON, "-c", PYTREC, *middle], 5),
        Task(
            "Parquet 10,000 × 100, pytrec-eval-terrier on TREC",
            [*score, *write_parquet(*middle)],
            [PYTHON, "-c", PYTREC, *middle],
            5,
        ),
    ]
    if trec_eval:
        trec = [trec_eval, *(word for measure_ in TREC_MEASURES for word in ("-m", measure_))]
        rows.append(Task("TREC 10,000 × 100, trec_eval", [*score, *middle], [*trec, middle[1], middle[0]], 5))
    if not quick:
        large = write_files(folder, queries=100_000, depth=100)
        rows.append(
            Task("TREC 100,000 × 100, pytrec-eval-terrier", [*score, *large], [PYTHON, "-c", PYTREC, *large], 3)
        )
        if trec_eval:
            rows.append(Task("TREC 100,000 × 100, trec_eval", [*score, *large], [*trec, large[1], large[0]], 1))
    return rows


def check_same(folder: Path) -> None:
    """Stop where our numbers are not those of pytrec-eval-terrier."""
    run, qrels = str(folder / "run-10000.trec"), str(folder / "qrels-10000.trec")
    peer = float(subprocess.run([PYTHON, "-c", PYTREC, run, qrels], capture_output=True, text=True, check=True).stdout)
    command = [PYTHON, "-m", "sekisho", "score", run, qrels, "-m", "map", "--json"]
    ours = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)["metrics"]["map"]
    if abs(ours["value"] - peer) > TOLERANCE:
        sys.exit(f"map differs: {ours} and {peer}")


def main() -> None:
    """Print the table: medians of repetitions in turn; the wall time beside the ratio of CPU seconds."""
    trec_eval = os.environ.get("TREC_EVAL")
    print("| input, peer | sekisho, CPU s | peer, CPU s | ratio of CPU | ratio of wall |")
    print("|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for task in tasks(folder, trec_eval, quick="--quick" in sys.argv[1:]):
            measure(task.ours)
            pairs = [(measure(task.ours), measure(task.peer)) for _ in range(task.runs)]
            ours, peer = (statistics.median(pair[side].cpu_s for pair in pairs) for side in (0, 1))
            walls = [statistics.median(pair[side].wall_s for pair in pairs) for side in (0, 1)]
            print(
                f"| {task.name} | {ours:.3f} | {peer:.3f} | {peer / ours:.1f} | {walls[1] / walls[0]:.1f} |", flush=True
            )
        check_same(folder)
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    print(f"\nWhole processes with start-up; ratio: peer / sekisho. Load average {load} on {os.cpu_count()} cores.")
    if trec_eval is None:
        print("trec_eval was not measured: its package builds no binary; set TREC_EVAL to one.")


if __name__ == "__main__":
    main()
