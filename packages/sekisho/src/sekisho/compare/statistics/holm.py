"""Several tests at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Return Holm's adjusted p values, in the order given.

    The smallest of ``m`` is multiplied by ``m``, the next by ``m - 1`` and so on, none is less than the one before or
    more than 1: ``max over j <= i of min(1, (m - j + 1) p_(j))``. Rejecting those below alpha errs at least once with
    a probability of at most alpha, whatever the dependence between the tests (Holm 1979).

    Equal values get equal results, so the order in which tests are given changes nothing but the order of the results.

    Args:
        p_values: Each in [0, 1]; none gives none.

    Raises:
        ValueError: One is outside [0, 1] or NaN.
    """
    for place, value in enumerate(p_values):
        if not 0.0 <= value <= 1.0:
            message = f"p_values[{place}] is {value!r}, which is no probability"
            raise ValueError(message)
    count = len(p_values)
    adjusted = [1.0] * count
    highest = 0.0
    for rank, place in enumerate(sorted(range(count), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (count - rank) * p_values[place]))
        adjusted[place] = highest
    return tuple(adjusted)
