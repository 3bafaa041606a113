"""Search broken on purpose: what each fault would be in a real system, and the target that has it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sekisho.retrievers import two_stage

if TYPE_CHECKING:
    from sekisho.corpora import SyntheticCorpus
    from sekisho.retrievers.binary import Quantiser
    from sekisho.retrievers.protocols import Bits, Floats
    from sekisho.retrievers.two_stages import TwoStageRetriever


@dataclass(frozen=True)
class SignFlipped:
    """A quantiser that takes the other side's sign: ``x < 0`` where the documents were encoded by ``x >= 0``."""

    quantiser: Quantiser

    def encode(self, unit: Floats) -> Bits:
        """Return the bits of the vectors that point the other way."""
        return self.quantiser.encode(-unit)


def sign_flipped(corpus: SyntheticCorpus, k: int, *, candidates: int = 40) -> TwoStageRetriever:
    """Return two-stage search in which the queries are encoded with the opposite sign convention."""
    healthy = two_stage(corpus, k, candidates=candidates)
    return replace(healthy, queries=SignFlipped(healthy.queries))


def rerank_dropped(corpus: SyntheticCorpus, k: int, *, candidates: int = 40) -> TwoStageRetriever:
    """Return two-stage search whose second stage was left out: the order of the bits is the answer."""
    return two_stage(corpus, k, candidates=candidates, rerank=False)


def raises(corpus: SyntheticCorpus, k: int) -> object:
    """Return a target whose every query fails, as with a server that is down."""
    del corpus, k

    class Down:
        def retrieve(self, query: Floats) -> list[str]:
            """Refuse."""
            del query
            reason = "connection refused"
            raise ConnectionError(reason)

    return Down()
