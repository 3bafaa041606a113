"""Suites whose cases have known results, and a page to write on."""

from __future__ import annotations

import io
import json
import sys
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

from sekisho import Answer
from sekisho.app.configuration import Configuration, load_configuration
from sekisho.reports.power_report import write_power
from sekisho.reports.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from sekisho.core.messages import Language
    from sekisho.reports.power_records import PowerRun

RELEVANT = {"perfect": ("d1", "d2"), "half": ("d3", "d4"), "lost": ("d5", "d6"), "crowded": ("d1", "d2", "d3", "d4")}
"""Question to what is relevant to it, at k = 2; more are relevant to the last one than there are places."""
FOUND = {"perfect": ["d1", "d2"], "half": ["d3", "d9"], "lost": ["d9", "d8"], "crowded": ["d1", "d2"]}
WORSE = FOUND | {"perfect": ["d1", "d9"], "half": ["d9", "d8"]}

CONFIGURATION = """\
[suite.hand]
target = "power_targets:found"
corpus = "c.jsonl"
queries = "q.jsonl"
qrels = "r.tsv"
k = 2

[suite.strict]
target = "power_targets:found"
corpus = "c.jsonl"
queries = "q.jsonl"
qrels = "r.tsv"
k = 2
gate = { min_recall = 0.5, max_drop = 0.04 }

[suite.secret]
target = "power_targets:crashing"
corpus = "c.jsonl"
queries = "q.jsonl"
qrels = "r.tsv"
k = 2
redact = true

[suite.one]
target = "power_targets:found"
corpus = "c.jsonl"
queries = "one.jsonl"
qrels = "one.tsv"
k = 2

[suite.down]
target = "power_targets:broken"
corpus = "c.jsonl"
queries = "q.jsonl"
qrels = "r.tsv"
k = 2

[suite.synthetic]
target = "sekisho.retrievers:two_stage"
corpus = "seed"

[suite.policies]
kind = "answers"
target = "power_targets:answering"
cases = "cases.json"

[suite.matrix]
kind = "access"
target = "power_targets:answering"
"""
CASES = [
    {"id": f"case-{number}", "question": f"質問 {number}", "expect_text": "12時" if number else "13時"}
    for number in range(9)
]


class Answering:
    """Says the same to everybody."""

    def answer(self, _question: str, _departments: Sequence[str]) -> Answer:
        """Return one sentence."""
        return Answer("午前休は12時まで", ("vacation.md",))


def crashing() -> Callable[[str], list[str]]:
    """Fail at one question with words of it."""

    def retrieve(query: str) -> list[str]:
        if query == "half":
            message = f"\x1b[2J no answer to {query}"
            raise ValueError(message)
        return FOUND[query]

    return retrieve


def broken() -> None:
    """Fail while the target is made."""
    message = "no index"
    raise OSError(message)


@pytest.fixture(autouse=True)
def module() -> Iterator[None]:
    """Make the targets of this file importable as ``power_targets``."""
    module = ModuleType("power_targets")
    module.__dict__.update(
        found=lambda: FOUND.__getitem__, worse=lambda: WORSE.__getitem__, same=lambda: FOUND.__getitem__,
        crashing=crashing, broken=broken, answering=Answering,
    )  # fmt: skip
    sys.modules["power_targets"] = module
    before = list(sys.path)
    yield
    sys.path[:] = before
    del sys.modules["power_targets"]


@pytest.fixture
def configuration(tmp_path: Path) -> Configuration:
    """Return a configuration with suites of every kind."""

    def write(name: str, *lines: str) -> None:
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")

    write("sekisho.toml", CONFIGURATION)
    write("c.jsonl", *(json.dumps({"_id": f"d{number}", "text": f"text {number}"}) for number in range(1, 10)))
    write("q.jsonl", *(json.dumps({"_id": question, "text": question}) for question in RELEVANT))
    judged = [f"{question}\t{id_}\t1" for question, ids in RELEVANT.items() for id_ in ids]
    write("r.tsv", "query-id\tcorpus-id\tscore", *judged)
    write("one.jsonl", json.dumps({"_id": "perfect", "text": "perfect"}))
    write("one.tsv", "query-id\tcorpus-id\tscore", *judged[:2])
    write("cases.json", json.dumps(CASES))
    return load_configuration(tmp_path / "sekisho.toml")


@pytest.fixture
def written() -> Callable[..., str]:
    """Return a function that writes a report and returns its text."""

    def written(run: PowerRun, language: Language = "en", *, columns: int = 200) -> str:
        page = io.StringIO()
        write_power(run, Terminal(page, language=language, environment={"COLUMNS": str(columns)}))
        return page.getvalue()

    return written
