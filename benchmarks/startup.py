"""What a CI job pays before and beside measuring: whole processes, bare Python subtracted where the table says so.

Run: ``make bench``, or ``python benchmarks/startup.py`` in an environment with ``requirements/bench.txt``.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

RUNS = 15
ROOT = Path(__file__).resolve().parents[1]
PYTHON = sys.executable
COMMANDS = {
    "python, nothing imported": [PYTHON, "-c", "pass"],
    "import sekisho": [PYTHON, "-c", "import sekisho"],
    "sekisho --help": [PYTHON, "-m", "sekisho", "--help"],
    "toolkit-rag-quality --help": [PYTHON, "-m", "toolkit_rag_quality", "--help"],
    "import numpy": [PYTHON, "-c", "import numpy"],
    "default gate: sekisho check synthetic": [PYTHON, "-m", "sekisho", "check", "synthetic"],
    "all suites of this repository: sekisho check": [PYTHON, "-m", "sekisho", "check"],
}


class Cost(NamedTuple):
    """One process: CPU seconds, wall seconds, peak memory."""

    cpu_s: float
    wall_s: float
    peak_mb: float


def measure(command: list[str]) -> Cost:
    """Run a command to its end and return what it cost, as the operating system counts."""
    with tempfile.TemporaryFile() as sink:
        start = time.perf_counter()
        process = subprocess.Popen(command, cwd=ROOT, stdout=sink, stderr=sink)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        wall = time.perf_counter() - start
        if process.returncode != 0:
            sink.seek(0)
            sys.exit(f"{' '.join(command)}: exit code {process.returncode}\n{sink.read().decode()}")
    return Cost(used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1024)


def main() -> None:
    """Print the table: medians, the commands in turn, one warm-up each."""
    for command in COMMANDS.values():
        measure(command)
    costs: dict[str, list[Cost]] = {name: [] for name in COMMANDS}
    for _ in range(RUNS):
        for name, command in COMMANDS.items():
            costs[name].append(measure(command))
    bare = statistics.median(cost.cpu_s for cost in costs["python, nothing imported"])
    print(f"Medians of {RUNS} runs, commands in turn; {os.cpu_count()} cores.\n")
    print("| whole process | CPU s | over bare Python | wall s | peak MB |")
    print("|---|---|---|---|---|")
    for name, runs in costs.items():
        cpu, wall, peak = (statistics.median(column) for column in zip(*runs, strict=True))
        print(f"| {name} | {cpu:.3f} | {cpu - bare:+.3f} | {wall:.3f} | {peak:.0f} |")


if __name__ == "__main__":
    main()
