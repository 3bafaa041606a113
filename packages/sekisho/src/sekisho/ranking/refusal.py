"""The errors of this area, made without importing their classes before one is needed.

The classes and the catalogues cost more to import than a small evaluation takes, and most runs raise nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False  # the name that type checkers know; ``typing`` itself is not imported here
if TYPE_CHECKING:
    from collections.abc import Hashable

    from sekisho.core.errors import RankingError


def refusal(code: str, /, **values: object) -> RankingError:
    """Return the error with this code, to be raised by the caller."""
    from sekisho.core.errors import RankingError  # noqa: PLC0415  see the docstring of this module

    return RankingError(code, where=None, **values)


def in_query(error: Exception, query: Hashable) -> RankingError:
    """Return a refusal that also names the query it was met in, or raise ``error`` where it is none."""
    from sekisho.core.errors import RankingError  # noqa: PLC0415  see the docstring of this module
    from sekisho.ranking.query_error import QueryRankingError  # noqa: PLC0415  as above

    if not isinstance(error, RankingError):
        raise error
    return QueryRankingError(error, query)
