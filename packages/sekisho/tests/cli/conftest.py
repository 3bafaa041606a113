"""The command as its users start it: in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

CORPUS = "{ topics = 2, chunks_per_topic = 3, queries_per_topic = 2, dims = 8 }"
CONFIGURATION = f"""\
[suite.good]
target = "sekisho.retrievers:exact"
corpus = {CORPUS}
k = 3
tags = ["quick"]

[suite.bad]
target = "my_targets:nothing"
corpus = {CORPUS}
k = 3
manual = true

[suite.crash]
target = "my_targets:crashing"
corpus = {CORPUS}
k = 3
manual = true

[suite.noisy]
target = "my_targets:noisy"
corpus = {CORPUS}
k = 3
manual = true

[suite.slow]
target = "my_targets:slow"
corpus = {CORPUS}
k = 3
manual = true

[suite.exiting]
target = "my_targets:exiting"
corpus = {CORPUS}
k = 3
manual = true

[suite.absent]
target = "no_such_module:make"
corpus = {CORPUS}
manual = true

[suite.secret]
target = "my_targets:quoting"
corpus = "c.jsonl"
queries = "q.jsonl"
qrels = "r.tsv"
k = 1
redact = true
manual = true
"""
TARGETS = """\
import ctypes
import os
import sys
import time

print("imported")  # a careless module


def nothing():
    return lambda query: []


def crashing():
    def retrieve(query):
        raise ValueError("no\\x1b[2J connection")
    return retrieve


def noisy(corpus):
    def retrieve(query):
        print("hello from Python")
        os.write(1, b"hello from descriptor 1\\n")
        ctypes.CDLL(None).printf(b"hello from C\\n")
        return list(corpus.chunks.ids[:3])
    return retrieve


def slow():
    open("started", "w").close()
    def retrieve(query):
        time.sleep(60)
    return retrieve


def exiting():
    def retrieve(query):
        sys.exit(0)
    return retrieve


def quoting():
    def retrieve(query):
        raise ValueError(f"cannot search for {query}")
    return retrieve
"""


class Done(NamedTuple):
    """How a process ended and what it wrote."""

    code: int
    out: str
    err: str


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return an environment without what a user or a build server may have set for messages."""
    dropped = ("SEKISHO_LANG", "LC_", "LANG", "COLUMNS", "NO_COLOR", "FORCE_COLOR", "PYTHONIOENCODING", "PYTHONUTF8")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(dropped)}
    return {**kept, "LC_ALL": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1", **(extra or {})}


@pytest.fixture(scope="session")
def start() -> Callable[..., Done]:
    """Return a function that runs the command with words, in a folder, and tells how it ended."""

    def start(*words: str, folder: Path | None = None, **extra: str) -> Done:
        done = subprocess.run(
            [sys.executable, "-m", "sekisho", *words],
            cwd=folder, env=environment(extra), capture_output=True, check=False, timeout=60, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        encoding = extra.get("PYTHONIOENCODING", "utf-8").partition(":")[0]
        return Done(done.returncode, done.stdout.decode(encoding), done.stderr.decode(encoding))

    return start


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with suites of every kind; tests read it only."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "sekisho.toml").write_text(CONFIGURATION, encoding="utf-8")
    (folder / "my_targets.py").write_text(TARGETS, encoding="utf-8")
    documents = '{"_id": "d1", "text": "the secret words"}\n{"_id": "d2", "text": "other secret words"}\n'
    (folder / "c.jsonl").write_text(documents, encoding="utf-8")
    (folder / "q.jsonl").write_text('{"_id": "q1", "text": "the secret question"}\n', encoding="utf-8")
    (folder / "r.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\n", encoding="utf-8")
    (folder / "below").mkdir()
    return folder


@pytest.fixture(scope="session")
def check(start: Callable[..., Done], project: Path) -> Callable[..., Done]:
    """Return a function that runs ``sekisho check`` in the project, each command line once a session."""
    known: dict[object, Done] = {}

    def check(*words: str, **extra: str) -> Done:
        key = (words, tuple(extra.items()))
        if key not in known:
            known[key] = start("check", *words, folder=project, **extra)
        return known[key]

    return check


@pytest.fixture(scope="session")
def clean_environment() -> dict[str, str]:
    """Return the environment that the processes of these tests get."""
    return environment()
