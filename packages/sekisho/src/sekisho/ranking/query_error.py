"""The error that names the query of a run in which a value was refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sekisho.core.errors import RankingError
from sekisho.core.messages import message

if TYPE_CHECKING:
    from collections.abc import Hashable

    from sekisho.core.messages import Language


class QueryRankingError(RankingError):
    """A value that no metric can be computed from, in one query of a run.

    Attributes:
        code: Code of what was refused; the sentence puts the query in front of it.
        query: Id of the query.
    """

    def __init__(self, refused: RankingError, query: Hashable) -> None:
        super().__init__(refused.code, where=refused.where, query=query, **refused.values)
        self.query = query

    def render(self, language: Language) -> str:
        """Return the sentence in one language, the query in front of it."""
        return message("ranking.in_query", language, query=self.query, sentence=super().render(language))
