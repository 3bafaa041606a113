"""What the benchmarks of the knowledge search share: a throwaway database, collections, kept vectors, a time limit."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
import signal
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from knowledge_search.embed import E5Embedder, HashingEmbedder
from knowledge_search.store.postgres import EmbeddedServer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from knowledge_search.ports import Embedder

ROOT = Path(__file__).resolve().parents[1]
_ROOM_BYTES = 2 * 2**30


class Collection(NamedTuple):
    """Passages (id, title, text), questions (id, text), and the ids of the passages relevant to each question."""

    passages: list[tuple[str, str, str]]
    questions: list[tuple[str, str]]
    relevant: dict[str, set[str]]


def collection(folder: Path) -> Collection:
    """Read ``corpus.jsonl``, ``queries.jsonl`` and ``qrels.tsv`` (BEIR's format, Thakur et al. 2021)."""
    relevant: dict[str, set[str]] = {}
    for line in (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        question, passage, grade = line.split("\t")
        if int(grade) > 0:
            relevant.setdefault(question, set()).add(passage)
    passages = [(each["_id"], each.get("title") or "", each["text"]) for each in _lines(folder / "corpus.jsonl")]
    questions = [(each["_id"], each["text"]) for each in _lines(folder / "queries.jsonl") if each["_id"] in relevant]
    return Collection(passages, questions, relevant)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


@contextmanager
def time_limit(seconds: int) -> Iterator[None]:
    """End the block with an error after ``seconds``; what it opened is closed on the way."""

    def expired(*_: object) -> None:
        sys.exit(f"not finished within {seconds} s")

    before = signal.signal(signal.SIGALRM, expired)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def throwaway_server(*, durable: bool = False) -> Iterator[EmbeddedServer]:
    """Give a running embedded server; its data is deleted afterwards. A durable one is on the disk and waits for it."""
    server = EmbeddedServer(throwaway_folder(memory=not durable), durable=durable)
    with server:
        try:
            yield server
        finally:
            server.destroy()


def throwaway_folder(*, memory: bool = False) -> Path:
    """Return a free name for data, in memory if wished and if there is room; any user can enter the folder above it."""
    shared = Path("/dev/shm")  # noqa: S108 - the name made there is random
    roomy = memory and shared.is_dir() and os.access(shared, os.W_OK) and shutil.disk_usage(shared).free > _ROOM_BYTES
    return (shared if roomy else Path(tempfile.gettempdir()).resolve()) / f"knowledge-bench-{secrets.token_hex(6)}"


def embedder(name: str, keep: Path | None) -> Embedder | Kept:
    """Return the embedder ``hashing`` or ``e5``; ``keep`` is a folder outside the repository for its vectors."""
    inner = HashingEmbedder() if name == "hashing" else E5Embedder()
    if keep is None or name == "hashing":
        return inner
    if keep.resolve().is_relative_to(ROOT):
        sys.exit(f"--keep {keep}: vectors of other people's text stay out of the repository; name a folder elsewhere")
    keep.mkdir(parents=True, exist_ok=True)
    return Kept(inner, keep)


class Kept:
    """An embedder whose vectors are read from a file where it has embedded the text before."""

    def __init__(self, inner: Embedder, folder: Path) -> None:
        self.name, self.dimensions, self.fingerprint = inner.name, inner.dimensions, inner.fingerprint
        self.default_max_distance, self.evaluation_grade = inner.default_max_distance, inner.evaluation_grade
        self._inner = inner
        self._path = folder / f"{hashlib.sha256(inner.fingerprint.encode()).hexdigest()[:16]}.npz"
        self._vectors: dict[str, npt.NDArray[np.float32]] = {}
        if self._path.exists():
            with np.load(self._path) as stored:
                self._vectors = dict(zip(stored["keys"].tolist(), stored["vectors"], strict=True))
        self._stored = len(self._vectors)

    def embed_passages(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return shape ``(len(texts), dimensions)``."""
        missing = [text for text in dict.fromkeys(texts) if _key("passage", text) not in self._vectors]
        for start in range(0, len(missing), 64):
            batch = missing[start : start + 64]
            for text, vector in zip(batch, self._inner.embed_passages(batch), strict=True):
                self._vectors[_key("passage", text)] = vector
        return np.stack([self._vectors[_key("passage", text)] for text in texts])

    def embed_query(self, text: str) -> npt.NDArray[np.float32]:
        """Return shape ``(dimensions,)``."""
        key = _key("query", text)
        if key not in self._vectors:
            self._vectors[key] = self._inner.embed_query(text)
        return self._vectors[key]

    def save(self) -> None:
        """Write what is new."""
        if len(self._vectors) > self._stored:
            fresh = self._path.with_suffix(f".{os.getpid()}.npz")
            np.savez(fresh, keys=np.array(list(self._vectors)), vectors=np.stack(list(self._vectors.values())))
            fresh.replace(self._path)
            self._stored = len(self._vectors)


def _key(kind: str, text: str) -> str:
    return kind + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def save(used: Embedder | Kept) -> None:
    """Write the vectors of an embedder that keeps them."""
    if isinstance(used, Kept):
        used.save()
