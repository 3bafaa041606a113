"""What can be read in two ways is refused, never guessed."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING

import polars as pl
import pytest

import sekisho.adapters.files as package
from sekisho.adapters.files import read_corpus, read_qrels, read_queries, read_run, score_files
from sekisho.cli.main import main
from sekisho.core.errors import InputFileError
from sekisho.core.messages import catalogue

if TYPE_CHECKING:
    from collections.abc import Callable

    Write = Callable[[str, str | bytes], Path]

QUOTING = {"id", "query", "document", "examples", "here", "there", "wanted", "known"}
QUOTING |= {"key", "keys", "columns", "value", "details"}
"""Names of values that may hold what stands in a file: all that a suite without texts has to blank."""
OTHERS = {"file", "near", "count", "total", "matches", "found", "expected", "most", "byte", "encoding", "kind"}
OTHERS |= {"reason", "needed", "threshold", "extra"}


@pytest.mark.parametrize(
    ("read", "content", "line", "names"),
    [
        (read_run, "query,doc,score,score\nq,a,1,2\n", 1, "score, score"),
        (read_run, "query_id\tdoc\tQuery-ID\tscore\nq\ta\tq\t1\n", 1, "query_id, Query-ID"),
        (read_run, "qid,docid,docno,rank,score\nq,1,a,1,2\n", 1, "docid, docno"),
        (read_run, '{"query": "q", "doc": "a", "document": "b", "score": 1}\n', 1, "doc, document"),
        (read_run, '[{"query": "q", "doc": "a", "score": 1, "sim": 2}]', 1, "score, sim"),
        (read_run, '{"id": "1", "query": "q", "results": ["a"]}\n', 1, "id, query"),
        (read_qrels, "qid\tdocno\tlabel\trelevance\nq\ta\t1\t0\n", 1, "label, relevance"),
        (read_qrels, '{"qid": "q", "relevant": ["a"], "positives": ["b"]}\n', 1, "relevant, positives"),
        (read_queries, "id,text,query\nq,a,b\n", 1, "text, query"),
        (read_queries, '{"_id": "q", "text": "a"}\n{"_id": "q", "id": "p", "text": "a"}\n', 2, "_id, id"),
        (read_corpus, '{"_id": "d", "text": "a", "body": "b"}\n', 1, "text, body"),
        (read_corpus, '{"d": {"text": "a",\n "body": "b"}}', 1, "text, body"),
    ],
)
def test_two_accepted_names_are_refused(
    write: Write, read: Callable[[Path], object], content: str, line: int, names: str
) -> None:
    """Which of them is meant would be a guess; both are named."""
    with pytest.raises(InputFileError) as caught:
        read(write("file", content))

    assert caught.value.code == "files.ambiguous_columns"
    assert caught.value.values["columns"] == names
    assert caught.value.where is not None
    assert caught.value.where.line == line


def test_two_accepted_names_in_parquet_are_refused(write: Write) -> None:
    """As in a table."""
    buffer = io.BytesIO()
    pl.DataFrame({"qid": ["q"], "docno": ["a"], "docid": ["b"], "score": [1.0]}).write_parquet(buffer)

    with pytest.raises(InputFileError) as caught:
        read_run(write("run", buffer.getvalue()))

    assert caught.value.code == "files.ambiguous_columns"


def test_the_text_of_a_query_beside_its_id_is_no_second_id(write: Write) -> None:
    """``query`` is the id only where nothing else is."""
    run = write("run", '{"qid": "q1", "query": "how?", "results": ["a"]}\n')

    assert read_run(run) == {"q1": ["a"]}


@pytest.mark.parametrize("columns", [False, True])
@pytest.mark.parametrize(
    ("content", "code", "line"),
    [
        ("q1 Q0 d1 1 3 t\rq1 Q0 d2 2 2 t\r", "carriage_return", 1),
        ("# c\rq1 Q0 d1 1 3 t\r", "carriage_return", 1),
        ("q1 Q0 d0 1 3 t\nq1 Q0 d1 1 3 t\rq1 Q0 d2 2 2 t\n", "carriage_return", 2),
        ("q1 Q0 d0 1 3 t\n# c\rq1 Q0 d1 1 3 t\n", "carriage_return", 2),
        ("query,doc,score\rq1,d1,3\r", "carriage_return", 1),
        ("query,doc,score\nq1,d1,3\nq1,d2,2\rq1,d3,1\n", "carriage_return", 3),
        ("query\tdoc\tscore\nq1\td1\t3\rq1\td2\t2\n", "carriage_return", 2),
        ("q1 Q0 d1 1 3.0 t q1 Q0 d2 2 2.0 t\n", "columns_run", 1),
        ("q1 Q0 d0 1 3 t\nq1 Q0 d1 1 3.0 t q1 Q0 d2 2 2.0 t\n", "column_count", 2),
        ("q1 Q0 d0 1 3 t\nq1 Q0 d1 1 3.0 my tag\n", "column_count", 2),
    ],
)
def test_two_rows_on_one_line_are_refused(write: Write, content: str, code: str, line: int, *, columns: bool) -> None:
    """The second would be swallowed."""
    with pytest.raises(InputFileError) as caught:
        score_files(write("run", content), write("qrels", "q1 0 d1 1\n"), ["mrr"], columns=columns)

    assert caught.value.code == f"files.{code}"
    assert caught.value.where is not None
    assert caught.value.where.line == line


def test_line_breaks_of_windows_are_read_however_often_they_were_converted(write: Write) -> None:
    """A CR before a line feed, or at the end, parts nothing."""
    run = write("run", "q1 Q0 d1 1 3 t\r\nq1 Q0 d2 2 2 t\r\r\nq1 Q0 d3 2 1 t\r")

    assert read_run(run) == {"q1": {"d1": 3.0, "d2": 2.0, "d3": 1.0}}


def _main(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str]:
    with pytest.raises(SystemExit) as stopped:
        main(["score", "--lang", "en", *map(str, words)])
    assert isinstance(stopped.value.code, int)
    return stopped.value.code, capsys.readouterr().err


@pytest.mark.parametrize("option", ["--relevance-threshold", "--min"])
@pytest.mark.parametrize("digits", ["１", "1_0", "٠.٥", "half", ""])
def test_options_take_ascii_digits_only(
    write: Write, capsys: pytest.CaptureFixture[str], option: str, digits: str
) -> None:
    """As the files do."""
    value = digits if option != "--min" else f"mrr={digits}"

    code, said = _main(capsys, write("run", "q1 Q0 d1 1 3 t\n"), write("qrels", "q1 0 d1 1\n"), option, value)

    assert code == 2
    assert option in said


@pytest.mark.parametrize("columns", [False, True])
@pytest.mark.parametrize(
    ("grade", "threshold", "code"),
    [(1, 100, "nothing_relevant"), (0, None, "nothing_positive"), (-1, 1, "nothing_relevant")],
)
def test_scores_without_any_relevant_document_are_refused(
    write: Write, grade: int, threshold: float | None, code: str, *, columns: bool
) -> None:
    """A 0 would look like a bad search."""
    run, qrels = write("run", "q1 Q0 d1 1 3 t\n"), write("qrels", f"q1 0 d1 {grade}\n")

    with pytest.raises(InputFileError) as caught:
        score_files(run, qrels, ["ndcg@10", "mrr"], relevance_threshold=threshold, columns=columns)

    assert caught.value.code == f"files.{code}"


def test_every_grade_above_0_is_relevant_unless_told_otherwise(write: Write) -> None:
    """Recall and nDCG count the same documents."""
    words = [write("run", "q1 Q0 d1 1 3 t\n"), write("qrels", "q1 0 d1 0.5\n"), "-m", "recall@10", "-m", "ndcg@10"]
    command = [sys.executable, "-m", "sekisho", "--lang", "en", "score", *map(str, words)]

    done = subprocess.run(command, capture_output=True, text=True, check=True)

    assert [line.split("\t")[1] for line in done.stdout.splitlines()] == ["1.0000", "1.0000"]


def test_json_holds_no_sign_that_steers_a_terminal(write: Write, tmp_path: Path) -> None:
    """Ids and names of files are escaped; a parser has them back."""
    run = tmp_path / "r\u202e\udcff"
    run.write_bytes(b'{"z\\u202e\\u009b": {"d1": 1}, "q1": {"d1": 1}}')
    qrels = write("qrels", '{"q1": {"d1": 1}, "q\\u001b\\u200b": {"d1": 1}}')
    command = [sys.executable, "-m", "sekisho", "score", str(run), str(qrels), "--json", "--per-query"]

    done = subprocess.run(command, capture_output=True, check=True)

    text = done.stdout.decode()
    assert all(char.isprintable() or char == "\n" for char in text)
    document = json.loads(text)
    assert document["unjudged"] == ["z\u202e\u009b"]
    assert document["run"] == f"{tmp_path}/r\u202e\\udcff"
    assert set(document["per_query"]) == {"q1", "q\x1b\u200b"}


def test_what_an_error_quotes_stands_in_values_that_can_be_blanked() -> None:
    """A new name has to be put into one of both sets, and into what blanks them."""
    source = "".join(path.read_text() for path in Path(package.__file__).parent.glob("*.py"))
    raised = set(re.findall(r'"([a-z_0-9]+)"', source))
    named = {
        name
        for code, sentence in catalogue("files", "en").items()
        if not code.startswith(("score_", "help_")) and (code in raised or re.search("^(no_common|unknown)_", code))
        for _, name, _, _ in Formatter().parse(sentence)
        if name
    }

    assert named <= QUOTING | OTHERS
    assert not QUOTING & OTHERS
