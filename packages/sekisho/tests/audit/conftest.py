"""A project with healthy suites and with targets that are broken in one way each."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

BROKEN = ("set_order", "threads", "previous", "buffer", "random_ties", "left_behind")
"""Functions of the module of targets; each is also a suite."""
CORPUS = "{ topics = 2, chunks_per_topic = 6, queries_per_topic = 2, dims = 8 }"
TARGETS = '''\
"""Targets: healthy ones, and some that are broken in one way each."""

import os
import pathlib
import random
import time

from sekisho import Answer, Document

DOCUMENTS = [
    Document("1", "vacation.md", "Vacation", ("all",), "A half day off ends at noon. Ask your manager."),
    Document("2", "salary.md", "Salaries", ("hr",), "The first salary is 200,000 yen. It rises in July."),
]
print("imported")  # a careless module


def set_order(corpus):
    return lambda query: list(set(corpus.chunks.ids))


def threads(corpus):
    return lambda query: list(corpus.chunks.ids)[:: -1 if "OMP_NUM_THREADS" in os.environ else 1]


def previous(corpus):
    asked = [None]

    def retrieve(query):
        ids = list(corpus.chunks.ids)
        last, asked[0] = asked[0], query.tobytes()
        return ids if last is None or last < asked[0] else ids[::-1]

    return retrieve


def buffer(corpus):
    shared = []

    def retrieve(query):
        ids = sorted(corpus.chunks.ids, key=lambda id_: (sum(query.tobytes()) * len(id_) + sum(id_.encode())) % 7)
        shared[:] = ids
        time.sleep(0.005)
        if shared != ids:
            raise ValueError(f"somebody else has been here: {object()}")
        del shared[:]
        return ids

    return retrieve


def random_ties(corpus):
    return lambda query: random.sample(list(corpus.chunks.ids), 12)


def left_behind(corpus):
    mark = pathlib.Path(__file__).parent / "left-behind"
    first = not mark.exists()
    mark.touch()
    return lambda query: list(corpus.chunks.ids)[:: 1 if first else -1]


class Library:
    def documents(self):
        return DOCUMENTS

    def search(self, question, departments, k):
        return [each.id for each in DOCUMENTS if set(each.departments) & set(departments)][:k]

    def answer(self, question, departments):
        os.write(1, b"noise\\n")
        return Answer("A half day off ends at noon.", ("vacation.md",))


class Chatty(Library):
    def answer(self, question, departments):
        return Answer(f"secret words {random.random()}", ("vacation.md",))


def vanishing():
    def answer(question, departments):
        if os.environ.get("PYTHONHASHSEED") == "2":
            print("no memory for secret words")
            os._exit(7)
        return Answer("here", ())
    return answer


def slow():
    pathlib.Path(__file__).with_name("process").write_text(str(os.getpid()))

    def answer(question, departments):
        time.sleep(0.2 if question == "first" else 60)
        return Answer("late", ())
    return answer
'''
HEALTHY = f"""\
[suite.vectors]
target = "sekisho.retrievers:exact"
corpus = {CORPUS}
k = 4

[suite.library]
kind = "answers"
target = "audited_targets:Library"
cases = "cases.json"

[suite.matrix]
kind = "access"
target = "audited_targets:Library"
cases = "cases.json"
concurrency = 2
"""
ALONE = """\
[suite.secret]
kind = "answers"
target = "audited_targets:Chatty"
cases = "cases.json"
gate = "none"
redact = true
manual = true

[suite.vanishing]
kind = "answers"
target = "audited_targets:vanishing"
cases = "cases.json"
gate = "none"
manual = true

[suite.slow]
kind = "answers"
target = "audited_targets:slow"
cases = "slow.json"
gate = "none"
manual = true
"""


def _broken(name: str) -> str:
    return (
        f'[suite.{name}]\ntarget = "audited_targets:{name}"\ncorpus = {CORPUS}\nk = 3\ngate = "none"\nmanual = true\n'
    )


@pytest.fixture(scope="session")
def audited_project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with all of these suites."""
    folder = tmp_path_factory.mktemp("audited")
    suites = "\n".join([HEALTHY, ALONE, *map(_broken, BROKEN)])
    (folder / "sekisho.toml").write_text(suites, encoding="utf-8")
    (folder / "audited_targets.py").write_text(TARGETS, encoding="utf-8")
    cases = [
        {"id": "half-day", "question": "When does it end?", "expect_source": "vacation.md"},
        {"id": "salary", "question": "How much is the first salary?", "departments": ["hr"], "expect_text": "noon"},
    ]
    (folder / "cases.json").write_text(json.dumps(cases), encoding="utf-8")
    slow = [{"id": word, "question": word, "expect_not_found": True} for word in ("first", "second")]
    (folder / "slow.json").write_text(json.dumps(slow), encoding="utf-8")
    return folder
