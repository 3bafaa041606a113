"""What one call of the system under test gave: a value, or the error that stands for it."""

from __future__ import annotations

from typing import Generic, Literal, NamedTuple, TypeVar

import msgspec

from sekisho.core.messages import Note

Value_co = TypeVar("Value_co", covariant=True)


class CaseError(msgspec.Struct, frozen=True, kw_only=True):
    """Why a case could not be measured. An error is never a score.

    Attributes:
        kind: ``raised``, ``timeout`` or ``wrong_type``.
        reason: One sentence.
        traceback: The target's own traceback, empty where there is none.
    """

    kind: Literal["raised", "timeout", "wrong_type"]
    reason: Note
    traceback: str = ""

    @property
    def message(self) -> str:
        """The reason in English."""
        return str(self.reason)


class Outcome(NamedTuple, Generic[Value_co]):
    """What one call gave: a result, or the error that stands for it."""

    value: Value_co | None
    error: CaseError | None
    elapsed_ms: float


class WrongResultError(Exception):
    """A result of the wrong type or shape."""

    def __init__(self, reason: Note) -> None:
        super().__init__(reason)
        self.reason = reason
