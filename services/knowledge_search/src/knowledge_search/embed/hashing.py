"""Vectors from signed hashes of character n-grams (Weinberger et al. 2009, "Feature hashing", ICML): no model at all.

Good enough to try the system out and to test it without a download, and no better: it knows nothing of meaning. A
question that no passage answers sits at a distance of 0.8 to 0.9 from the nearest one, since it shares its particles
with all of them, and so do many that a passage does answer. The default threshold of 0.9 keeps the latter and lets
most of the former through: a known weakness.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from knowledge_search.embed.grams import ALPHABET_SIZES, OTHER_SIZES, grams_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

_VERSION: Final = 1
"""Raised with every change after which a text may get another vector."""
_DIMENSIONS: Final = 1024
_BLOCK_CHARS: Final = 1 << 17
_BLOCK_TEXTS: Final = 512
"""What is hashed at once: large enough for numpy, small enough for the cache."""


class HashingEmbedder:
    """Embeds by counting signed n-grams in 1,024 buckets.

    A component is ``sign(c) * sqrt(|c| / s)``, where ``c`` is the bucket's signed count and ``s`` the sum of ``|c|``:
    the square root keeps a particle that comes forty times from drowning the words. ``c`` and ``s`` are integers,
    division and root are correctly rounded (IEEE 754), so vectors are equal to the bit on every machine.

    Attributes:
        name: ``hashing``.
        dimensions: 1,024.
        fingerprint: Of the algorithm's version and parameters.
        default_max_distance: 0.9.
        evaluation_grade: True.
    """

    name = "hashing"
    dimensions = _DIMENSIONS
    default_max_distance = 0.9
    evaluation_grade = True
    fingerprint = (
        f"hashing/{_VERSION}:dimensions={_DIMENSIONS}"
        f",alphabet={'-'.join(map(str, ALPHABET_SIZES))},other={'-'.join(map(str, OTHER_SIZES))}"
    )

    def embed_passages(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return unit vectors of shape ``(len(texts), 1024)``; a text without letters gets the first unit vector."""
        vectors = np.zeros((len(texts), _DIMENSIONS), dtype=np.float32)
        for start, stop in _blocks(texts):
            vectors[start:stop] = _embed(texts[start:stop])
        return vectors

    def embed_query(self, text: str) -> npt.NDArray[np.float32]:
        """Return a unit vector of shape ``(1024,)``, made as for a passage."""
        vector: npt.NDArray[np.float32] = _embed([text])[0]
        return vector


def _blocks(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    start = size = 0
    for at, each in enumerate(texts):
        if at > start and (size + len(each) > _BLOCK_CHARS or at - start == _BLOCK_TEXTS):
            yield start, at
            start, size = at, 0
        size += len(each)
    if start < len(texts):
        yield start, len(texts)


def _embed(texts: Sequence[str]) -> npt.NDArray[np.float32]:
    counts = np.zeros(len(texts) * _DIMENSIONS, dtype=np.float64)
    for grams in grams_of(texts):
        buckets = grams.rows * _DIMENSIONS + (grams.hashes % np.uint64(_DIMENSIONS)).astype(np.intp)
        signs = 1.0 - 2.0 * (grams.hashes >> np.uint64(63)).astype(np.float64)
        counts += grams.weight * np.bincount(buckets, weights=signs, minlength=len(counts))
    table = counts.reshape(len(texts), _DIMENSIONS)
    table[~table.any(axis=1), 0] = 1.0
    magnitudes = np.abs(table)
    roots = np.sqrt(magnitudes / magnitudes.sum(axis=1, keepdims=True))
    vectors: npt.NDArray[np.float32] = np.copysign(roots, table).astype(np.float32)
    return vectors
