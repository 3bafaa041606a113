"""``sekisho accept`` as a command: what it writes, when it refuses, and how it ends."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

BASELINE = "sekisho.baseline.json"


@pytest.fixture
def own(project: Path, tmp_path: Path) -> Path:
    """Return a copy of the project that a test may change."""
    folder = tmp_path / "own"
    shutil.copytree(project, folder)
    return folder


def test_accepting_writes_the_file_and_ends_with_0(start: Callable[..., tuple[int, str, str]], own: Path) -> None:
    """Each run is compared with it from then on."""
    code, out, err = start("accept", "--reason", "first baseline", folder=own)

    assert (code, err) == (0, "")
    assert out.endswith("belongs to.\n")
    assert json.loads((own / BASELINE).read_text(encoding="utf-8"))["schema"] == "sekisho.baseline/1"
    code, out, _ = start("check", folder=own)
    assert code == 0
    assert "first baseline" in out


def test_what_cannot_be_measured_ends_with_3_and_writes_nothing(
    start: Callable[..., tuple[int, str, str]], own: Path
) -> None:
    """Not even the suites that were measured."""
    code, out, _ = start("accept", "good", "crash", "--reason", "x", folder=own)

    assert code == 3
    assert "Nothing was accepted" in out
    assert not (own / BASELINE).exists()


@pytest.mark.parametrize("words", [(), ("--reason",), ("--reason", " "), ("nowhere", "--reason", "x")])
def test_words_that_make_no_sense_end_with_2(
    start: Callable[..., tuple[int, str, str]], own: Path, words: tuple[str, ...]
) -> None:
    """No reason, an empty one, a suite that there is none of."""
    code, _, err = start("accept", *words, folder=own)

    assert code == 2
    assert err
    assert not (own / BASELINE).exists()


def test_the_document_tells_what_was_accepted(start: Callable[..., tuple[int, str, str]], own: Path) -> None:
    """With the exit code of this command, although the measurement is below the gate."""
    code, out, _ = start("accept", "bad", "--reason", "x", "--json", folder=own)

    document = json.loads(out)
    assert (code, document["exit_code"], document["verdict"]) == (0, 0, "failed")
    assert (document["accepted"], document["dropped"]) == (["bad"], [])


def test_a_check_leaves_no_baseline_behind(start: Callable[..., tuple[int, str, str]], own: Path) -> None:
    """It says how to make one instead."""
    code, out, _ = start("check", folder=own)

    assert code == 0
    assert "sekisho accept --reason TEXT" in out
    assert not (own / BASELINE).exists()


def test_a_disk_without_room_leaves_the_old_file(own: Path, clean_environment: dict[str, str]) -> None:
    """The system refuses the write; the command names the file and ends with 2."""
    before = b'{"schema": "sekisho.baseline/1", "suites": {}}'
    (own / BASELINE).write_bytes(before)
    limited = (
        "import resource, runpy, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100));"
        "sys.argv = ['sekisho', 'accept', '--reason', 'x']; runpy.run_module('sekisho', run_name='__main__')"
    )

    done = subprocess.run(
        [sys.executable, "-B", "-c", limited],
        cwd=own, env=clean_environment, capture_output=True, check=False, timeout=60, text=True,
    )  # fmt: skip

    assert done.returncode == 2
    assert "File too large" in done.stderr
    assert (own / BASELINE).read_bytes() == before
    assert not list(own.glob(".sekisho*.tmp"))


def test_a_folder_in_its_place_ends_with_2(start: Callable[..., tuple[int, str, str]], own: Path) -> None:
    """Of both commands."""
    (own / BASELINE).mkdir()

    for words in (("accept", "--reason", "x"), ("check",)):
        code, _, err = start(*words, folder=own)

        assert code == 2
        assert BASELINE in err


def test_a_changed_ruler_ends_with_1_in_both_languages(start: Callable[..., tuple[int, str, str]], own: Path) -> None:
    """With what it was, what it is, and how to accept it."""
    start("accept", "--reason", "first", folder=own)
    path = own / "sekisho.toml"
    path.write_text(path.read_text(encoding="utf-8").replace("k = 3", "k = 2", 1), encoding="utf-8")

    code, english, _ = start("check", folder=own)
    japanese = start("check", folder=own, SEKISHO_LANG="ja").out  # type: ignore[attr-defined]  # named in the conftest

    assert code == 1
    assert "- k: 3 before, 2 now" in english
    assert "sekisho accept good --reason TEXT" in english
    assert "- k: 以前 3、今 2" in japanese
    assert "again" not in english.rpartition("FAILED")[2]
