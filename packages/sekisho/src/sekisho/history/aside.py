"""A damaged history file, moved aside: what it holds may still be saved by hand, and new runs need its place."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_JOURNALS = ("-journal", "-wal", "-shm")
"""What SQLite may have left beside a file; under the old name it would be taken for that of the next file."""


def identity_of(path: Path) -> tuple[int, int] | None:
    """Return what tells a file from another one under the same name, or None where there is none."""
    try:
        state = path.lstat()
    except OSError:
        return None
    return state.st_dev, state.st_ino


def move_aside(path: Path, *, stamp: str, identity: tuple[int, int] | None) -> Path | None:
    """Rename a file, with its journals, to ``<name>.broken-<stamp>`` and return the new path; nothing is deleted.

    Args:
        path: The file.
        stamp: When, as a part of a file name.
        identity: Of the file that was found to be damaged, from before it was opened. Another process may have moved
            it aside and begun a new one: that one stays, and None is returned.

    Raises:
        OSError: The folder cannot be written to.
    """
    if identity is None or identity_of(path) != identity:
        return None
    aside = _free(path, stamp)
    for ending in _JOURNALS:
        with suppress(FileNotFoundError):
            os.rename(f"{path}{ending}", f"{aside}{ending}")  # noqa: PTH104  names with an ending of SQLite's
    try:
        path.rename(aside)
    except FileNotFoundError:
        return None
    if identity_of(aside) != identity:  # the other process was faster by an instant
        with suppress(OSError):
            os.link(aside, path)
            aside.unlink()
        return None
    return aside


def _free(path: Path, stamp: str) -> Path:
    """Return a name that nothing has yet."""
    name = f"{path.name}.broken-{stamp}"
    aside, number = path.with_name(name), 1
    while os.path.lexists(aside):
        number += 1
        aside = path.with_name(f"{name}-{number}")
    return aside
