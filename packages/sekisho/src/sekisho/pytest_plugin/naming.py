"""Names of nodes and markers: what pytest can select by, whatever a file holds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sekisho.core.text import printable, shorten

if TYPE_CHECKING:
    from collections.abc import Iterable

_LONGEST = 200
_MARKER = re.compile(r"(?!_)\w[\w+./-]*+")
"""What an expression of ``-m`` can name, apart from signs that have a meaning where markers are registered."""
_WORDS = frozenset({"and", "or", "not", "None", "True", "False", "parameterize", "parametrise", "parameterise"})
"""Words that such an expression, or pytest itself where a marker is made, takes for something else."""


def node_name(name: str) -> str:
    """Return a name as a part of a node id: on one line, harmless, without the sign between parts."""
    return shorten(printable(name), _LONGEST).replace("::", ":_:")


def distinct(names: Iterable[str]) -> list[str]:
    """Return names of which none comes twice: a repeated one gets a number."""
    seen: dict[str, int] = {}
    found = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        found.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return found


def can_be_marker(tag: str) -> bool:
    """Tell whether a tag can be selected with ``-m``; with ``-k`` any can, its words joined by ``and``."""
    return _MARKER.fullmatch(tag) is not None and tag not in _WORDS
