"""Parquet files as rows; the only reader that cannot do without polars."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any

from sekisho.adapters.files.content import failure
from sekisho.adapters.files.layout import header_layout
from sekisho.adapters.files.pairs import Pair
from sekisho.adapters.files.values import BadValueError, id_of, number_of
from sekisho.core.errors import Location, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sekisho.adapters.files.layout import Kind, Layout


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
        layout = header_layout(name, 1, names, kind)
        frame = pl.read_parquet(
            BytesIO(data), columns=[names[place] for place in (layout.query, layout.document, layout.value)]
        ).select(*(names[place] for place in (layout.query, layout.document, layout.value)))
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError) as problem:
        raise failure("broken_parquet", name, reason=str(problem).split("\n", maxsplit=1)[0][:200]) from None
    return frame, layout


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
