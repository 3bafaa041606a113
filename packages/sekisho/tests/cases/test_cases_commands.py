"""``sekisho cases`` as its users start it: in a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from sekisho.adapters.case_files import load_cases

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Write = Callable[[str, str | bytes], Path]

COMMAND = [sys.executable, "-m", "sekisho", "cases"]
GOOD = '[\n  {"id": "a", "question": "Q?", "forbid": "x"}\n]\n'
BAD = '[{"id": "a", "question": "Q?", "forbit": "x"},\n {"id": "a"}]'


def run(*words: object, typed: str = "", lang: str = "en") -> subprocess.CompletedProcess[str]:
    """Return how the command ended and what it wrote."""
    return subprocess.run(
        [*COMMAND, *map(str, words)], input=typed, capture_output=True, text=True, encoding="utf-8", check=False,
        timeout=60, env={**os.environ, "SEKISHO_LANG": lang, "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip


def test_a_right_file_takes_one_line(write: Write) -> None:
    """The number of its cases; exit code 0."""
    path = write("c.json", GOOD)

    done = run("check", path, path)

    assert (done.returncode, done.stdout) == (0, f"{path}: 1 cases\n" * 2)


def test_every_problem_of_every_file_is_listed(write: Write) -> None:
    """In Japanese where asked; exit code 2."""
    good, bad = write("good.json", GOOD), write("bad.json", BAD)

    done = run("check", good, bad, bad.with_name("none.json"), lang="ja")

    assert done.returncode == 2
    lines = done.stdout.splitlines()
    assert lines[0] == f"{good}: 1 件、問題なし"
    assert lines[1].startswith(f"{bad}:1:32: ケース 'a'")
    assert "'forbid' の間違いではありませんか。" in lines[1]
    assert len([line for line in lines if line.startswith(f"{bad}:2:")]) == 3
    assert lines[-1] == "問題 5 件（2 ファイル）"


def test_problems_come_as_json(write: Write) -> None:
    """For editors and other programs."""
    path = write("c.json", BAD)

    done = run("check", path, "--json")

    document = json.loads(done.stdout)
    assert (document["schema"], document["exit_code"], done.returncode) == ("sekisho.cases/1", 2, 2)
    problem = document["files"][0]["problems"][0]
    assert (problem["code"], problem["line"], problem["column"]) == ("cases.unknown_key_meant", 1, 32)
    assert str(path) not in problem["message"]
    assert document["files"][0]["cases"] == 0


def test_the_schema_is_written_in_both_languages() -> None:
    """Nothing but the schema."""
    english, japanese = (json.loads(run("schema", lang=lang).stdout) for lang in ("en", "ja"))

    assert english.keys() == japanese.keys()
    assert english["title"] != japanese["title"]


@pytest.mark.parametrize("ending", ["jsonl", "toml", "csv", "tsv", "yaml", "xlsx"])
def test_a_file_is_converted_there_and_back(write: Write, ending: str) -> None:
    """By the ending of the new file."""
    path = write("c.json", GOOD)
    there, back = path.with_name(f"d.{ending}"), path.with_name("e.json")

    first, second = run("convert", path, there), run("convert", there, back)

    assert (first.returncode, second.returncode) == (0, 0)
    assert first.stdout == f"wrote {there}: 1 cases\n"
    assert load_cases(back)[0].forbid == ("x",)


def test_what_is_left_out_is_said(write: Write) -> None:
    """Whole cases and parts of cases, each with its number."""
    path = write("g.csv", "question,expected_answer,contains\nQ?,Paris,\nR?,Rome,Rome\n")

    done = run("convert", path, path.with_name("c.json"))

    assert done.returncode == 0
    assert done.stdout.startswith("1 cases left out: their only expectation is a reference answer (expected_answer)")
    assert "In 1 cases the reference answer (expected_answer) was not carried over" in done.stdout


def test_nothing_is_written_where_nothing_can_be_carried_over(write: Write) -> None:
    """With the reason, and exit code 2."""
    path = write("g.csv", "question\nQ?\n")

    done = run("convert", path, path.with_name("c.json"))

    assert done.returncode == 2
    assert "1 cases left out: no expectation" in done.stdout
    assert "nothing was written" in done.stderr
    assert not path.with_name("c.json").exists()


def test_a_file_that_is_there_is_overwritten_only_by_force(write: Write) -> None:
    """Not even by itself."""
    path, other = write("c.json", GOOD), write("d.json", "mine")

    refused = run("convert", path, other)
    kept = other.read_text(encoding="utf-8")
    forced = run("convert", path, other, "--force")

    assert (refused.returncode, kept) == (2, "mine")
    assert "--force" in refused.stderr
    assert forced.returncode == 0
    assert load_cases(other)[0].id == "a"


def test_an_unknown_ending_is_refused_before_reading(write: Write) -> None:
    """With those that are known."""
    path = write("c.json", GOOD)

    done = run("convert", path, path.with_name("c.docx"))

    assert done.returncode == 2
    assert ".xlsx" in done.stderr


def test_a_script_adds_a_case_without_a_dialogue(write: Write) -> None:
    """Options alone; the id is proposed."""
    path = write("c.json", GOOD)

    done = run(
        "add", path, "--question", "How much?", "--department", "hr", "--expect-source", "s", "--expect-text", "a",
        "--expect-text", "b", "--forbid", "c", "--tag", "t",
    )  # fmt: skip

    assert (done.returncode, done.stdout) == (0, f"added 'how-much' to {path}\n")
    case = load_cases(path)[1]
    assert (case.departments, case.expect_source, case.expect_text) == (("hr",), ("s",), ("a", "b"))
    assert (case.forbid, case.tags) == (("c",), ("t",))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--tag", "t"], "--question is needed"),
        (["--question", "Q?"], "expects nothing"),
        (["--question", "Q?", "--forbid", "x", "--id", "a"], "is taken"),
        (["--question", "Q?", "--expect-not-found", "--expect-text", "x"], "nothing may be found"),
        (["--question", "Q?", "--forbid", "\u200b"], "empty text"),
    ],
)
def test_options_that_make_no_case_change_nothing(write: Write, words: list[str], sentence: str) -> None:
    """Exit code 2, and the reason."""
    path = write("c.json", GOOD)

    done = run("add", path, *words)

    assert done.returncode == 2
    assert sentence in done.stderr
    assert path.read_text(encoding="utf-8") == GOOD


def test_a_dialogue_adds_a_case(write: Write) -> None:
    """Answers may come from a pipe; questions go to standard error."""
    path = write("c.json", GOOD)

    done = run("add", path, typed="日当は?\n\n\n\n2,500円\n\n\n\n\n\n", lang="ja")

    assert (done.returncode, done.stdout) == (0, f"'case-002' を {path} に追加しました\n")
    assert "質問（人が尋ねるとおりに）: " in done.stderr
    assert path.read_text(encoding="utf-8").startswith(GOOD[:-3] + ",\n  {")


def test_input_that_ends_writes_nothing(write: Write) -> None:
    """Exit code 2."""
    path = write("c.json", GOOD)

    done = run("add", path, typed="Q?\n")

    assert done.returncode == 2
    assert "nothing was written" in done.stderr
    assert path.read_text(encoding="utf-8") == GOOD


def test_an_interrupted_dialogue_writes_nothing(write: Write) -> None:
    """Ctrl-C ends with 130."""
    path = write("c.json", GOOD)
    with subprocess.Popen(
        [*COMMAND, "add", str(path)], stdin=subprocess.PIPE, stderr=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stderr is not None
        process.stderr.read(1)
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        code = process.wait(timeout=30)

    assert code == 130
    assert path.read_text(encoding="utf-8") == GOOD


@pytest.mark.parametrize("command", [[], ["check"], ["schema"], ["convert"], ["add"]])
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_page_of_help_is_there(command: list[str], lang: str) -> None:
    """In both languages, within the width of a terminal."""
    done = run(*command, "--help", lang=lang)

    assert done.returncode == 0
    assert "sekisho cases" in done.stdout
    assert ("Options" if lang == "en" else "オプション") in done.stdout


def test_a_misspelt_subcommand_is_told_the_right_one() -> None:
    """As the others."""
    done = run("chek")

    assert done.returncode == 2
    assert "Did you mean 'check'?" in done.stderr
