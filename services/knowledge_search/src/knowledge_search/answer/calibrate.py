"""The threshold of an embedder, from the distances of questions that the documents do and do not answer.

No threshold separates the two sets: what is kept on one side is paid on the other. So a calibration always holds the
whole curve, and says by a bootstrap interval how much the threshold owes to the chosen questions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

_GAMMA: Final = 0x9E3779B97F4A7C15
"""Step of SplitMix64 (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators", OOPSLA)."""
_MASK: Final = 2**64 - 1


@dataclass(frozen=True, kw_only=True)
class CurvePoint:
    """What one threshold would do.

    Attributes:
        max_distance: The threshold, inclusive.
        answered: Share of the answerable questions within it, 0 to 1.
        false_answers: Share of the unanswerable questions within it, 0 to 1; 0 where there are none.
    """

    max_distance: float
    answered: float
    false_answers: float


@dataclass(frozen=True, kw_only=True)
class Calibration:
    """A threshold and what it rests on.

    Attributes:
        max_distance: The smallest threshold that keeps at least ``keep`` of the answerable questions.
        low: Lower end of the 95 % bootstrap interval of ``max_distance``; ``high`` is the upper end.
        keep: The share asked for.
        answered: Share of the answerable questions that it keeps.
        false_answers: Share of the unanswerable questions that it lets through.
        answerable: Number of answerable questions; ``unanswerable`` of the others.
        curve: One point a distinct distance, ascending.
    """

    max_distance: float
    low: float
    high: float
    keep: float
    answered: float
    false_answers: float
    answerable: int
    unanswerable: int
    curve: tuple[CurvePoint, ...]


def calibrate(
    answerable: Sequence[float],
    unanswerable: Sequence[float] = (),
    *,
    keep: float = 0.95,
    resamples: int = 2000,
    seed: int = 42,
) -> Calibration:
    """Return the threshold that keeps the share ``keep`` of the answerable questions.

    The threshold is the ``ceil(keep * n)``-th smallest answerable distance; its interval is the percentile interval of
    that statistic over resamples of the answerable questions (Efron 1979, "Bootstrap methods", Ann. Statist. 7).

    Args:
        answerable: Distance of the best passage of each question that the documents answer.
        unanswerable: Likewise where they do not; they shape the curve, not the threshold.
        keep: Above 0, at most 1.
        resamples: At least 40, so that the interval's ends are observed.
        seed: Of the resampling; one seed gives one result on every machine.

    Raises:
        ValueError: No answerable question, a distance that is not a number from 0 to 2, or an option out of range.
    """
    kept = _sorted(answerable, "answerable")
    refused = _sorted(unanswerable, "unanswerable")
    if not len(kept):
        message = "calibration needs at least one answerable question; 100 or more make a useful threshold"
        raise ValueError(message)
    if not 0 < keep <= 1 or resamples < 40:  # noqa: PLR2004 - the 2.5 % ends need 40 values
        message = f"calibration needs 0 < keep <= 1 and resamples >= 40, not keep={keep} and resamples={resamples}"
        raise ValueError(message)
    place = max(math.ceil(keep * len(kept) - 1e-9), 1) - 1
    low, high = _interval(kept, place, _draws(resamples, len(kept), seed))
    chosen = float(kept[place])
    return Calibration(
        max_distance=chosen,
        low=low,
        high=high,
        keep=keep,
        answered=_share(kept, chosen),
        false_answers=_share(refused, chosen),
        answerable=len(kept),
        unanswerable=len(refused),
        curve=_curve(kept, refused),
    )


def _interval(values: npt.NDArray[np.float64], place: int, draws: npt.NDArray[np.intp]) -> tuple[float, float]:
    """Return the ends of the 95 % percentile interval of the value at ``place`` over the resamples in ``draws``."""
    resampled = np.sort(np.sort(values[draws], axis=1)[:, place])
    tail = math.floor(0.025 * len(draws))
    return float(resampled[tail]), float(resampled[-1 - tail])


def _curve(kept: npt.NDArray[np.float64], refused: npt.NDArray[np.float64]) -> tuple[CurvePoint, ...]:
    return tuple(
        CurvePoint(max_distance=float(each), answered=_share(kept, each), false_answers=_share(refused, each))
        for each in np.unique(np.concatenate([kept, refused]))
    )


def _sorted(distances: Sequence[float], name: str) -> npt.NDArray[np.float64]:
    values = np.sort(np.asarray(distances, dtype=np.float64).reshape(-1))
    if not ((values >= 0) & (values <= 2)).all():  # noqa: PLR2004 - the range of a cosine distance
        message = f"{name} distances must be numbers from 0 to 2"
        raise ValueError(message)
    return values


def _share(values: npt.NDArray[np.float64], limit: float) -> float:
    """Return the share of ascending ``values`` that do not exceed ``limit``."""
    return float(np.searchsorted(values, limit, side="right")) / len(values) if len(values) else 0.0


def _draws(rows: int, size: int, seed: int) -> npt.NDArray[np.intp]:
    """Return shape ``(rows, size)`` of indices below ``size``; the bias of the scaling is below 2**-32 * size."""
    steps = np.arange(1, rows * size + 1, dtype=np.uint64)
    mixed = steps * np.uint64(_GAMMA) + np.uint64(seed & _MASK)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    high = (mixed ^ (mixed >> np.uint64(31))) >> np.uint64(32)
    return ((high * np.uint64(size)) >> np.uint64(32)).astype(np.intp).reshape(rows, size)
