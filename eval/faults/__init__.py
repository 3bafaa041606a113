"""The service and its search broken on purpose, from outside: each name is a target that has one fault or change.

Names are imported when first used: a broken quantiser needs no database.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from eval.faults.answering import answers_remembered as answers_remembered
    from eval.faults.answering import pages_from_zero as pages_from_zero
    from eval.faults.answering import policies_dropped as policies_dropped
    from eval.faults.answering import predicate_dropped as predicate_dropped
    from eval.faults.answering import texts_shifted as texts_shifted
    from eval.faults.answering import threshold_ignored as threshold_ignored
    from eval.faults.answering import threshold_too_strict as threshold_too_strict
    from eval.faults.changing import model_replaced as model_replaced
    from eval.faults.changing import passages_halved as passages_halved
    from eval.faults.retrieval import raises as raises
    from eval.faults.retrieval import rerank_dropped as rerank_dropped
    from eval.faults.retrieval import sign_flipped as sign_flipped

_HOME = {
    "answers_remembered": "answering",
    "model_replaced": "changing",
    "pages_from_zero": "answering",
    "passages_halved": "changing",
    "policies_dropped": "answering",
    "predicate_dropped": "answering",
    "raises": "retrieval",
    "rerank_dropped": "retrieval",
    "sign_flipped": "retrieval",
    "texts_shifted": "answering",
    "threshold_ignored": "answering",
    "threshold_too_strict": "answering",
}

__all__ = [*_HOME]  # noqa: PLE0604  the names are the keys above


def __getattr__(name: str) -> object:
    if name not in _HOME:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return [*_HOME]
