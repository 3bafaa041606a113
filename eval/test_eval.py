"""The repository's own gate, run as a user would, and the faults that must turn it red."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]


def run(*words: str) -> tuple[int, Any]:
    """Run the command in the repository and return its exit code and report."""
    command = [sys.executable, "-m", "sekisho", *words, "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    return done.returncode, json.loads(done.stdout)


def test_every_suite_of_this_repository_passes() -> None:
    """The reference retrievers are healthy on every corpus of the configuration."""
    code, report = run("check")

    assert code == 0
    assert {suite["verdict"] for suite in report["suites"]} == {"passed"}
    assert next(s for s in report["suites"] if s["name"] == "postgres-exact")["metrics"]["overlap@10"] == 1.0


def test_one_flipped_sign_turns_the_default_gate_red() -> None:
    """Ten results a query still come back, and recall is far below the gate."""
    code, report = run("check", "--target", "eval.faults:sign_flipped")

    assert code == 1
    assert report["suites"][0]["gate"][0]["holds"] is False
    assert all(len(case["retrieved"]) == 10 for case in report["suites"][0]["cases"])


@pytest.mark.parametrize(
    ("corpus", "least_fall", "most_fall"), [("raw", 0.0, 0.0), ("seed", 0.2, 0.3), ("calibrated", 0.15, 0.25)]
)
def test_a_dropped_rerank_is_seen_where_the_corpus_is_hard_enough(
    corpus: str, least_fall: float, most_fall: float
) -> None:
    """With raw centres nothing moves; with unit centres and on the calibrated corpus recall falls plainly."""
    code, report = run("compare", "two_stage", "two_stage?rerank=false", "--corpus", corpus)
    healthy, broken = (suite["metrics"]["recall@10"] for suite in report["suites"])

    assert code == 0
    assert least_fall <= healthy - broken <= most_fall


def test_a_target_that_raises_gives_no_verdict() -> None:
    """A crash is not a score: exit code 3, every case an error with its traceback."""
    code, report = run("check", "--target", "eval.faults:raises")
    errors = [case["error"] for case in report["suites"][0]["cases"]]

    assert code == 3
    assert {error["message"] for error in errors} == {"ConnectionError: connection refused"}
    assert "eval/faults.py" in errors[0]["traceback"].replace("\\", "/")
