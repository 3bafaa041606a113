"""From what one principal got to the leaks that it shows, each kept once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sekisho.access.hidden import Excused, Secrets
from sekisho.access.records import STAGES, Leak, ProbeError
from sekisho.calling.rendered import readings
from sekisho.core.messages import note
from sekisho.core.text import shorten

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sekisho.access.asking import Reply
    from sekisho.access.corpus import Corpus, Facts
    from sekisho.access.principals import Principal
    from sekisho.access.records import Kind, Stage
    from sekisho.calling.records import CaseError
    from sekisho.core.answers import Answer, Context

_MOST_LEAKS = 200
_MOST_ERRORS = 20
_LONGEST_SHOWN = 200
_LONGEST_ID = 80
_LONGEST_PHRASE = 1_000
_SHARE_OF_QUOTATION = 0.5
"""Of the characters of a text; a polite phrase around a name or a number has less of a hidden document."""
_LONG_QUOTE = 40
"""A passage of at least this many characters is recognised in an answer as the quotation of a context."""


class Findings:
    """What one principal was shown, gathered from all its replies.

    Attributes:
        leaks: The first ones, in the order of the probes.
        leak_count: All of them.
        errors: The first ones.
        error_count: All of them.
    """

    def __init__(self, corpus: Corpus, principal: Principal) -> None:
        self._corpus = corpus
        self._principal = principal
        self._secrets = Secrets(corpus, principal)
        self._excused = Excused()
        self._known: dict[Stage, dict[Kind, set[int]]] = {
            stage: {"passage": set(), "quantity": set()} for stage in STAGES
        }
        self._seen: set[tuple[int | None, Stage, Kind]] = set()
        self.leaks: list[Leak] = []
        self.errors: list[ProbeError] = []
        self.error_count = 0

    @property
    def leak_count(self) -> int:
        """How many leaks there are, those that no record is kept of included."""
        return len(self._seen)

    def excuse(self, nonsense: Sequence[Reply], unrestricted: Sequence[Reply]) -> None:
        """Take what a target says to nonsense for boilerplate, from now on.

        Not what it cites or was given then: a passage that also stands there is no polite phrase, nor is a text of more
        than a thousand characters, nor one that claims to have found something and for the greater part stands in
        hidden documents alone: whoever answers everything with the same document leaks it. And what names a hidden
        document counts as a phrase only where those who may see the document are told the same.
        """
        answers = [reply.answer for reply in nonsense if reply.answer]
        said = [facts for answer in answers if self._is_phrase(answer) for facts in self._facts_of(answer.text)]
        to_all = [facts for reply in unrestricted if reply.answer for facts in self._facts_of(reply.answer.text)]
        given = [
            facts
            for answer in answers
            for text in (*answer.sources, *(context.text for context in answer.contexts))
            for facts in self._facts_of(text)
        ]
        numbers = {number for facts in said for number in facts.quantities}
        self._excused = Excused(
            folded=tuple(dict.fromkeys(facts.folded for facts in said)),
            unless=tuple(dict.fromkeys(facts.folded for facts in given)),
            mentions=frozenset(
                {name for facts in said for name in facts.mentions}
                & {name for facts in to_all for name in facts.mentions}
                - {name for facts in given for name in facts.mentions}
            ),
            quantities=frozenset(numbers.difference(*(facts.quantities for facts in given))),
        )

    def check(self, replies: Iterable[Reply], about: dict[str, tuple[int, ...]] | None = None) -> None:
        """Look for leaks in replies to this principal, and keep their errors.

        Args:
            replies: What it got.
            about: Question to the hidden documents that it was made from.
        """
        for reply in replies:
            for method, error in reply.errors:
                self.fail(reply.question, method, error)
            likely = set((about or {}).get(reply.question, ()))
            likely |= self._by_id(reply)
            if reply.answer is not None:
                self._check_answer(reply.question, reply.answer, likely)

    def fail(self, question: str, method: str, error: CaseError) -> None:
        """Keep the error of a call."""
        self.error_count += 1
        if len(self.errors) < _MOST_ERRORS:
            self.errors.append(
                ProbeError(principal=self._principal.departments, question=question, method=method, error=error)
            )

    def differs(self, stage: Stage, question: str, shown: str) -> None:
        """Keep that a result changes when the hidden documents are gone."""
        self._keep(stage, question, place=None, kind="interference", raw=shown)

    def _by_id(self, reply: Reply) -> set[int]:
        """Keep the hidden documents whose ids stand among results and contexts, and return their places."""
        contexts = reply.answer.contexts if reply.answer else ()
        named: list[tuple[Stage, str, str]] = [("retrieved", id_, id_) for id_ in reply.ids or ()]
        named += [("given", context.document_id, context.text) for context in contexts]
        found = set()
        for stage, id_, shown in named:
            place = self._secrets.hides(id_)
            if place is not None:
                found.add(place)
                self._keep(stage, reply.question, place=place, kind="id", raw=shown)
        return found

    def _check_answer(self, question: str, answer: Answer, likely: set[int]) -> None:
        excused = self._excused
        for facts in self._facts_of(question):
            excused = excused.asking(facts)
        for source in dict.fromkeys(answer.sources):
            for shown in (shown for text in readings(source) for shown in self._secrets.in_source(text, excused)):
                likely.add(shown.place)
                self._keep("cited", question, place=shown.place, kind=shown.kind, raw=shown.raw)
        rest = answer.text
        for context in answer.contexts:
            if self._is_quotation(context):
                if len(context.text) >= _LONG_QUOTE:
                    rest = rest.replace(context.text, "\n")
            elif self._secrets.hides(context.document_id) is None:
                self._look("given", question, context.text, excused, likely)
        self._look("answered", question, rest, excused, likely)

    def _is_phrase(self, answer: Answer) -> bool:
        """Tell whether what is answered to nonsense may be boilerplate."""
        if len(answer.text) > _LONGEST_PHRASE:
            return False
        shares = (self._secrets.share_in(facts) for facts in self._facts_of(answer.text))
        return not answer.found or max(shares) <= _SHARE_OF_QUOTATION

    def _facts_of(self, text: str) -> list[Facts]:
        return [self._corpus.facts(reading) for reading in readings(text)]

    def _is_quotation(self, context: Context) -> bool:
        """Tell whether a context stands letter by letter in a document that the principal may see.

        Then it shows nothing else, and a number that a chunk ends in the middle of is not taken for another one.
        """
        place = self._corpus.place_of.get(context.document_id)
        return place in self._secrets.visible and self._corpus.holds_verbatim(place, context.text)

    def _look(self, stage: Stage, question: str, text: str, excused: Excused, likely: set[int]) -> None:
        for reading in readings(text):
            for shown in self._secrets.in_text(reading, excused, known=self._known[stage], likely=likely):
                if shown.kind in self._known[stage]:
                    self._known[stage][shown.kind].add(shown.place)
                self._keep(stage, question, place=shown.place, kind=shown.kind, raw=shown.raw)

    def _keep(self, stage: Stage, question: str, *, place: int | None, kind: Kind, raw: str) -> None:
        key = (place, stage, kind)
        if key in self._seen:
            return
        self._seen.add(key)
        if len(self.leaks) >= _MOST_LEAKS:
            return
        document = None if place is None else self._corpus.documents[place]
        self.leaks.append(
            Leak(
                principal=self._principal.departments,
                document_id=None if document is None else document.id,
                document_name=None if document is None else document.name,
                stage=stage,
                kind=kind,
                question=question,
                shown=shorten(raw, _LONGEST_SHOWN),
                reason=note(
                    f"access.{stage}_{kind}",
                    document=None if document is None else shorten(document.id, _LONGEST_ID),
                    principal=self._principal.label,
                ),
            )
        )
