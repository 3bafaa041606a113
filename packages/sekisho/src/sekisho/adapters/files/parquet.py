"""Parquet files as rows; the only reader that cannot do without polars."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any

from sekisho.adapters.files.content import check_ratio, failure
from sekisho.adapters.files.layout import header_layout
from sekisho.adapters.files.lines import MOST_CHARACTERS
from sekisho.adapters.files.pairs import Pair
from sekisho.adapters.files.values import BadValueError, id_of, number_of
from sekisho.core.errors import Location, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sekisho.adapters.files.layout import Kind, Layout

_LEAST_ROW = 24  # bytes that a row of two ids and a number takes in memory


def parquet_frame(name: str, data: bytes, kind: Kind) -> tuple[Any, Layout]:
    """Return the three columns that matter as a polars frame, and whether the last holds ranks.

    Raises:
        MissingExtraError: polars is not installed.
        InputFileError: Not a Parquet file after all, or a column is missing.
    """
    try:
        import polars as pl  # noqa: PLC0415  the extra `columns`
    except ImportError:
        raise MissingExtraError("files.needs_columns", where=Location(name), extra="columns") from None
    try:
        names = list(pl.read_parquet_schema(BytesIO(data)))
        check_ratio(name, _LEAST_ROW * int(pl.scan_parquet(BytesIO(data)).select(pl.len()).collect().item()), len(data))
        layout = header_layout(name, 1, names, kind)
        frame = pl.read_parquet(
            BytesIO(data), columns=[names[place] for place in (layout.query, layout.document, layout.value)]
        ).select(*(names[place] for place in (layout.query, layout.document, layout.value)))
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError) as problem:
        raise failure("broken_parquet", name, details=str(problem).split("\n", maxsplit=1)[0]) from None
    _check_texts(name, frame, len(data))
    return frame, layout


def _check_texts(name: str, frame: Any, packed: int) -> None:  # noqa: ANN401  a polars frame
    """Refuse texts that one page of the file holds once, and the rows many times."""
    import polars as pl  # noqa: PLC0415  parquet_frame has found it

    texts = [column for column in frame.get_columns() if column.dtype == pl.String]
    for column in texts:
        sizes = column.str.len_bytes()
        if (sizes.max() or 0) > MOST_CHARACTERS:
            raise failure("long_line", name, int(sizes.arg_max()) + 1, most=MOST_CHARACTERS >> 20)
    check_ratio(name, sum(int(column.str.len_bytes().sum()) for column in texts), packed)


def parquet_pairs(name: str, data: bytes, kind: Kind) -> Iterator[Pair]:
    """Yield the rows of a Parquet file; an error names the row as the line.

    Raises:
        MissingExtraError: polars is not installed.
        InputFileError: As :func:`parquet_frame`, or a value is missing or of the wrong type.
    """
    frame, layout = parquet_frame(name, data, kind)
    for row, (query, document, value) in enumerate(frame.iter_rows(), 1):
        yield _pair(name, row, (query, document, value), ranks=layout.ranks)


def _pair(name: str, row: int, fields: Sequence[object], *, ranks: bool) -> Pair:
    query, document, value = fields
    try:
        found = number_of(value)
        return Pair(row, id_of(query), id_of(document), -found if ranks else found)
    except BadValueError as problem:
        raise problem.at(name, row) from None
