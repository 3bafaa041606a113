"""Runs put into a history file: whole, beside other processes, and through whatever ends one."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import zlib
from typing import TYPE_CHECKING, Any

import pytest

from sekisho.core.errors import InputFileError
from sekisho.history.documents import packed, unpacked
from sekisho.history.finding import Filter, list_runs, show_run
from sekisho.history.keeping import keep
from sekisho.history.opening import BrokenHistoryError, EmptyHistoryError, ForeignHistoryError, opened

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import SimpleNamespace

    from sekisho.core.history import KeptRun, RunDetail

PROCESSES, RUNS = 8, 50
KEEP_MANY = """
import json, sys
from pathlib import Path
from sekisho.history.keeping import keep

path, document, count = Path(sys.argv[1]), json.loads(sys.argv[2]), int(sys.argv[3])
for _ in range(count):
    run = keep(path, document, time="2026-01-05T10:00:00Z", branch=sys.argv[4], duration_ms=1.0, patience_s=120)
    print(run.number, flush=True)
"""


def shown(file: Path, number: int) -> RunDetail:
    """Return one run of a history."""
    with opened(file, writing=False) as connection:
        return show_run(connection, number)


def keeping(file: Path, document: dict[str, Any], count: int, branch: str) -> subprocess.Popen[str]:
    """Start a process that keeps a document again and again, and says the number of each run when it is kept."""
    words = [sys.executable, "-c", KEEP_MANY, str(file), json.dumps(document), str(count), branch]
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True)


def test_a_run_comes_back_as_it_was(file: Path, kept: Callable[..., KeptRun], made: SimpleNamespace) -> None:
    """The document with the order of its keys; durations to the microsecond."""
    document = made.document(made.retrieval({"q1": 0.5, "q2": None}), made.answers({"a": "ng"}), made.access(1))
    document["run"]["elapsed_ms"]["search"]["q1"] = 0.123456789

    run = kept(document)

    back = shown(file, run.number).document
    document["run"]["elapsed_ms"]["search"]["q1"] = 0.123
    assert json.dumps(back) == json.dumps(document)


def test_the_line_of_a_run_has_its_headline_numbers(kept: Callable[..., KeptRun], made: SimpleNamespace) -> None:
    """Recall of retrieval, cases passed of all cases, leaks."""
    run = kept(made.document(made.retrieval({"q1": 0.5}), made.answers({"a": "ok", "b": "ng"}), made.access(0)))

    assert [(suite.headline, suite.value, suite.total) for suite in run.suites] == [
        ("recall@10", 0.5, None),
        ("passed", 1, 2),
        ("leaks", 0, None),
    ]


def test_what_did_not_change_is_stored_once(file: Path, kept: Callable[..., KeptRun], made: SimpleNamespace) -> None:
    """A hundred runs with one result hold it once."""
    document = made.document(made.retrieval({f"q{number}": 0.5 for number in range(400)}))
    kept(document)
    size = file.stat().st_size

    for _ in range(100):
        kept(document)

    with opened(file, writing=False) as connection:
        assert connection.execute("SELECT count(*) FROM contents").fetchone() == (1,)
    assert (file.stat().st_size - size) / 100 < 1000


def test_half_a_surrogate_pair_is_kept_as_its_escape(
    file: Path, kept: Callable[..., KeptRun], made: SimpleNamespace
) -> None:
    """JSON in UTF-8 cannot hold it."""
    document = made.document(made.answers({"a": "ok"}))
    document["suites"][0]["cases"][0]["question"] = "\ud800"

    run = kept(document)

    assert shown(file, run.number).suites[0].cases[0].text == r"\ud800"


def test_eight_processes_lose_nothing(file: Path, made: SimpleNamespace) -> None:
    """Each keeps fifty runs in a file that none of them finds; every one has a number of its own."""
    document = made.document(made.retrieval({"q1": 0.5}), made.answers({"a": "ok"}))

    processes = [keeping(file, document, RUNS, f"b{number}") for number in range(PROCESSES)]
    numbers = [int(line) for process in processes for line in process.communicate(timeout=300)[0].split()]

    assert [process.returncode for process in processes] == [0] * PROCESSES
    assert sorted(numbers) == list(range(1, PROCESSES * RUNS + 1))
    with opened(file, writing=False) as connection:
        listed = list_runs(connection, Filter(branch="b3"), limit=1000)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert len(listed.runs) == RUNS
    assert all(len(run.suites) == 2 for run in listed.runs)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signal that cannot be caught")
@pytest.mark.parametrize("lines", [0, 1, 5, 20])
def test_a_process_may_be_killed_at_any_time(file: Path, made: SimpleNamespace, lines: int) -> None:
    """What it said it had kept is there and whole, and the next run finds its place."""
    document = made.document(made.retrieval({f"q{number}": 0.5 for number in range(200)}))
    process = keeping(file, document, 100_000, "main")
    assert process.stdout is not None
    said = [int(process.stdout.readline()) for _ in range(lines)]

    os.kill(process.pid, signal.SIGKILL)
    process.wait(timeout=60)
    process.stdout.close()

    run = keep(file, document, time="2026-01-05T10:00:00Z", branch="main", duration_ms=1.0)
    with opened(file, writing=False) as connection:
        listed = list_runs(connection, Filter(), limit=100_000)
        details = [show_run(connection, each.number) for each in listed.runs]
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert set(said) <= {each.number for each in listed.runs}
    assert listed.runs[0].number == run.number
    assert all(len(detail.suites[0].cases) == 200 for detail in details)


def test_a_file_that_was_just_made_is_filled(file: Path, kept: Callable[..., KeptRun], made: SimpleNamespace) -> None:
    """A process killed while making it leaves nothing but its name."""
    file.touch()

    with pytest.raises(EmptyHistoryError), opened(file, writing=False):
        pass
    assert kept(made.document(made.access(0))).number == 1


def test_a_lock_is_waited_for_and_then_named(file: Path, kept: Callable[..., KeptRun], made: SimpleNamespace) -> None:
    """Not for ever."""
    document = made.document(made.access(0))
    kept(document)
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")

    with pytest.raises(InputFileError) as caught:
        keep(file, document, time="", branch=None, duration_ms=1.0, patience_s=0.05)
    other.close()

    assert caught.value.code == "history.locked"
    assert kept(document).number == 2


@pytest.mark.parametrize(
    "content", [b"\x00" * 8192, b"not a database at all " * 100, b"SQLite format 3\x00" + b"\xff" * 500]
)
@pytest.mark.parametrize("writing", [True, False])
def test_damage_is_named(file: Path, content: bytes, *, writing: bool) -> None:
    """Be it to read or to write."""
    file.write_bytes(content)

    with pytest.raises(BrokenHistoryError) as caught, opened(file, writing=writing):
        pass

    assert not caught.value.ours
    assert file.read_bytes() == content


def test_damage_of_our_own_file_is_told_apart(file: Path, kept: Callable[..., KeptRun], made: SimpleNamespace) -> None:
    """A file that begins as a history may be moved, wherever it is."""
    kept(made.document(made.access(0)))
    content = file.read_bytes()
    file.write_bytes(content[:100] + b"\xff" * (len(content) - 100))

    with pytest.raises(BrokenHistoryError) as caught, opened(file, writing=False) as connection:
        list_runs(connection, Filter(), limit=1)

    assert caught.value.ours


def test_a_missing_table_is_damage(file: Path, kept: Callable[..., KeptRun], made: SimpleNamespace) -> None:
    """SQLite has no code of its own for it."""
    kept(made.document(made.access(0)))
    with sqlite3.connect(file) as other:
        other.execute("DROP TABLE suites")
    other.close()

    with pytest.raises(BrokenHistoryError), opened(file, writing=False) as connection:
        list_runs(connection, Filter(), limit=1)


def test_the_database_of_another_program_is_left_alone(file: Path) -> None:
    """It says of itself that it is none of ours."""
    with sqlite3.connect(file) as other:
        other.execute("CREATE TABLE customers (name TEXT)")
    other.close()
    content = file.read_bytes()

    for writing in (True, False):
        with pytest.raises(ForeignHistoryError), opened(file, writing=writing):
            pass

    assert file.read_bytes() == content


def test_a_newer_form_is_refused(file: Path, kept: Callable[..., KeptRun], made: SimpleNamespace) -> None:
    """With both numbers; the file stays as it is."""
    kept(made.document(made.access(0)))
    with sqlite3.connect(file) as other:
        other.execute("PRAGMA user_version = 99")
    other.close()
    content = file.read_bytes()

    with pytest.raises(InputFileError) as caught:
        kept(made.document(made.access(0)))

    assert (caught.value.code, caught.value.values["version"]) == ("history.newer", 99)
    assert file.read_bytes() == content


@pytest.mark.parametrize(
    "content", [b"", b"\x00\xff", zlib.compress(b"[1"), zlib.compress(b"[" * 100_000), zlib.compress(b"[]")]
)
def test_a_damaged_document_does_not_take_the_list_along(
    file: Path, kept: Callable[..., KeptRun], made: SimpleNamespace, content: bytes
) -> None:
    """It is refused by its number."""
    run = kept(made.document(made.access(0)))
    with sqlite3.connect(file) as other:
        other.execute("UPDATE contents SET content = ?", (content,))
    other.close()

    with pytest.raises(InputFileError) as caught:
        shown(file, run.number)

    assert (caught.value.code, caught.value.values) == ("history.broken_run", {"run": 1})
    with opened(file, writing=False) as connection:
        assert list_runs(connection, Filter(), limit=1).runs == (run,)


def test_a_document_may_not_exhaust_the_memory() -> None:
    """A little compressed text can be much."""
    content = packed({"text": "x" * 100_000})

    with pytest.raises(InputFileError) as caught:
        unpacked(content, run=7, most=10_000)

    assert caught.value.code == "history.broken_run"
