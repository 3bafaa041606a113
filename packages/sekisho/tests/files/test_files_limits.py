"""Whatever stands at a path, reading it ends soon and with little memory."""

from __future__ import annotations

import gzip
import io
import os
import resource
import subprocess
import sys
import zlib
from typing import TYPE_CHECKING, NamedTuple

import polars as pl
import pytest

from sekisho.adapters.files import read_corpus, read_qrels, read_queries, read_run, score_files
from sekisho.adapters.files.content import MOST_BYTES
from sekisho.core.errors import InputFileError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Write = Callable[[str, str | bytes], Path]

MIB = 1 << 20
ROW = "q1 Q0 d1 1 3.0 t\n"
RECORD = '{"query": "q1", "doc": "d1", "score": 1}\n'
READERS = (read_corpus, read_qrels, read_queries, read_run)


class _Ended(NamedTuple):
    code: int
    said: str
    seconds: float


def _score(run: Path, qrels: Path, *, memory: int = 1500) -> _Ended:
    """Run ``sekisho score`` in so many MiB of address space; return also the processor's time."""
    program = (
        "import resource, sys\nfrom sekisho.cli.main import main\n"
        "try: main(sys.argv[1:])\nexcept SystemExit as end: code = end.code\n"
        "used = resource.getrusage(resource.RUSAGE_SELF)\n"
        "print(used.ru_utime + used.ru_stime, file=sys.stderr)\nsys.exit(code)"
    )
    words = [sys.executable, "-c", program, "--lang", "en", "score", str(run), str(qrels), "-m", "recall@10"]
    done = subprocess.run(
        words,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (memory * MIB, memory * MIB)),
    )
    lines = (done.stdout + done.stderr).splitlines()
    return _Ended(done.returncode, "\n".join(lines[:-1]), float(lines[-1]))


def _bomb(size: int) -> bytes:
    packer = zlib.compressobj(9, wbits=31)
    piece = bytes(MIB)
    return b"".join(packer.compress(piece) for _ in range(size // MIB)) + packer.flush()


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize("name", ["fifo", "/dev/zero", "/proc/self/environ"])
def test_only_regular_files_are_read(tmp_path: Path, read: Callable[[str], object], name: str) -> None:
    """A pipe would wait for ever, a device never end."""
    path = str(tmp_path / name)
    if name == "fifo":
        os.mkfifo(path)
    elif not os.path.exists(name):  # noqa: PTH110  a name, no path of a file
        pytest.skip(f"this system has no {name}; the pipe is tested everywhere")

    with pytest.raises(InputFileError) as caught:
        read(path)

    assert caught.value.code == "files.special"


def test_a_link_to_a_regular_file_is_read(write: Write, tmp_path: Path) -> None:
    """Links are followed."""
    (tmp_path / "link").symlink_to(write("run", ROW))

    assert read_run(tmp_path / "link") == {"q1": {"d1": 3.0}}


def test_a_file_beyond_the_limit_is_not_read(tmp_path: Path) -> None:
    """Its size is known before its first byte is."""
    with (tmp_path / "run").open("wb") as file:
        file.truncate(MOST_BYTES + 1)

    with pytest.raises(InputFileError) as caught:
        read_run(tmp_path / "run")

    assert caught.value.code == "files.too_large"


def test_a_bomb_is_refused_soon_and_with_little_memory(write: Write) -> None:
    """512 MiB in half a megabyte, a thousand times as much."""
    ended = _score(write("run.gz", _bomb(512 * MIB)), write("qrels", "q1 0 d1 1\n"), memory=300)

    assert (ended.code, "files.packed_bomb" in ended.said) == (2, True)
    assert ended.seconds < 5


@pytest.mark.parametrize("read", READERS)
def test_every_reader_has_the_limits(write: Write, read: Callable[[Path], object]) -> None:
    """Documents and queries, too."""
    bomb = write("bomb", _bomb(100 * MIB))

    with pytest.raises(InputFileError) as caught:
        read(bomb)

    assert caught.value.code == "files.packed_bomb"


def test_packed_files_of_several_members_are_read(write: Write) -> None:
    """As gzip itself unpacks them, with zeros behind the last."""
    data = gzip.compress(ROW.encode()) + gzip.compress(b"q1 Q0 d2 2 2.0 t\n") + bytes(10)

    assert read_run(write("run.gz", data)) == {"q1": {"d1": 3.0, "d2": 2.0}}


@pytest.mark.parametrize("columns", [False, True])
@pytest.mark.parametrize(
    ("content", "line"),
    [
        (ROW + f"q1 Q0 {'x' * 17 * MIB} 2 2.0 t\n", 2),
        (RECORD + RECORD.replace("d1", "x" * 17 * MIB), 2),
        (RECORD.replace("d1", "x" * 17 * MIB) + RECORD, 1),
    ],
    ids=["trec", "jsonl", "first of jsonl"],
)
def test_an_endless_line_is_refused_with_its_place(write: Write, content: str, line: int, *, columns: bool) -> None:
    """By both readers."""
    run, qrels = write("run", content), write("qrels", "q1 0 d1 1\n")

    with pytest.raises(InputFileError) as caught:
        score_files(run, qrels, ["mrr"], columns=columns)

    assert caught.value.code == "files.long_line"
    assert caught.value.where is not None
    assert caught.value.where.line == line


@pytest.mark.parametrize(
    "content", [ROW + f"q1 Q0 {'x' * 10 * MIB} 2 2.0 t\n", RECORD + RECORD.replace("d1", "x" * 10 * MIB)]
)
def test_a_line_of_ten_megabytes_works(write: Write, content: str) -> None:
    """And soon: the columnar reader leaves it alone."""
    ended = _score(write("run", content), write("qrels", "q1 0 d1 1\n"))

    assert ended.code == 0
    assert ended.seconds < 10


@pytest.mark.parametrize("first", ["", ROW, "query,doc,score\n"])
def test_many_comments_end_within_seconds(write: Write, first: str) -> None:
    """Of 120 MB, and no list of their lines is made."""
    rest = "query,doc,score\nq1,d1,3\n" if first.startswith("query") else ROW.replace("d1", "d2")
    before = "" if first.startswith("query") else first
    run = write("run", before + "# x\n" * (30 * MIB) + rest)

    ended = _score(run, write("qrels", "q1 0 d1 1\nq1 0 d2 1\n"), memory=800)

    assert ended.code == 0, ended.said
    assert ended.seconds < 30


def test_too_little_memory_is_said_with_the_file(write: Write) -> None:
    """No traceback."""
    run = write("run", "".join(f"q1 Q0 doc{number} 1 {number} t\n" for number in range(2_000_000)))

    ended = _score(run, write("qrels", "q1 0 d1 1\n"), memory=300)

    assert ended.code == 2
    assert f"error[files.memory]: {run}:" in ended.said


def test_rows_that_a_parquet_file_only_counts_are_refused(write: Write) -> None:
    """One value, many times, takes no room in the file."""
    many = 6_000_000
    frame = pl.select(
        pl.repeat("q1", many, dtype=pl.String).alias("qid"),
        pl.repeat("d1", many, dtype=pl.String).alias("docno"),
        pl.repeat(1.0, many).alias("score"),
    )
    buffer = io.BytesIO()
    frame.write_parquet(buffer)

    with pytest.raises(InputFileError) as caught:
        read_run(write("run.parquet", buffer.getvalue()))

    assert caught.value.code == "files.packed_bomb"


def test_tags_that_are_never_closed_end_soon(write: Write) -> None:
    """Each was once searched for its end."""
    queries = write("queries", "<top>\n<!--" * 1_000_000 + "<topic number='1'><title>a</title></topic>")

    found = read_queries(queries)

    assert found == {"1": "a"}


def test_rows_with_spaces_in_their_ids_take_one_walk(write: Write) -> None:
    """The whole text was once split for each of them."""
    rows = 50_000
    run = write("run", ROW.replace(" ", "\t") + "".join(f"q1\tQ0\ta doc {n}\t1\t1.0\tt\n" for n in range(rows)))

    assert len(read_run(run)["q1"]) == rows + 1


def test_a_long_id_is_shortened_where_an_error_quotes_it(write: Write) -> None:
    """In both languages."""
    run = write("run", (ROW + f"q1 Q0 {'x' * MIB} 2 2.0 t\n") + f"q1 Q0 {'x' * MIB} 2 2.0 t\n")

    with pytest.raises(InputFileError) as caught:
        read_run(run)

    assert caught.value.code == "files.repeated_document"
    assert len(str(caught.value)) < 400 + len(str(run))
    assert len(str(caught.value.values["document"])) < 100
