"""What the tests of the store share: a small embedder, a way to put documents, and a corpus in three departments."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Protocol

import numpy as np
import pytest

from knowledge_search.domain import Page, ParsedDocument, Piece
from knowledge_search.search.tokens import BigramTokenizer
from knowledge_search.store import (
    Database,
    ExactStrategy,
    FusionStrategy,
    HnswStrategy,
    IvfFlatStrategy,
    LexicalStrategy,
    Maintenance,
    PostgresStore,
    RaptorStrategy,
    TwoStageStrategy,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy.typing as npt

    from knowledge_search.domain import Chunk
    from knowledge_search.ports import SearchStrategy
    from knowledge_search.store.visible import Locks

    Strategies = dict[str, Callable[..., SearchStrategy]]
    Dense = type[IvfFlatStrategy | HnswStrategy | TwoStageStrategy]
    Passages = tuple[list[Chunk], list[str], npt.NDArray[np.float32]]

STRATEGIES: Strategies = {
    "exact": ExactStrategy,
    "ivfflat": IvfFlatStrategy,
    "hnsw": HnswStrategy,
    "two_stage": TwoStageStrategy,
    "lexical": LexicalStrategy,
    "fusion": FusionStrategy,
    "raptor": RaptorStrategy,
}


class WordEmbedder:
    """Adds one signed direction for each bigram; equal texts have equal vectors."""

    name = "words"
    default_max_distance = 0.9
    evaluation_grade = True

    def __init__(self, dimensions: int = 64, fingerprint: str = "words-1") -> None:
        self.dimensions = dimensions
        self.fingerprint = fingerprint

    def embed_query(self, text: str) -> npt.NDArray[np.float32]:
        """Return the vector of a text."""
        vector = np.zeros(self.dimensions, np.float32)
        for term in BigramTokenizer().terms(text):
            number = int.from_bytes(
                hashlib.blake2b(f"{self.fingerprint}{term}".encode(), digest_size=8).digest(), "big"
            )
            vector[number % self.dimensions] += 1 if number >> 63 else -1
        length = float(np.linalg.norm(vector))
        return vector / length if length else vector

    def embed_passages(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return one row a text."""
        return np.stack([self.embed_query(text) for text in texts]) if texts else np.zeros((0, self.dimensions), "f4")


class Put(Protocol):
    """Stores a document of the given passages and returns its id."""

    def __call__(self, store: PostgresStore, source: str, department: str, *texts: str) -> int:
        """Store it."""
        ...


@pytest.fixture
def embedder() -> WordEmbedder:
    """Give the small embedder."""
    return WordEmbedder()


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """Give an open database with both locks."""
    with Database(database_url, readers=4, writers=4, timeout_s=15) as database:
        yield database


@pytest.fixture
def store(database: Database, embedder: WordEmbedder) -> PostgresStore:
    """Give an empty store."""
    store = PostgresStore(database, embedder)
    store.prepare()
    return store


@pytest.fixture(scope="session")
def put() -> Put:
    """Give the way to store a document."""
    return put_document


def put_document(store: PostgresStore, source: str, department: str, *texts: str) -> int:
    """Store a document of the given passages."""
    pieces = [Piece(text=text, title_path=(source,), start=0, end=len(text)) for text in texts]
    return store.replace(
        source=source,
        department=department,
        document=ParsedDocument(
            title=f"Title of {source}", pages=(Page(text="\n".join(texts)),), media_type="text/plain"
        ),
        content_hash=hashlib.sha256("\n".join(texts).encode(errors="replace")).hexdigest(),
        pieces=pieces,
        vectors=store._embedder.embed_passages([piece.searchable for piece in pieces]),  # noqa: SLF001 - the same one
    )


CORPUS: dict[tuple[str, str], list[str]] = {
    ("leave.md", "all"): [f"休暇の申請は{day}日前までに出す。" for day in range(3, 15)],
    ("pay.md", "hr"): [f"等級{grade}の月給は{grade}5万円とする。" for grade in range(1, 13)],
    ("discount.md", "sales"): [f"値引き{rate}%は部長の承認を得る。" for rate in range(5, 17)],
}


class Corpus:
    """The corpus stored in a database of its own, and databases on it with other locks."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.embedder = WordEmbedder()

    def fill(self, *, without: str = "", reverse: bool = False) -> Corpus:
        """Store the documents, all or without one, and make whatever a strategy may need."""
        with Database(self.url, readers=2, writers=2) as database:
            store = PostgresStore(database, self.embedder)
            store.prepare()
            for (source, department), texts in sorted(CORPUS.items(), reverse=reverse):
                if source != without:
                    put_document(store, source, department, *texts)
            for strategy in ("ivfflat", "hnsw", "two_stage", "raptor"):
                Maintenance(database, self.embedder, minimum_rows=1).run(strategy)
        return self

    def open(self, locks: Locks | None = None) -> Database:
        """Give a database on it, not yet open."""
        return Database(self.url, readers=2, writers=2, locks=locks)


@pytest.fixture(scope="module")
def corpus(module_database_url: str) -> Corpus:
    """Give the filled corpus; tests of one module share it and leave it as it is."""
    return Corpus(module_database_url).fill()


@pytest.fixture(scope="session")
def corpus_at() -> type[Corpus]:
    """Give the way to a corpus in another database."""
    return Corpus


@pytest.fixture(scope="session")
def strategies() -> Strategies:
    """Give every strategy by its name."""
    return STRATEGIES
