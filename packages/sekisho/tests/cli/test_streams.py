"""Terminals, pipes, encodings, and what is imported on the way."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

HEAVY = {"numpy", "rich", "msgspec", "asyncio", "subprocess", "polars", "email", "http", "socket", "ssl", "tomllib"}


@pytest.mark.parametrize("encoding", ["ascii", "cp932", "cp1252"])
@pytest.mark.parametrize("language", ["en", "ja"])
def test_any_encoding_of_the_streams_will_do(check: Callable[..., object], encoding: str, language: str) -> None:
    """Reports and errors: no crash, the same exit codes, signs in ASCII where the encoding lacks them."""
    code, out, _ = check("good", "--lang", language, PYTHONIOENCODING=encoding)

    assert code == 0
    assert "recall@3" in out
    assert ("\\u" in out) == (language == "ja" and encoding in {"ascii", "cp1252"})


def test_pages_and_lists_survive_ascii(start: Callable[..., object], tmp_path: Path) -> None:
    """With escapes for what is not there."""
    for words in (("--help",), ("list",), ("explain", "recall"), ("corpus",)):
        assert start(*words, "--lang", "ja", folder=tmp_path, PYTHONIOENCODING="ascii").code == 0
    assert "\\u" in start("chek", "--lang", "ja", PYTHONIOENCODING="ascii").err


def test_a_pipe_gets_no_colours_and_no_bar(check: Callable[..., object]) -> None:
    """A build log is text."""
    _, out, err = check("good")

    assert "\x1b" not in out + err
    assert err == ""


@pytest.mark.parametrize("columns", ["40", "-5", "99999999999999999999"])
def test_any_number_of_columns_will_do(check: Callable[..., object], columns: str) -> None:
    """Narrow ones are kept to; nonsense is passed over."""
    code, out, _ = check("good", COLUMNS=columns)

    assert code == 0
    assert max(map(len, out.splitlines())) <= (40 if columns == "40" else 140)


def read_terminal(words: list[str], folder: Path, environment: dict[str, str]) -> tuple[int, str]:
    """Run a command on a pseudo-terminal and return its exit code and all that it showed."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(words, cwd=folder, env=environment, stdin=follower, stdout=follower, stderr=follower)
    os.close(follower)
    shown = b""
    while select.select([leader], [], [], 20)[0]:
        try:
            piece = os.read(leader, 65536)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    os.close(leader)
    return process.wait(timeout=20), shown.decode()


@pytest.mark.parametrize(("extra", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_a_terminal_gets_colours_and_a_bar_that_goes_away(
    project: Path, clean_environment: dict[str, str], extra: dict[str, str], *, coloured: bool
) -> None:
    """The progress bar names the suite and is erased; the verdict is green unless colours are off."""
    environment = {**clean_environment, "TERM": "xterm-256color", **extra}

    code, shown = read_terminal([sys.executable, "-m", "sekisho", "check", "good"], project, environment)

    assert code == 0
    assert "4/4" in shown
    assert "\x1b[2K" in shown
    assert ("\x1b[32mPASSED" in shown) == coloured
    assert bool(re.search(r"\x1b\[3[1-6]m", shown)) == coloured


def test_what_a_target_prints_stays_apart_on_a_terminal(project: Path, clean_environment: dict[str, str]) -> None:
    """A document on standard output, everything else beside it."""
    words = [sys.executable, "-m", "sekisho", "check", "noisy"]

    code, shown = read_terminal(words, project, {**clean_environment, "TERM": "xterm"})

    assert code == 1
    assert "hello from Python" in shown
    last = shown.replace("\r", "").rstrip().rpartition("\n\n")[2]
    assert last.startswith(("FAILED", "\x1b[1;31mFAILED"))


def test_a_report_in_a_file_holds_nothing_that_a_target_prints(check: Callable[..., object]) -> None:
    """``sekisho check > report.txt``: what the target says goes to standard error."""
    _, out, err = check("noisy")

    assert "hello" not in out
    assert err.count("hello from C") == 4
    assert "imported" in err


def loaded(words: list[str], folder: Path, environment: dict[str, str]) -> set[str]:
    """Return the modules that the command has imported when it ends."""
    code = (
        "import sys, atexit, os\n"
        "keep = os.dup(1)\n"
        "atexit.register(lambda: os.write(keep, ('\\n@' + ' '.join(sys.modules)).encode()))\n"
        "from sekisho.cli import main\n"
        "main()"
    )
    words = [sys.executable, "-c", code, *words]
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return set(" ".join(done.stdout.split("@")[1:]).split())  # of the parent and of its child


@pytest.mark.parametrize(
    "words", [["--help"], ["--version"], ["check", "--help"], ["score", "--help"], ["chek"], ["-k"]]
)
def test_pages_and_slips_import_nothing_heavy(
    tmp_path: Path, clean_environment: dict[str, str], words: list[str]
) -> None:
    """Neither numpy nor the application: a page is there at once."""
    modules = loaded(words, tmp_path, clean_environment)

    assert not {name.partition(".")[0] for name in modules} & HEAVY
    assert not {name for name in modules if name.startswith(("sekisho.app", "sekisho.adapters.files"))}


def test_the_default_gate_imports_no_more_than_it_uses(tmp_path: Path, clean_environment: dict[str, str]) -> None:
    """No event loop, no web, no terminal library, no files of collections on the way of one sync target."""
    modules = loaded(["check", "--target", "sekisho.retrievers:exact"], tmp_path, clean_environment)

    heavy = {"asyncio", "rich", "polars", "email", "http", "socket", "ssl", "concurrent", "multiprocessing"}
    assert "numpy" in modules
    assert {name.partition(".")[0] for name in modules} & heavy == set()
    assert not {
        name for name in modules if name.startswith(("sekisho.adapters.files", "sekisho.corpora.text", "numpy.random"))
    }
