"""What the operating system refused, as a sentence that says what to do."""

from __future__ import annotations

import errno
from contextlib import contextmanager
from typing import TYPE_CHECKING

from knowledge_search.domain import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_CHOOSE = "set KNOWLEDGE_SEARCH_DATA_DIR to a folder that can be written, or DATABASE_URL to a PostgreSQL server"
_ADVICE = {
    errno.EACCES: f"Give the user who runs this the right to write there, {_CHOOSE}.",
    errno.EPERM: f"Give the user who runs this the right to do so, {_CHOOSE}.",
    errno.EROFS: f"The file system is read-only: {_CHOOSE}.",
    errno.ENOSPC: f"The disk is full: free some space (a new database needs about 100 MB), or {_CHOOSE}.",
    errno.EDQUOT: f"The disk quota is used up: free some space, or {_CHOOSE}.",
    errno.ENOTDIR: f"A part of the path is not a folder: {_CHOOSE}.",
    errno.EEXIST: f"Something that is not a folder stands there: move it away, or {_CHOOSE}.",
    errno.ELOOP: f"A symbolic link stands where none may be: remove it, or {_CHOOSE}.",
}


@contextmanager
def explained(action: str, path: Path) -> Iterator[None]:
    """Turn an OSError within the block into a StoreError that names ``path`` and what to do."""
    try:
        yield
    except OSError as error:
        advice = _ADVICE.get(error.errno or 0, f"Mend the cause, or {_CHOOSE}.")
        raise StoreError(f"Cannot {action} {error.filename or path}: {error.strerror or error}. {advice}") from error
