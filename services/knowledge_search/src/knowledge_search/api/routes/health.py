"""Whether the service can answer."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

import anyio
from anyio import to_thread
from fastapi import APIRouter, Request

from knowledge_search import __version__
from knowledge_search.api.errors import ErrorModel, Problem
from knowledge_search.api.models import MAX_QUESTION, HealthOut
from knowledge_search.api.wiring import Served  # noqa: TC001 - FastAPI reads it at run time
from knowledge_search.domain import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable

router = APIRouter(tags=["health"])
_PATIENCE_S: Final = 3.0
"""Whoever watches over the service wants an answer sooner than a database that is away gives up."""
_FRESH_S: Final = 1.0
"""Anyone may ask for the health of the service; this often at most it asks the database."""


class Probe:
    """Asks the database whether it is there: one question at a time, however many want to know.

    Args:
        check: Raises StoreError where it is not.
    """

    def __init__(self, check: Callable[[], None]) -> None:
        self._check = check
        self._asking = False
        self._at = float("-inf")
        self._good = False

    async def good(self) -> bool:
        """Return whether the database answers, within a few seconds."""
        if not self._asking and time.monotonic() - self._at > _FRESH_S:
            self._asking = True
            with anyio.move_on_after(_PATIENCE_S):
                await to_thread.run_sync(self._ask, abandon_on_cancel=True)
        if self._asking:  # by this call, which has given up, or by another
            return self._good and time.monotonic() - self._at < _PATIENCE_S
        return self._good

    def _ask(self) -> None:
        try:
            self._check()
        except StoreError:
            self._good = False
        else:
            self._good = True
        finally:
            self._at = time.monotonic()
            self._asking = False


@router.get(
    "/health",
    responses={503: {"model": ErrorModel, "description": "The database is away."}},
    summary="Is the service fit to answer?",
)
async def health(request: Request, services: Served) -> HealthOut:
    """Say whether the service can answer, and what its page tells its users."""
    probe: Probe = request.app.state.probe
    if not await probe.good():
        raise Problem(503, "database_away", {"Retry-After": "5"})
    return HealthOut(
        version=__version__,
        model=services.llm.name,
        model_configured=services.settings.llm != "extractive",
        embedder=services.embedder.name,
        evaluation_grade=services.embedder.evaluation_grade,
        strategy=services.strategy.name,
        anonymous=services.settings.anonymous == "all",
        max_question=MAX_QUESTION,
    )
