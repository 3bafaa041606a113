"""The documents of a target, prepared once: folded texts, runs of characters, names and numbers, and who has them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from sekisho.access.grams import hashes_of, index_of
from sekisho.access.mention_search import MentionSearch
from sekisho.access.mentions import Mention, mentions_of, stands_as_word, without_page
from sekisho.calling.rendered import rendered
from sekisho.matching import Occurrence, fold, quantities

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sekisho.core.answers import Document

RUN = 12
"""Characters of a folded run that is long enough to tell where it comes from."""
_FACTS_KEPT = 256


class Facts(NamedTuple):
    """What stands in one text.

    Attributes:
        folded: The text in its canonical form.
        hashes: Of its runs of 12 characters.
        mentions: Ids, names and titles of documents, with their first occurrence.
        quantities: Numbers with their unit.
    """

    folded: str
    hashes: npt.NDArray[np.uint64]
    mentions: dict[str, Occurrence]
    quantities: frozenset[str]


class Corpus:
    """Documents in the order of their ids, and what tells them apart.

    Attributes:
        documents: Sorted by id.
        folded: The folded text, title and name of each, and what a page shows of the text where that differs.
        index: In which documents each run stands.
        alone: Place of a run in the index to whether it stands in one document only.
        mentions: Ids, names and titles that tell a document where they stand in free text.
        mention_owners: Mention to the places of the documents whose text, title or name holds it.
        quantity_owners: Number with unit to the places of the documents that hold it, ascending.
    """

    def __init__(self, documents: Iterable[Document]) -> None:
        self.documents = tuple(sorted(documents, key=lambda document: document.id))
        self.place_of = {document.id: place for place, document in enumerate(self.documents)}
        texts = [_texts_of(each) for each in self.documents]
        self.folded = tuple(tuple(map(fold, each)) for each in texts)
        self.index = index_of(self.folded, RUN)
        self.alone = self.index.in_one_document()
        self.mentions: dict[str, list[Mention]] = mentions_of(self.documents)
        self._mention_search = MentionSearch(self.mentions)
        self._whole_names = _whole_names_of(self.documents)
        self.mention_owners: dict[str, set[int]] = {mention: set() for mention in self.mentions}
        self.quantity_owners: dict[str, list[int]] = {}
        for place, each in enumerate(texts):
            self._own(place, each)
        self.facts = lru_cache(maxsize=_FACTS_KEPT)(self._facts)

    def _own(self, place: int, texts: Sequence[str]) -> None:
        numbers: set[str] = set()
        for text, folded in zip(texts, self.folded[place], strict=True):
            if not text:
                continue
            numbers |= quantities(text)
            for mention in self._mention_search.occurrences(text, folded):
                self.mention_owners[mention].add(place)
        for number in numbers:
            self.quantity_owners.setdefault(number, []).append(place)

    def _facts(self, text: str) -> Facts:
        """Return what stands in a text; of the texts asked for last it is kept."""
        folded = fold(text)
        return Facts(folded, hashes_of(folded, RUN), self._mention_search.occurrences(text, folded), quantities(text))

    def holds_verbatim(self, place: int, text: str) -> bool:
        """Tell whether a document holds a text letter by letter."""
        return text in self.documents[place].text

    def called_in(self, source: str) -> list[tuple[list[Mention], Occurrence]]:
        """Return what a source calls documents by, with word edges: each id, name or title, and where it stands.

        What is too short to tell a document in free text, such as the name ``7``, counts where it is all of the source
        but a page.
        """
        stem = without_page(source)
        found = [(mentions, Occurrence(0, len(stem), stem)) for mentions in (self._whole_names.get(stem),) if mentions]
        for mention, first in self.facts(source).mentions.items():
            occurrence = stands_as_word(source, mention, first)
            if occurrence is not None and mention != stem:
                found.append((self.mentions[mention], occurrence))
        return found

    def stands_in_any(self, folded: str, places: Sequence[int]) -> bool:
        """Tell whether a folded text stands in any of these documents."""
        return any(folded in text for place in places for text in self.folded[place])


def _texts_of(document: Document) -> tuple[str, ...]:
    """Return the texts of a document: what a page shows of it is as secret, and as well known, as its source."""
    shown = rendered(document.text)
    texts = (document.text, document.title, document.name)
    return texts if shown is None else (*texts, shown)


def _whole_names_of(documents: Sequence[Document]) -> dict[str, list[Mention]]:
    found: dict[str, list[Mention]] = {}
    for place, document in enumerate(documents):
        found.setdefault(document.id, []).append(Mention("id", place))
        found.setdefault(document.name, []).append(Mention("name", place))
        found.setdefault(document.title, []).append(Mention("title", place))
    found.pop("", None)
    return found
