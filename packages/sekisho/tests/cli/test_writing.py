"""Files are there whole or not at all."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from sekisho.adapters.writing import write_folder, write_new, write_whole

if TYPE_CHECKING:
    from pathlib import Path


def test_a_file_is_written_with_the_rights_of_any_other(tmp_path: Path) -> None:
    """Not with those of a temporary file, which nobody else may read."""
    other = tmp_path / "other"
    other.touch()

    write_whole(tmp_path / "file", b"content")

    assert (tmp_path / "file").read_bytes() == b"content"
    assert (tmp_path / "file").stat().st_mode == other.stat().st_mode


@pytest.mark.parametrize("stop", [KeyboardInterrupt, OSError])
def test_an_interruption_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stop: type[BaseException]
) -> None:
    """And none of its own."""
    (tmp_path / "file").write_bytes(b"old")

    def interrupt(_descriptor: int) -> None:
        raise stop

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(stop):
        write_whole(tmp_path / "file", b"new")

    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"file": b"old"}


def test_a_folder_that_is_not_there_is_an_error_of_the_system(tmp_path: Path) -> None:
    """The command says which."""
    with pytest.raises(FileNotFoundError):
        write_whole(tmp_path / "absent" / "file", b"")


def files(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder, hidden ones among them."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_new_files_never_replace_one_that_came_meanwhile(tmp_path: Path) -> None:
    """Whatever came between the look and the writing stays, and the file before it goes again."""
    (tmp_path / "b").write_bytes(b"precious")

    with pytest.raises(FileExistsError):
        write_new({tmp_path / "a": b"new", tmp_path / "b": b"new"})

    assert files(tmp_path) == {"b": b"precious"}


@pytest.mark.parametrize("stop", [KeyboardInterrupt, PermissionError])
def test_new_files_are_written_all_or_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stop: type[BaseException]
) -> None:
    """An interruption before the second one takes back the first."""
    from sekisho.adapters import writing  # noqa: PLC0415  changed here

    place = writing._put_in_place  # noqa: SLF001  the step that is interrupted

    def interrupted(name: str, path: Path) -> None:
        if path.name == "b":
            raise stop
        place(name, path)

    monkeypatch.setattr(writing, "_put_in_place", interrupted)
    with pytest.raises(stop):
        write_new({tmp_path / "a": b"new", tmp_path / "b": b"new"})

    assert files(tmp_path) == {}


@pytest.mark.parametrize("links", [True, False])
def test_new_files_are_written_with_and_without_hard_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, links: bool
) -> None:
    """Some file systems have none."""

    def refuse(*_names: object) -> None:
        raise PermissionError

    if not links:
        monkeypatch.setattr(os, "link", refuse)
    write_new({tmp_path / "a": b"1", tmp_path / "b": b"2"})

    assert files(tmp_path) == {"a": b"1", "b": b"2"}


def test_a_folder_is_written_whole_or_stays_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No file of the new ones among the old ones, and nothing of its own."""
    write_folder(tmp_path / "new/folder", {"a": b"old", "b": b"old"})
    calls = []

    def full(_descriptor: int) -> None:
        calls.append(1)
        if len(calls) == 2:
            raise OSError

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError):
        write_folder(tmp_path / "new/folder", {"a": b"new", "b": b"new"})

    assert files(tmp_path / "new/folder") == {"a": b"old", "b": b"old"}
