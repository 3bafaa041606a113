"""Non-interference: what a principal gets must not depend on documents that it may not see."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from sekisho.access.asking import Asker, Limits, Reply
from sekisho.access.records import STAGES, Stage
from sekisho.calling.answers import read_documents
from sekisho.calling.asking import Asked
from sekisho.calling.methods import method_of
from sekisho.calling.records import CaseError
from sekisho.core.messages import Note, note
from sekisho.core.text import shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sekisho.access.corpus import Corpus
    from sekisho.access.leaks import Findings
    from sekisho.access.principals import Principal

_ROUNDS = 2
"""How many times what differs is asked again, of both targets."""
_CALLS_OF_REBUILD = 100
"""Calls that making a target without documents may take as long as: an index has to be built."""
_LONGEST_ID = 80
SHOWN_AROUND = 60
"""Characters of an answer that are shown before the first difference."""


class Difference(NamedTuple):
    """Where two replies to one question differ.

    Attributes:
        stage: In what.
        shown: Raw text of the reply that hidden documents had a part in.
    """

    stage: Stage
    shown: str


class RebuildError(Exception):
    """The target could not be rebuilt without documents."""

    def __init__(self, error: CaseError) -> None:
        super().__init__(error)
        self.error = error


class InterferenceCheck:
    """Asks a target with and without what is hidden, and keeps what differs.

    A difference is believed where the target without the hidden documents says the same when it is asked again, and one
    that is rebuilt with all of them still says what the target itself said; and at no stage at which that fails for any
    question: a target that rolls dice agrees with itself now and then.

    Attributes:
        unstable: How many questions could not be compared, since asking again gave something else.
    """

    def __init__(self, target: Asked, asker: Asker, limits: Limits, corpus: Corpus) -> None:
        self._target = target
        self._asker = asker
        self._limits = limits
        self._corpus = corpus
        self.unstable = 0

    def run(self, principal: Principal, full: Sequence[Reply], findings: Findings) -> bool | None:
        """Return whether what a principal gets changes with the hidden documents gone; None where that stays open.

        Args:
            principal: Who asks.
            full: What it got with all documents; those with errors are left out.
            findings: Keeps leaks and errors.
        """
        full = [reply for reply in full if not reply.errors]
        hidden = [self._corpus.documents[place].id for place in principal.hidden]
        try:
            reduced, apart, reduced_again = self._compare(principal, full, hidden)
            full_again = self._ask_again(principal, [full[place].question for place in apart])
        except RebuildError as failure:
            findings.fail("", "without", failure.error)
            return None
        for reply in (*reduced, *full_again, *reduced_again):
            for method, error in reply.errors:
                findings.fail(reply.question, method, error)
        first = [(full[place], reduced[place]) for place in apart]
        again = [*zip(full_again, reduced_again, strict=True)]
        unsteady = _unsteady_stages(first * _ROUNDS, again)
        found = [
            (before.question, difference)
            for before, after in first
            for difference in differences(before, after)
            if difference.stage not in unsteady
        ]
        for question, difference in found:
            findings.differs(difference.stage, question, difference.shown)
        self.unstable += sum(all(each.stage in unsteady for each in differences(*pair)) for pair in first)
        failed = any(reply.errors for reply in reduced)
        return bool(found) or (None if failed or apart or not full else False)

    def _compare(
        self, principal: Principal, full: Sequence[Reply], hidden: Sequence[str]
    ) -> tuple[list[Reply], list[int], list[Reply]]:
        """Return the replies without the hidden documents, where they differ, and what asking there again gives."""
        with rebuilt(self._target, hidden, timeout_s=self._limits.timeout_s) as target:
            asker = self._same_methods(target)
            reduced = asker.ask(principal, [reply.question for reply in full])
            apart = [
                place for place, reply in enumerate(reduced) if not reply.errors and differences(full[place], reply)
            ]
            questions = [full[place].question for place in apart]
            return reduced, apart, asker.ask(principal, questions * _ROUNDS, planned=False)

    def _ask_again(self, principal: Principal, questions: Sequence[str]) -> list[Reply]:
        """Return replies of a target rebuilt with all its documents.

        What differs there as well comes from being rebuilt, from caches or from chance, not from hidden documents.
        """
        if not questions:
            return []
        with rebuilt(self._target, (), timeout_s=self._limits.timeout_s) as target:
            return self._same_methods(target).ask(principal, [*questions] * _ROUNDS, planned=False)

    def _same_methods(self, target: Asked) -> Asker:
        """Return an asker for the rebuilt target.

        Raises:
            RebuildError: It lacks a method that the target itself has.
        """
        asker = Asker(target, self._limits, self._corpus.place_of)
        for name in ("search", "answer"):
            if getattr(asker, name) is None and getattr(self._asker, name) is not None:
                reason = note("calling.no_method", method=name, kind=type(target.target).__name__)
                raise RebuildError(_wrong(reason))
        return asker


def _unsteady_stages(first: Sequence[tuple[Reply, Reply]], again: Sequence[tuple[Reply, Reply]]) -> set[Stage]:
    """Return the stages at which asking again gave something else, all where it failed."""
    found: set[Stage] = set()
    for before, after in zip(first, again, strict=True):
        if any(reply.errors for reply in after):
            return set(STAGES)
        for one, other in zip(before, after, strict=True):
            found |= {difference.stage for difference in differences(one, other)}
    return found


@contextmanager
def rebuilt(target: Asked, ids: Sequence[str], *, timeout_s: float | None) -> Iterator[Asked]:
    """Give the target without some documents: what its ``without(ids)`` yields, sync or async.

    Where that yields None, the target itself is asked.

    Args:
        target: The target.
        ids: Of the documents.
        timeout_s: Seconds that one call may take; making and closing the other target may take a hundred times as long.

    Raises:
        RebuildError: With what the target raised, on the way in or out; or it gave nothing, or still lists one of the
            documents, so that it would be compared with itself.
    """
    limit_s = None if timeout_s is None else timeout_s * _CALLS_OF_REBUILD
    without = _guarded(target, lambda: target.method("without"), None)
    manager = _guarded(target, lambda: without(list(ids)), limit_s)
    if manager is None:
        raise RebuildError(_wrong(note("access.without_gave_nothing")))
    enter, leave = (_either(target, manager, name) for name in ("enter", "exit"))
    value = manager if enter is None else _guarded(target, enter, limit_s)
    try:
        given = Asked(target.target if value is None else value, target.finish)
        _refuse_kept(given, ids, timeout_s)
        yield given
    finally:
        if leave is not None:
            _guarded(target, lambda: leave(None, None, None), limit_s)


def _either(target: Asked, manager: object, name: str) -> Callable[..., Any] | None:
    """Return the sync or async method of a context manager; None where it is none."""
    names = (f"__{name}__", f"__a{name}__")
    sync, in_loop = _guarded(target, lambda: [method_of(manager, each) for each in names], None)
    found: Callable[..., Any] | None = in_loop if sync is None else sync
    return found


def _guarded(target: Asked, action: Callable[[], Any], timeout_s: float | None) -> Any:  # noqa: ANN401  as it comes
    """Return what an action of the target gives.

    Raises:
        RebuildError: It raised, or took too long.
    """
    outcome = target.ask_all(action, [()], read=_as_it_is, timeout_s=timeout_s)[0]
    if outcome.error is not None:
        raise RebuildError(outcome.error)
    return outcome.value


def _as_it_is(value: Any) -> Any:  # noqa: ANN401  whatever a target gave
    return value


def _refuse_kept(target: Asked, ids: Sequence[str], timeout_s: float | None) -> None:
    """Raise where a target still lists a document that it was rebuilt without; one that lists none is believed."""
    if method_of(target.target, "documents") is None:
        return
    outcome = target.ask_all(target.method("documents"), [()], read=read_documents, timeout_s=timeout_s)[0]
    kept = {document.id for document in outcome.value or ()}.intersection(ids)
    if kept:
        raise RebuildError(_wrong(note("access.without_kept", id=shorten(min(kept), _LONGEST_ID))))


def _wrong(reason: Note) -> CaseError:
    return CaseError(kind="wrong_type", reason=reason)


def differences(full: Reply, reduced: Reply) -> list[Difference]:
    """Return where a reply differs from the one without the hidden documents, byte for byte; a stage each at most."""
    found: list[Difference] = []
    if full.ids is not None and reduced.ids is not None and full.ids != reduced.ids:
        found.append(Difference("retrieved", _first_apart(full.ids, reduced.ids)))
    one, other = full.answer, reduced.answer
    if one is None or other is None:
        return found
    if one.contexts != other.contexts:
        texts = [[context.text for context in answer.contexts] for answer in (one, other)]
        found.append(Difference("given", _first_apart(*texts)))
    if one.sources != other.sources:
        found.append(Difference("cited", _first_apart(one.sources, other.sources)))
    if (one.text, one.found) != (other.text, other.found):
        found.append(Difference("answered", _around_difference(one.text, other.text)))
    return found


def _first_apart(one: Sequence[str], other: Sequence[str]) -> str:
    """Return the first element of one list that the other does not have at its place; empty where it just ends."""
    return next((text for place, text in enumerate(one) if place >= len(other) or other[place] != text), "")


def _around_difference(one: str, other: str) -> str:
    same = next((place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(one))
    return one[max(same - SHOWN_AROUND, 0) :]
