"""The one who asks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from knowledge_search.domain import Scope


@dataclass(frozen=True, kw_only=True)
class Principal:
    """The one who asks, once it is known who that is.

    Attributes:
        name: For the audit log and the rate limit; unique within its kind. Never a secret.
        scope: What may be seen.
        kind: How it is known.
        may_write: Whether documents of the scope may be put in and taken out.
    """

    name: str
    scope: Scope
    kind: Literal["key", "token", "anonymous"]
    may_write: bool = False


ANONYMOUS: Final = Principal(name="anonymous", scope=Scope.of(), kind="anonymous")
"""Whoever shows nothing, where the settings allow that: the documents of ``all``."""
