"""Reading the answer of an embeddings endpoint, which may be anything."""

from __future__ import annotations

from typing import Annotated

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, Field, ValidationError

from knowledge_search.embed.refusals import embedder_error


class _Embedding(BaseModel):
    index: int
    embedding: Annotated[list[float], Field(min_length=1, max_length=16_000)]


class _Reply(BaseModel):
    data: list[_Embedding]


def vectors_of(body: bytes, count: int, where: str) -> npt.NDArray[np.float32]:
    """Return the vectors of an answer in the order of the texts, at unit length; shape ``(count, dimensions)``.

    Raises:
        EmbedderError: It holds no such vectors: not one for each text, of unequal or no length, not finite.
    """
    try:
        data = _Reply.model_validate_json(body).data
    except ValidationError:
        raise embedder_error("garbage", where) from None
    if sorted(each.index for each in data) != list(range(count)):
        raise embedder_error("garbage", where, detail=f"{len(data)} ≠ {count}")
    if len({len(each.embedding) for each in data}) != 1:
        raise embedder_error("garbage", where)
    vectors = np.array([each.embedding for each in sorted(data, key=lambda each: each.index)], dtype=np.float64)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not (np.isfinite(lengths).all() and (lengths > 0).all()):
        raise embedder_error("garbage", where)
    unit: npt.NDArray[np.float32] = (vectors / lengths).astype(np.float32)
    return unit
