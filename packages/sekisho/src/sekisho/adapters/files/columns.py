"""Large files read as columns, without a loop over rows; scored by :mod:`sekisho.ranking.columns`.

Only plain tables are read here: one separator, the same number of fields in every row, no quotes, no comments. Anything
else is left to the readers that go row by row and know how to complain. Tables need numpy, Parquet needs polars too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sekisho.adapters.files.content import PARQUET_MAGIC, Content, names_memory, read_bytes
from sekisho.adapters.files.fields import PAD, changes, hashes, numbers
from sekisho.adapters.files.layout import Layout, layout_of
from sekisho.adapters.files.lines import overlong
from sekisho.adapters.files.values import BadValueError
from sekisho.core.errors import SekishoError
from sekisho.ranking.columns import score_arrays
from sekisho.ranking.columns_sides import Floats, Places, Side, Words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sekisho.adapters.files.content import Path
    from sekisho.adapters.files.fields import Bytes
    from sekisho.adapters.files.layout import Kind
    from sekisho.ranking.many import RunScores
    from sekisho.ranking.names import Metric

_BLOCK = 1 << 20  # bytes of text read at a time: their arrays fit into the cache
# glibc gives freed memory back to the system at once, and asks for it anew for each block, until a large piece has been
# freed: then it keeps as much. The piece is never touched. Halves the page faults; other allocators do not mind.
_FREED_BYTES = 30 << 20
_LONGEST_LINE = 1 << 16  # longer ones are left to the readers that say what is wrong
_LONGEST_FIELD = 512  # each eight bytes of the longest field cost a round over all rows
_UTF8_MARK = b"\xef\xbb\xbf"
_NEWLINE, _COMMENT, _SPACE = b"\n# "


def score_columns(
    run: Path,
    qrels: Path,
    metrics: Sequence[str | Metric],
    *,
    relevance_threshold: float | None,
) -> RunScores | None:
    """Return the scores of a run file, or None where the plain readers must look at it.

    Raises:
        InputFileError: A file cannot be opened.
        RankingError: No such metric or threshold.
    """
    np.empty(_FREED_BYTES, np.uint8)
    judged = read_side(qrels, "qrels")
    found = read_side(run, "run") if judged else None
    if judged is None or found is None:
        return None
    return score_arrays(found, judged, metrics, relevance_threshold=relevance_threshold)


@names_memory
def read_side(path: Path, kind: Kind) -> Side | None:
    """Return a file in columns, or None where it is not plain."""
    name, data = read_bytes(path)
    if data.startswith(PARQUET_MAGIC):
        from sekisho.adapters.files.parquet_columns import parquet_side  # noqa: PLC0415  needs polars

        return parquet_side(name, data, kind)
    data = data.removeprefix(_UTF8_MARK)
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n")
    table = _plain_table(name, data, kind)
    if table is None:
        return None
    try:
        blocks = [block for first, text in _blocks(data, table.first) if (block := _read_block(first, text, table))]
    except BadValueError:
        return None
    if not blocks or sum(block.size for block in blocks) != len(data) - table.first:
        return None
    return _side(data, blocks, ranks=table.layout.ranks)


class _Table(NamedTuple):
    layout: Layout
    separator: int
    first: int  # where the first row begins
    comments: bool  # whether a row may be a comment


class _Block(NamedTuple):
    size: int
    rows: int
    queries: list[str]
    starts: Places  # rows at which another query begins than in the row before; the first always
    documents: Places  # where each document begins in the file
    lengths: npt.NDArray[np.int32]
    hashes: Words
    values: Floats


def _plain_table(name: str, data: bytes, kind: Kind) -> _Table | None:
    """Return how to read a table, or None where its first line or a stray sign says that it is not plain."""
    line_end = data.find(b"\n")
    head = data[: line_end if line_end >= 0 else len(data)]
    if overlong(data, _LONGEST_LINE) is not None or not head.strip() or head.lstrip()[:1] in (b"{", b"[", b"<", b"#"):
        return None
    try:
        layout = layout_of(Content(name, head.decode()), kind)
        if not data.isascii():
            data.decode()
    except (UnicodeDecodeError, SekishoError):
        return None
    ambiguous = kind == "run" and layout.may_hold_ranks
    separator = _separator(layout, head, data)
    if separator is None or ambiguous:
        return None
    first = line_end + 1 if layout.header else 0
    return _Table(layout, separator, first, comments=layout.separator == " ")


def _separator(layout: Layout, head: bytes, data: bytes) -> int | None:
    if layout.separator != " ":
        quoted = layout.separator in ",;" and b'"' in data
        return None if quoted else ord(layout.separator)
    tabs, spaces = b"\t" in head, b" " in head
    return None if tabs == spaces else ord("\t" if tabs else " ")


def _blocks(data: bytes, first: int) -> Iterator[tuple[int, Bytes]]:
    """Yield the text in pieces of whole lines, each with where it begins and with room before and behind it."""
    while first < len(data):
        end = data.rfind(b"\n", first, first + _BLOCK) + 1 or data.find(b"\n", first) + 1 or len(data)
        piece = np.zeros(end - first + 2 * PAD, np.uint8)
        piece[PAD:-PAD] = np.frombuffer(data, np.uint8, end - first, first)
        yield first, piece
        first = end


def _read_block(first: int, buffer: Bytes, table: _Table) -> _Block | None:
    """Return the columns of some lines, or None where they are not plain."""
    text = buffer[PAD:-PAD]
    bounds = _bounds(text, table)
    if bounds is None:
        return None
    layout = table.layout
    (query, query_lengths), (document, lengths), (value, value_lengths) = (
        (bounds[:, at] + (1 + PAD), bounds[:, at + 1] - bounds[:, at] - 1)
        for at in (layout.query, layout.document, layout.value)
    )
    if max(query_lengths.max(), lengths.max(), value_lengths.max()) > _LONGEST_FIELD:
        return None
    new = np.concatenate([np.zeros(1, np.int64), np.flatnonzero(changes(buffer, query, query_lengths)) + 1])
    return _Block(
        size=len(text),
        rows=len(bounds),
        queries=_texts(bytes(buffer), query[new], query_lengths[new]),
        starts=new,
        documents=document + (first - PAD),
        lengths=lengths.astype(np.int32),
        hashes=hashes(buffer, document, lengths),
        values=numbers(buffer, value, value_lengths),
    )


def _bounds(text: Bytes, table: _Table) -> Places | None:
    """Return for each line the place before it, its separators and its end; None unless all lines have as many.

    All control characters are looked for at once; one that does not belong there makes the counts differ.
    """
    width = table.layout.width
    spaced = table.layout.separator != " "  # a space is an ordinary character there
    marks = np.flatnonzero(((text < _SPACE) | (text == table.separator)) if spaced else (text <= _SPACE))
    open_end = text[-1] != _NEWLINE
    if open_end:
        marks = np.append(marks, len(text))
    count = len(marks) // width
    if len(marks) != count * width or np.count_nonzero(text == _NEWLINE) + open_end != count:
        return None
    if np.count_nonzero(text == table.separator) != count * (width - 1):
        return None
    bounds = np.empty((count, width + 1), np.int64)
    bounds[:, 1:] = marks.reshape(count, width)
    bounds[0, 0] = -1
    bounds[1:, 0] = bounds[:-1, -1]
    if marks[0] == 0 or (marks[1:] - marks[:-1] <= 1).any():  # a field is empty
        return None
    firsts = bounds[:, 0] + 1
    if (text[firsts[1:] - 1] != _NEWLINE).any() or (table.comments and (text[firsts] == _COMMENT).any()):
        return None
    return bounds


def _side(data: bytes, blocks: list[_Block], *, ranks: bool) -> Side:
    queries: list[str] = []
    starts: list[Places] = []
    rows = 0
    for block in blocks:
        skip = int(bool(queries) and queries[-1] == block.queries[0])
        queries += block.queries[skip:]
        starts.append(block.starts[skip:] + rows)
        rows += block.rows
    documents = np.concatenate([block.documents for block in blocks])
    lengths = np.concatenate([block.lengths for block in blocks])
    values = np.concatenate([block.values for block in blocks])
    return Side(
        queries=queries,
        starts=np.append(np.concatenate(starts), rows),
        hashes=np.concatenate([block.hashes for block in blocks]),
        values=-values if ranks else values,
        texts=lambda at: _texts(data, documents[at], lengths[at]),
    )


def _texts(data: bytes, starts: Places, lengths: npt.NDArray[np.signedinteger[Any]]) -> list[str]:
    ends = (starts + lengths).tolist()
    return [data[start:end].decode() for start, end in zip(starts.tolist(), ends, strict=True)]
