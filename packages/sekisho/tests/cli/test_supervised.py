"""Whatever a target does to its process, the exit code is the verdict, or 3 where there is none."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

TARGETS = """\
import atexit, os, threading, time

def ends_in_a_call():
    return lambda query: os._exit(0)

def ends_when_made():
    os._exit(0)

def ends_with_1():
    return lambda query: os._exit(1)

def answers(corpus):
    return lambda query: list(corpus.chunks.ids[:10])

def ends_at_exit(corpus):
    atexit.register(os._exit, 0)
    return answers(corpus)

def leaves_a_thread(corpus):
    threading.Thread(target=time.sleep, args=(600,)).start()
    return answers(corpus)

def forks(corpus):
    os.fork()
    return answers(corpus)

def hangs():
    def retrieve(query):
        open("started", "w").close()
        time.sleep(60)
    return retrieve
"""
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="without fork the target shares the process")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with targets."""
    (tmp_path / "t.py").write_text(TARGETS)
    return tmp_path


def start(folder: Path, target: str) -> subprocess.Popen[bytes]:
    """Start a check of one target."""
    command = [sys.executable, "-m", "sekisho", "--lang", "en", "check", "--target", f"t:{target}", "--json"]
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


@pytest.mark.parametrize("target", ["ends_in_a_call", "ends_when_made", "ends_with_1"])
def test_a_target_that_ends_the_process_gives_no_verdict(folder: Path, target: str) -> None:
    """Whichever exit code it chose; the reason is said."""
    with start(folder, target) as process:
        out, err = process.communicate(timeout=60)

    assert (process.returncode, out) == (3, b"")
    assert b"there is no verdict" in err


@pytest.mark.parametrize("target", ["ends_at_exit", "leaves_a_thread", "forks"])
def test_a_verdict_that_was_given_stands(folder: Path, target: str) -> None:
    """One report, its exit code, and an end: what comes after it cannot change or delay it."""
    with start(folder, target) as process:
        out, _ = process.communicate(timeout=60)

    assert process.returncode == 1
    assert json.loads(out)["exit_code"] == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_run_as_it_would_end_any_command(folder: Path, number: signal.Signals) -> None:
    """128 plus its number, no report, no traceback."""
    with start(folder, "hangs") as process:
        while not (folder / "started").exists():
            time.sleep(0.02)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)

    assert (process.returncode, out) == (128 + number, b"")
    assert b"Traceback" not in err


def test_a_crash_is_no_failed_gate_even_where_nobody_can_be_told(folder: Path) -> None:
    """Standard error is full; 1 would mean that something was measured and failed."""
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-m", "sekisho", "check", "--target", "t:ends_in_a_call"]
        done = subprocess.run(command, cwd=folder, stdout=full, stderr=full, check=False)

    assert done.returncode == 3


def test_a_killed_parent_leaves_nothing_running(folder: Path) -> None:
    """The measuring process ends by itself, as by a signal, once nobody waits for its verdict."""
    process = start(folder, "hangs")
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    if not children.exists():
        process.kill()
        pytest.skip("this system does not tell the children of a process")
    until((folder / "started").exists)
    child = int(children.read_text().split()[0])

    process.kill()

    until(lambda: not Path(f"/proc/{child}").exists() or "Z" in state(child))
    process.communicate()


def state(process_id: int) -> str:
    """Return the letter of a process's state; Z has ended."""
    try:
        return Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "Z"


def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds, at most twenty seconds."""
    deadline = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.parametrize(("target", "code"), [("answers", 1), ("ends_in_a_call", 125), ("no_such_factory", 125)])
def test_a_commit_that_cannot_be_measured_is_left_out_of_a_bisection(folder: Path, target: str, code: int) -> None:
    """``git bisect run`` skips at 125; refusals count as such, a failed gate does not."""
    command = [sys.executable, "-m", "sekisho", "check", "--bisect", "--target", f"t:{target}"]

    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)

    assert done.returncode == code
