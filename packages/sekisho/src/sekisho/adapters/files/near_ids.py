"""Ids that differ between two files only in how they are written."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

Change = Literal["padding", "case", "space", "all"]

_PADDING = re.compile(r"(?<![0-9])0+(?=[0-9])")


class NearIds(NamedTuple):
    """The change of spelling under which most ids match.

    Attributes:
        change: What to change; ``none`` where nothing helps.
        matches: How many ids match then.
        wanted: One of them as the first file writes it.
        known: The same as the second file does.
    """

    change: Change | Literal["none"]
    matches: int = 0
    wanted: str = ""
    known: str = ""


def _unpadded(id_: str) -> str:
    return _PADDING.sub("", id_)


def _unspaced(id_: str) -> str:
    return "".join(id_.split())


_CHANGES: Mapping[Change, Callable[[str], str]] = {
    "padding": _unpadded,
    "case": str.casefold,
    "space": _unspaced,
    "all": lambda id_: _unpadded(_unspaced(id_.casefold())),
}


def near_ids(wanted: Iterable[str], known: Iterable[str]) -> NearIds:
    """Return which change of spelling makes most of the ``wanted`` ids (none of them known) equal to a known one.

    Tried are zero-padding, letter case and white space, each alone, then all together.
    """
    missing, there = list(wanted), list(known)
    best = NearIds("none")
    for change, apply in _CHANGES.items():
        by_changed = {apply(id_): id_ for id_ in reversed(there)}
        found = [(id_, by_changed[changed]) for id_ in missing if (changed := apply(id_)) in by_changed]
        if len(found) > best.matches:
            best = NearIds(change, len(found), *found[0])
    return best
