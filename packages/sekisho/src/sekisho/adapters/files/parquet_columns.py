"""Parquet files as columns for the columnar engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sekisho.adapters.files.parquet import parquet_frame
from sekisho.ranking.columns_sides import Side

if TYPE_CHECKING:
    from sekisho.adapters.files.layout import Kind


def parquet_side(name: str, data: bytes, kind: Kind) -> Side | None:
    """Return a Parquet file in columns, or None where ids are no text, a value is missing, or one is not finite.

    Raises:
        MissingExtraError: polars is not installed.
        InputFileError: Not a Parquet file after all, or a column is missing.
    """
    frame, layout = parquet_frame(name, data, kind)
    import polars as pl  # noqa: PLC0415  parquet_frame has found it

    query, document, value = frame.get_columns()
    plain = query.dtype == pl.String and document.dtype == pl.String and value.dtype.is_numeric()
    if not plain or not len(frame) or any(column.null_count() for column in (query, document, value)):
        return None
    if (query == "").any() or (document == "").any():
        return None
    values = value.cast(pl.Float64).to_numpy()
    if not np.isfinite(values).all():
        return None
    new = np.flatnonzero((query != query.shift(1)).fill_null(value=True).to_numpy())
    return Side(
        queries=query.gather(new).to_list(),
        starts=np.append(new, len(frame)),
        hashes=document.hash(seed=0).to_numpy(),
        values=-values if layout.ranks else values,
        texts=lambda at: document.gather(at).to_list(),
    )
