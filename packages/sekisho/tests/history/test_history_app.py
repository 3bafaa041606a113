"""Where a history is, and that keeping a run never costs a verdict."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from sekisho.app.history import current_branch, history_place, keep_run, load_list, load_run
from sekisho.core.errors import SekishoError
from sekisho.core.history import KeptRun
from sekisho.core.messages import Note
from sekisho.history.finding import Filter

if TYPE_CHECKING:
    from pathlib import Path
    from types import SimpleNamespace

EVERY = Filter()
KEEP_ON_A_FULL_DISK = """
import json, resource, signal, sys
from pathlib import Path
from sekisho.app.history import keep_run

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
document = json.load(sys.stdin)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
print(keep_run(Path(sys.argv[1]), document, branch=None, duration_ms=1.0, environment={}))
"""


@pytest.fixture(autouse=True)
def _no_history_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SEKISHO_HISTORY", raising=False)


def keep(root: Path, document: dict[str, Any], **environment: str) -> KeptRun | Note | None:
    """Keep a document."""
    return keep_run(root, document, branch="main", duration_ms=5.0, environment=environment)


def test_the_folder_is_one_that_git_passes_over(tmp_path: Path, made: SimpleNamespace) -> None:
    """A history is a record of one machine."""
    kept = keep(tmp_path, made.document(made.access(0)))

    assert isinstance(kept, KeptRun)
    assert (tmp_path / ".sekisho" / ".gitignore").read_text(encoding="ascii") == "*\n"
    assert sorted(path.name for path in (tmp_path / ".sekisho").iterdir()) == [".gitignore", "history.sqlite3"]


def test_the_time_is_kept_in_utc(tmp_path: Path, made: SimpleNamespace) -> None:
    """In one form, so that text can be compared."""
    kept = keep(tmp_path, made.document(made.access(0), time="2026-01-05T01:00:00+09:00"))

    assert isinstance(kept, KeptRun)
    assert kept.time == "2026-01-04T16:00:00Z"


def test_a_file_may_be_chosen(tmp_path: Path, made: SimpleNamespace) -> None:
    """Its folder is made; nothing is put beside it."""
    chosen = tmp_path / "some where" / "50%?#.db"

    kept = keep(tmp_path, made.document(made.access(0)), SEKISHO_HISTORY=str(chosen))

    assert isinstance(kept, KeptRun)
    assert [path.name for path in chosen.parent.iterdir()] == [chosen.name]
    assert not (tmp_path / ".sekisho").exists()


@pytest.mark.parametrize("value", ["off", "OFF", " off "])
def test_it_may_be_off(tmp_path: Path, made: SimpleNamespace, value: str) -> None:
    """Nothing is kept, and nothing said."""
    assert keep(tmp_path, made.document(made.access(0)), SEKISHO_HISTORY=value) is None
    assert list(tmp_path.iterdir()) == []


def test_an_empty_setting_is_none(tmp_path: Path) -> None:
    """As elsewhere in environments."""
    place = history_place(tmp_path, {"SEKISHO_HISTORY": ""})

    assert place is not None
    assert not place.chosen


def test_a_damaged_file_is_moved_aside(tmp_path: Path, made: SimpleNamespace) -> None:
    """With its journal; it is said, nothing is deleted, and the run is the first of a new history."""
    folder = tmp_path / ".sekisho"
    folder.mkdir()
    (folder / "history.sqlite3").write_bytes(b"junk" * 100)
    (folder / "history.sqlite3-wal").write_bytes(b"a journal")

    said = keep(tmp_path, made.document(made.access(0)))

    assert isinstance(said, Note)
    assert said.code == "history.moved_aside"
    assert said.render("ja") != said.render("en")
    names = sorted(path.name for path in folder.iterdir())
    assert len(names) == 4
    aside = next(name for name in names if "broken" in name and not name.endswith("-wal"))
    assert (folder / aside).read_bytes() == b"junk" * 100
    assert (folder / f"{aside}-wal").read_bytes() == b"a journal"
    assert load_run(tmp_path, "last").run.number == 1


def test_asides_do_not_overwrite_each_other(tmp_path: Path, made: SimpleNamespace) -> None:
    """Within one second, too."""
    for number in range(3):
        keep(tmp_path, made.document(made.access(0)))
        (tmp_path / ".sekisho" / "history.sqlite3").write_bytes(b"junk %d" % number)
    keep(tmp_path, made.document(made.access(0)))

    asides = [path.read_bytes() for path in (tmp_path / ".sekisho").glob("*broken*")]
    assert sorted(asides) == [b"junk 0", b"junk 1", b"junk 2"]


def test_reading_a_damaged_file_moves_it_aside(tmp_path: Path, made: SimpleNamespace) -> None:
    """It cannot be read the next time either; the error says where it is now."""
    keep(tmp_path, made.document(made.access(0)))
    file = tmp_path / ".sekisho" / "history.sqlite3"
    content = file.read_bytes()
    file.write_bytes(content[:100] + b"\xff" * (len(content) - 100))

    with pytest.raises(SekishoError) as caught:
        load_list(tmp_path, EVERY, limit=5)

    assert caught.value.code == "history.moved_aside_unread"
    assert len(list(file.parent.glob("*broken*"))) == 1
    assert load_list(tmp_path, EVERY, limit=5) is None


def test_what_the_user_named_by_mistake_is_not_touched(tmp_path: Path, made: SimpleNamespace) -> None:
    """The database of another program, or a file that is none: a sentence, and the file as it was."""
    database, text = tmp_path / "shop.db", tmp_path / "notes.txt"
    with sqlite3.connect(database) as other:
        other.execute("CREATE TABLE customers (name TEXT)")
    other.close()
    text.write_bytes(b"to do\n" * 100)

    for file in (database, text):
        content = file.read_bytes()

        said = keep(tmp_path, made.document(made.access(0)), SEKISHO_HISTORY=str(file))

        assert isinstance(said, Note)
        assert said.code == "history.not_kept"
        assert str(file) in said.render("en")
        assert file.read_bytes() == content
    assert sorted(path.name for path in tmp_path.iterdir()) == ["notes.txt", "shop.db"]


def test_a_damaged_history_that_the_user_named_is_moved(tmp_path: Path, made: SimpleNamespace) -> None:
    """It says of itself that it is one."""
    file = tmp_path / "ours.db"
    keep(tmp_path, made.document(made.access(0)), SEKISHO_HISTORY=str(file))
    content = file.read_bytes()
    file.write_bytes(content[:100] + b"\xff" * (len(content) - 100))

    said = keep(tmp_path, made.document(made.access(0)), SEKISHO_HISTORY=str(file))

    assert isinstance(said, Note)
    assert said.code == "history.moved_aside"


def test_a_file_in_place_of_the_folder_costs_no_verdict(tmp_path: Path, made: SimpleNamespace) -> None:
    """A sentence for the report."""
    (tmp_path / ".sekisho").write_text("mine", encoding="ascii")

    said = keep(tmp_path, made.document(made.access(0)))

    assert isinstance(said, Note)
    assert said.code == "history.not_kept"
    assert (tmp_path / ".sekisho").read_text(encoding="ascii") == "mine"


def test_a_document_that_cannot_be_kept_costs_no_verdict(tmp_path: Path) -> None:
    """Even a mistake of this package would not."""
    said = keep(tmp_path, {"suites": [{"name": object()}]})

    assert isinstance(said, Note)
    assert "KeyError" in said.render("en")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit on the size of files")
def test_a_full_disk_costs_no_verdict(tmp_path: Path, made: SimpleNamespace) -> None:
    """What was kept before stays whole."""
    keep(tmp_path, made.document(made.access(0)))
    file = tmp_path / ".sekisho" / "history.sqlite3"
    large = made.document(made.retrieval({os.urandom(20).hex(): 0.5 for _ in range(2000)}))
    words = [sys.executable, "-c", KEEP_ON_A_FULL_DISK, str(tmp_path), str(file.stat().st_size + 4096)]

    done = subprocess.run(words, input=json.dumps(large), capture_output=True, text=True, check=True, timeout=60)

    assert "was not kept in the history" in done.stdout
    listed = load_list(tmp_path, EVERY, limit=5)
    assert listed is not None
    assert [run.number for run in listed.runs] == [1]
    assert isinstance(keep(tmp_path, made.document(made.access(0))), KeptRun)


def test_without_a_history_there_is_none(tmp_path: Path) -> None:
    """To look makes no file."""
    assert load_list(tmp_path, EVERY, limit=5) is None
    with pytest.raises(SekishoError) as caught:
        load_run(tmp_path, "last")

    assert caught.value.code == "history.none_yet"
    assert list(tmp_path.iterdir()) == []


def test_the_branch_is_what_git_says(tmp_path: Path) -> None:
    """None outside a repository and on a detached head."""
    git = ["git", "-C", str(tmp_path), "-c", "user.name=t", "-c", "user.email=t@example.org"]
    assert current_branch(tmp_path / "none") is None

    subprocess.run([*git, "init", "--quiet", "--initial-branch", "feature/検索"], check=True)
    unborn = current_branch(tmp_path)
    subprocess.run([*git, "commit", "--quiet", "--allow-empty", "-m", "first"], check=True)
    on_branch = current_branch(tmp_path)
    subprocess.run([*git, "checkout", "--quiet", "--detach"], check=True)

    assert (unborn, on_branch, current_branch(tmp_path)) == ("feature/検索", "feature/検索", None)
