"""The same question as two principals, one after the other: a cache that forgets who asks gives one the other's."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sekisho.access.asking import Reply
from sekisho.access.probes import closest_questions
from sekisho.access.records import CacheFinding
from sekisho.core.messages import note

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sekisho.access.asking import Asker
    from sekisho.access.leaks import Findings
    from sekisho.access.principals import Principal
    from sekisho.access.probes import DocumentProbes

_QUESTIONS = 6
_ASKED_BY_DEFAULT = 4
"""Calls for each question: two principals, in both orders."""


class Round(NamedTuple):
    """One set of questions that nobody had asked before, asked by two principals in turn."""

    first: list[Reply]
    second: list[Reply]


class OrderCheck:
    """Asks as a principal and as the unrestricted one in turn.

    Only these pairs: the unrestricted principal sees everything that is hidden from the other, so that whatever a
    cache could hand over from anybody it can hand over from this one. Each question is made new by a word that stands
    in no document: what the probes have asked already would only show what is in the cache by now.

    Args:
        asker: The target.
        unrestricted: Who sees everything.
        words: Words that make a question new, without end.
    """

    def __init__(self, asker: Asker, unrestricted: Principal, words: Iterator[str]) -> None:
        self._asker = asker
        self._unrestricted = unrestricted
        self._words = words

    def run(self, principal: Principal, probes: Sequence[DocumentProbes], findings: Findings) -> Iterator[CacheFinding]:
        """Keep the leaks of a principal that asks after the unrestricted one, and yield what the order changes.

        A change is believed where asking twice in each order shows the same change twice.
        """
        bases = closest_questions(principal, probes, _QUESTIONS)
        after = self._round(self._unrestricted, principal, bases)
        before = self._round(principal, self._unrestricted, bases)
        findings.check([*after.second, *before.first])
        changed = [place for place in range(len(bases)) if _changed(after, before, place)]
        if not changed:
            return
        again = [bases[place] for place in changed]
        after_again = self._round(self._unrestricted, principal, again, planned=False)
        before_again = self._round(principal, self._unrestricted, again, planned=False)
        findings.check([*after_again.second, *before_again.first])
        for number, place in enumerate(changed):
            sides = (
                (principal, self._unrestricted, before.first[place], before_again.first[number],
                 after.second[place], after_again.second[number]),
                (self._unrestricted, principal, after.first[place], after_again.first[number],
                 before.second[place], before_again.second[number]),
            )  # fmt: skip
            for who, other, *replies in sides:
                if _depends(*replies):
                    yield _finding(who, other, replies[2].question)

    def _round(self, first: Principal, second: Principal, bases: Sequence[str], *, planned: bool = True) -> Round:
        questions = [f"{base} {next(self._words)}" for base in bases]
        return Round(
            self._asker.ask(first, questions, planned=planned), self._asker.ask(second, questions, planned=planned)
        )


def planned_questions(principal: Principal, probes: Sequence[DocumentProbes]) -> int:
    """Return how many times a question is asked where no change is seen."""
    return _ASKED_BY_DEFAULT * len(closest_questions(principal, probes, _QUESTIONS))


def _changed(after: Round, before: Round, place: int) -> bool:
    return (
        after.second[place].documents != before.first[place].documents
        or after.first[place].documents != before.second[place].documents
    )


def _depends(alone: Reply, alone_again: Reply, later: Reply, later_again: Reply) -> bool:
    """Tell whether asking alone gives one thing and asking after the other principal gives another, both times."""
    if any(reply.errors for reply in (alone, alone_again, later, later_again)):
        return False
    return (
        alone.documents == alone_again.documents
        and later.documents == later_again.documents
        and alone.documents != later.documents
    )


def _finding(who: Principal, other: Principal, question: str) -> CacheFinding:
    return CacheFinding(
        principal=who.departments,
        after=other.departments,
        question=question,
        reason=note("access.cache", principal=who.label, after=other.label),
    )
