"""The columnar reader gives the bits of the plain one, or leaves the file to it."""

from __future__ import annotations

import io
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sekisho.adapters.files.columns import read_side, score_columns
from sekisho.adapters.files.fields import PAD, hashes, numbers
from sekisho.adapters.files.score import score_files
from sekisho.adapters.files.values import BadValueError, number
from sekisho.core.errors import InputFileError
from sekisho.ranking.columns import score_arrays
from sekisho.ranking.columns_sides import Side

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from sekisho.ranking.many import RunScores

    Write = Callable[[str, str | bytes], Path]

METRICS = ("recall@3", "recall@10", "precision@5", "mrr", "mrr@3", "map", "map@5", "ndcg@10", "ndcg@3", "success@5")
TOLD = (
    "metrics",
    "query_ids",
    "values",
    "means",
    "missing",
    "unjudged",
    "without_relevant",
    "duplicates",
    "ties",
    "bounds",
)


def _assert_same_bits(columns: RunScores, plain: RunScores) -> None:
    for name in TOLD:
        assert getattr(columns, name) == getattr(plain, name), name


def _random(seed: int) -> Random:
    return Random(seed)  # noqa: S311  rows that can be made again are wanted, no secrets


def _random_rows(
    random: Random, *, queries: int, depth: int
) -> tuple[list[tuple[str, str, str]], list[tuple[str, str, str]]]:
    """Return rows of a run and of judgments: ties, queries missing on either side, ids of many lengths."""
    documents = [f"{random.choice(['d', '文書', 'a-rather-long-prefix/'])}{number}" for number in range(depth * 2)]
    spell = random.choice(
        [
            lambda: f"{random.random():.3f}",
            lambda: repr(random.random()),
            lambda: str(random.randrange(5)),
            lambda: f"{random.uniform(-9, 9):.2e}",
            lambda: f"{random.random() * 1000:.10f}",
        ]
    )
    run, qrels = [], []
    for place in range(queries):
        query = f"query{place}" if random.random() < 0.9 else f"q{place}"
        if random.random() < 0.9:
            found = random.sample(documents, random.randrange(1, depth))
            scored = [(query, document, spell()) for document in found]
            if random.random() < 0.7:
                scored.sort(key=lambda row: -float(row[2]))
            run += scored
        if random.random() < 0.9:
            judged = random.sample(documents, random.randrange(1, depth))
            qrels += [(query, document, random.choice(["0", "1", "1", "2", "-1", "0.5"])) for document in judged]
    if random.random() < 0.3:
        random.shuffle(run)
        random.shuffle(qrels)
    return run, qrels


def _trec(rows: list[tuple[str, str, str]], *, run: bool, separator: str = " ", end: str = "\n") -> str:
    fields = ([q, "Q0", d, "1", v, "tag"] if run else [q, "0", d, v] for q, d, v in rows)
    return end.join(map(separator.join, fields)) + end


@pytest.mark.parametrize("seed", range(60))
def test_columns_give_the_bits_of_the_plain_reader(write: Write, seed: int) -> None:
    """Ties, missing queries, queries that come again, scores in no order, CRLF, tabs, ids of any length."""
    random = _random(seed)
    run, qrels = _random_rows(random, queries=random.choice([1, 3, 40]), depth=random.choice([4, 12, 60]))
    separator, end = random.choice(" \t"), random.choice(["\n", "\r\n"])
    run_path = write("run", _trec(run or [("x", "y", "1")], run=True, separator=separator, end=end))
    qrels_path = write("qrels", _trec(qrels or [("x", "y", "1")], run=False))
    threshold = random.choice([None, 1, 2])
    try:
        plain = score_files(run_path, qrels_path, METRICS, relevance_threshold=threshold, columns=False)
    except InputFileError as error:
        if error.code not in {"files.nothing_relevant", "files.nothing_positive"}:  # found when all is scored
            assert score_columns(run_path, qrels_path, METRICS, relevance_threshold=threshold) is None
        return

    columns = score_columns(run_path, qrels_path, METRICS, relevance_threshold=threshold)

    if columns is None:  # no judged document came back for its own query: the plain reader has to look
        assert not any(plain.values["success@5"])
    else:
        _assert_same_bits(columns, plain)


def test_parquet_in_columns_gives_the_bits_of_the_rows(write: Write) -> None:
    """Another reader, the same engine."""
    run, qrels = _random_rows(_random(5), queries=30, depth=20)
    paths = []
    for name, rows, value in (("run", run, "score"), ("qrels", qrels, "grade")):
        buffer = io.BytesIO()
        columns = {
            "qid": [q for q, _, _ in rows],
            "docno": [d for _, d, _ in rows],
            value: [float(v) for _, _, v in rows],
        }
        pl.DataFrame(columns).write_parquet(buffer)
        paths.append(write(name, buffer.getvalue()))

    columns_scores = score_columns(paths[0], paths[1], METRICS, relevance_threshold=1)

    assert columns_scores is not None
    _assert_same_bits(columns_scores, score_files(paths[0], paths[1], METRICS, relevance_threshold=1, columns=False))


def test_a_file_of_several_blocks_is_read_whole(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """A query may go on behind the end of a block, and a line may be longer than one."""
    monkeypatch.setattr("sekisho.adapters.files.columns._BLOCK", 100)
    run, qrels = _random_rows(_random(3), queries=20, depth=20)
    run.append(("last", "long" * 100, "1"))
    run_path = write("run", _trec(run, run=True).removesuffix("\n"))
    qrels_path = write("qrels", _trec(qrels, run=False))

    columns = score_columns(run_path, qrels_path, METRICS, relevance_threshold=1)

    assert columns is not None
    _assert_same_bits(columns, score_files(run_path, qrels_path, METRICS, relevance_threshold=1, columns=False))


@pytest.mark.parametrize(
    "content",
    [
        "q Q0 a 1 0.5 t\nq Q0 b 2 0.4\n",
        "q Q0 a 1 0.5 t\nq Q0 b 2 0.4\nq Q0 c 2 0.3 t t\n",
        "q Q0 a 1 0.5 t\n\nq Q0 b 2 0.4 t\n",
        "q Q0 a 1 0.5 t\nq Q0 b 2  0.4 t\n",
        "q Q0 a 1 0.5 t\n q Q0 b 2 0.4 t\n",
        "q Q0 a 1 0.5 t\n#q Q0 b 2 0.4 t\n",
        "q Q0 a 1 0.5 t\nq Q0 b 2 nan t\n",
        "q Q0 a 1 0.5 t\nq Q0 b 2 . t\n",
        "q Q0 a 1 0.5 t\nq Q0 b 2 1.2.3 t\n",
        "q Q0 a 1 0.5 t\nq Q0 b\t2 0.4 t\n",
        "q Q0 a 1 0.5 t\nq Q0 b\0 2 0.4 t\n",
        "q Q0 a 1 0.5 t\nq Q0 b 2 0.4 t\r\nq Q0 c 2 0.4 t\r",
        "# c\nq Q0 a 1 0.5 t\n",
        '{"q": {"a": 0.5}}',
        "q a 0.5\n",
        "q,a,0.5\n",
        b"q Q0 a 1 0.5 t\nq Q0 \xff 2 0.4 t\n",
    ],
)
def test_whatever_is_not_plain_is_left_to_the_plain_reader(write: Write, content: str | bytes) -> None:
    """The columnar reader neither repairs nor complains."""
    assert read_side(write("run", content), "run") is None


def test_a_document_twice_is_left_to_the_plain_reader(write: Write) -> None:
    """Also one that nobody judged, and one whose two rows stand far apart."""
    run = write("run", "q Q0 a 1 0.5 t\nq Q0 z 2 0.4 t\np Q0 a 1 0.5 t\nq Q0 z 3 0.3 t\n")
    qrels = write("qrels", "q 0 a 1\np 0 a 1\n")

    assert score_columns(run, qrels, METRICS, relevance_threshold=1) is None
    with pytest.raises(InputFileError) as caught:
        score_files(run, qrels, METRICS, columns=True)
    assert caught.value.where is not None
    assert caught.value.where.line == 4


def _side(rows: Sequence[tuple[str, str, float]], hashed: Sequence[int]) -> Side:
    documents = [document for _, document, _ in rows]
    return Side(
        queries=[query for query, _, _ in rows],
        starts=np.arange(len(rows) + 1),
        hashes=np.array(hashed, np.uint64),
        values=np.array([value for _, _, value in rows], np.float64),
        texts=lambda at: [documents[place] for place in at.tolist()],
    )


def test_a_hit_is_verified_on_the_text() -> None:
    """Two documents with one hash are two documents."""
    run = _side([("q", "other", 0.9), ("q", "wanted", 0.8)], [7, 8])
    qrels = _side([("q", "judged", 1), ("q", "wanted", 1)], [7, 8])

    scores = score_arrays(run, qrels, ["recall@2", "mrr"])

    assert scores is not None
    assert scores.values == {"recall@2": (0.5,), "mrr": (0.5,)}


def test_judgments_that_share_a_slot_are_all_found() -> None:
    """Hashes that differ only where no slot looks."""
    rows = [("q", f"d{place}", 1.0) for place in range(50)]
    hashed = [place << 40 for place in range(50)]

    scores = score_arrays(
        _side([(q, d, -float(n)) for n, (q, d, _) in enumerate(rows)], hashed), _side(rows, hashed), ["recall@50"]
    )

    assert scores is not None
    assert scores.values == {"recall@50": (1.0,)}


def _arrays(texts: list[str]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    encoded = [text.encode() for text in texts]
    lengths = np.array([len(text) for text in encoded])
    starts = PAD + np.concatenate([[0], np.cumsum(lengths + 1)[:-1]])
    joined = b"\0" * PAD + b"|".join(encoded) + b"|" + b"\0" * PAD
    return np.frombuffer(joined, np.uint8).copy(), starts, lengths


NUMBERS = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.integers(-(10**18), 10**18).map(str),
    st.tuples(st.integers(0, 10**9), st.integers(0, 10**7)).map(lambda pair: f"{pair[0]}.{pair[1]}"),
    st.decimals(0, 1, places=6).map(str),
    st.sampled_from(
        [".5", "5.", "0", "00.50", "1e3", "-0", "+7", "9999999999999999", "999999999999999.9", "12345678", "1234567.8"]
    ),
)


@given(st.lists(NUMBERS, min_size=1, max_size=20))
def test_numbers_read_as_python_reads_them(texts: list[str]) -> None:
    """To the last bit, whatever their form."""
    found = numbers(*_arrays(texts))

    assert found.tolist() == [float(text) for text in texts]


@given(st.lists(st.text("0123456789.", min_size=1, max_size=20), min_size=1, max_size=5))
def test_what_is_no_number_is_refused_as_by_the_plain_reader(texts: list[str]) -> None:
    """Points alone, two points."""
    try:
        wanted = [float(number(text)) for text in texts]
    except BadValueError:
        with pytest.raises(BadValueError):
            numbers(*_arrays(texts))
        return

    assert numbers(*_arrays(texts)).tolist() == wanted


@given(st.lists(st.text("ab文", min_size=1, max_size=20), min_size=2, max_size=20))
def test_equal_fields_and_only_they_have_equal_hashes(texts: list[str]) -> None:
    """Wherever they stand."""
    found = hashes(*_arrays(texts)).tolist()

    assert len(set(zip(found, texts, strict=True))) == len(set(texts)) == len(set(found))
