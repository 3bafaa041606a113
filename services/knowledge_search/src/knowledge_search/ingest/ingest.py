"""Reads files, cuts them into passages, embeds these and stores them."""

from __future__ import annotations

import hashlib
import unicodedata
from contextlib import suppress
from dataclasses import astuple
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from knowledge_search import chunk
from knowledge_search.domain import ConfigurationError, DocumentError, ParsedDocument, ScopeError
from knowledge_search.domain import department as checked
from knowledge_search.ingest.departments import Said, folder_department
from knowledge_search.ingest.folders import files_in, read_file, within
from knowledge_search.ingest.messages import EMPTY_FOLDER, LEFT_OUT, NO_FOLDER
from knowledge_search.ingest.report import FileReport, IngestReport, Progress
from knowledge_search.ports import Parser

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    import numpy.typing as npt

    from knowledge_search.ingest.folders import Found
    from knowledge_search.ports import DocumentStore, Embedder

_BATCH: Final = 128
"""Passages that are embedded at once."""
_LONGEST_SOURCE: Final = 500
_MOST_BYTES: Final = 50 * 2**20


class VersionedParser(Parser, Protocol):
    """A parser that says when its output could have changed.

    Attributes:
        version: Part of the content hash.
    """

    version: str


class Ingest:
    """Takes files into the store.

    A file is left alone while its content, the parser, the way of cutting, the embedder and what is said about its
    department are the same. A file that cannot be read is reported, and an older version of it stays as it is.

    Args:
        store: Replaces a document in one transaction, so that two ingests of one file at once are safe.
        parser: Reads files.
        embedder: Makes the vectors.
        folders: Folder name to department, for files of a folder.
        most_bytes: Largest file.
    """

    def __init__(
        self,
        store: DocumentStore,
        parser: VersionedParser,
        embedder: Embedder,
        *,
        folders: Mapping[str, str] | None = None,
        most_bytes: int = _MOST_BYTES,
    ) -> None:
        self._store = store
        self._parser = parser
        self._embedder = embedder
        self._folders = {name: checked(department) for name, department in (folders or {}).items()}
        self._most_bytes = most_bytes

    def upload(self, name: str, content: bytes, *, department: str | None = None) -> FileReport:
        """Take in one file that is given as bytes.

        Args:
            name: Its name in the store; only the last part of a path counts.
            content: The whole file.
            department: Whose it is; a document that names another one itself is refused.

        Raises:
            ScopeError: ``department`` cannot name one.
            StoreError: The database cannot be reached.
        """
        said = Said(option=_checked(department))
        source = unicodedata.normalize("NFC", name.replace("\\", "/").rsplit("/", 1)[-1])
        return self._reported(source, said, lambda: within(content, most_bytes=self._most_bytes))

    def file(self, path: Path, *, department: str | None = None) -> FileReport:
        """Take in one file under its own name.

        Args:
            path: The file; a link is followed.
            department: Whose it is; a document that names another one itself is refused.

        Raises:
            ScopeError: ``department`` cannot name one.
            StoreError: The database cannot be reached.
        """
        said = Said(option=_checked(department))
        source = unicodedata.normalize("NFC", path.name)
        return self._reported(source, said, lambda: read_file(path.resolve(), most_bytes=self._most_bytes))

    def folder(
        self,
        path: Path,
        *,
        department: str | None = None,
        default: str | None = None,
        prune: bool = False,
        progress: Progress | None = None,
    ) -> IngestReport:
        """Take in all files below a folder under their paths in it.

        Args:
            path: The folder; hidden files are left out, links that leave it are reported and not followed.
            department: Whose the files are; one that says otherwise itself, or by its folder, is refused.
            default: Whose a file is that says nothing itself and lies in no folder of a department.
            prune: Whether documents of the store that have no file here are removed: the store then holds this folder
                and nothing else. A file that is there but cannot be read is not removed.
            progress: Called after each file.

        Raises:
            ConfigurationError: There is no such folder, or it holds nothing and ``prune`` would empty the store.
            ScopeError: ``department`` or ``default`` cannot name one.
            StoreError: The database cannot be reached.
        """
        option, default = _checked(department), _checked(default)
        if not path.is_dir():
            raise ConfigurationError(NO_FOLDER.format(folder=path))
        found = files_in(path)
        here = {each.source for each in found if not each.leaves}
        if prune and not here:
            raise ConfigurationError(EMPTY_FOLDER.format(folder=path))
        reports: list[FileReport] = []
        for each in found:
            folder = folder_department(each.source, self._folders)
            reports.append(self._found(each, Said(folder=folder, option=option, default=default)))
            if progress is not None:
                progress(len(reports), len(found), reports[-1])
        vanished = [source for source in self._store.sources() if source not in here] if prune else []
        removed = tuple(source for source in vanished if self._store.remove(source))
        return IngestReport(files=tuple(reports), removed=removed)

    def _found(self, each: Found, said: Said) -> FileReport:
        if each.leaves:
            return FileReport(source=each.source, status="unsupported", detail=" / ".join(LEFT_OUT.values()))
        return self._reported(each.source, said, lambda: read_file(each.path, most_bytes=self._most_bytes))

    def _reported(self, source: str, said: Said, read: Callable[[], bytes]) -> FileReport:
        try:
            return self._taken(_checked_source(source), said, read())
        except DocumentError as error:
            return FileReport(source=source, status=error.status, detail=error.detail)

    def _taken(self, source: str, said: Said, content: bytes) -> FileReport:
        digest = self._digest(content, said)
        stored = self._store.content_hash(source)
        if stored is not None and stored[0] == digest:
            return FileReport(source=source, status="unchanged", department=stored[1])
        document = self._parsed(source, content)
        department = said.decided(document.department)
        _check_prefix(source, department)
        pieces = chunk.split(document)
        if not pieces:
            raise DocumentError("empty")
        number = self._store.replace(
            source=source, department=department, document=document, content_hash=digest, pieces=pieces,
            vectors=self._vectors([piece.searchable for piece in pieces]),
        )  # fmt: skip
        return FileReport(
            source=source, status="ingested", department=department, document_id=number, chunks=len(pieces),
            pages_without_text=tuple(page.number or 1 for page in document.pages if page.status == "needs_ocr"),
        )  # fmt: skip

    def _parsed(self, source: str, content: bytes) -> ParsedDocument:
        try:
            return self._parser.parse(source, content)
        except DocumentError:
            raise
        except Exception as error:  # one file must not end the ingest of the others, whatever is wrong with it
            raise DocumentError("crashed", type(error).__name__) from error

    def _digest(self, content: bytes, said: Said) -> str:
        """Return the hash of all that the stored document depends on."""
        versions = (self._parser.version, chunk.VERSION, self._embedder.fingerprint)
        parts = (*versions, *map(str, astuple(said)), hashlib.sha256(content).hexdigest())
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    def _vectors(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        batches = [self._embedder.embed_passages(texts[at : at + _BATCH]) for at in range(0, len(texts), _BATCH)]
        return np.concatenate(batches)


def _checked(department: str | None) -> str | None:
    return None if department is None else checked(department)


def _check_prefix(source: str, department: str) -> None:
    """Keep ``sales:…`` for the documents of ``sales``.

    Uploads are stored under such names, and one that a document of another department has could tell of it.

    Raises:
        DocumentError: ``unsupported``.
    """
    prefix, colon, _ = source.partition(":")
    with suppress(ScopeError):
        if colon and checked(prefix) != department:
            raise DocumentError("unsupported", f"names that begin with '{prefix}:' are kept for department {prefix}")


def _checked_source(source: str) -> str:
    if not 0 < len(source) <= _LONGEST_SOURCE or not source.isprintable() or "\ufffd" in source:
        raise DocumentError("unsupported", "the file name is empty, too long, or holds what cannot be shown")
    return source
