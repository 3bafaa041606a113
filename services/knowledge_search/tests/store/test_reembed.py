"""Another embedder or tokenizer for all that is stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from knowledge_search.domain import EmbedderError, Scope
from knowledge_search.search.tokens import BigramTokenizer
from knowledge_search.store import ExactStrategy, LexicalStrategy, Maintenance, PostgresStore, reembed

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    from knowledge_search.store import Database

    from .conftest import Put, WordEmbedder

ALL = Scope.of()


class Words(BigramTokenizer):
    """Another tokenizer: it cuts at blanks."""

    name = "blanks"

    def terms(self, text: str) -> list[str]:
        """Return what stands between blanks."""
        return text.split()


def test_another_embedder_takes_over(
    store: PostgresStore, put: Put, database: Database, embedder: WordEmbedder
) -> None:
    """Another length too; the store then is what it would be, had the new one made it."""
    number = put(store, "a.md", "hr", "休暇の申請", "経費の精算")
    Maintenance(database, embedder).run("two_stage")
    store.calibrate(0.3)
    other = type(embedder)(dimensions=96, fingerprint="words-2")
    steps = []

    done = reembed(database, other, progress=steps.append)

    after = PostgresStore(database, other)
    record = after.prepare()
    hit = ExactStrategy(database, other).search("経費の精算", Scope.of("hr"), 1)[0]
    assert (done, steps) == (2, [2])
    assert (record.fingerprint, record.dimensions, record.max_distance) == ("words-2", 96, None)
    assert hit.chunk == after.chunks(number, Scope.of("hr"))[1]
    with pytest.raises(EmbedderError):
        store.prepare()
    put(after, "a.md", "hr", "休暇の申請")
    assert after.remove("a.md")


def test_another_tokenizer_takes_over(
    store: PostgresStore, put: Put, database: Database, embedder: WordEmbedder
) -> None:
    """Terms and their counts are made anew."""
    put(store, "a.md", "all", "leave request", "expense report")
    reembed(database, embedder, tokenizer=Words())
    hits = LexicalStrategy(database, embedder, tokenizer=Words()).search("expense", ALL, 2)

    assert PostgresStore(database, embedder, tokenizer=Words()).prepare().tokenizer == "blanks"
    assert (hits[0].chunk.text, hits[1].score) == ("expense report", 0.0)
    with database.writing() as connection:
        assert connection.execute("SELECT terms FROM department_stat").fetchone() == (6,)


def test_a_failure_leaves_everything_as_it_was(
    store: PostgresStore, put: Put, database: Database, embedder: WordEmbedder
) -> None:
    """The older vectors serve on, under the older fingerprint."""
    put(store, "a.md", "all", "休暇の申請")
    before = ExactStrategy(database, embedder).search("休暇", ALL, 3)

    class Failing(type(embedder)):
        def embed_passages(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
            raise EmbedderError(str(len(texts)))

    with pytest.raises(EmbedderError):
        reembed(database, Failing(fingerprint="words-2"))

    assert ExactStrategy(database, embedder).search("休暇", ALL, 3) == before
    assert LexicalStrategy(database, embedder).search("休暇", ALL, 3)[0].score > 0


def test_a_tree_of_older_vectors_is_not_kept(
    store: PostgresStore, put: Put, database: Database, embedder: WordEmbedder
) -> None:
    """The embedder changes while summaries are being written: they would stand among vectors of another kind."""
    put(store, "a.md", "all", *[f"規程{number}" for number in range(12)])
    other = type(embedder)(dimensions=96, fingerprint="words-2")

    class Changing(type(embedder)):
        def embed_passages(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
            reembed(database, other)
            return super().embed_passages(texts)

    with pytest.raises(EmbedderError):
        Maintenance(database, Changing()).run("raptor")

    with database.writing() as connection:
        assert connection.execute("SELECT count(*) FROM tree_node").fetchone() == (0,)


def test_maintenance_is_for_the_stores_own_embedder(
    store: PostgresStore, database: Database, embedder: WordEmbedder
) -> None:
    """Another one is refused before anything is made."""
    store.prepare()
    with pytest.raises(EmbedderError):
        Maintenance(database, type(embedder)(fingerprint="words-2")).run("raptor")


def test_readers_go_on_meanwhile(store: PostgresStore, put: Put, database: Database, embedder: WordEmbedder) -> None:
    """While passages are being embedded, a search finds what it found before."""
    put(store, "a.md", "all", "休暇の申請")
    before = ExactStrategy(database, embedder).search("休暇", ALL, 3)
    during = []

    class Watching(type(embedder)):
        def embed_passages(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
            during.append(ExactStrategy(database, embedder).search("休暇", ALL, 3))
            return super().embed_passages(texts)

    reembed(database, Watching(fingerprint="words-2"))

    assert during == [before]
