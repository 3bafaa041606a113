"""The files of a folder, and the bytes of a file."""

from __future__ import annotations

import os
import stat
import unicodedata
from dataclasses import dataclass
from pathlib import Path

from knowledge_search.domain import DocumentError


@dataclass(frozen=True, kw_only=True)
class Found:
    """A file of a folder.

    Attributes:
        source: Its path below the folder, with ``/`` and in NFC, as it is named in the store.
        path: Where to read it, links resolved.
        leaves: Whether it is a link that leads out of the folder; such a file is reported and not read.
    """

    source: str
    path: Path
    leaves: bool = False


def files_in(folder: Path) -> list[Found]:
    """Return the files below ``folder`` by source, without hidden files and folders.

    Links to folders are not followed; links to files only where they stay in the folder.
    """
    root = folder.resolve()
    found: list[Found] = []
    for place, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        links = [name for name in folders if (Path(place) / name).is_symlink()]
        for name in (*links, *names):
            each = _found(root, Path(place) / name)
            if each is not None and (each.leaves or name not in links):
                found.append(each)
    return sorted(found, key=lambda each: each.source)


def _found(root: Path, path: Path) -> Found | None:
    """Return the file, None where it or what it links to is hidden."""
    # Unlike Path.resolve, this does not fail on links that go round in a circle; opening these fails later.
    real = Path(os.path.realpath(path))
    leaves = not real.is_relative_to(root)
    if path.name.startswith(".") or (not leaves and any(part.startswith(".") for part in real.relative_to(root).parts)):
        return None
    relative = os.fsencode(path.relative_to(root).as_posix()).decode("utf-8", "replace")
    return Found(source=unicodedata.normalize("NFC", relative), path=real, leaves=leaves)


def read_file(path: Path, *, most_bytes: int) -> bytes:
    """Return the bytes of a regular file.

    Raises:
        DocumentError: ``unsupported`` (no regular file, or not readable) or ``too_large``.
    """
    try:
        # Not blocking, because opening a pipe would wait for its writer.
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise DocumentError("unsupported", "not a regular file")
            content = file.read(most_bytes + 1)
    except OSError as error:
        raise DocumentError("unsupported", f"cannot be read: {error.strerror or type(error).__name__}") from error
    return within(content, most_bytes=most_bytes)


def within(content: bytes, *, most_bytes: int) -> bytes:
    """Return ``content`` where it is small enough.

    Raises:
        DocumentError: ``too_large``.
    """
    if len(content) > most_bytes:
        raise DocumentError("too_large", f"more than {most_bytes} bytes")
    return content
