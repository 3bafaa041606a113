from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sekisho.adapters.command_target import command_settings, command_target
from sekisho.core.errors import TargetError

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no process groups")
STUBBORN = """
import os, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
"""
PROGRAMS = {
    "waits for input": "import sys; sys.stdin.read()",
    "sleeps": "import time; time.sleep(300)",
    "ignores SIGTERM": STUBBORN + "time.sleep(300)",
    "has a child that sleeps": STUBBORN + "os.fork(); time.sleep(300)",
    "leaves a child behind": "import os, time\nif os.fork() == 0: time.sleep(300)",
    "floods its output": "import os\nwhile True: os.write(1, b'x' * 65536)",
    "has ended": "",
}


def pids_of(marker: str) -> list[int]:
    """Return the processes in whose command line a marker stands."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal() and int(folder.name) != os.getpid():
            try:
                line, state = (folder / "cmdline").read_bytes(), (folder / "stat").read_text()
            except OSError:
                continue
            if marker.encode() in line and state.rpartition(")")[2].split()[0] != "Z":
                found.append(int(folder.name))
    return found


def wait_for(condition: Callable[[], object], seconds: float = 60) -> bool:
    """Wait until something holds, and tell whether it does."""
    until = time.monotonic() + seconds
    while not condition() and time.monotonic() < until:
        time.sleep(0.01)
    return bool(condition())


needs_proc = pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="processes are looked up in /proc")


def at_once(scenario: Callable[[str, str], object], programs: list[str], folder: Path) -> dict[str, object]:
    """Run a scenario for several programs at once, each with a marker of its own; most of it is waiting."""
    results: dict[str, object] = {}

    def run(name: str) -> None:
        results[name] = scenario(PROGRAMS[name], str(folder / name.replace(" ", "-")))

    threads = [threading.Thread(target=run, args=(name,)) for name in programs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


@needs_proc
def test_nothing_is_left_running_at_the_end(tmp_path: Path) -> None:
    """Neither the command nor what it has started, whatever it does with signals."""

    def scenario(program: str, marker: str) -> list[int]:
        table = {"command": [sys.executable, "-c", program, marker]}
        with command_target(command_settings(table, root=tmp_path)):
            alone = program == "" or "os.fork() ==" in program  # ends at once, and its group may be ended as soon
            assert alone or wait_for(lambda: pids_of(marker))
            time.sleep(0.5)
        return pids_of(marker)

    assert at_once(scenario, list(PROGRAMS), tmp_path) == {name: [] for name in PROGRAMS}


@needs_proc
def test_nothing_of_a_failed_case_is_left_running(tmp_path: Path) -> None:
    """Each is ended before the next is started."""
    names = ["sleeps", "ignores SIGTERM", "has a child that sleeps"]

    def scenario(program: str, marker: str) -> list[int]:
        table = {"command": [sys.executable, "-c", program, marker], "timeout_s": 0.5}
        with command_target(command_settings(table, root=tmp_path)) as made:
            with pytest.raises(TargetError, match="no whole line"):
                made.answer("q", [])
            return pids_of(marker)

    assert at_once(scenario, names, tmp_path) == {name: [] for name in names}


@needs_proc
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_nothing_is_left_running_when_the_run_is_interrupted(number: signal.Signals, tmp_path: Path) -> None:
    """In the middle of a call that would take minutes."""
    marker = str(tmp_path / "marker")
    program = f"""
import sys
from pathlib import Path
from sekisho.adapters.command_target import command_settings, command_target
from sekisho.cli.supervised import raise_when_signalled
raise_when_signalled()
table = {{"command": [sys.executable, "-c", {PROGRAMS["sleeps"]!r}, {marker!r}]}}
with command_target(command_settings(table, root=Path())) as made:
    print("asking", flush=True)
    made.answer("q", [])
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        running.stdout.readline()
        assert wait_for(lambda: len(pids_of(marker)) > 1)
        time.sleep(0.2)
        running.send_signal(number)
        running.communicate(timeout=20)

    assert wait_for(lambda: pids_of(marker) == [])


@needs_proc
def test_a_command_that_reads_ends_when_this_process_is_killed(tmp_path: Path) -> None:
    """Its input ends, which is all that can be told it then."""
    marker = str(tmp_path / "marker")
    program = f"""
import sys, time
from pathlib import Path
from sekisho.adapters.command_target import command_settings, command_target
table = {{"command": [sys.executable, "-c", {PROGRAMS["waits for input"]!r}, {marker!r}]}}
with command_target(command_settings(table, root=Path())) as made:
    print("ready", flush=True)
    time.sleep(300)
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        running.stdout.readline()
        running.kill()

    assert wait_for(lambda: pids_of(marker) == [])


def test_a_call_that_was_left_behind_ends_with_the_target() -> None:
    """And the target is closed while its thread still waits for the reply."""
    ended = threading.Event()
    table = {"command": [sys.executable, "-c", PROGRAMS["sleeps"]]}

    with command_target(command_settings(table, root=Path())) as made:

        def ask() -> None:
            with pytest.raises(TargetError, match="SIGKILL"):
                made.answer("q", [])
            ended.set()

        thread = threading.Thread(target=ask, daemon=True)
        thread.start()
        time.sleep(0.3)

    assert ended.wait(5)
    thread.join()
    with pytest.raises(TargetError, match="the run is over"):
        made.answer("q", [])


def test_closing_a_well_behaved_command_is_quick() -> None:
    """Its input ends, and so does it; no signal is sent and no pause is waited for."""
    program = "import sys\nfor line in sys.stdin: pass\nprint('goodbye', file=sys.stderr)"
    table = {"command": [sys.executable, "-c", program]}
    with command_target(command_settings(table, root=Path())):
        time.sleep(0.3)
        start = time.monotonic()

    assert time.monotonic() - start < 0.4


def test_no_descriptor_is_left_open() -> None:
    """After many restarts."""
    folder = Path("/proc/self/fd")
    if not folder.is_dir():
        pytest.skip("descriptors are looked up in /proc")
    before = len(list(folder.iterdir()))
    table = {"command": [sys.executable, "-c", "print(input()[:0] + 'x')"]}

    for _ in range(5):
        with command_target(command_settings(table, root=Path())) as made, pytest.raises(TargetError):
            made.answer("q", [])

    assert len(list(folder.iterdir())) == before
