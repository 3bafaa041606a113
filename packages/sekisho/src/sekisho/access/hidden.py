"""What one principal must not be shown, looked for in ids, sources and texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sekisho.access.boundaries import pieces_of
from sekisho.access.corpus import RUN
from sekisho.access.grams import RunSet
from sekisho.access.mentions import stands_as_word
from sekisho.access.records import Kind
from sekisho.matching import TextMatcher

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    import numpy.typing as npt

    from sekisho.access.corpus import Corpus, Facts
    from sekisho.access.principals import Principal
    from sekisho.matching import Occurrence

_LONGEST_RUN = 200
"""Positions of one run that are looked at as one passage; what is longer is looked at in turn."""


class Shown(NamedTuple):
    """A hidden document that shows in a text.

    Attributes:
        place: Of the document.
        kind: What shows it.
        raw: The raw piece of text.
    """

    place: int
    kind: Kind
    raw: str


class Excused(NamedTuple):
    """What shows nothing although it stands in a hidden document: the asker said it himself, or it is boilerplate.

    Attributes:
        folded: Texts in which a passage may stand.
        unless: Texts in which a passage counts again, although it stands in one of those.
        mentions: Ids, names and titles.
        quantities: Numbers with their unit.
    """

    folded: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    mentions: frozenset[str] = frozenset()
    quantities: frozenset[str] = frozenset()

    def asking(self, question: Facts) -> Excused:
        """Return the same with what stands in a question."""
        return self._replace(
            folded=(*self.folded, question.folded),
            mentions=self.mentions | question.mentions.keys(),
            quantities=self.quantities | question.quantities,
        )

    def passage(self, folded: str) -> bool:
        """Tell whether a passage shows nothing."""
        return any(folded in text for text in self.folded) and not any(folded in text for text in self.unless)


class Secrets:
    """What is distinctive of the documents that a principal may not see."""

    def __init__(self, corpus: Corpus, principal: Principal) -> None:
        self._corpus = corpus
        self._visible = principal.visible
        self.visible = frozenset(principal.visible)
        seen = np.zeros(len(corpus.documents), dtype=np.bool_)
        seen[list(principal.visible)] = True
        self._runs = RunSet(corpus.index.in_none_of(seen))
        self._mentions = {
            mention for mention, owners in corpus.mention_owners.items() if self.visible.isdisjoint(owners)
        }
        self._seen_pieces: dict[str, bool] = {}
        self._sources: dict[str, list[Shown]] = {}

    def hides(self, id_: str) -> int | None:
        """Return the place of the hidden document with an id, None where it is visible or unknown."""
        place = self._corpus.place_of.get(id_)
        return None if place is None or place in self.visible else place

    def share_in(self, facts: Facts) -> float:
        """Return which share of the characters of a text belongs to runs of hidden documents, 0 to 1."""
        covered = np.zeros(len(facts.folded), dtype=np.bool_)
        for start in self._runs.positions(facts.hashes).tolist():
            covered[start : start + RUN] = True
        return float(covered.mean()) if len(covered) else 0.0

    def in_text(
        self, text: str, excused: Excused, *, known: Mapping[Kind, Collection[int]], likely: Collection[int]
    ) -> list[Shown]:
        """Return the hidden documents that show in free text, each once a kind.

        Args:
            text: Raw.
            excused: What shows nothing.
            known: Documents whose passages or numbers need not be looked for again.
            likely: Documents that a passage of several hidden ones is rather taken from.
        """
        if not text:
            return []
        facts = self._corpus.facts(text)
        return [
            *self.mentions_in(text, facts, excused),
            *self.passages_in(text, facts, excused, known=known["passage"], likely=likely),
            *self._quantities_in(text, facts, excused, known=known["quantity"], likely=likely),
        ]

    def mentions_in(self, text: str, facts: Facts, excused: Excused) -> Iterator[Shown]:
        """Yield the hidden documents whose id, name or title stands in a text, with word edges."""
        for mention, first in facts.mentions.items():
            if mention not in self._mentions or mention in excused.mentions:
                continue
            occurrence = stands_as_word(text, mention, first)
            if occurrence is not None:
                for kind, place in self._corpus.mentions[mention]:
                    yield Shown(place, kind, occurrence.raw)

    def passages_in(
        self, text: str, facts: Facts, excused: Excused, *, known: Collection[int], likely: Collection[int]
    ) -> Iterator[Shown]:
        """Yield the hidden documents of which a run stands in a text, with the run; those known are left out."""
        index = self._corpus.index
        positions = self._runs.positions(facts.hashes)
        if not len(positions):
            return
        owners = index.owners[index.starts[index.places(facts.hashes[positions])]]
        found: set[int] = set(known)
        for owner in np.unique(owners).tolist():
            for run in _runs(positions[owners == owner]) if owner not in found else ():
                fresh = [place for place in run if not excused.passage(facts.folded[place : place + RUN])]
                shown = self._passage(text, facts, excused, fresh, likely) if fresh else None
                if shown is not None and shown.place not in found:
                    found.add(shown.place)
                    yield shown
                if owner in found:
                    break

    def _passage(
        self, text: str, facts: Facts, excused: Excused, run: list[int], likely: Collection[int]
    ) -> Shown | None:
        """Return the document that runs at neighbouring places come from, None where all of them may be seen."""
        start, end = run[0], run[-1] + RUN
        if all(
            self._may_be_seen(piece) or excused.passage(piece) for piece in pieces_of(text, facts.folded, start, end)
        ):
            return None
        index = self._corpus.index
        places = index.places(facts.hashes[run]).tolist()
        owners = set(index.owners_at(places[0]))
        for place in places[1:]:
            owners = owners & set(index.owners_at(place)) or owners
        passage = facts.folded[start:end]
        occurrence = TextMatcher([passage]).occurrences(text).get(passage)
        place = min(owners.intersection(likely) or owners)
        return Shown(place, "passage", occurrence.raw if occurrence else passage)

    def _may_be_seen(self, piece: str) -> bool:
        seen = self._seen_pieces.get(piece)
        if seen is None:
            seen = self._seen_pieces[piece] = self._corpus.stands_in_any(piece, self._visible)
        return seen

    def _quantities_in(
        self, text: str, facts: Facts, excused: Excused, *, known: Collection[int], likely: Collection[int]
    ) -> Iterator[Shown]:
        """Yield the hidden documents of which a number stands in a text, each with one of them."""
        found: dict[int, str] = {}
        for quantity in sorted(facts.quantities - excused.quantities):
            owners = self._corpus.quantity_owners.get(quantity, [])
            if owners and self.visible.isdisjoint(owners):
                place = min(set(owners).intersection(likely) or owners)
                if place not in known:
                    found.setdefault(place, quantity)
        occurrences = TextMatcher(found.values()).occurrences(text) if found else {}
        for place, quantity in found.items():
            yield Shown(place, "quantity", occurrences[quantity].raw if quantity in occurrences else quantity)

    def in_source(self, source: str, excused: Excused) -> list[Shown]:
        """Return the hidden documents that a source names.

        A source names documents, so that an id or a name counts there whoever said it, unless it is part of what a
        visible document is called. A title or a passage is judged as in free text.
        """
        if source not in self._sources:
            self._sources[source] = self._in_source(source, Excused())
        return self._in_source(source, excused) if self._sources[source] else []

    def _in_source(self, source: str, excused: Excused) -> list[Shown]:
        called = self._corpus.called_in(source)
        spans = [span for mentions, span in called if any(place in self.visible for _, place in mentions)]
        shown = [
            Shown(place, kind, span.raw)
            for mentions, span in called
            if not any(_covers(each, span) for each in spans)
            for kind, place in mentions
            if kind != "title"
        ]
        facts = self._corpus.facts(source)
        shown += [each for each in self.mentions_in(source, facts, excused) if each.kind == "title"]
        shown += self.passages_in(source, facts, excused, known={each.place for each in shown}, likely=())
        return shown


def _runs(positions: npt.NDArray[np.int64]) -> Iterator[list[int]]:
    """Yield neighbouring positions together, long rows of them in parts."""
    for row in np.split(positions, np.flatnonzero(np.diff(positions) != 1) + 1):
        for start in range(0, len(row), _LONGEST_RUN):
            yield row[start : start + _LONGEST_RUN].tolist()


def _covers(outer: Occurrence, inner: Occurrence) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end
