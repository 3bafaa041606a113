"""What a conformance suite is given, and what it consists of."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from sekisho.core.messages import note

if TYPE_CHECKING:
    from sekisho.core.messages import Note


class AnswerSamples(msgspec.Struct, frozen=True, kw_only=True):
    """Questions whose answers are known in kind, by which a target is tried out.

    Attributes:
        answered: A question that everyone gets an answer to, with a source.
        restricted: A question that only those in ``departments`` get an answer to; to everyone else the system says
            that it found nothing.
        departments: Who gets an answer to ``restricted``, without ``all``.
        unanswered: A question that nobody gets an answer to.
    """

    answered: str
    restricted: str
    departments: tuple[str, ...]
    unanswered: str


class Check(NamedTuple):
    """One check of a suite.

    Attributes:
        name: What must hold, in snake case; ``str`` gives it too.
        run: Makes targets of its own and returns where it holds.
    """

    name: str
    run: Callable[[], None]

    def __str__(self) -> str:
        return self.name


class NonconformanceError(AssertionError):
    """A check does not hold. Test runners show it as a failure.

    Attributes:
        reason: One sentence.
    """

    def __init__(self, reason: Note) -> None:
        super().__init__(str(reason))
        self.reason = reason


def require(holds: object, code: str, /, **values: object) -> None:
    """Raise with the sentence ``code`` where something does not hold."""
    if not holds:
        raise NonconformanceError(note(code, **values))
