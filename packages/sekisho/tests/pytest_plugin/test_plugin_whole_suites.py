"""Retrieval and access suites: one item each."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Project

RETRIEVAL = """
[suite.synthetic]
target = "{target}"
corpus = {{ topics = 4, queries_per_topic = 1 }}
gate = {{ min_recall = {least} }}
"""
SEARCH = """
import numpy as np

def two_stage(corpus, k):
    from sekisho.retrievers import two_stage
    return two_stage(corpus, k=k)

def crash(query):
    raise RuntimeError("no index")

def crashing():
    return crash

def unmade():
    raise RuntimeError("the server is down")

def nothing(query):
    return []

def empty():
    return nothing
"""
ACCESS = """
[suite.access]
kind = "access"
target = "library:make"
k = 3
"""
LIBRARY = """
from sekisho import Answer, Context, Document

DOCUMENTS = [
    Document("doc-sales", "sales.txt", "Sales targets", ("sales",), "The sales target of the north is 812 boxes."),
    Document("doc-staff", "staff.txt", "Staff rules", ("hr",), "The hidden bonus of a manager is 45678 yen a year."),
    Document("doc-all", "all.txt", "House rules", ("all",), "Everybody closes the window at night."),
]

class Library:
    def documents(self):
        return DOCUMENTS
    def visible(self, departments):
        return [d for d in DOCUMENTS if LEAKS or set(d.departments) & set(departments)]
    def search(self, question, departments, k):
        words = set(question.lower().split())
        found = sorted(self.visible(departments), key=lambda d: -len(words & set(d.text.lower().split())))
        return [d.id for d in found][:k]
    def answer(self, question, departments):
        words = set(question.lower().strip("?.").split())
        for d in self.visible(departments):
            if len(words & set((d.title + " " + d.text).lower().strip(".").split())) > 1:
                return Answer(d.text, (d.name,), contexts=(Context(d.id, d.text),))
        return Answer("Nothing was found.", found=False)

def make():
    return Library()
"""


def retrieval(project: Project, factory: str, least: float = 0.6) -> None:
    """Write a configuration with one retrieval suite."""
    project.write("search.py", SEARCH)
    target = factory if ":" in factory else f"search:{factory}"
    project.write("sekisho.toml", RETRIEVAL.format(target=target, least=least))


def test_a_gate_is_one_item(project: Project) -> None:
    """It passes with its metrics in the summary."""
    retrieval(project, "sekisho.retrievers:two_stage")

    run = project.pytest("sekisho.toml", "-v")

    assert run.last == "1 passed"
    assert "sekisho.toml::synthetic::gate PASSED" in run.out
    assert "synthetic: recall@10 " in run.out
    assert "gate: recall@10 ≥ 0.6; passed" in run.out


def test_a_gate_that_does_not_hold_fails_with_its_rules(project: Project) -> None:
    """Rules and the worst cases, without a traceback."""
    retrieval(project, "empty")

    run = project.pytest("sekisho.toml")

    assert run.code == 1
    assert run.last == "1 failed"
    assert "recall@10 is 0.0000, below the gate of 0.6." in run.out
    assert "4 case(s) brought nothing at all." in run.out
    assert "Cases that miss relevant documents, the worst first:" in run.out
    assert "Traceback" not in run.out


@pytest.mark.parametrize(
    ("factory", "sentence"), [("crashing", "RuntimeError: no index"), ("unmade", "RuntimeError: the server is down")]
)
def test_a_suite_without_a_measurement_is_an_error(project: Project, factory: str, sentence: str) -> None:
    """Not a failure."""
    retrieval(project, factory)

    run = project.pytest("sekisho.toml")

    assert run.code == 1
    assert run.last == "1 error"
    assert sentence in run.out
    assert "Traceback" not in run.out


def test_a_corpus_is_made_only_where_it_runs(project: Project) -> None:
    """What is wrong with it is an error of the item; the target's module is looked at before."""
    retrieval(project, "sekisho.retrievers:two_stage")
    text = (project.root / "sekisho.toml").read_text(encoding="utf-8")
    project.write("sekisho.toml", text.replace("topics =", "topix ="))

    run = project.pytest("sekisho.toml")

    assert run.last == "1 error"
    assert "sekisho.toml:4" in run.out
    assert "topics" in run.out


def access(project: Project, *, leaks: bool) -> None:
    """Write a configuration with one access suite, and its target."""
    project.write("library.py", f"LEAKS = {leaks}\n{LIBRARY}")
    project.write("sekisho.toml", ACCESS)


def test_a_gate_with_a_baseline_judges_the_drop(project: Project) -> None:
    """Without a baseline nothing is measured; beside it a fall fails that the absolute gate lets through."""
    config = 'target = "sekisho.retrievers:two_stage"\ncorpus = "seed"\ntarget_options = { candidates = 40 }\n'
    gate = "gate = { min_recall = 0.6, max_drop = 0.02 }\n"
    project.write("sekisho.toml", f"[suite.search]\n{config}{gate}")
    without = project.pytest("sekisho.toml")
    subprocess.run(
        [sys.executable, "-m", "sekisho", "accept", "--reason", "good"],
        cwd=project.root,
        check=True,
        capture_output=True,
    )
    beside = project.pytest("sekisho.toml")
    project.write("sekisho.toml", f"[suite.search]\n{config.replace('40', '12')}{gate}")

    fallen = project.pytest("sekisho.toml")

    assert (without.last, beside.last, fallen.last) == ("1 error", "1 passed", "1 failed")
    assert "sekisho accept search" in without.out
    assert "more than max_drop 0.02" in fallen.out


def test_a_matrix_is_one_item(project: Project) -> None:
    """It passes with a line a principal in the summary."""
    access(project, leaks=False)

    run = project.pytest("sekisho.toml", "-v")

    assert run.last == "1 passed"
    assert "sekisho.toml::access::matrix PASSED" in run.out
    assert "\n  hr: " in run.out
    assert "\n  nobody: " in run.out


def test_a_leak_fails_with_its_sentence(project: Project) -> None:
    """Each leak has one."""
    access(project, leaks=True)

    run = project.pytest("sekisho.toml")

    assert run.code == 1
    assert run.last == "1 failed"
    assert "doc-staff" in run.out
    assert "doc-sales" in run.out
    assert "Traceback" not in run.out


def test_whole_suites_run_in_other_processes_too(project: Project) -> None:
    """With their lines in the one summary."""
    access(project, leaks=True)

    run = project.pytest("-n", "2", "--sekisho", plugins=("xdist.plugin",))

    assert run.last == "1 failed"
    assert run.out.count("\n  nobody: ") == 1
