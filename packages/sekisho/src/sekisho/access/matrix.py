"""Every principal in turn: its probes, its own documents, the order of askers, and what hidden documents change."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from sekisho.access.asking import Asker
from sekisho.access.emptiness import refuse_emptiness
from sekisho.access.interference import InterferenceCheck
from sekisho.access.leaks import Findings
from sekisho.access.limitations import warnings_of
from sekisho.access.nonsense import nonsense_questions, unasked_words
from sekisho.access.order import OrderCheck, planned_questions
from sekisho.access.principals import Principal
from sekisho.access.probes import evenly, mixed_questions, plan_for, probes_of
from sekisho.access.records import STAGES, AccessReport, CacheFinding, PrincipalResult
from sekisho.access.starvation import Searched, searched_for, share_found
from sekisho.calling.methods import method_of
from sekisho.core.errors import TargetError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sekisho.access.asking import Limits, Reply
    from sekisho.access.corpus import Corpus
    from sekisho.access.probes import Plan
    from sekisho.calling.asking import Asked
    from sekisho.core.answers import AnswerCase
    from sekisho.core.messages import Note

_AT_ONCE = 200
"""Questions whose replies are kept in memory at once."""
_COMPARED_HIDDEN = 8
_COMPARED_VISIBLE = 4
"""Questions that are asked with and without the hidden documents, beside the nonsense ones."""


class Probed(NamedTuple):
    """One principal after its probes.

    Attributes:
        principal: Who.
        findings: Its leaks and errors.
        probes: How many questions about hidden documents were measured.
        searched: Its own documents.
        interference: Whether what it gets changes when the hidden documents are gone.
    """

    principal: Principal
    findings: Findings
    probes: int
    searched: Searched
    interference: bool | None


class Matrix:
    """A target, its documents and those who ask.

    Raises:
        TargetError: The target has neither ``search`` nor ``answer``.
    """

    def __init__(
        self,
        target: Asked,
        corpus: Corpus,
        principals: Sequence[Principal],
        limits: Limits,
        cases: Sequence[AnswerCase],
    ) -> None:
        self._limits = limits
        self._corpus = corpus
        self._principals = principals
        self._asker = Asker(target, limits, corpus.place_of)
        if not self._asker.methods:
            raise TargetError("access.no_methods", kind=type(target.target).__name__)
        texts = [*chain.from_iterable(corpus.folded)]
        self._nonsense_questions = nonsense_questions(texts)
        self._probes = probes_of(corpus, cases)
        self._unrestricted = next(each for each in principals if each.unrestricted)
        self._order = OrderCheck(self._asker, self._unrestricted, unasked_words(texts))
        self._interference: InterferenceCheck | None = None
        if method_of(target.target, "without") is not None:
            self._interference = InterferenceCheck(target, self._asker, limits, corpus)
        self._cache: list[CacheFinding] = []

    def planned_calls(self) -> int:
        """Return how many calls are made where nothing has to be confirmed."""
        methods = self._asker.methods
        calls = 0
        for principal in self._principals:
            plan = plan_for(principal, self._probes)
            calls += (len(self._nonsense_questions) + len(plan.hidden)) * methods
            if self._asker.search is not None:
                calls += len(_visible_questions(plan))
            if principal.hidden:
                calls += planned_questions(principal, self._probes) * methods
            if principal.hidden and self._interference is not None:
                visible = len(evenly(_visible_questions(plan), _COMPARED_VISIBLE))
                hidden = len(mixed_questions(principal, self._probes, _COMPARED_HIDDEN))
                calls += (2 * visible + hidden + len(self._nonsense_questions)) * methods
        return calls

    def report(self, warnings: Sequence[Note]) -> AccessReport:
        """Return what everybody was shown."""
        nonsense = {each: self._asker.ask(each, self._nonsense_questions) for each in self._principals}
        probed = [self._probe(each, nonsense) for each in self._principals]
        unrestricted = next(each for each in probed if each.principal is self._unrestricted)
        own = _visible_questions(plan_for(self._unrestricted, self._probes))
        refuse_emptiness(self._asker, self._unrestricted, own, unrestricted.findings)
        stages = tuple(
            stage for stage in STAGES if (self._asker.search if stage == "retrieved" else self._asker.answer)
        )
        results = tuple(_result(each, unrestricted.searched, self._corpus) for each in probed)
        unstable = self._interference.unstable if self._interference else None
        return AccessReport(
            k=self._limits.k,
            everyone=self._limits.everyone,
            documents=len(self._corpus.documents),
            departments=self._unrestricted.departments,
            principals=results,
            stages=stages,
            cache=tuple(self._cache),
            warnings=(*warnings, *warnings_of(results, self._asker, unstable=unstable)),
            elapsed_ms=self._asker.elapsed_ms,
        )

    def _probe(self, principal: Principal, nonsense: dict[Principal, list[Reply]]) -> Probed:
        findings = Findings(self._corpus, principal)
        findings.excuse(nonsense[principal], nonsense[self._unrestricted])
        findings.check(nonsense[principal])
        plan = plan_for(principal, self._probes)
        wanted = mixed_questions(principal, self._probes, _COMPARED_HIDDEN) if self._interference else []
        ids: dict[str, tuple[str, ...] | None] = {}
        kept: list[Reply] = []
        measured = 0
        questions = list(plan.hidden)
        for start in range(0, len(questions), _AT_ONCE):
            replies = self._asker.ask(principal, questions[start : start + _AT_ONCE])
            findings.check(replies, plan.hidden)
            measured += sum(not reply.errors for reply in replies)
            ids.update((reply.question, None if reply.errors else reply.ids) for reply in replies)
            kept += [reply for reply in replies if reply.question in wanted]
        searched = self._search_visible(principal, plan, ids, findings)
        interference = None
        if principal.hidden:
            self._cache += self._order.run(principal, self._probes, findings)
            if self._interference is not None:
                own = evenly(_visible_questions(plan), _COMPARED_VISIBLE)
                full = [*nonsense[principal], *kept, *self._own_replies(principal, own, findings)]
                interference = self._interference.run(principal, full, findings)
        return Probed(principal, findings, measured, searched, interference)

    def _own_replies(self, principal: Principal, questions: Sequence[str], findings: Findings) -> list[Reply]:
        replies = self._asker.ask(principal, questions)
        findings.check(replies)
        return replies

    def _search_visible(
        self, principal: Principal, plan: Plan, ids: dict[str, tuple[str, ...] | None], findings: Findings
    ) -> Searched:
        """Search for what the principal may see, with the questions that have not been asked already."""
        if self._asker.search is None:
            return Searched(frozenset(), frozenset())
        questions = _visible_questions(plan)
        for start in range(0, len(questions), _AT_ONCE):
            replies = self._asker.ask(principal, questions[start : start + _AT_ONCE], answers=False)
            findings.check(replies)
            ids.update((reply.question, None if reply.errors else reply.ids) for reply in replies)
        return searched_for(plan, ids, [document.id for document in self._corpus.documents], self._limits.k)


def _visible_questions(plan: Plan) -> list[str]:
    """Return the questions about visible documents that are no probes of hidden ones as well."""
    asked = dict.fromkeys(question for questions in plan.visible.values() for question in questions)
    return [question for question in asked if question not in plan.hidden]


def _result(probed: Probed, of_all: Searched, corpus: Corpus) -> PrincipalResult:
    principal, findings, searched = probed.principal, probed.findings, probed.searched
    return PrincipalResult(
        departments=principal.departments,
        unrestricted=principal.unrestricted,
        visible=len(principal.visible),
        hidden=len(principal.hidden),
        probes=probed.probes,
        leak_count=findings.leak_count,
        leaks=tuple(findings.leaks),
        error_count=findings.error_count,
        errors=tuple(findings.errors),
        probed_visible=len(searched.measured),
        recall=share_found(searched, searched.measured),
        unrestricted_recall=share_found(of_all, searched.measured),
        starved=tuple(corpus.documents[place].id for place in sorted(searched.measured - searched.found)),
        interference=probed.interference,
    )
