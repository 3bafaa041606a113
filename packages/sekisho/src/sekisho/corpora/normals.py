"""Normally distributed steps from a table, so that no logarithm or cosine of any machine takes part.

Entry ``j`` of the table is round(4096 * inverse normal distribution((j + 1/2) / 65536)): a random half-word picks a
normal number on the 2**-12 grid. It is built from the standard library and checked against its digest: the nearest
rounding tie is 1.7e-5 away, the library's error about 1e-12.
"""

from __future__ import annotations

import hashlib
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from sekisho.core.errors import CorpusError

if TYPE_CHECKING:
    import numpy.typing as npt

TABLE_SHA256: Final = "1ea009ce409dac97d6bd609266910f809c5fb912f78e16bd89145b08174d6fc5"
TABLE_PEAK: Final = 17715
"""The largest entry: 4.32 standard deviations."""

_HALF: Final = 1 << 15


@cache
def normal_table() -> npt.NDArray[np.int16]:
    """Return the 65,536 entries, in units of 2**-12; read-only.

    Raises:
        CorpusError: This Python's ``statistics.NormalDist`` gives another table (none is known that does).
    """
    from statistics import NormalDist  # noqa: PLC0415  slow to import, and the default corpus does without

    inverse = NormalDist().inv_cdf
    upper = np.array([round(4096 * inverse((_HALF + j + 0.5) / 65536)) for j in range(_HALF)], np.int16)
    table = np.concatenate([-upper[::-1], upper])
    digest = hashlib.sha256(table.astype("<i2").tobytes()).hexdigest()
    if digest != TABLE_SHA256:
        raise CorpusError("corpora.table_differs", digest=digest, expected=TABLE_SHA256)
    table.setflags(write=False)
    return table
