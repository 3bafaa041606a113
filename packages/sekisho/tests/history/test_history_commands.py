"""``sekisho history`` as its users start it: in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple

import pytest

from sekisho.app.history import keep_run

if TYPE_CHECKING:
    from pathlib import Path
    from types import SimpleNamespace

COMMAND = [sys.executable, "-m", "sekisho", "history"]


class Done(NamedTuple):
    """How a process ended and what it wrote."""

    code: int
    out: str
    err: str


def run(folder: Path, *words: str, lang: str = "en", **extra: str) -> Done:
    """Return how the command ended and what it wrote."""
    dropped = ("SEKISHO_", "LC_", "COLUMNS", "NO_COLOR", "FORCE_COLOR")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(dropped)}
    environment = {**kept, "SEKISHO_LANG": lang, "PYTHONIOENCODING": "utf-8", **extra}
    done = subprocess.run([*COMMAND, *words], cwd=folder, env=environment, capture_output=True, check=False, timeout=60)
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.fixture
def project(tmp_path: Path, made: SimpleNamespace) -> Path:
    """Return a folder with a configuration, a folder below it, and a history of twelve runs."""
    (tmp_path / "below").mkdir()
    (tmp_path / "sekisho.toml").write_text('[suite.search]\ntarget = "my:search"\n', encoding="utf-8")
    for number in range(12):
        document = made.document(
            made.retrieval({"q1": 0.9 if number < 6 else 0.5}), made.answers({"a": "ok" if number < 9 else "ng"})
        )
        keep_run(tmp_path, document, branch="main", duration_ms=1000.0, environment={})
    return tmp_path


def test_runs_are_listed_from_anywhere_in_the_project(project: Path) -> None:
    """The newest first; nothing on standard error."""
    done = run(project / "below", "--limit", "3")

    assert (done.code, done.err) == (0, "")
    assert [line.split()[0] for line in done.out.splitlines()[1:4]] == ["12", "11", "10"]
    assert "3 of 12 runs" in done.out


def test_a_list_is_a_document_where_asked(project: Path) -> None:
    """For programs."""
    done = run(project, "--json", "--suite", "search", "--verdict", "failed", "--since", "2026-01-05")

    document = json.loads(done.out)
    assert (done.code, document["schema"], document["matching"]) == (0, "sekisho.history/1", 6)


def test_a_run_is_shown_again(project: Path) -> None:
    """As text, and as the report that was kept."""
    text, document = run(project, "show", "last"), run(project, "show", "12", "--json")

    assert (text.code, document.code) == (0, 0)
    assert "FAIL a: 質問 a" in text.out
    assert json.loads(document.out)["schema"] == "sekisho.report/1"


def test_two_runs_are_compared(project: Path) -> None:
    """The exit code is 0 whatever differs."""
    done = run(project, "compare", "1", "last", lang="ja")

    assert done.code == 0
    assert "悪化: q1: question q1   recall@10 0.9000 → recall@10 0.5000" in done.out
    assert json.loads(run(project, "compare", "1", "last", "--json").out)["suites"][0]["name"] == "search"


def test_a_trend_names_the_run_of_its_step(project: Path) -> None:
    """In text and as a document."""
    text, document = (
        run(project, "trend", "search", "recall@10"),
        run(project, "trend", "search", "recall@10", "--json"),
    )

    assert "Sure" in text.out or "Likely" in text.out
    assert json.loads(document.out)["step"]["run"] == 7


def test_a_stream_in_ascii_is_enough(project: Path) -> None:
    """Nothing crashes, nothing is an escape."""
    done = run(project, "trend", "search", "recall@10", PYTHONIOENCODING="ascii")

    assert done.code == 0
    assert "\\u" not in done.out
    assert "0.9000 |######" in done.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["show", "lst"], "Did you mean 'last'?"),
        (["show"], "RUN is missing."),
        (["compare", "1", "99"], "There is no run 99"),
        (["trend", "serch", "recall@10"], "Did you mean 'search'?"),
        (["trend", "search", "recal@10"], "Did you mean 'recall@10'?"),
        (["--suite", "polices"], "Did you mean 'policies'?"),
        (["--branch", "mian"], "Did you mean 'main'?"),
        (["--verdict", "good"], "it must be one of"),
        (["--since", "2026-02-30"], "is not a day"),
        (["--until", "20260101"], "is not a day"),
        (["--limit", "0"], "is not a whole number"),
        (["--limit", "3", "--limit", "4"], "given twice"),
        (["--limit", "3", "show", "1"], "mean nothing to show"),
        (["shwo", "1"], "Did you mean 'show'?"),
    ],
)
def test_wrong_words_end_with_2(project: Path, words: list[str], said: str) -> None:
    """With what was probably meant; nothing on standard output."""
    done = run(project, *words)

    assert (done.code, done.out) == (2, "")
    assert said in done.err


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_without_a_history_it_is_said_how_to_get_one(tmp_path: Path, lang: str) -> None:
    """That is no error of a list; of the others it is."""
    listed, shown = run(tmp_path, lang=lang), run(tmp_path, "show", "last", lang=lang)

    assert (listed.code, listed.err) == (0, "")
    assert "sekisho check" in listed.out
    assert shown.code == 2
    assert json.loads(run(tmp_path, "--json").out) == {"schema": "sekisho.history/1", "matching": 0, "runs": []}


def test_off_is_said(project: Path) -> None:
    """A list of nothing would look as if there were no runs."""
    done = run(project, SEKISHO_HISTORY="off")

    assert done.code == 2
    assert "SEKISHO_HISTORY" in done.err


@pytest.mark.parametrize("words", [[], ["show"], ["compare"], ["trend"]])
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_command_has_a_page(tmp_path: Path, words: list[str], lang: str) -> None:
    """With examples."""
    done = run(tmp_path, *words, "--help", lang=lang)

    assert (done.code, done.err) == (0, "")
    assert "sekisho history" in done.out
