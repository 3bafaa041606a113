"""What the installed plugin adds to a plain ``pytest`` run: one empty test, with the plugin and with it switched off.

Whole processes in turn, CPU time as the operating system counts it. The plugin is loaded by its entry point, as after
``pip install sekisho``; other plugins of the environment are switched off. Switched off or not, pytest looks at every
file of an installed package that has a plugin: about 0.01 s for those of this one, unless it is installed in place.
Run: python benchmarks/pytest_plugin.py
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from importlib.metadata import entry_points
from pathlib import Path

RUNS = 15
MOST_S = 0.05
"""CPU seconds that a plain run may cost more."""
TEST = "def test_nothing():\n    pass\n"
OTHERS = sorted({plugin.name for plugin in entry_points(group="pytest11")} - {"sekisho"})
PYTEST = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
PYTEST += [word for name in OTHERS for word in ("-p", f"no:{name}")]
COMMANDS = {
    "pytest -p no:sekisho": [*PYTEST, "-p", "no:sekisho", "test_nothing.py"],
    "pytest": [*PYTEST, "test_nothing.py"],
}


def cpu_s(command: list[str], folder: str) -> float:
    """Run a command to its end and return its CPU seconds."""
    with tempfile.TemporaryFile() as sink:
        process = subprocess.Popen(command, cwd=folder, stdout=sink, stderr=sink)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sink.seek(0)
            sys.exit(f"{' '.join(command)}: exit code {process.returncode}\n{sink.read().decode()}")
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Print the table: medians, the commands in turn, one warm-up each."""
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "test_nothing.py").write_text(TEST, encoding="utf-8")
        for command in COMMANDS.values():
            cpu_s(command, folder)
        for _ in range(RUNS):
            for name, command in COMMANDS.items():
                times[name].append(cpu_s(command, folder))
    medians = [statistics.median(each) for each in times.values()]
    print(f"Medians of {RUNS} runs, commands in turn; {os.cpu_count()} cores.\n")
    print("| one empty test | CPU s | more |")
    print("|---|---|---|")
    for name, median in zip(COMMANDS, medians, strict=True):
        print(f"| {name} | {median:.3f} | {median - medians[0]:+.3f} |")
    if medians[-1] - medians[0] > MOST_S:
        sys.exit(f"The plugin costs more than {MOST_S} CPU seconds.")


if __name__ == "__main__":
    main()
