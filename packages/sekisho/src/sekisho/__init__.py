"""Sekisho, the checkpoint on the road: stops a change to a RAG system that makes it worse, before it is merged.

Names are imported when first used, so that ``import sekisho`` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sekisho.core.records import EvalCase as EvalCase

__version__ = "0.1.0"

_HOME = {
    "EvalCase": "sekisho.core.records",
}

__all__ = ["__version__", *sorted(_HOME)]  # noqa: PLE0604  the names are the keys above


def __getattr__(name: str) -> object:
    if name not in _HOME:
        message = f"module 'sekisho' has no attribute {name!r}"
        raise AttributeError(message)
    value: object = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
