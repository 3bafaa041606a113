"""Writing files so that they are there whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def write_whole(path: Path, content: bytes) -> None:
    """Write ``content`` beside ``path`` and put it in place in one step, so that no reader sees a part of it.

    An interruption leaves the old file, or none, and no file of its own.

    Raises:
        OSError: The folder cannot be written to.
    """
    name = _beside(path, content)
    try:
        os.replace(name, path)  # noqa: PTH105  the name is text here
    except BaseException:
        os.unlink(name)  # noqa: PTH108  as above
        raise


def write_new(contents: Mapping[Path, bytes]) -> None:
    """Write files that are not there yet: all of them, or none, also where it is interrupted.

    Raises:
        OSError: A folder cannot be written to, or one of the files is there by now; it stays as it is.
    """
    made: dict[Path, str] = {}
    try:
        for path, content in contents.items():
            made[path] = _beside(path, content)
        for path, name in made.items():
            _put_in_place(name, path)
    except BaseException:
        for path, name in made.items():
            with suppress(OSError):
                if os.path.samefile(name, path):  # noqa: PTH121  as above; a file of somebody else's stays
                    path.unlink()
        raise
    finally:
        for name in made.values():
            os.unlink(name)  # noqa: PTH108  as above


def _put_in_place(name: str, path: Path) -> None:
    """Give a file its name where nothing has it; where the file system has no hard links, a copy."""
    try:
        os.link(name, path)
    except FileExistsError:
        raise
    except OSError:
        with path.open("xb") as file:
            file.write(Path(name).read_bytes())


def write_folder(folder: Path, contents: Mapping[str, bytes]) -> None:
    """Write files into a folder, all of them whole before the first is put in place, the last of them at the end.

    Whoever finds the last one as it should be finds the others; it may hold their checksums.

    Raises:
        OSError: The folder cannot be made or written to; files that were there before stay as they are.
    """
    folder.mkdir(parents=True, exist_ok=True)
    aside = Path(tempfile.mkdtemp(prefix=".saving-", suffix=".tmp", dir=folder))  # on the same file system
    try:
        for name, content in contents.items():
            write_whole(aside / name, content)
        for name in contents:
            (aside / name).replace(folder / name)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _beside(path: Path, content: bytes) -> str:
    """Return the name of a new file beside ``path`` with this content, safe on the disk."""
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o666 & ~_umask())  # noqa: PTH101  as above
    except BaseException:
        os.unlink(name)  # noqa: PTH108  as above
        raise
    return name


def _umask() -> int:
    """Return the process's file mode mask, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
