"""Run every benchmark, and write its table into README.md beside this file.

Run: ``make bench`` (installs the peers first), or ``python benchmarks/run.py [NAME]...`` for some of them.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
PAGE = FOLDER / "README.md"
NAMES = (
    "startup",
    "ranking_peers",
    "score_peers",
    "retrievers_faiss",
    "random_numbers",
    "kernels",
    "answer_cases",
    "matching",
    "access_matrix",
    "pytest_plugin",
    "paired_statistics",
    "baseline",
    "history",
    "knowledge_speed",
)
"""Scripts that print a Markdown table; each has a place in README.md."""


def place(page: str, name: str, table: str) -> str:
    """Return the page with the table of one benchmark replaced."""
    pattern = rf"(<!-- begin {name} -->\n).*?(<!-- end {name} -->)"
    text = table.strip() if "|" in table else f"```text\n{table.rstrip()}\n```"
    replaced, count = re.subn(pattern, lambda match: f"{match[1]}{text}\n{match[2]}", page, flags=re.DOTALL)
    if count != 1:
        sys.exit(f"README.md has no place for {name}")
    return replaced


def main() -> None:
    """Run the named benchmarks, or all."""
    unknown = set(sys.argv[1:]) - set(NAMES)
    if unknown:
        sys.exit(f"unknown: {', '.join(sorted(unknown))}; known: {', '.join(NAMES)}")
    for name in sys.argv[1:] or NAMES:
        print(f"{name} ...", file=sys.stderr, flush=True)
        done = subprocess.run([sys.executable, FOLDER / f"{name}.py"], stdout=subprocess.PIPE, text=True, check=True)
        print(done.stdout, flush=True)
        PAGE.write_text(place(PAGE.read_text(encoding="utf-8"), name, done.stdout), encoding="utf-8")


if __name__ == "__main__":
    main()
