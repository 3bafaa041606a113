"""Files are there whole or not at all."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from sekisho.adapters.writing import write_whole

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
