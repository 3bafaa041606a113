"""The hashing embedder: the same bits everywhere, unit vectors, fast, and as good as it was measured to be."""

from __future__ import annotations

import csv
import hashlib
import json
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge_search.embed import HashingEmbedder

SHARED = next(
    (each / "shared" / "data" for each in Path(__file__).parents if (each / "shared" / "data").is_dir()), None
)
ANY_TEXT = st.text(st.characters(), max_size=60)


def test_vectors_are_the_same_bits_on_every_machine() -> None:
    """A digest written here: whoever gets another one has changed the algorithm and must raise its version."""
    texts = ["有給休暇は年に何日ありますか", "How many days off?", "ＶＰＮの設定 ﾊﾟｽﾜｰﾄﾞ", "", "Ünïcode Ωmega 12時"]

    digest = hashlib.sha256(HashingEmbedder().embed_passages(texts).astype("<f4").tobytes()).hexdigest()

    assert digest == "f71e893e3d0a2ca674a8485ae2f9731f8651f90649b1524fa29221e06b040b81"


@settings(max_examples=60, derandomize=True, deadline=None)
@given(st.lists(ANY_TEXT, max_size=5))
def test_every_text_has_a_unit_vector(texts: list[str]) -> None:
    """Empty texts, signs and halves of surrogate pairs too: a zero vector would have no cosine distance."""
    vectors = HashingEmbedder().embed_passages(texts)

    assert vectors.shape == (len(texts), 1024)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


@settings(max_examples=60, derandomize=True, deadline=None)
@given(st.lists(ANY_TEXT, min_size=1, max_size=6))
def test_a_text_has_one_vector_whatever_stands_beside_it(texts: list[str]) -> None:
    """Batches do not change a vector, and a query is embedded as a passage is."""
    embedder = HashingEmbedder()

    together = embedder.embed_passages(texts)

    assert all(np.array_equal(together[at], embedder.embed_query(text)) for at, text in enumerate(texts))


@pytest.mark.parametrize(("one", "other"), [("ＶＰＮ", "vpn"), ("ﾊﾟｽﾜｰﾄﾞ", "パスワード"), ("休暇、規程", "休暇 規程")])
def test_width_case_and_signs_do_not_count(one: str, other: str) -> None:
    """Texts that differ in form only have one vector."""
    embedder = HashingEmbedder()

    assert np.array_equal(embedder.embed_query(one), embedder.embed_query(other))


def test_many_texts_are_cut_into_blocks_without_a_seam() -> None:
    """Every text of a long list gets its own vector, also beside a very long one."""
    embedder = HashingEmbedder()
    texts = [f"文書 {number}" for number in range(1100)] + ["長い" * 100_000, "最後"]

    vectors = embedder.embed_passages(texts)

    assert all(np.array_equal(vectors[at], embedder.embed_query(texts[at])) for at in (0, 511, 512, 1099, 1100, 1101))


def test_ten_thousand_short_passages_take_a_few_seconds() -> None:
    """The ingest is not held up; CPU time, so that a busy machine does not matter."""
    texts = [
        f"第{number}条 社員は、出張から戻ってから{number % 30}日以内に旅費を精算しなければならない。領収書を添える。"
        for number in range(10_000)
    ]

    start = time.process_time()
    HashingEmbedder().embed_passages(texts)

    assert time.process_time() - start < 4


def test_the_default_threshold_keeps_answers_and_its_weakness_is_known(
    threshold_set: dict[str, dict[str, str]],
) -> None:
    """All answerable questions lie within 0.9, and so do most foreign ones: that is what evaluation grade means."""
    embedder = HashingEmbedder()
    passages = embedder.embed_passages(list(threshold_set["passages"].values()))

    def nearest(questions: list[str]) -> np.ndarray:
        return (1 - embedder.embed_passages(questions) @ passages.T).min(axis=1)

    assert (nearest(list(threshold_set["answerable"])) <= embedder.default_max_distance).all()
    foreign = nearest(list(threshold_set["off_topic"]))
    assert 0.8 <= np.median(foreign) <= 0.9
    assert foreign[0] <= embedder.default_max_distance
    assert embedder.evaluation_grade


@pytest.mark.shared_data
@pytest.mark.skipif(SHARED is None, reason="needs the shared collections")
@pytest.mark.parametrize(
    ("collection", "every", "first", "tenth"), [("debian-faq/ja", 1, 0.31, 0.63), ("jsquad/valid", 8, 0.78, 0.92)]
)
def test_recall_on_real_collections_stays(collection: str, every: int, first: float, tenth: float) -> None:
    """Measured: debian-faq/ja .327 at rank 1 and .653 at 10, jsquad .804 and .938."""
    assert SHARED is not None
    folder = SHARED / collection
    documents = [json.loads(line) for line in (folder / "corpus.jsonl").read_text(encoding="utf-8").splitlines()]
    queries = [json.loads(line) for line in (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines()][
        ::every
    ]
    with (folder / "qrels.tsv").open(encoding="utf-8") as lines:
        relevant = {row["query-id"]: row["corpus-id"] for row in csv.DictReader(lines, delimiter="\t")}
    embedder = HashingEmbedder()
    passages = embedder.embed_passages([f"{each['title']}\n{each['text']}" for each in documents])
    similarity = embedder.embed_passages([each["text"] for each in queries]) @ passages.T
    ranking = np.argsort(-similarity, axis=1, kind="stable")[:, :10]
    places = [[documents[at]["_id"] for at in row] for row in ranking]
    wanted = [relevant[each["_id"]] for each in queries]

    assert np.mean([row[0] == one for row, one in zip(places, wanted, strict=True)]) >= first
    assert np.mean([one in row for row, one in zip(places, wanted, strict=True)]) >= tenth
