"""What a history costs: keeping a run, listing ten thousand, and the size of the file.

The runs are those of a made-up project with eleven suites and about 1,300 cases, as many as this repository checks in
one run; every twentieth run changes the numbers of one suite. Listings are whole processes, as a user starts them.

Run: ``python benchmarks/history.py``.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from sekisho.corpora.mulberry32 import words
from sekisho.history.keeping import keep

RUNS = 10_000
REPETITIONS = 7
GATE = 0.74
SUITES = {f"suite-{number}": 120 for number in range(9)} | {"suite-9": 266, "policies": 39}
CHANGES_EVERY = 20
COMMANDS = {
    "python, nothing imported": ["-c", "pass"],
    "history (the newest 20)": ["-m", "sekisho", "history"],
    "history --branch feature --verdict failed": [
        "-m",
        "sekisho",
        "history",
        "--branch",
        "feature",
        "--verdict",
        "failed",
    ],
    "history --suite suite-3": ["-m", "sekisho", "history", "--suite", "suite-3"],
    "history --limit 10000": ["-m", "sekisho", "history", "--limit", "10000"],
    "history --limit 10000 --json": ["-m", "sekisho", "history", "--limit", "10000", "--json"],
    "history show last": ["-m", "sekisho", "history", "show", "last"],
    "history compare 1 last": ["-m", "sekisho", "history", "compare", "1", "last"],
    "history trend suite-3 recall@10": ["-m", "sekisho", "history", "trend", "suite-3", "recall@10"],
    "history trend ... --limit 10000": [
        "-m",
        "sekisho",
        "history",
        "trend",
        "suite-3",
        "recall@10",
        "--limit",
        "10000",
    ],
}


def suite(name: str, cases: int, version: int) -> dict[str, Any]:
    """Return a suite of retrieval cases; another version has other results."""
    drawn = words(version, 0, cases * 11)
    ids = [
        [f"t{int(word) % 24:02}-c{int(word) // 24 % 10:02}" for word in drawn[11 * n : 11 * n + 10]]
        for n in range(cases)
    ]
    recalls = [int(drawn[11 * n + 10]) % 6 / 10 + 0.5 for n in range(cases)]
    mean = sum(recalls) / cases
    metrics = ("recall@10", "precision@10", "mrr", "map", "ndcg@10", "overlap@10")
    return {
        "name": name,
        "kind": "retrieval",
        "target": "eval.targets:two_stage",
        "verdict": "passed" if mean >= GATE else "failed",
        "gate": [{"rule": "recall@10", "value": mean, "threshold": GATE, "holds": mean >= GATE}],
        "fingerprints": {"corpus": "fa338c7b"},
        "metrics": dict.fromkeys(metrics, mean),
        "cases": [
            {
                "id": f"t{n // 5:02}-q{n % 5}",
                "status": "measured",
                "metrics": dict.fromkeys(("recall@10", "precision@10", "rr", "ap", "ndcg@10", "overlap@10"), recall),
                "relevant": ids[n - 1],
                "retrieved": ids[n],
                "missed": ids[n][:3],
                "ranks": {id_: rank for rank, id_ in enumerate(ids[n], start=1)},
                "error": None,
            }
            for n, recall in enumerate(recalls)
        ],
        "warnings": [],
    }


def document(run: int, suites: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the document of a run."""
    failed = any(each["verdict"] == "failed" for each in suites)
    times = words(run, 0, 400) / 2**32 * 20
    return {
        "schema": "sekisho.report/1",
        "verdict": "failed" if failed else "passed",
        "exit_code": int(failed),
        "suites": suites,
        "not_run": [],
        "run": {
            "time": "",
            "commit": f"{int(words(7, run // 3, 1)[0]):08x}" * 5,
            "versions": {"sekisho": "0.1.0"},
            "machine": {"system": "Linux", "cores": 2},
            "elapsed_ms": {"cases": {f"case-{n}": float(value) for n, value in enumerate(times)}},
        },
    }


def fill(file: Path) -> tuple[float, float, int]:
    """Keep all runs; return the median CPU and wall milliseconds of one, and the bytes after the first."""
    suites = [suite(name, cases, 1) for name, cases in SUITES.items()]
    cpu, wall, first = [], [], 0
    for run in range(RUNS):
        if run % CHANGES_EVERY == CHANGES_EVERY - 1:
            place = run // CHANGES_EVERY % len(suites)
            suites[place] = suite(suites[place]["name"], len(suites[place]["cases"]), run)
        made = document(run, suites)
        begun, started = time.process_time(), time.perf_counter()
        stamp = f"20{run // 3650:02}-{run // 310 % 12 + 1:02}-{run // 10 % 28 + 1:02}T10:00:00Z"
        keep(file, made, time=stamp, branch="feature" if run % 4 == 0 else "main", duration_ms=2600.0)
        cpu.append(time.process_time() - begun)
        wall.append(time.perf_counter() - started)
        first = first or file.stat().st_size
    return 1000 * statistics.median(cpu), 1000 * statistics.median(wall), first


def measure(words_: list[str], file: Path) -> tuple[float, float]:
    """Run a command to its end and return its CPU and wall seconds."""
    environment = {**os.environ, "SEKISHO_HISTORY": str(file), "OPENBLAS_NUM_THREADS": "1"}
    with tempfile.TemporaryFile() as sink:
        start = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, *words_], cwd=file.parent, env=environment, stdout=sink, stderr=sink
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        wall = time.perf_counter() - start
        if process.returncode != 0:
            sink.seek(0)
            sys.exit(f"{' '.join(words_)}: exit code {process.returncode}\n{sink.read().decode()}")
    return used.ru_utime + used.ru_stime, wall


def main() -> None:
    """Print what keeping costs and the table of commands: medians, the commands in turn, one warm-up each."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "history.sqlite3"
        cpu, wall, first = fill(file)
        size = file.stat().st_size
        cases = sum(SUITES.values())
        print(
            f"{RUNS:,} runs of {len(SUITES)} suites and {cases:,} cases; every {CHANGES_EVERY}th changes one suite.\n"
        )
        print(f"- keeping one: {cpu:.1f} CPU ms, {wall:.1f} ms wall (medians)")
        print(f"- the file: {first / 1000:.0f} kB after the first run, {size / 1e6:.0f} MB after all, "
              f"{(size - first) / (RUNS - 1) / 1000:.1f} kB for each further one\n")  # fmt: skip
        for each in COMMANDS.values():
            measure(each, file)
        costs: dict[str, list[tuple[float, float]]] = {name: [] for name in COMMANDS}
        for _ in range(REPETITIONS):
            for name, each in COMMANDS.items():
                costs[name].append(measure(each, file))
    print("| whole process | CPU s | wall s |")
    print("|---|---|---|")
    for name, found in costs.items():
        medians = [statistics.median(column) for column in zip(*found, strict=True)]
        print(f"| {name} | {medians[0]:.3f} | {medians[1]:.3f} |")


if __name__ == "__main__":
    main()
