"""Asking a target as somebody: each question once by search and once by answer, errors kept with their question."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from sekisho.calling.answers import read_answer, read_ids
from sekisho.calling.methods import method_of
from sekisho.calling.records import CaseError
from sekisho.core.answers import Answer
from sekisho.core.messages import note
from sekisho.core.text import shorten

if TYPE_CHECKING:
    from sekisho.access.principals import Principal
    from sekisho.calling import Outcome
    from sekisho.calling.asking import Asked

_LONGEST_ID = 80


class Reply(NamedTuple):
    """What one principal got for one question.

    Attributes:
        question: As asked.
        ids: Of search; None where it was not asked or failed.
        answer: None likewise.
        errors: Method and error of each call that failed.
    """

    question: str
    ids: tuple[str, ...] | None
    answer: Answer | None
    errors: tuple[tuple[str, CaseError], ...]

    @property
    def documents(self) -> tuple[object, ...]:
        """What the reply rests on, without its wording: ids, whether found, sources, documents of contexts."""
        if self.answer is None:
            return (self.ids,)
        contexts = tuple(context.document_id for context in self.answer.contexts)
        return self.ids, self.answer.found, self.answer.sources, contexts


class Limits(NamedTuple):
    """How a target is asked.

    Attributes:
        everyone: The department that every principal has.
        k: How many ids are searched for.
        concurrency: Calls under way at once.
        timeout_s: Seconds after which a call is given up.
        done: Called after each call that was planned.
    """

    everyone: str
    k: int
    concurrency: int
    timeout_s: float | None
    done: Callable[[], None]


class Asker:
    """A target that can be asked as any principal.

    Attributes:
        search: Its method, None where it has none.
        answer: Likewise.
        elapsed_ms: Milliseconds that its calls took so far.
        searched_any: Whether search has returned an id to anybody so far.
        answered_any: Whether any answer so far found something, cited something or came with contexts.
        contexts_any: Whether any answer came with contexts.
    """

    def __init__(self, target: Asked, limits: Limits, known_ids: Collection[str]) -> None:
        self._target = target
        self._limits = limits
        self._known_ids = known_ids
        self.search = _optional(target, "search")
        self.answer = _optional(target, "answer")
        self.elapsed_ms = 0.0
        self.searched_any = False
        self.answered_any = False
        self.contexts_any = False

    @property
    def methods(self) -> int:
        """How many calls one question takes."""
        return (self.search is not None) + (self.answer is not None)

    def ask(
        self, principal: Principal, questions: Sequence[str], *, answers: bool = True, planned: bool = True
    ) -> list[Reply]:
        """Return what a principal gets for each question, in their order.

        Args:
            principal: Who asks.
            questions: What.
            answers: Whether answers are wanted, and not search alone.
            planned: Whether the calls count in the progress.
        """
        done = self._limits.done if planned else _uncounted
        found: list[Outcome[Any] | None] = [None] * len(questions)
        answered = found
        departments = principal.asks_as(self._limits.everyone)
        if self.search:
            arguments: list[tuple[Any, ...]] = [(each, [*departments], self._limits.k) for each in questions]
            found = self._call(self.search, arguments, read_ids, done)
        if self.answer and answers:
            arguments = [(each, [*departments]) for each in questions]
            answered = self._call(self.answer, arguments, read_answer, done)
        return [
            self._reply(question, ids, answer) for question, ids, answer in zip(questions, found, answered, strict=True)
        ]

    def _call(
        self,
        method: Callable[..., Any],
        arguments: Sequence[tuple[Any, ...]],
        read: Callable[[Any], Any],
        done: Callable[[], None],
    ) -> list[Outcome[Any] | None]:
        outcomes = self._target.ask_all(
            method,
            arguments,
            read=read,
            concurrency=self._limits.concurrency,
            timeout_s=self._limits.timeout_s,
            done=done,
        )
        self.elapsed_ms += math.fsum(outcome.elapsed_ms for outcome in outcomes)
        return [*outcomes]

    def _reply(self, question: str, found: Outcome[Any] | None, answered: Outcome[Any] | None) -> Reply:
        errors = [
            (method, outcome.error)
            for method, outcome in (("search", found), ("answer", answered))
            if outcome is not None and outcome.error is not None
        ]
        ids = None if found is None else found.value
        answer = None if answered is None else answered.value
        if answer is not None:
            self.answered_any |= answer.found or bool(answer.sources or answer.contexts)
            self.contexts_any |= bool(answer.contexts)
        self.searched_any |= bool(ids)
        contexts = () if answer is None else tuple(context.document_id for context in answer.contexts)
        for method, named in (("search", ids or ()), ("answer", contexts)):
            stranger = next((id_ for id_ in named if id_ not in self._known_ids), None)
            if stranger is not None:
                errors.append((method, _unknown(method, stranger)))
        return Reply(question, ids, answer, tuple(errors))


def _uncounted() -> None:
    pass


def _unknown(method: str, id_: str) -> CaseError:
    """Return the error of a result that names a document which nobody can tell the departments of."""
    reason = note("access.unknown_id", method=method, id=shorten(id_, _LONGEST_ID))
    return CaseError(kind="wrong_type", reason=reason)


def _optional(target: Asked, name: str) -> Callable[..., Any] | None:
    return None if method_of(target.target, name) is None else target.method(name)
