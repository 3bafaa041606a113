"""What cannot be read is refused with a code, a file and a line."""

from __future__ import annotations

import gzip
import os
import sys
from typing import TYPE_CHECKING

import pytest

from sekisho.adapters.files import read_corpus, read_qrels, read_queries, read_run
from sekisho.core.errors import InputFileError, MissingExtraError, SekishoError
from sekisho.core.messages import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Write = Callable[[str, str | bytes], Path]

RUN = "q Q0 a 1 0.5 t\n"
BAD_RUNS: dict[str, tuple[str | bytes, str, int | None]] = {
    "empty": ("", "empty", None),
    "white space": (" \n\r\n\t\n", "empty", None),
    "comments": ("# one\n# two\n", "empty", None),
    "NaN": (RUN + "q Q0 b 2 nan t\n", "not_finite", 2),
    "infinity": (RUN + "q Q0 b 2 -inf t\n", "not_finite", 2),
    "too large": (RUN + "q Q0 b 2 1e999 t\n", "not_finite", 2),
    "a word for a score": (RUN + "\nq Q0 b 2 high t\n", "not_number", 3),
    "an underscore in a score": (RUN + "q Q0 b 2 1_0 t\n", "not_number", 2),
    "full-width digits": (RUN + "q Q0 b 2 １ t\n", "not_number", 2),
    "five columns": (RUN + "q Q0 b 2 0.4\n", "column_count", 2),
    "five columns first": ("q Q0 b 2 0.4\n", "columns_run", 1),
    "a word in the first score": ("q Q0 b 2 high t\n", "not_number", 1),
    "judgments": ("q 0 a 1\n", "qrels_as_run", 1),
    "ranks": ("q\ta\t1\nq\tb\t2\np\ta\t1\n", "ranks", None),
    "a document twice": (RUN + "p Q0 a 1 0.5 t\nq Q0 a 2 0.4 t\n", "repeated_document", 3),
    "a document twice in a list": ('{"q": ["a",\n "b",\n "a"]}', "repeated_document", 3),
    "a query twice": ('{"id": "q", "results": ["a"]}\n{"id": "q", "results": ["b"]}\n', "repeated_query", 2),
    "a key twice": ('{"q": {"a": 1,\n "a": 2}}', "repeated_key", 2),
    "a query key twice": ('{"q": {"a": 1},\n\n "q": {"b": 2}}', "repeated_key", 3),
    "a key twice in a line": ('{"qid": "q", "docid": "a", "score": 1}\n{"qid": "q", "qid": "p"}\n', "repeated_key", 2),
    "JSON NaN": ('{"q": {"a": 1,\n "b": NaN}}', "not_finite", 2),
    "JSON too large": ('{"q": {"a": 1,\n "b": 1e999}}', "not_finite", 2),
    "JSON text score": ('{"q": {"a": 1,\n "b": "high"}}', "not_number", 2),
    "JSON true": ('{"q": {"a": 1,\n\n "b": true}}', "not_number", 3),
    "JSON cut short": ('{"q": {"a": 1,\n "b"', "json_syntax", 2),
    "JSON lines with a bad one": ('{"qid": "q", "docid": "a", "score": 1}\n{"qid": \n', "json_syntax", 2),
    "JSON record without score": ('{"qid": "q", "docid": "a"}\n', "missing_key", 1),
    "JSON record without query": ('[{"qid": "q", "docid": "a", "score": 1},\n {"docid": "a"}]', "missing_key", 2),
    "JSON number": ("[1,\n 2]", "record_type", 1),
    "JSON empty": ("{}", "no_rows", None),
    "JSON entry": ('{"q": {"a": 1},\n "p": 5}', "entry_type_run", 2),
    "JSON list of objects": ('{"q": [{"a": 1}]}', "id_type", 1),
    "JSON list of fractions": ('{"q": ["a",\n 1.5]}', "id_type", 2),
    "JSON empty id": ('{"q": {"a": 1,\n "": 2}}', "id_empty", 2),
    "half a surrogate": ('{"q":\n {"\\ud800": 1}}', "surrogate", 2),
    "deep JSON": ("[" * 100_000, "json_deep", None),
    "header only": ("query-id\tcorpus-id\tscore\n", "no_rows", None),
    "header without score": ("query-id\tcorpus-id\tx\nq\ta\t1\n", "missing_column", 1),
    "header without document": ("query-id,score\nq,1\n", "missing_column", 1),
    "short row under a header": ("query-id\tcorpus-id\tscore\nq\ta\t1\nq\tb\n", "column_count", 3),
    "empty id under a header": ("query-id\tcorpus-id\tscore\nq\t\t1\n", "id_empty", 2),
    "open quote": ('qid,docno,score\nq,a,1\nq,"b,2\n', "csv_syntax", 3),
    "XML": ("<runs></runs>", "markup", 1),
    "UTF-16": (RUN.encode("utf-16"), "encoding", 1),
    "UTF-16 without a mark": (RUN.encode("utf-16-be"), "encoding", 1),
    "Shift_JIS": ((RUN + "質問一 Q0 文書 1 0.5 t\n").encode("shift_jis"), "encoding", 2),
    "EUC-JP": ((RUN + "しつもん Q0 ぶんしょ 1 0.5 t\n").encode("euc_jp"), "encoding", 2),
    "Latin-1": ("q Q0 caf\xe9 1 0.5 t\n".encode("latin-1"), "not_utf8", 1),
    "NUL": (RUN + "q Q0 a\0b 2 0.4 t\n", "nul", 2),
    "ZIP": (b"PK\x03\x04xyz", "other_file", None),
    "LZ4": (b"\x04\x22\x4d\x18xyz", "other_file", None),
    "cut gzip": (gzip.compress(RUN.encode())[:-5], "broken_gzip", None),
    "packed nothing": (gzip.compress(b""), "empty", None),
    "cut Parquet": (b"PAR1xyzPAR1", "broken_parquet", None),
}
BAD_QRELS: dict[str, tuple[str, str, int | None]] = {
    "a run": (RUN, "run_as_qrels", 1),
    "five columns": ("q 0 a b 1\n", "columns_qrels", 1),
    "a word for a grade": ("q 0 a high\n", "not_number", 1),
    "a later word for a grade": ("q 0 a 1\nq 0 b high\n", "not_number", 2),
    "NaN": ("q 0 a 1\nq 0 b nan\n", "not_finite", 2),
    "a judgment twice": ("q 0 a 1\np 0 a 1\nq 0 a 0\n", "repeated_judgment", 3),
    "a judgment twice in a list": ('{"q": ["a",\n "a"]}', "repeated_judgment", 2),
    "an entry of another type": ('{"q": "a"}', "entry_type_qrels", 1),
    "a header without a grade": ("query-id\tcorpus-id\tvalue\nq\ta\t1\n", "missing_column", 1),
    "text": ("Dear colleagues,\nplease find attached\n", "columns_qrels", 1),
}
BAD_QUERIES: dict[str, tuple[str, str, int | None]] = {
    "an id twice": ('{"_id": "q", "text": "a"}\n{"_id": "q", "text": "b"}\n', "repeated_query", 2),
    "an empty text": ("q\ta\np\t \n", "empty_query", 2),
    "no text": ('{"_id": "q"}\n', "missing_key", 1),
    "no id": ('[{"_id": "q", "text": "a"},\n{"text": "a"}]', "missing_key", 2),
    "a number for text": ('{"_id": "q", "text": 5}\n', "text_type", 1),
    "a number for a member": ('{"q": "a",\n "p": 5}', "text_type", 2),
    "one column": ("only words\n", "columns_queries", 1),
    "a later row with three columns": ("q\ta\np\tb\tc\n", "column_count", 2),
    "a header without text": ("id\ttitle\nq\ta\n", "missing_column", 1),
    "a topic without text": ("<top>\n<num> Number: 1\n</top>\n", "topic_lacks_text", 1),
    "a topic without number": ("\n<top>\n<title> a\n</top>\n", "topic_lacks_number", 2),
    "no topic": ("<html></html>", "no_topics", 1),
}


def _check(error: SekishoError, path: Path, code: str, line: int | None) -> None:
    assert error.code == f"files.{code}"
    assert error.where is not None
    assert error.where.file == str(path)
    assert error.where.line == line
    for language in LANGUAGES:
        assert str(path) in error.render(language)


@pytest.mark.parametrize("name", BAD_RUNS)
def test_a_bad_run_is_refused_with_its_line(write: Write, name: str) -> None:
    """No traceback, no silent repair."""
    content, code, line = BAD_RUNS[name]
    path = write("run", content)

    with pytest.raises(InputFileError) as caught:
        read_run(path)

    _check(caught.value, path, code, line)


@pytest.mark.parametrize("name", BAD_QRELS)
def test_bad_judgments_are_refused_with_their_line(write: Write, name: str) -> None:
    """As runs."""
    content, code, line = BAD_QRELS[name]
    path = write("qrels", content)

    with pytest.raises(InputFileError) as caught:
        read_qrels(path)

    _check(caught.value, path, code, line)


@pytest.mark.parametrize("name", BAD_QUERIES)
def test_bad_queries_are_refused_with_their_line(write: Write, name: str) -> None:
    """As runs."""
    content, code, line = BAD_QUERIES[name]
    path = write("queries", content)

    with pytest.raises(InputFileError) as caught:
        read_queries(path)

    _check(caught.value, path, code, line)


def test_a_repeated_document_id_is_refused_with_its_line(write: Write) -> None:
    """One of the two texts would be lost."""
    path = write("corpus.jsonl", '{"_id": "a", "text": "x"}\n\n{"_id": "a", "text": "y"}\n')

    with pytest.raises(InputFileError) as caught:
        read_corpus(path)

    _check(caught.value, path, "repeated_document_id", 3)


def test_the_encoding_is_named(write: Write) -> None:
    """With the command that converts it."""
    path = write("run", "質問 Q0 文書 1 0.5 t\n".encode("shift_jis"))

    with pytest.raises(InputFileError, match="iconv -f Shift_JIS -t UTF-8"):
        read_run(path)


def test_a_missing_file_is_named_with_the_one_that_was_meant(write: Write) -> None:
    """A slip of a letter costs no search."""
    path = write("results.trec", RUN)

    with pytest.raises(InputFileError) as near:
        read_run(path.with_name("result.trec"))
    with pytest.raises(InputFileError) as far:
        read_run(path.parent / "no folder" / "x")

    assert near.value.code == "files.missing_near"
    assert near.value.values["near"] == str(path)
    assert far.value.code == "files.missing"


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    """The message asks for the file in it."""
    with pytest.raises(InputFileError) as caught:
        read_qrels(tmp_path)

    assert caught.value.code == "files.directory"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser reads everything")
def test_an_unreadable_file_is_refused(write: Write) -> None:
    """With the reason of the operating system."""
    path = write("run", RUN)
    path.chmod(0)

    with pytest.raises(InputFileError) as caught:
        read_run(path)

    assert caught.value.code == "files.unreadable"


def test_a_name_that_no_system_opens_is_refused() -> None:
    """A NUL in a name is a ValueError of Python, not of the user's making."""
    with pytest.raises(InputFileError) as caught:
        read_run("a\0b")

    assert caught.value.code == "files.unreadable"


def test_parquet_without_polars_names_the_extra(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command to install it stands in the message."""
    monkeypatch.setitem(sys.modules, "polars", None)
    path = write("run", b"PAR1xyzPAR1")

    with pytest.raises(MissingExtraError, match=r"sekisho\[columns\]"):
        read_run(path)


def test_a_line_of_ten_megabytes_is_a_line(write: Write) -> None:
    """It reads where it is valid, and its error stays short where it is not."""
    long = "x" * 10_000_000
    fine = write("a", f'{{"_id": "q", "text": "{long}"}}\n')
    table = write("c.csv", f'id,text\nq,"{long}"\n')
    bad = write("b", f"q Q0 a 1 {long} t\n")

    with pytest.raises(InputFileError) as caught:
        read_run(bad)

    assert read_queries(fine) == read_queries(table) == {"q": long}
    assert len(str(caught.value)) < 500
