"""Every format of judgments and runs reads to the same data."""

from __future__ import annotations

import gzip
import io
from typing import TYPE_CHECKING

import polars as pl
import pytest

from sekisho.adapters.files import read_qrels, read_run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Write = Callable[[str, str | bytes], Path]

QRELS = {"q1": {"d1": 1, "d2": 0}, "q2": {"d3": 2}}
RUN = {"q1": {"d1": 0.5, "d9": 0.25}, "q2": {"d3": 1.0}}

QRELS_FILES = {
    "trec": "q1 0 d1 1\nq1 0 d2 0\nq2 0 d3 2\n",
    "trec with tabs": "q1\t0\td1\t1\nq1\t0\td2\t0\nq2\t0\td3\t2",
    "trec with mixed white space": "q1 0.5  d1 1\nq1\t1  d2 0 \n  q2 0 d3 2\n\n",
    "trec with comments": "# made by hand\nq1 0 d1 1\n  # and more\nq1 0 d2 0\nq2 0 d3 2\n",
    "three columns": "q1 d1 1\nq1 d2 0\nq2 d3 2\n",
    "three columns with commas": "q1,d1,1\nq1,d2,0\nq2,d3,2\n",
    "crlf": "q1 0 d1 1\r\nq1 0 d2 0\r\nq2 0 d3 2\r\n",
    "byte order mark": "\ufeffq1 0 d1 1\nq1 0 d2 0\nq2 0 d3 2\n",
    "beir": "query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td2\t0\nq2\td3\t2\n",
    "csv": 'doc_id,relevance,query_id,note\nd1,1,q1,\nd2,0,q1,"a, b"\nd3,2,q2,\n',
    "semicolons": "qid;docno;grade\nq1;d1;1\nq1;d2;0\nq2;d3;2\n",
    "json": '{"q1": {"d1": 1, "d2": 0}, "q2": {"d3": 2}}',
    "json over lines": '\n{\n "q1": {\n  "d1": 1,\n  "d2": "0"},\n "q2": {"d3": 2}\n}\n',
    "json lines": '{"qid": "q1", "docid": "d1", "rel": 1}\n{"qid": "q1", "docid": "d2", "rel": 0}\n\n'
    '{"qid": "q2", "docid": "d3", "rel": 2}\n',
    "json lines by query": '{"id": "q1", "relevant": {"d1": 1, "d2": 0}}\n{"id": "q2", "relevant": {"d3": 2}}\n',
    "json array": '[{"query_id": "q1", "corpus-id": "d1", "score": 1},'
    ' {"query_id": "q1", "corpus-id": "d2", "score": 0},'
    ' {"query_id": "q2", "corpus-id": "d3", "score": 2}]',
}
RUN_FILES = {
    "trec": "q1 Q0 d1 1 0.5 tag\nq1 Q0 d9 2 0.25 tag\nq2 Q0 d3 1 1 tag\n",
    "trec with exponents": "q1 Q0 d1 1 0.5 t\nq1 Q0 d9 2 2.5e-1 t\nq2 Q0 d3 1 1.0 t\n",
    "trec with tabs": "q1\tQ0\td1\t1\t  0.5\ttag\nq1\tQ0\td9\t2\t  0.25\ttag\nq2\tQ0\td3\t1\t  1\ttag\n",
    "three columns": "q1\td1\t0.5\nq1\td9\t0.25\nq2\td3\t1\n",
    "beir": "query-id\tcorpus-id\tscore\nq1\td1\t0.5\nq1\td9\t0.25\nq2\td3\t1\n",
    "csv": "rank,score,qid,docno\n1,0.5,q1,d1\n2,0.25,q1,d9\n1,1,q2,d3\n",
    "json": '{"q1": {"d1": 0.5, "d9": 0.25}, "q2": {"d3": 1}}',
    "json lines": '{"qid": "q1", "docid": "d1", "score": 0.5}\n{"qid": "q1", "docid": "d9", "score": 0.25}\n'
    '{"qid": "q2", "docid": "d3", "score": 1}\n',
    "json lines by query": '{"id": "q1", "results": {"d1": 0.5, "d9": 0.25}}\n{"id": "q2", "results": {"d3": 1}}',
}


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", QRELS_FILES)
def test_judgments_of_every_format_are_the_same(write: Write, name: str, *, packed: bool) -> None:
    """The format is told by the content: the name of the file says nothing here."""
    content = QRELS_FILES[name].encode()

    found = read_qrels(write("judgments.json", gzip.compress(content) if packed else content))

    assert found == QRELS


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", RUN_FILES)
def test_runs_of_every_format_are_the_same(write: Write, name: str, *, packed: bool) -> None:
    """As judgments; scores are float."""
    content = RUN_FILES[name].encode()

    found = read_run(write("run.csv", gzip.compress(content) if packed else content))

    assert found == RUN


def test_parquet_reads_as_a_table_does(write: Write) -> None:
    """Columns go by name, whole numbers count as ids."""
    frame = pl.DataFrame(
        {"rel": [1, 0, 2], "query_id": ["q1", "q1", "q2"], "doc_id": ["d1", "d2", "d3"], "x": [1, 2, 3]}
    )
    buffer = io.BytesIO()
    frame.write_parquet(buffer)

    assert read_qrels(write("q", buffer.getvalue())) == QRELS


def test_rankings_without_scores_stay_lists(write: Write) -> None:
    """A list is a ranking as it stands."""
    by_query = write("a.json", '{"q1": ["d9", "d1"], "q2": [7]}')
    lines = write("b.jsonl", '{"id": "q1", "retrieved_ids": ["d9", "d1"]}\n{"id": "q2", "retrieved_ids": [7]}\n')

    assert read_run(by_query) == read_run(lines) == {"q1": ["d9", "d1"], "q2": ["7"]}


def test_ranks_under_a_header_put_the_first_on_top(write: Write) -> None:
    """Rank 1 is the highest score."""
    path = write("run.tsv", "query-id\tcorpus-id\trank\nq1\td1\t2\nq1\td2\t1\n")

    assert read_run(path) == {"q1": {"d1": -2.0, "d2": -1.0}}


def test_only_the_white_space_of_c_parts_fields(write: Write) -> None:
    """An ideographic space and a no-break space belong to the id, as in trec_eval."""
    path = write("q", "q1 0 文書\u3000一 1\nq1 0 a\u00a0b 2\n")

    assert read_qrels(path) == {"q1": {"文書\u3000一": 1, "a\u00a0b": 2}}


def test_ids_may_hold_spaces_where_tabs_separate(write: Write) -> None:
    """As some collections write file names."""
    path = write("q", "q1\t0\tplain.txt\t1\nq1\t0\tmy file.txt\t1\n")

    assert read_qrels(path) == {"q1": {"plain.txt": 1, "my file.txt": 1}}


def test_fractional_and_negative_grades_keep_their_value(write: Write) -> None:
    """Nothing is cut to a whole number."""
    assert read_qrels(write("q", "q 0 a 0.5\nq 0 b -1\nq 0 c +2\n")) == {"q": {"a": 0.5, "b": -1, "c": 2}}


def test_a_repeated_document_can_be_kept_at_its_first_place(write: Write) -> None:
    """The ranking holds it twice, by score, so that its later place stays taken."""
    path = write("r", "q Q0 a 1 0.5 t\nq Q0 b 2 0.7 t\nq Q0 a 3 0.9 t\nq Q0 c 4 0.1 t\n")

    assert read_run(path, duplicates="first") == {"q": ["a", "b", "a", "c"]}
