"""The shortest list of changes between two lists of tokens, within a number of steps.

E. W. Myers, "An O(ND) Difference Algorithm and Its Variations", Algorithmica 1 (1986), section 3: the greedy algorithm.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Token = str | tuple[str, ...]
"""A word, or the words of a sentence."""


class Budget:
    """Steps that a search may still take."""

    def __init__(self, steps: int) -> None:
        self.left = steps


def common_ends(first: Sequence[Token], second: Sequence[Token]) -> tuple[int, int]:
    """Return how many tokens both begin with, and how many of the others both end with."""
    most = min(len(first), len(second))
    start = 0
    while start < most and first[start] == second[start]:
        start += 1
    end = 0
    while end < most - start and first[-1 - end] == second[-1 - end]:
        end += 1
    return start, end


def matches_of(
    first: Sequence[Token], second: Sequence[Token], budget: Budget, *, share: int
) -> list[tuple[int, int, int]] | None:
    """Return the stretches that match: where in the first, where in the second, how long; None where steps run out.

    Args:
        first: Tokens.
        second: Tokens.
        budget: What is left of all steps.
        share: Which part of that this search may take: 1 all, 2 half.
    """
    start, end = common_ends(first, second)
    numbers: dict[Token, int] = {}
    a = [numbers.setdefault(token, len(numbers)) for token in first[start : len(first) - end]]
    b = [numbers.setdefault(token, len(numbers)) for token in second[start : len(second) - end]]
    trace, used = _search(a, b, budget.left // share)
    budget.left -= used
    if trace is None:
        return None
    middle = [(x + start, y + start, length) for x, y, length in _walked_back(trace, len(a), len(b))]
    return [(0, 0, start), *middle, (len(first) - end, len(second) - end, end)]


def _search(a: list[int], b: list[int], allowed: int) -> tuple[list[list[int]] | None, int]:
    """Return for each number of edits the farthest places reached, and the steps taken; None where they ran out.

    Entry ``k + edits`` of a list is how far in ``a`` the path reaches on the diagonal ``x - y = k``.
    """
    n, m = len(a), len(b)
    if not n or not m:
        return [], 0
    if _fewest_edits(a, b) ** 2 // 2 > allowed:
        return None, 0
    trace: list[list[int]] = []
    last = [0]
    used = 0
    for edits in range(n + m + 1):
        used += edits + 1
        reached = [0] * (2 * edits + 1)
        for k in range(-edits, edits + 1, 2):
            if edits == 0:
                x = 0
            elif k == -edits or (k != edits and last[k - 2 + edits] < last[k + edits]):
                x = last[k + edits]
            else:
                x = last[k - 2 + edits] + 1
            y = entered = x - k
            while x < n and y < m and a[x] == b[y]:
                x += 1
                y += 1
            used += y - entered
            reached[k + edits] = x
            if used > allowed:
                return None, allowed
            if x >= n and y >= m:
                return [*trace, reached], used
        trace.append(reached)
        last = reached
    raise AssertionError  # n + m edits always do


def _fewest_edits(a: list[int], b: list[int]) -> int:
    """Return how many edits are needed whatever the order: those of the tokens that one side has more of."""
    counts = Counter(a)
    counts.subtract(b)
    return sum(map(abs, counts.values()))


def _walked_back(trace: list[list[int]], x: int, y: int) -> Iterator[tuple[int, int, int]]:
    """Return the matching stretches of the path found, first to last."""
    found: list[tuple[int, int, int]] = []
    for edits in range(len(trace) - 1, -1, -1):
        k = x - y
        down, entered = False, 0
        if edits:
            last = trace[edits - 1]
            down = k == -edits or (k != edits and last[k - 2 + edits] < last[k + edits])
            entered = last[k + edits] if down else last[k - 2 + edits] + 1
        if x > entered:
            found.append((entered, entered - k, x - entered))
        x, y = (entered, entered - k - 1) if down else (entered - 1, entered - k)
    return reversed(found)
