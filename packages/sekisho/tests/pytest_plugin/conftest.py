"""A project with its own configuration, cases and target, and pytest run on it as a process of its own."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

CONFIGURATION = """
[suite.policies]
kind = "answers"
target = "desk:opened"
cases = "cases.json"
tags = ["nightly"]
"""
CASES: list[dict[str, Any]] = [
    {"id": "leave", "question": "How long is the holiday?", "expect_text": ["20 days"], "tags": ["people"]},
    {"id": "plan", "question": "What is the plan?", "forbid": ["merger"], "departments": ["hr"]},
    {"id": "moon", "question": "Who owns the moon?", "expect_not_found": True},
]
TARGET = """
import os
from contextlib import contextmanager
from pathlib import Path
from sekisho import Answer, Context, Document

def log(word):
    with Path(__file__).with_name("log.txt").open("a") as file:
        file.write(f"{word} {os.getpid()}\\n")

class Desk:
    def answer(self, question, departments):
        log("ask")
        print("asked:", question)
        if "holiday" in question:
            return Answer("You have 20 days.", ("leave.pdf p.1",), contexts=(Context("leave", "20 days"),))
        if "plan" in question:
            return Answer("A plan.", ("plan.pdf p.1",), contexts=(Context("plan", "the " + ("mer" "ger")),))
        if "crash" in question:
            raise RuntimeError("no connection")
        if "slow" in question:
            import time
            time.sleep(5)
        return Answer("Nothing was found.", (), found=False)

@contextmanager
def opened():
    log("open")
    yield Desk()
    log("close")

def desk():
    return Desk()

def refused():
    log("refused")
    raise RuntimeError("the server is down")
"""
HALF_GOOD = [*CASES[:1], {"id": "wrong", "question": "How long is the holiday?", "expect_text": ["30 days"]}]


class Run(NamedTuple):
    """A finished run of pytest."""

    code: int
    out: str

    @property
    def last(self) -> str:
        """The last line, with the counts and without the time."""
        return re.sub(r" in [\d.]+s.*", "", self.out.strip().splitlines()[-1]).strip("= ")


class Project:
    """A folder with a configuration, cases and a target."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.write("sekisho.toml", CONFIGURATION)
        self.write("desk.py", TARGET)
        self.cases(CASES)

    def write(self, name: str, text: str) -> Path:
        """Write a file."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def cases(self, cases: list[dict[str, Any]], name: str = "cases.json") -> None:
        """Write a file of cases, one a line from the second line on."""
        lines = ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases)
        self.write(name, f"[\n{lines}\n]\n")

    def log(self) -> list[str]:
        """Return what the target did, in order, without the numbers of processes."""
        return [line.split()[0] for line in self.processes()]

    def processes(self) -> list[str]:
        """Return what the target did, with the numbers of processes."""
        path = self.root / "log.txt"
        return path.read_text(encoding="utf-8").splitlines() if path.exists() else []

    def pytest(self, *words: str, folder: str = ".", plugins: tuple[str, ...] = (), **environment: str) -> Run:
        """Run pytest here with this plugin and the named ones alone, warnings as errors."""
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("LC_", "PYTEST_", "SEKISHO"))},
            "LANG": "C.UTF-8",
            "COLUMNS": "160",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            **environment,
        }
        own = ("sekisho.pytest_plugin",) if environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] else ()
        loaded = [word for name in (*own, *plugins) for word in ("-p", name)]
        command = [sys.executable, "-m", "pytest", "-W", "error", *loaded, *words]
        done = subprocess.run(
            command,
            cwd=self.root / folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        return Run(done.returncode, done.stdout)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Return a project whose three cases: one passes, one shows what it must not, one is refused as it should be."""
    return Project(tmp_path)


@pytest.fixture
def good(project: Project) -> Project:
    """Return the project with cases that all pass."""
    project.cases([CASES[0], CASES[2]])
    return project


@pytest.fixture
def half_good(project: Project) -> Project:
    """Return the project with one case that passes and one that fails."""
    project.cases(HALF_GOOD)
    return project


@pytest.fixture
def plain_test(project: Project) -> Callable[[str], None]:
    """Return a function that writes a test module with one passing test."""

    def write(name: str) -> None:
        project.write(name, "def test_plain():\n    pass\n")

    return write
