"""Queries, topics and documents of every format."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

from sekisho.adapters.files import read_corpus, read_queries
from sekisho.corpora.text import Document

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Write = Callable[[str, str | bytes], Path]

QUERIES = {"q1": "年末調整とは？", "q2": 'say "yes"'}
QUERIES_FILES = {
    "beir": '{"_id": "q1", "text": "年末調整とは？"}\n{"_id": "q2", "text": "say \\"yes\\"", "metadata": {}}\n',
    "other keys": '{"qid": "q1", "question": "年末調整とは？"}\n{"qid": "q2", "question": "say \\"yes\\""}\n',
    "one record": '[{"id": "q1", "query": "年末調整とは？"}, {"id": "q2", "query": "say \\"yes\\""}]',
    "tsv": 'q1\t年末調整とは？\nq2\tsay "yes"\n',
    "tsv with header": '_id\ttext\nq1\t年末調整とは？\nq2\tsay "yes"\n',
    "csv": 'text,id\r\n年末調整とは？,q1\r\n"say ""yes""",q2\r\n',
    "json": '{"q1": "年末調整とは？", "q2": "say \\"yes\\""}',
    "topics": "<top>\n<num> Number: q1\n<title> 年末調整とは？\n<desc> Description:\nx\n</top>\n\n"
    '<top lang="en"><num>q2</num><title>say &quot;yes&quot;</title></top>',
    "xml": '<?xml version="1.0"?>\n<!-- <topic number="0"> -->\n<topics><topic number="q1"><query>年末調整とは？'
    '</query></topic><topic number="q2" type="x">\n<query>say\n "yes"</query></topic></topics>',
}


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", QUERIES_FILES)
def test_queries_of_every_format_are_the_same(write: Write, name: str, *, packed: bool) -> None:
    """The format is told by the content."""
    content = QUERIES_FILES[name].encode()

    found = read_queries(write("queries.csv", gzip.compress(content) if packed else content))

    assert found == QUERIES
    assert list(found) == list(QUERIES)


@pytest.mark.parametrize(
    "content",
    [
        '{"_id": "a", "title": "T", "text": "x\\ny"}\n{"_id": "b", "text": ""}\n',
        '{"a": {"title": "T", "text": "x\\ny"}, "b": ""}',
        'id,title,text\na,T,"x\ny"\nb,,\n',
    ],
)
def test_documents_of_every_format_are_the_same(write: Write, content: str) -> None:
    """A document may be empty and may lack a title; a query may not."""
    found = read_corpus(write("corpus", content))

    assert found == {"a": Document(id="a", title="T", text="x\ny"), "b": Document(id="b", text="")}


def test_a_cacm_topic_gives_its_whole_text(write: Write) -> None:
    """It has no title to take."""
    path = write("topics", "<DOC>\n<DOCNO> 1 </DOCNO>\n\n What articles\nexist?\n</DOC>\n")

    assert read_queries(path) == {"1": "What articles exist?"}


def test_only_a_line_feed_ends_a_line(write: Write) -> None:
    """Python would also cut at a line separator, a form feed or a next-line character inside a text."""
    text = "one\u2028two\u0085three\x0cfour"
    table = write("a.tsv", f"q1\t{text}\n")
    lines = write("b.jsonl", f'{{"_id": "q1", "text": "{text}"}}\n'.replace("\x0c", "\\f"))

    assert read_queries(table) == read_queries(lines) == {"q1": text}
