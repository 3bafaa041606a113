"""Patterns that are compiled when they are first used: importing the package costs next to nothing."""

from __future__ import annotations

import re
from typing import Any, cast

_METHODS = ("findall", "finditer", "fullmatch", "match", "search", "sub")


class _Pattern:
    """What becomes a compiled pattern as soon as one of its methods is asked for; threads may each compile it."""

    def __init__(self, source: str) -> None:
        self._source = source

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  the methods of a pattern have different types
        if name not in _METHODS:
            raise AttributeError(name)
        compiled = re.compile(self._source)
        for each in _METHODS:
            setattr(self, each, getattr(compiled, each))  # found without this method from now on
        return getattr(compiled, name)


def pattern(source: str) -> re.Pattern[str]:
    """Return a pattern with the methods findall, finditer, fullmatch, match, search and sub, compiled at its first use.

    An invalid source is an error then. What begins with a set of characters is searched for fastest: the search skips
    to these.
    """
    return cast("re.Pattern[str]", _Pattern(source))
