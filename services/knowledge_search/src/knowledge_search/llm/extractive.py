"""The stand-in where no model is configured: it quotes what was found, each passage with its citation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from knowledge_search.answer.citations import quoted
from knowledge_search.answer.prompt import NO_ANSWER, documents_of

if TYPE_CHECKING:
    from collections.abc import Iterator


class ExtractiveLLM:
    """Answers with the documents of the prompt themselves. No key, no network, the same answer every time.

    Attributes:
        name: ``extractive``; the page says beside it that no model is configured.
    """

    name = "extractive"

    def generate(self, system: str, user: str) -> str:
        """Return each document's text followed by its ``[n]``, a line each; ``NO_ANSWER`` without documents."""
        return "".join(self.stream(system, user))

    def stream(self, system: str, user: str) -> Iterator[str]:  # noqa: ARG002 - the protocol's; quoting needs no orders
        """Yield the answer document by document."""
        documents = documents_of(user)
        if not documents:
            yield NO_ANSWER
        for place, each in enumerate(documents):
            yield ("\n" if place else "") + quoted(each.text, each.number)
