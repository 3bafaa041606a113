"""Whether principals find what they may see: a filter that works on too few results starves those who see little."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sekisho.access.probes import Plan


class Searched(NamedTuple):
    """Visible documents that were searched for.

    Attributes:
        measured: Places of those with at least one probe, none of which failed.
        found: Those that came back among the first k for each of their probes.
    """

    measured: frozenset[int]
    found: frozenset[int]


def searched_for(plan: Plan, ids: Mapping[str, tuple[str, ...] | None], documents: Sequence[str], k: int) -> Searched:
    """Return which visible documents were found.

    Args:
        plan: What was asked.
        ids: Question to what search returned, None where it failed.
        documents: Ids by place.
        k: How many results count.
    """
    measured, found = set(), set()
    for place, questions in plan.visible.items():
        results = [ids.get(question) for question in questions]
        returned = [result for result in results if result is not None]
        if len(returned) == len(results):
            measured.add(place)
            if all(documents[place] in result[:k] for result in returned):
                found.add(place)
    return Searched(frozenset(measured), frozenset(found))


def share_found(searched: Searched, of: frozenset[int]) -> float | None:
    """Return the share of documents that were found; None without documents, or where one was not measured."""
    if not of or not of <= searched.measured:
        return None
    return len(of & searched.found) / len(of)
