"""Writing a file so that it is there whole or not at all."""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def write_whole(path: Path, content: bytes) -> None:
    """Write ``content`` beside ``path`` and put it in place in one step, so that no reader sees a part of it.

    An interruption leaves the old file, or none, and no file of its own.

    Raises:
        OSError: The folder cannot be written to.
    """
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o666 & ~_umask())  # noqa: PTH101  the name is text here
        os.replace(name, path)  # noqa: PTH105  as above
    except BaseException:
        os.unlink(name)  # noqa: PTH108  as above
        raise


def _umask() -> int:
    """Return the process's file mode mask, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
