"""The permission matrix: CPU time of the harness itself beside that of the target.

    python benchmarks/access_matrix.py [--rounds 5]

The target looks its answers up in dictionaries and hands every answer five passages of 700 characters, all of them
visible: the harness must read each, and finds nothing. CPU seconds; medians.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import subprocess
import sys
import time
from statistics import median
from typing import TYPE_CHECKING

from sekisho.access import evaluate_access
from sekisho.core.answers import Answer, Context, Document

if TYPE_CHECKING:
    from collections.abc import Sequence

DEPARTMENTS = ("hr", "it", "sales")
PASSAGES = 5
PASSAGE = 700
WITH_NUMBER = 0.1
"""Share of sentences that hold a number with its unit."""
SHAPES = {"30 x 2 kB": (30, 2_000), "30 x 100 kB": (30, 100_000), "1,000 x 5 kB": (1_000, 5_000)}
LETTERS = "".join(map(chr, range(0x4E00, 0x4E00 + 1500))) + "のにをはがでとも" * 60
"""Ideographs and the commonest hiragana; three bytes each in a file."""


def sentence(rng: random.Random) -> str:
    """Return a sentence of 20 to 60 characters, some with a number."""
    letters = "".join(rng.choices(LETTERS, k=rng.randint(20, 60)))
    return f"{letters}{rng.randint(1, 999)}万円。" if rng.random() < WITH_NUMBER else f"{letters}。"


def documents(count: int, size_bytes: int) -> list[Document]:
    """Return documents of three departments in turn, a tenth of them everybody's."""
    rng = random.Random(7)  # noqa: S311  nothing here is secret
    made = []
    for number in range(count):
        lines: list[str] = []
        while 3 * sum(map(len, lines)) < size_bytes:
            lines.append(sentence(rng))
        department = "all" if number % 10 == 0 else DEPARTMENTS[number % 3]
        title = "".join(rng.choices(LETTERS, k=9))
        made.append(Document(f"doc-{number:05}", f"file-{number:05}.md", title, (department,), "\n".join(lines)))
    return made


class LookedUp:
    """Answers every question with what it was made from, where that may be seen, and other visible documents."""

    def __init__(self, held: Sequence[Document]) -> None:
        self._held = held
        self._about: dict[str, Document] = {}
        for document in held:
            for text in (document.title, document.name, *document.text.split("\n")):
                self._about[text] = document
                self._about[text.removesuffix("。")] = document
        self.cpu_s = 0.0
        self.calls = 0
        self._seen: dict[str, list[Document]] = {}

    def documents(self) -> list[Document]:
        """Return all of them."""
        return list(self._held)

    def search(self, question: str, departments: Sequence[str], k: int) -> list[str]:
        """Return ids."""
        return [document.id for document in self._timed(question, departments, k)]

    def answer(self, question: str, departments: Sequence[str]) -> Answer:
        """Return passages as they stand in the documents, one after the other, as the stand-in for a model does."""
        contexts = tuple(
            Context(document.id, document.text[:PASSAGE]) for document in self._timed(question, departments, PASSAGES)
        )
        text = "\n".join(f"{context.text} [{number}]" for number, context in enumerate(contexts, start=1))
        return Answer(text, tuple(context.document_id for context in contexts), found=True, contexts=contexts)

    def _timed(self, question: str, departments: Sequence[str], k: int) -> list[Document]:
        start = time.process_time()
        self.calls += 1
        key = ",".join(departments)
        if key not in self._seen:
            self._seen[key] = [each for each in self._held if set(departments) & set(each.departments)]
        seen = self._seen[key]
        meant = self._about.get(question)
        first = [meant] if meant is not None and set(departments) & set(meant.departments) else []
        place = len(question) * 7 % max(len(seen), 1)
        found = [*first, *(seen[(place + step) % len(seen)] for step in range(k))][:k] if seen else []
        self.cpu_s += time.process_time() - start
        return found


def measure(shape: str) -> None:
    """Print what one run takes: calls, CPU seconds of the harness and of the target, peak memory."""
    target = LookedUp(documents(*SHAPES[shape]))
    start = time.process_time()
    report = evaluate_access(target)
    cpu = time.process_time() - start
    assert report.leak_count == report.error_count == 0, report.leaks[:1]  # noqa: S101  a benchmark of a healthy run
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(target.calls, report.probes, cpu - target.cpu_s, target.cpu_s, peak)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--one", choices=SHAPES, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        measure(options.one)
        return
    print(f"Medians of {options.rounds} runs in processes of their own; {os.cpu_count()} cores.\n")
    print("| documents | probes | calls | harness CPU s | ms a call | target CPU s | peak MB |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for shape in SHAPES:
        runs = [
            subprocess.run([sys.executable, __file__, "--one", shape], capture_output=True, check=True, text=True)
            for _ in range(options.rounds)
        ]
        columns = zip(*(map(float, run.stdout.split()) for run in runs), strict=True)
        calls, probes, harness, own, peak = map(median, columns)
        print(
            f"| {shape} | {probes:,.0f} | {calls:,.0f} | {harness:.3f} | {harness / calls * 1000:.3f} "
            f"| {own:.3f} | {peak:.0f} |"
        )


if __name__ == "__main__":
    main()
